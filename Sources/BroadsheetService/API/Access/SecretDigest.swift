import CNettle
import Glibc

/// The SHA-256 of a key's secret (FIPS 180-4): the form in which the daemon knows a secret.
///
/// A secret has 256 random bits, so that its digest needs neither a salt nor a slow function.
package struct SecretDigest: Sendable, Hashable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    package init(of secret: some Collection<UInt8>) {
        var bytes = [UInt8](repeating: 0, count: 32)
        let secret = Array(secret)
        secret.withUnsafeBufferPointer { secret in
            bytes.withUnsafeMutableBufferPointer { bytes in
                // An empty array may have no address, which the function does not read then.
                cnettle_sha256(secret.baseAddress, secret.count, bytes.baseAddress)
            }
        }
        self.init(bytes: bytes)
    }

    /// Reads 64 hexadecimal digits, or returns `nil` for any other text.
    package init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8.compactMap(Self.value)
        guard digits.count == 64, text.utf8.count == 64 else { return nil }
        self.init(
            bytes: stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    private init(bytes: [UInt8]) {
        func word(_ index: Int) -> UInt64 {
            UInt64(littleEndianBytes: bytes.dropFirst(index * 8).prefix(8))
        }
        words = (word(0), word(1), word(2), word(3))
    }

    private var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap(\.littleEndianBytes)
    }

    /// The 64 hexadecimal digits, in lower case.
    package var hexadecimal: String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Returns 1 for an equal digest and 0 for another one, in a time that does not depend on
    /// their difference, and without a branch.
    func equality(to other: SecretDigest) -> Int {
        let difference =
            (words.0 ^ other.words.0) | (words.1 ^ other.words.1) | (words.2 ^ other.words.2)
            | (words.3 ^ other.words.3)
        // The highest bit of a number or of its negative is set, unless the number is 0.
        return Int(truncatingIfNeeded: 1 ^ ((difference | (0 &- difference)) >> 63))
    }

    package static func == (one: SecretDigest, other: SecretDigest) -> Bool {
        one.equality(to: other) == 1
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// Makes the secrets of keys.
package enum KeySecret {
    /// The beginning of every secret, by which programs that search texts for secrets find it.
    package static let prefix = "bs_"
    private static let byteCount = 32

    /// Returns a new secret: the prefix and 43 characters of Base64 for URLs, of random bytes of
    /// the kernel (`getrandom(2)`, which getentropy calls).
    ///
    /// - Returns: `nil` if the system has no random numbers.
    package static func random() -> String? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        return getentropy(&bytes, bytes.count) == 0 ? prefix + Base64URL.encode(bytes) : nil
    }
}
