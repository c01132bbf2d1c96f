package import BroadsheetStores

/// The store's key, which makes tokens tamper-evident and entity tags specific to the store
/// (docs/api.md, "Page tokens").
///
/// A sealed token is text that is safe in a URL. It can be created and changed only with the key;
/// its contents are not secret, and it does not authorise anything.
package struct TokenSeal: Sendable {
    private let key: SipHash.Key
    /// The length of the code at the end of a token, in bytes.
    private static let codeLength = 16

    /// Creates the seal of a store.
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
    /// The entity tag of a layout.
    case layoutTag = 3
    /// The entity tag of a page.
    case pageTag = 4
}

/// Base64 with the URL-safe alphabet and without padding (RFC 4648 §5).
enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Returns bytes as text.
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
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var bits: UInt32 = 0
        var pending = 0
        for character in text.utf8 {
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
