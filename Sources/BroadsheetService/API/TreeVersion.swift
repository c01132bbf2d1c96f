import BroadsheetStores

/// A revision, or a revision and the entity tag of a tree: `12` or `12.TAG`.
struct TreeVersion: Sendable, Hashable {
    let revision: UInt64
    /// The tag without its quotes; `nil` if there is none.
    let tag: String?

    init(revision: UInt64, tag: String? = nil) {
        self.revision = revision
        self.tag = tag
    }

    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = parts.first.map(String.init), number.utf8.count <= 20,
            !number.isEmpty, number == "0" || number.utf8.first != UInt8(ascii: "0"),
            number.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let revision = UInt64(number)
        else { return nil }
        self.revision = revision
        tag = parts.count > 1 ? String(parts[1]) : nil
        if tag?.isEmpty == true { return nil }
    }

    var text: String { tag.map { "\(revision).\($0)" } ?? String(revision) }
}

extension TreeVersion {
    func windowTag(_ seal: TokenSeal, of screen: ScreenName) -> WindowTag? {
        tag.flatMap { WindowTag($0, sealedBy: seal, for: screen.text) }
    }

    /// A Boolean value that indicates whether the tag is one of a window by its form, of whatever
    /// screen and store.
    var isOfWindow: Bool { tag.map(WindowTag.hasForm) ?? false }
}
