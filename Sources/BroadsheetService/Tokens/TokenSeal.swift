package import BroadsheetStores

/// What makes tokens tamper-evident, and entity tags this store's own: the store's sealing key
/// (docs/api.md, "Page tokens").
///
/// A sealed token is text that is safe in a URL. Whoever has the key can open it, nobody else can
/// make or change one; it is not secret, and no authorisation.
package struct TokenSeal: Sendable {
    private let key: SipHash.Key
    /// How many bytes the code at a token's end takes.
    private static let codeLength = 16

    /// A seal of the store's own.
    package init(_ identity: StoreIdentity) {
        key = SipHash.Key(identity.sealingKey)
    }

    /// Seals `payload` as a token of `kind`, which opens for the same `subject` only.
    func seal(_ payload: [UInt8], as kind: TokenKind, for subject: String) -> String {
        Base64URL.encode(payload + code(of: payload[...], kind, subject).bytes)
    }

    /// The payload of a token that was sealed as `kind` for `subject`; nil for any other text.
    func open(_ token: String, as kind: TokenKind, for subject: String) -> ArraySlice<UInt8>? {
        guard let bytes = Base64URL.decode(token), bytes.count >= Self.codeLength else {
            return nil
        }
        let payload = bytes.dropLast(Self.codeLength)
        let sent = SipHash.Code(bytes.suffix(Self.codeLength))
        guard code(of: payload, kind, subject).isEqualInConstantTime(to: sent) else { return nil }
        return payload
    }

    /// Starts a code over something other than a token, such as an entity tag.
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

/// The things that are sealed.
///
/// Each is a message of its own sort, so that none passes for another; a change of a token's format
/// takes a new number, and old tokens then open no more.
enum TokenKind: UInt8, Sendable {
    /// "After page p" of a screen's layout.
    case page = 1
    /// "After this screen" of the list of screens.
    case listing = 2
    /// A layout's entity tag.
    case layoutTag = 3
    /// A page's entity tag.
    case pageTag = 4
}
