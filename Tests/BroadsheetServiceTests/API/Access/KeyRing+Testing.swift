import BroadsheetHTTP
import Testing

@testable import BroadsheetService

extension KeyRing {
    /// Reads keys; the secret of a key is `secret-` and its name.
    ///
    /// - Parameter lines: The lines of a file of keys without their digests.
    init(of lines: String...) throws { try self.init(ofLines: lines) }

    /// Reads keys, as ``init(of:)`` does.
    init(ofLines lines: [String]) throws {
        let text = lines.map { line in
            let name = String(line.prefix { $0 != " " })
            return "\(line) \(SecretDigest(of: "secret-\(name)".utf8).hexadecimal)\n"
        }
        try self.init(Array(text.joined().utf8))
    }
}

extension AccessConfiguration {
    /// Creates the configuration of a service with keys.
    init(keys: KeyRing) {
        self.init()
        self.keys = keys
    }
}

extension HTTPHeaders {
    /// The fields of a request with the key of a name.
    static func key(_ name: String) -> HTTPHeaders { [.authorization: "Bearer secret-\(name)"] }
}
