import Broadsheet
import BroadsheetStores

/// The key of an entry of the layout cache: everything that the entry depends on.
///
/// Clients for which all conditions of the pages have the same outcome share entries.
struct LayoutKey: Sendable, Hashable {
    /// The screen.
    let screen: ScreenName
    /// The position of the catalog (``ActiveCatalog/position``).
    var catalog = 0
    /// The version of the tree.
    let version: Version
    /// The highest page in the layout; `nil` if the screen has no pages.
    let page: Int?
    /// A Boolean value that indicates whether the version is that of a tree whose bound lies above
    /// its highest page, and later than that of the tree of this page.
    var isOpen = false
    /// The outcome of the conditions in the pages, which stands for the client and the flags.
    var outcome = Outcome.none
    /// The parameters of the layout; those without influence on the content have their defaults.
    let parameters: LayoutParameters
    /// The content of the entry.
    let content: Content
    /// A Boolean value that indicates whether the bytes are compressed with gzip.
    var isCompressed = false

    /// The tree that the entry is of, in any version.
    struct Tree: Sendable, Hashable {
        /// The position of the catalog.
        let catalog: Int
        /// The highest page; `nil` for that of a screen without pages.
        let page: Int?
        /// A Boolean value that indicates whether the bound lies above that page.
        var isOpen = false
    }

    /// The tree that the entry is of.
    var tree: Tree { Tree(catalog: catalog, page: page, isOpen: isOpen) }

    /// The content of an entry.
    enum Content: Sendable, Hashable {
        /// The laid-out screen.
        case frames
        /// The bytes of its tree.
        case tree
        /// The bytes of its picture.
        case picture
        /// The bytes of the changes to it.
        ///
        /// - Parameters:
        ///   - since: The revision that the client has.
        ///   - page: The highest page that the client has; `nil` if there was none.
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

        /// All labels of metrics.
        static let labels = ["layout", "answer"]

        /// The position of ``label`` in ``labels``.
        var labelIndex: Int { self == .frames ? 0 : 1 }
    }

    /// A revision of a tree, resolved by a catalog.
    struct Version: Sendable, Hashable, Comparable {
        /// The number of restarts of the store before the screen was read.
        let restarts: UInt64
        /// The generation of the catalogs.
        let catalog: UInt64
        /// The revision of the tree.
        let revision: UInt64

        static func < (one: Version, other: Version) -> Bool {
            (one.restarts, one.catalog, one.revision)
                < (other.restarts, other.catalog, other.revision)
        }
    }
}

extension ScreenSnapshot {
    /// Returns the version of a tree with a revision.
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
