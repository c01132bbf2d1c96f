import Broadsheet
import BroadsheetStores

/// The key of an entry of the layout cache: everything that the entry depends on.
///
/// Clients for which all conditions of the pages have the same outcome share entries.
struct LayoutKey: Sendable, Hashable {
    let screen: ScreenName
    var tree: Tree
    var version: Version
    /// The outcome of the conditions in the pages, which stands for the client and the flags.
    var outcome = Outcome.none
    /// The parameters of the layout; those without influence on the content have their defaults.
    let parameters: LayoutParameters
    let content: Content
    var isCompressed = false

    /// A tree of a screen, in any version.
    struct Tree: Sendable, Hashable {
        /// The position of the catalog (``ActiveCatalog/position``).
        var catalog = 0
        /// The highest page; `nil` for that of a screen without pages.
        let page: Int?
        /// A Boolean value that indicates whether the version is that of a tree whose bound lies
        /// above its highest page, and later than that of the tree of this page.
        var isOpen = false
    }

    /// The content of an entry.
    enum Content: Sendable, Hashable {
        /// The laid-out screen.
        case frames
        case tree
        case picture
        /// `since` is the client's revision; `page` is its highest page, `nil` if it has none.
        case changes(since: UInt64, page: Int?)

        /// A Boolean value that indicates whether the content has the members of a tree: it depends
        /// on its options, and on its revision.
        var hasTreeMembers: Bool {
            switch self {
            case .tree, .changes: true
            case .frames, .picture: false
            }
        }

        /// The label of the content in metrics: a value of the label `kind`, which is part of the
        /// API.
        var label: String { Self.labels[labelIndex] }

        static let labels = ["layout", "answer"]

        var labelIndex: Int { self == .frames ? 0 : 1 }
    }

    /// A revision of a tree, resolved by a catalog.
    struct Version: Sendable, Hashable, Comparable {
        /// The number of restarts of the store before the screen was read.
        let restarts: UInt64
        let catalog: UInt64
        let revision: UInt64

        static func < (one: Version, other: Version) -> Bool {
            (one.restarts, one.catalog, one.revision)
                < (other.restarts, other.catalog, other.revision)
        }
    }
}

extension ScreenSnapshot {
    func layoutVersion(at revision: UInt64) -> LayoutKey.Version {
        LayoutKey.Version(
            restarts: restarts, catalog: catalog.generation, revision: revision)
    }

    /// Returns the revision of a tree; a later one than that of the screen if that does not have
    /// the tree; `nil` if a part of the screen does not show it.
    func revision(of tree: LayoutKey.Tree) -> UInt64? {
        guard let page = tree.page else {
            return head.highestPage == nil ? treeRevision(upTo: nil) : revision &+ 1
        }
        guard hasLoaded(tree.isOpen ? page + 1 : page) else { return nil }
        guard history[page] != nil else { return revision &+ 1 }
        return treeRevision(upTo: page, isOpen: tree.isOpen)
    }
}
