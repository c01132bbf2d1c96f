import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// The window before or after another one, with the layout parameters (docs/api.md, "Windows").
struct WindowToken: Sendable, Hashable {
    /// The pages that have to be stored for the window.
    enum Need: Sendable, Hashable {
        /// Any.
        case none
        /// One above a page.
        case above(Int)
        /// One below a page.
        case below(Int)
    }

    /// The anchor; `nil` for the null anchor.
    let anchor: ItemIdentity?
    /// The revision of the tree that the anchor was in.
    let revision: UInt64
    let lengths: ScreenWindow.Lengths
    /// The pages that have to be stored.
    let need: Need
    /// The parameters, the catalog, and the revision of the screen that has the window.
    let page: PageToken

    init(
        around anchor: ItemIdentity?, at revision: UInt64, _ lengths: ScreenWindow.Lengths,
        needing need: Need, _ page: PageToken
    ) {
        self.anchor = anchor
        self.revision = revision
        self.lengths = lengths
        self.need = need
        self.page = page
    }

    func sealed(by seal: TokenSeal, for screen: String) -> String {
        var writer = TokenWriter()
        writer.anchor(anchor)
        writer.lengths(lengths)
        writer.word(revision)
        switch need {
        case .none: writer.byte(0)
        case .above(let page):
            writer.byte(1)
            writer.count(page)
        case .below(let page):
            writer.byte(2)
            writer.count(page)
        }
        // A page token has one bit for the coordinates.
        writer.byte(page.parameters.options.coordinates == .window ? 1 : 0)
        writer.rest(page.payload)
        return seal.seal(writer.bytes, as: .window, for: screen)
    }

    init?(_ text: String, sealedBy seal: TokenSeal, for screen: String) {
        guard let payload = seal.open(text, as: .window, for: screen) else { return nil }
        var reader = TokenReader(payload)
        guard let anchor = reader.anchor(), let lengths = reader.lengths(),
            let revision = reader.word(), let need = reader.need(),
            let coordinates = reader.byte(), var page = PageToken(reader.rest)
        else { return nil }
        if coordinates == 1 { page.parameters.options.coordinates = .window }
        self.init(around: anchor.identity, at: revision, lengths, needing: need, page)
    }
}

/// The entity tag of a window, which names the window (docs/api.md, "Windows").
struct WindowTag: Sendable, Hashable {
    /// The anchor; `nil` for the null anchor.
    let anchor: ItemIdentity?
    let lengths: ScreenWindow.Lengths
    /// The code of everything else that the window depends on.
    let code: [UInt8]

    static let maxByteCount = 2048
    /// The maximum length of the tag of any other tree, in bytes: that of a code, compressed.
    private static let maxTreeByteCount = EntityTag(
        Base64URL.encode([UInt8](repeating: 0, count: SipHash.Code.byteCount))
    ).compressed.opaque.utf8.count

    init(around anchor: ItemIdentity?, _ lengths: ScreenWindow.Lengths, code: [UInt8]) {
        self.anchor = anchor
        self.lengths = lengths
        self.code = code
    }

    /// Returns the tag as text without quotes, which can be read for the screen of that name only.
    func sealed(by seal: TokenSeal, for screen: String) -> String {
        var writer = TokenWriter()
        writer.anchor(anchor)
        writer.lengths(lengths)
        writer.rest(code)
        return seal.seal(writer.bytes, as: .windowTag, for: screen)
    }

    /// Reads a tag, or that of the compressed form; `nil` if it is not one of a window of the
    /// screen.
    init?(_ text: String, sealedBy seal: TokenSeal, for screen: String) {
        guard text.utf8.count <= Self.maxByteCount,
            let payload = seal.open(text, as: .windowTag, for: screen)
                ?? seal.open(Self.plain(text), as: .windowTag, for: screen)
        else { return nil }
        var reader = TokenReader(payload)
        guard let anchor = reader.anchor(), let lengths = reader.lengths() else { return nil }
        self.init(around: anchor.identity, lengths, code: Array(reader.rest))
    }

    /// Returns whether a text has the form of the tag of a window, which need not be one that can
    /// be read.
    static func hasForm(_ text: String) -> Bool { text.utf8.count > maxTreeByteCount }

    /// Returns the tag of the plain form of a representation, given that of the compressed one.
    private static func plain(_ text: String) -> String {
        let suffix = EntityTag("").compressed.opaque
        return text.hasSuffix(suffix) ? String(text.dropLast(suffix.count)) : text
    }
}

/// The fields of windows.
extension TokenWriter {
    mutating func word(_ value: UInt64) { rest(value.littleEndianBytes) }

    mutating func lengths(_ lengths: ScreenWindow.Lengths) {
        number(lengths.before)
        number(lengths.after)
    }

    mutating func anchor(_ anchor: ItemIdentity?) {
        guard let anchor else { return byte(0) }
        switch anchor.section {
        case .named(let identifier):
            byte(anchor.hasOwnID ? 3 : 1)
            text(identifier.text)
        case .unnamed(let page, let place):
            byte(anchor.hasOwnID ? 4 : 2)
            count(page)
            count(place)
        }
        sized(anchor.item)
    }
}

extension TokenReader {
    /// An anchor that was read; its identity is `nil` for the null anchor.
    struct Anchor {
        let identity: ItemIdentity?
    }

    mutating func word() -> UInt64? {
        var bytes: [UInt8] = []
        for _ in 0..<8 {
            guard let byte = byte() else { return nil }
            bytes.append(byte)
        }
        return UInt64(littleEndianBytes: bytes)
    }

    mutating func lengths() -> ScreenWindow.Lengths? {
        guard let before = number(), let after = number() else { return nil }
        return ScreenWindow.Lengths(before: before, after: after)
    }

    mutating func anchor() -> Anchor? {
        guard let kind = byte() else { return nil }
        let section: SectionIdentity
        switch kind {
        case 0: return Anchor(identity: nil)
        case 1, 3:
            guard let text = text() else { return nil }
            section = .named(Identifier(text))
        case 2, 4:
            guard let page = count(), let place = count() else { return nil }
            section = .unnamed(page: page, place: place)
        default: return nil
        }
        guard let item = sized() else { return nil }
        return ItemIdentity(section: section, item: Array(item), hasOwnID: kind > 2)
            .map(Anchor.init)
    }

    fileprivate mutating func need() -> WindowToken.Need? {
        switch byte() {
        case 0: WindowToken.Need.none
        case 1: count().map(WindowToken.Need.above)
        case 2: count().map(WindowToken.Need.below)
        default: nil
        }
    }
}
