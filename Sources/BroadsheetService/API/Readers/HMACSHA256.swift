import CNettle

/// HMAC-SHA-256 (RFC 2104, FIPS 180-4).
enum HMACSHA256 {
    static let byteCount = 32

    static func code(of message: some Collection<UInt8>, by key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: byteCount)
        let message = Array(message)
        cnettle_hmac_sha256(key, key.count, message, message.count, &code)
        return code
    }

    /// Returns whether a code is that of a message, in a time that does not depend on their
    /// difference.
    static func verifies(
        _ sent: [UInt8], of message: some Collection<UInt8>, by key: [UInt8]
    ) -> Bool {
        guard sent.count == byteCount else { return false }
        let difference = zip(code(of: message, by: key), sent).reduce(0) { $0 | ($1.0 ^ $1.1) }
        return difference == 0
    }
}
