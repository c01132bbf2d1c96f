import Broadsheet
import Glibc

/// A private key by which a backend signs tokens, as a JWK (RFC 7517, RFC 8037).
package struct TokenSigner: Sendable {
    package let algorithm: TokenAlgorithm
    package let id: String
    private let secret: [UInt8]
    /// The key by which the signatures are verified.
    private let verifier: [UInt8]

    private static let secretByteCount = 32
    private static let idByteCount = 6

    /// `nil` if the system has no random numbers, or not the library of the algorithm.
    package static func random(_ algorithm: TokenAlgorithm) -> TokenSigner? {
        var bytes = [UInt8](repeating: 0, count: secretByteCount + idByteCount)
        guard getentropy(&bytes, bytes.count) == 0 else { return nil }
        return TokenSigner(
            algorithm, id: Base64URL.encode(Array(bytes.suffix(idByteCount))),
            secret: Array(bytes.prefix(secretByteCount)))
    }

    private init?(_ algorithm: TokenAlgorithm, id: String, secret: [UInt8]) {
        switch algorithm {
        case .edDSA:
            guard let key = Ed25519.publicKey(of: secret) else { return nil }
            verifier = key
        case .hs256: verifier = secret
        }
        (self.algorithm, self.id, self.secret) = (algorithm, id, secret)
    }

    /// Reads a JWK as ``jwk`` writes it; `nil` for any other text.
    package init?(jwk: String) {
        guard let root = (try? JSONDocument(Array(jwk.utf8)))?.root, let id = root["kid"]?.string,
            let algorithm = root["alg"]?.string.flatMap(TokenAlgorithm.init)
        else { return nil }
        let isPair = algorithm == .edDSA
        guard root["kty"]?.string == (isPair ? "OKP" : "oct"),
            !isPair || root["crv"]?.string == "Ed25519",
            let secret = root[isPair ? "d" : "k"]?.string.flatMap(Base64URL.decode)
        else { return nil }
        self.init(algorithm, id: id, secret: secret)
    }

    /// The key as a JWK in one line.
    package var jwk: String {
        var output = StructuredJSONWriter()
        output.object { output in
            switch algorithm {
            case .edDSA:
                output.member("kty", "OKP")
                output.member("crv", "Ed25519")
                output.member("d", Base64URL.encode(secret))
                output.member("x", Base64URL.encode(verifier))
            case .hs256:
                output.member("kty", "oct")
                output.member("k", Base64URL.encode(secret))
            }
            output.member("kid", id)
            output.member("alg", algorithm.rawValue)
        }
        return String(decoding: output.bytes, as: UTF8.self)
    }

    /// The key of the line of the issuer: `ALGORITHM:KID:KEY`.
    package var lineKey: String {
        "\(algorithm.rawValue):\(id):\(Base64URL.encode(verifier))"
    }

    package func signs(for line: IssuerLine) -> Bool { line.key.text == lineKey }

    /// Returns a token (RFC 7515 §3.1); `nil` without memory.
    package func token(_ claims: TokenClaims) -> String? {
        var header = StructuredJSONWriter()
        header.object { header in
            header.member("alg", algorithm.rawValue)
            header.member("typ", "JWT")
            header.member("kid", id)
        }
        let signed = Base64URL.encode(header.bytes) + "." + Base64URL.encode(claims.json)
        let message = Array(signed.utf8)
        let signature =
            switch algorithm {
            case .edDSA: Ed25519.signature(of: message, by: secret)
            case .hs256: HMACSHA256.code(of: message, by: secret)
            }
        return signature.map { signed + "." + Base64URL.encode($0) }
    }
}

/// The claims of a token (RFC 7519 §4), as a backend writes them.
package struct TokenClaims: Sendable {
    package var issuer: String
    /// The reader; `nil` for none.
    package var subject: String?
    package var audience: String?
    /// The patterns of screens; empty for all of the issuer's line.
    package var screens: [String] = []
    /// The rights; empty for those of the issuer's line.
    package var scopes: [AccessScope] = []
    /// The time at which the token is signed, in seconds since 1970.
    package var issuedAt: Int64
    /// The end of the token, in seconds since 1970.
    package var expiry: Int64

    package init(issuer: String, issuedAt: Int64, expiry: Int64) {
        (self.issuer, self.issuedAt, self.expiry) = (issuer, issuedAt, expiry)
    }

    /// The maximum length of a reader, in bytes.
    package static let maxSubjectLength = 256
    package static let maxScreens = 64

    fileprivate var json: [UInt8] {
        var output = StructuredJSONWriter()
        output.object { output in
            output.member("iss", issuer)
            if let subject { output.member("sub", subject) }
            if let audience { output.member("aud", audience) }
            if !screens.isEmpty {
                output.array("screens") { output in
                    for screen in screens {
                        output.element()
                        output.string(screen)
                    }
                }
            }
            if !scopes.isEmpty {
                output.member("scope", scopes.map(\.rawValue).joined(separator: " "))
            }
            output.member("iat", Int(issuedAt))
            output.member("exp", Int(expiry))
        }
        return output.bytes
    }
}
