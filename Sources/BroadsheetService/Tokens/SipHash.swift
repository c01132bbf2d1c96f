/// SipHash-2-4 with 128 bits of output: a message authentication code for short messages.
///
/// Whoever does not have the key cannot tell the code of any message from chance, which is all that
/// page tokens and entity tags need; it is no general cryptographic hash. After Aumasson and
/// Bernstein, "SipHash: a fast short-input PRF" (2012), and the authors' reference for 128 bits.
/// O(bytes), without allocating.
struct SipHash: Sendable {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    /// The bytes that do not fill a word yet, the first one lowest.
    private var tail: UInt64 = 0
    private var count: UInt64 = 0

    /// Starts a message under `key`.
    init(key: Key) {
        v0 = key.low ^ 0x736f_6d65_7073_6575
        v1 = key.high ^ 0x646f_7261_6e64_6f6d ^ 0xee
        v2 = key.low ^ 0x6c79_6765_6e65_7261
        v3 = key.high ^ 0x7465_6462_7974_6573
    }

    /// Takes one more byte of the message.
    mutating func combine(byte: UInt8) {
        tail |= UInt64(byte) << (8 * (count & 7))
        count &+= 1
        guard count & 7 == 0 else { return }
        compress(tail)
        tail = 0
    }

    /// Takes more bytes of the message.
    mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { combine(byte: byte) }
    }

    /// Takes a number as eight bytes, the lowest first.
    mutating func combine(_ word: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            combine(byte: UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
    }

    /// Takes a text with its length before it, so that where it ends is part of the message.
    mutating func combine(text: String) {
        combine(UInt64(text.utf8.count))
        combine(text.utf8)
    }

    /// The code of the message so far.
    consuming func finalized() -> Code {
        compress(tail | (count & 0xff) << 56)
        v2 ^= 0xee
        for _ in 0..<4 { round() }
        let low = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xdd
        for _ in 0..<4 { round() }
        return Code(low: low, high: v0 ^ v1 ^ v2 ^ v3)
    }

    private mutating func compress(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    private mutating func round() {
        v0 &+= v1
        v2 &+= v3
        v1 = v1.rotatedLeft(13) ^ v0
        v3 = v3.rotatedLeft(16) ^ v2
        v0 = v0.rotatedLeft(32)
        v2 &+= v1
        v0 &+= v3
        v1 = v1.rotatedLeft(17) ^ v2
        v3 = v3.rotatedLeft(21) ^ v0
        v2 = v2.rotatedLeft(32)
    }
}

extension SipHash {
    /// The 128 bits that a message is authenticated under.
    struct Key: Hashable, Sendable {
        /// Bytes 0 to 7, the first one lowest.
        var low: UInt64
        /// Bytes 8 to 15.
        var high: UInt64

        /// A key of 16 bytes; bytes that are missing count as 0, more than 16 are not looked at.
        init(_ bytes: [UInt8]) {
            low = UInt64(littleEndianBytes: bytes.prefix(8))
            high = UInt64(littleEndianBytes: bytes.dropFirst(8).prefix(8))
        }
    }

    /// The 128 bits that stand for a message.
    struct Code: Hashable, Sendable {
        /// Bytes 0 to 7, the first one lowest.
        var low: UInt64
        /// Bytes 8 to 15.
        var high: UInt64

        /// The code's 16 bytes.
        var bytes: [UInt8] { low.littleEndianBytes + high.littleEndianBytes }

        /// Whether two codes are the same, in a time that does not tell where they differ.
        func isEqualInConstantTime(to other: Code) -> Bool {
            (low ^ other.low) | (high ^ other.high) == 0
        }
    }
}

extension SipHash.Code {
    /// The code of 16 bytes; missing ones count as 0.
    init(_ bytes: some Sequence<UInt8>) {
        let key = SipHash.Key(Array(bytes))
        self.init(low: key.low, high: key.high)
    }
}

extension UInt64 {
    fileprivate func rotatedLeft(_ bits: UInt64) -> UInt64 { self << bits | self >> (64 - bits) }

    /// Reads up to eight bytes, the first one lowest.
    init(littleEndianBytes bytes: some Sequence<UInt8>) {
        self = 0
        for (index, byte) in bytes.prefix(8).enumerated() { self |= UInt64(byte) << (8 * index) }
    }

    /// The eight bytes, the lowest first.
    var littleEndianBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }
}
