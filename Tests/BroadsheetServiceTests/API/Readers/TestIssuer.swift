import Broadsheet
import BroadsheetHTTP
import Testing

@testable import BroadsheetService

/// An issuer of tokens of any text, for the clock of a `ManualClock`.
struct TestIssuer: Sendable {
    let algorithm: TokenAlgorithm
    var name = "shop"
    var id = "k"

    /// The start of a manual clock, in seconds.
    static let now = 1_700_000_000

    /// The private key of RFC 8037, A.1, and its public key.
    private static let pair = (
        secret: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
        key: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    )
    private static let secret = [UInt8](repeating: 7, count: 32)

    static let hs256 = TestIssuer(algorithm: .hs256)
    static let edDSA = TestIssuer(algorithm: .edDSA)
    static let both = [hs256, edDSA]

    /// The public key or the secret, as the line has it.
    var key: String {
        algorithm == .edDSA ? Self.pair.key : Base64URL.encode(Self.secret)
    }

    /// Returns a line of the issuer.
    func line(
        _ scopes: String = "read", _ patterns: String = "home,user-{sub}-*",
        expiry: String = "never", _ options: String = ""
    ) -> String {
        "\(name) \(scopes) \(patterns) \(expiry) \(algorithm.rawValue):\(id):\(key) \(options)"
    }

    /// The header of a token.
    var header: String { #"{"alg":"\#(algorithm.rawValue)","kid":"\#(id)"}"# }

    /// Returns the members of a payload that is valid for five minutes, with others before them.
    static func payload(_ members: String = #""sub":"a""#, from start: Int = now) -> String {
        let times = "\"iat\":\(start),\"exp\":\(start + 300)"
        return members.isEmpty ? "{\(times)}" : "{\(members),\(times)}"
    }

    /// Returns a token with a right signature.
    func token(_ payload: String = payload(), header: String? = nil) throws -> String {
        let parts = [header ?? self.header, payload].map { Base64URL.encode(Array($0.utf8)) }
        let message = parts.joined(separator: ".")
        return message + "." + Base64URL.encode(try signature(of: message))
    }

    func signature(of message: String) throws -> [UInt8] {
        guard algorithm == .edDSA else {
            return HMACSHA256.code(of: message.utf8, by: Self.secret)
        }
        let secret = try #require(Base64URL.decode(Self.pair.secret))
        return try #require(Ed25519.signature(of: Array(message.utf8), by: secret))
    }
}

extension TestIssuer: CustomTestStringConvertible {
    var testDescription: String { algorithm.rawValue }
}

extension KeyRing {
    /// Reads lines of issuers, and keys as ``init(of:)`` does.
    init(issuers: [String], keys: [String] = []) throws {
        let keys = keys.map { line in
            let name = String(line.prefix { $0 != " " })
            return "\(line) \(SecretDigest(of: "secret-\(name)".utf8).hexadecimal)"
        }
        try self.init(Array((issuers + keys).joined(separator: "\n").utf8))
    }
}

extension HTTPHeaders {
    /// The fields of a request with a token.
    static func token(_ token: String) -> HTTPHeaders { [.authorization: "Bearer \(token)"] }
}
