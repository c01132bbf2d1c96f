/// The objects of a screen.
extension ObjectKey {
    /// The kinds of objects.
    enum Kind: UInt8 {
        /// The posted bytes of a page.
        case page
        /// A node of the directory of pages.
        case node
        /// The record of an earlier revision.
        case earlier
        case event
    }

    /// The object as operators know it.
    var description: String {
        switch Kind(rawValue: kind) {
        case .page: "page \(number)"
        case .node: "the directory from page \(number) on"
        case .earlier: "revision \(number)"
        case .event: "event \(number) of the feed"
        case nil: "object \(kind)/\(number)/\(revision)"
        }
    }

    package var isPage: Bool { kind == Kind.page.rawValue }

    private init(_ kind: Kind, _ number: UInt64, _ revision: UInt64) {
        self.init(kind: kind.rawValue, number: number, revision: revision)
    }

    static func page(_ number: Int, storedAt revision: UInt64) -> ObjectKey {
        ObjectKey(.page, UInt64(clamping: number), revision)
    }

    static func node(from first: Int, writtenAt revision: UInt64) -> ObjectKey {
        ObjectKey(.node, UInt64(clamping: first), revision)
    }

    /// Returns the key of the record of an earlier revision, which has both revisions, so that no
    /// key ever has two contents.
    static func earlier(_ revision: UInt64, replacedBy next: UInt64) -> ObjectKey {
        ObjectKey(.earlier, revision, next)
    }

    package static func event(_ number: UInt64, base: UInt64) -> ObjectKey {
        ObjectKey(.event, number, base)
    }
}
