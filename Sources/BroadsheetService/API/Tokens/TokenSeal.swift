package import BroadsheetStores

/// The store's key, which makes tokens tamper-evident and entity tags specific to the store
/// (docs/api.md, "Page tokens").
///
/// A sealed token is text that is safe in a URL. It can be created and changed only with the key;
/// its contents are not secret, and it does not authorise anything.
package struct TokenSeal: Sendable {
    private let key: SipHash.Key
    private static let codeLength = SipHash.Code.byteCount

    package init(_ identity: StoreIdentity) {
        key = SipHash.Key(identity.sealingKey)
    }

    /// Returns `payload` as a token of `kind`, which can be opened for the same `subject` only.
    func seal(_ payload: [UInt8], as kind: TokenKind, for subject: String) -> String {
        Base64URL.encode(payload + code(of: payload[...], kind, subject).bytes)
    }

    /// Returns the payload of a token that was sealed as `kind` for `subject`, or `nil` for any
    /// other text.
    func open(_ token: String, as kind: TokenKind, for subject: String) -> ArraySlice<UInt8>? {
        guard let bytes = Base64URL.decode(token), bytes.count >= Self.codeLength else {
            return nil
        }
        let payload = bytes.dropLast(Self.codeLength)
        let sent = SipHash.Code(bytes.suffix(Self.codeLength))
        guard code(of: payload, kind, subject).isEqualInConstantTime(to: sent) else { return nil }
        return payload
    }

    /// Returns a hash for something other than a token, such as an entity tag.
    func hasher(for kind: TokenKind) -> SipHash {
        var hash = SipHash(key: key)
        hash.combine(byte: kind.rawValue)
        return hash
    }

    private func code(
        of payload: ArraySlice<UInt8>, _ kind: TokenKind, _ subject: String
    ) -> SipHash.Code {
        var hash = hasher(for: kind)
        hash.combine(text: subject)
        hash.combine(payload)
        return hash.finalized()
    }
}

/// The kinds of sealed messages.
///
/// The kind is part of the code, so that a message of one kind is not accepted as another. A change
/// of a token's format requires a new number, after which old tokens are rejected.
enum TokenKind: UInt8, Sendable {
    /// A position in the pages of a screen.
    case page = 1
    /// A position in the list of screens.
    case listing = 2
    case layoutTag = 3
    case pageTag = 4
    /// A position in the list of a screen's revisions.
    case revisions = 5
    /// A window of a tree to which another one leads.
    case window = 6
    case windowTag = 7
}

/// Base64 with the URL-safe alphabet and without padding (RFC 4648 §5).
enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var bits: UInt32 = 0
        var pending = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            pending += 8
            while pending >= 6 {
                pending -= 6
                text.append(alphabet[Int(bits >> UInt32(pending) & 63)])
            }
        }
        if pending > 0 { text.append(alphabet[Int(bits << UInt32(6 - pending) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of a text, or `nil` unless the text is exactly the result of
    /// ``encode(_:)`` for some bytes, so that no two texts represent the same bytes.
    static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

    static func decode(_ characters: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count * 3 / 4)
        var bits: UInt32 = 0
        var pending = 0
        for character in characters {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            pending += 6
            if pending >= 8 {
                pending -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(pending)))
            }
        }
        // Six remaining bits come from a character that completes no byte; fewer must be 0.
        guard pending < 6, bits & (1 << UInt32(pending) - 1) == 0 else { return nil }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

/// SipHash-2-4 with 128 bits of output: a message authentication code for short messages.
///
/// Without the key, the code of a message cannot be distinguished from a random number, which is
/// all that page tokens and entity tags require; it is not a general cryptographic hash. After
/// Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012), and the authors' reference for
/// 128 bits.
///
/// - Complexity: O(bytes), without allocation.
struct SipHash: Sendable {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    /// The bytes that do not fill a word yet, in little-endian order.
    private var tail: UInt64 = 0
    private var count: UInt64 = 0

    init(key: Key) {
        v0 = key.low ^ 0x736f_6d65_7073_6575
        v1 = key.high ^ 0x646f_7261_6e64_6f6d ^ 0xee
        v2 = key.low ^ 0x6c79_6765_6e65_7261
        v3 = key.high ^ 0x7465_6462_7974_6573
    }

    mutating func combine(byte: UInt8) {
        tail |= UInt64(byte) << (8 * (count & 7))
        count &+= 1
        guard count & 7 == 0 else { return }
        compress(tail)
        tail = 0
    }

    mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { combine(byte: byte) }
    }

    /// Adds a number as eight bytes in little-endian order.
    mutating func combine(_ word: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            combine(byte: UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
    }

    /// Adds the length of a text and the text, so that its end is part of the message.
    mutating func combine(text: String) {
        combine(UInt64(text.utf8.count))
        combine(text.utf8)
    }

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
    /// A key of 128 bits.
    struct Key: Hashable, Sendable {
        /// Bytes 0 to 7, in little-endian order.
        var low: UInt64
        /// Bytes 8 to 15, in little-endian order.
        var high: UInt64

        /// Creates a key from 16 bytes; missing bytes are 0, and further bytes are ignored.
        init(_ bytes: [UInt8]) {
            low = UInt64(littleEndianBytes: bytes.prefix(8))
            high = UInt64(littleEndianBytes: bytes.dropFirst(8).prefix(8))
        }
    }

    /// The code of a message, of 128 bits.
    struct Code: Hashable, Sendable {
        /// Bytes 0 to 7, in little-endian order.
        var low: UInt64
        /// Bytes 8 to 15, in little-endian order.
        var high: UInt64

        static let byteCount = 16

        var bytes: [UInt8] { low.littleEndianBytes + high.littleEndianBytes }

        func isEqualInConstantTime(to other: Code) -> Bool {
            (low ^ other.low) | (high ^ other.high) == 0
        }
    }
}

extension SipHash.Code {
    /// Creates a code from 16 bytes; missing bytes are 0.
    init(_ bytes: some Sequence<UInt8>) {
        let key = SipHash.Key(Array(bytes))
        self.init(low: key.low, high: key.high)
    }
}

extension UInt64 {
    fileprivate func rotatedLeft(_ bits: UInt64) -> UInt64 { self << bits | self >> (64 - bits) }

    /// Creates a number from up to eight bytes in little-endian order.
    init(littleEndianBytes bytes: some Sequence<UInt8>) {
        self = 0
        for (index, byte) in bytes.prefix(8).enumerated() { self |= UInt64(byte) << (8 * index) }
    }

    var littleEndianBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }
}
