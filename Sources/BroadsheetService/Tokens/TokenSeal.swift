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
