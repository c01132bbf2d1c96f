import Broadsheet
import BroadsheetStores

/// Everything that a stored screen's frames depend on.
struct LayoutKey: Sendable, Hashable {
    /// The screen.
    let screen: ScreenName
    /// What was resolved, and by what.
    let version: Version
    /// The highest page in it; nil when there is none.
    let page: Int?
    /// What it is laid out for.
    let viewport: Viewport
    /// Whether frames are rounded to device pixels.
    let rounding: Rounding
    /// Sections that are collapsed on top of those that are stored so.
    let collapsed: IdentifierList
    /// Whether it was linted.
    let lint: Bool

    /// A screen's revision by a catalog.
    struct Version: Sendable, Hashable, Comparable {
        /// How often the store had restarted by when it was read.
        let restarts: UInt64
        /// How many catalogs were in service before it.
        let catalog: UInt64
        /// The screen's revision.
        let revision: UInt64

        static func < (one: Version, other: Version) -> Bool {
            (one.restarts, one.catalog, one.revision)
                < (other.restarts, other.catalog, other.revision)
        }
    }
}

/// What one entry of the layout cache stands for.
enum LayoutCacheKey: Sendable, Hashable {
    /// A laid-out screen.
    case layout(LayoutKey)
    /// The bytes of its tree.
    case tree(LayoutKey, TreeOptions)
    /// The bytes of its picture.
    case picture(LayoutKey)

    /// What it is, or is written from.
    var layout: LayoutKey {
        switch self {
        case .layout(let key), .tree(let key, _), .picture(let key): key
        }
    }

    /// The label that it is counted under.
    var kind: String {
        if case .layout = self { "layout" } else { "answer" }
    }

    /// Every label.
    static let kinds = ["layout", "answer"]
}
