import COpenSSL

/// An algorithm of signatures of tokens (RFC 7518 §3.1, RFC 8037 §3.1).
package enum TokenAlgorithm: String, Sendable, Hashable, CaseIterable {
    case edDSA = "EdDSA"
    case hs256 = "HS256"
}

/// A key by which an issuer's tokens are verified, with its id.
package struct TokenKey: Sendable, Hashable {
    private enum Material: Sendable, Hashable {
        case edDSA(Ed25519PublicKey)
        case hs256([UInt8])
    }

    /// The id (`kid`).
    package let id: String
    private let material: Material

    /// The numbers of bytes that a secret of HS256 can have (RFC 7518 §3.2: at least those of the
    /// hash).
    static let secretSizes = 32...128

    /// Reads `ALGORITHM:KID:KEY`; throws the requirement that is not met, without the key.
    init(_ text: String) throws(KeyLineViolation) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let algorithm = TokenAlgorithm(rawValue: String(parts[0])) else {
            let all = TokenAlgorithm.allCases.map(\.rawValue).joined(separator: " or ")
            throw KeyLineViolation("the key must be ALGORITHM:KID:KEY with the algorithm \(all)")
        }
        try self.init(id: String(parts[1]), algorithm, Base64URL.decode(String(parts[2])))
    }

    /// `bytes` are the public key or the secret; `nil` for malformed ones.
    init(id: String, _ algorithm: TokenAlgorithm, _ bytes: [UInt8]?) throws(KeyLineViolation) {
        guard AccessKey.isName(id) else {
            throw KeyLineViolation(
                "the KID must be 1 to \(AccessKey.maxNameLength) of A-Z a-z 0-9 . _ -")
        }
        self.id = id
        switch algorithm {
        case .edDSA:
            guard Ed25519.isAvailable else {
                throw KeyLineViolation(
                    "EdDSA needs OpenSSL 3's libcrypto, which is missing: apt install libssl3")
            }
            guard let key = bytes.flatMap(Ed25519PublicKey.init) else {
                throw KeyLineViolation(
                    "the key of EdDSA must be a public key of \(Ed25519PublicKey.byteCount) bytes, "
                        + "not of small order, in Base64URL without padding")
            }
            material = .edDSA(key)
        case .hs256:
            guard let bytes, Self.secretSizes.contains(bytes.count) else {
                throw KeyLineViolation(
                    "the key of HS256 must be a secret of \(Self.secretSizes.lowerBound) to "
                        + "\(Self.secretSizes.upperBound) bytes in Base64URL without padding")
            }
            material = .hs256(bytes)
        }
    }

    /// The algorithm, the only one of tokens of the key (RFC 8725 §3.1).
    package var algorithm: TokenAlgorithm {
        switch material {
        case .edDSA: .edDSA
        case .hs256: .hs256
        }
    }

    /// The key as a word of the file of keys; of HS256 it is a secret.
    var text: String {
        let bytes =
            switch material {
            case .edDSA(let key): key.bytes
            case .hs256(let secret): secret
            }
        return "\(algorithm.rawValue):\(id):\(Base64URL.encode(bytes))"
    }

    func verifies(_ signature: [UInt8], of message: some Collection<UInt8>) -> Bool {
        switch material {
        case .edDSA(let key): key.verifies(signature, of: message)
        case .hs256(let secret): HMACSHA256.verifies(signature, of: message, by: secret)
        }
    }
}

/// The requirement that a line of a file of keys does not meet; it repeats no text of the line,
/// which may be a secret.
struct KeyLineViolation: Error, Hashable {
    let detail: String

    init(_ detail: String) { self.detail = detail }
}
