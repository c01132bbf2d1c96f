import Broadsheet

/// A rule that a token breaks.
enum TokenFailure: Error, Sendable, Hashable, CaseIterable {
    case tokenInvalid
    case tokenKeyUnknown
    case tokenSignatureInvalid
    case tokenAudienceWrong
    case tokenNotYetValid
    case tokenExpired

    var code: ProblemCode {
        switch self {
        case .tokenInvalid: .tokenInvalid
        case .tokenKeyUnknown: .tokenKeyUnknown
        case .tokenSignatureInvalid: .tokenSignatureInvalid
        case .tokenAudienceWrong: .tokenAudienceWrong
        case .tokenNotYetValid: .tokenNotYetValid
        case .tokenExpired: .tokenExpired
        }
    }

    /// The value of the label `result` in the metrics.
    var label: String { String(code.rawValue.lowercased().dropFirst("token_".count)) }

    /// The one text about it, which is also sent in a header.
    private var detail: String {
        switch self {
        case .tokenInvalid: "The token is not a JWT with the header and the claims that it needs."
        case .tokenKeyUnknown: "The kid of the token is not that of a key that is valid."
        case .tokenSignatureInvalid: "The signature of the token is not that of its key."
        case .tokenAudienceWrong: "The audience of the token is not that of its key."
        case .tokenNotYetValid: "The token is not valid yet."
        case .tokenExpired: "The token has expired."
        }
    }

    /// `line` is for the log only; `nil` if it is not known.
    func problem(of line: IssuerLine? = nil) -> Problem {
        var problem = Problem(
            code, detail,
            challenge: "Bearer realm=\"broadsheet\", error=\"invalid_token\", "
                + "error_description=\"\(detail)\"",
            cause: line.map { "the issuer \($0.name)" })
        problem.isOfToken = true
        return problem
    }
}

/// A token whose header names a key, and whose signature was not compared (RFC 7515 §5.2).
struct UnverifiedToken: Sendable {
    let line: IssuerLine
    let digest: SecretDigest
    let byteCount: Int
    /// The header and the payload as they were sent, which are signed.
    private let message: [UInt8]
    private let payload: [UInt8]
    private let signature: [UInt8]

    static let maxByteCount = 8192

    /// Reads a token up to its signature; `now` is in milliseconds since 1970.
    init(
        _ text: Substring.UTF8View, _ digest: SecretDigest, by ring: KeyRing, at now: Int64
    ) throws(TokenRefusal) {
        let dot = UInt8(ascii: ".")
        guard text.count <= Self.maxByteCount else { throw TokenRefusal(.tokenInvalid) }
        let parts = text.split(separator: dot, maxSplits: 3, omittingEmptySubsequences: false)
        let bytes = parts.compactMap { Base64URL.decode($0) }
        guard parts.count == 3, bytes.count == 3, bytes.allSatisfy({ !$0.isEmpty }),
            let header = ReadClaims.object(bytes[0]), let id = header["kid"]?.string,
            let algorithm = header["alg"]?.string, header["crit"] == nil
        else { throw TokenRefusal(.tokenInvalid) }
        // An id is ASCII; other texts can be equal to one by the rules of Unicode.
        guard AccessKey.isName(id), let line = ring.issuer(withKeyID: id),
            !line.expiry.hasPassed(at: now)
        else { throw TokenRefusal(.tokenKeyUnknown) }
        guard algorithm.utf8.elementsEqual(line.key.algorithm.rawValue.utf8) else {
            throw TokenRefusal(.tokenSignatureInvalid, line)
        }
        self.line = line
        self.digest = digest
        byteCount = text.count
        message = Array(text[..<parts[1].endIndex])
        (payload, signature) = (bytes[1], bytes[2])
    }

    func verified(at now: Int64) throws(TokenFailure) -> ReadClaims {
        guard line.key.verifies(signature, of: message) else { throw .tokenSignatureInvalid }
        return try ReadClaims(payload, of: line, at: now)
    }
}

/// A rule that a token breaks, and the issuer's line if it is known.
struct TokenRefusal: Error {
    let failure: TokenFailure
    let line: IssuerLine?

    init(_ failure: TokenFailure, _ line: IssuerLine? = nil) {
        (self.failure, self.line) = (failure, line)
    }
}
