import Broadsheet
import BroadsheetStores

/// A layout of a stored screen.
struct StoredLayout: Sendable {
    /// The screen at its current revision.
    let snapshot: ScreenSnapshot
    /// The highest page in the layout; `nil` if the screen has no pages.
    let page: Int?
    /// The parameters of the layout.
    let parameters: LayoutParameters

    /// Returns the key of an entry of the layout cache.
    ///
    /// - Parameters:
    ///   - content: The content of the entry.
    ///   - lint: A Boolean value that indicates whether the content includes lint.
    func key(for content: LayoutKey.Content, lint: Bool) -> LayoutKey {
        var parameters = parameters
        parameters.lint = lint
        if content != .tree { parameters.options = TreeOptions() }
        return LayoutKey(
            screen: snapshot.name,
            version: LayoutKey.Version(
                restarts: snapshot.restarts, catalog: snapshot.catalog.generation,
                revision: snapshot.revision),
            page: page, parameters: parameters, content: content)
    }

    /// Merges the screen's pages and lays them out.
    ///
    /// - Complexity: O(sections + items).
    func laidOut(lint: Bool) -> LaidOutScreen {
        var parameters = parameters
        parameters.lint = lint
        let merged = snapshot.model.merged(
            upTo: page, collapsed: parameters.collapsed.texts, registry: snapshot.catalog.registry)
        return LaidOutScreen(merged, parameters)
    }

    /// Returns the members of the tree that concern the screen and the page token.
    func envelope(of merged: MergedScreen, seal: TokenSeal) -> TreeEnvelope {
        let token = merged.hasNext ? PageToken(after: merged.page, parameters) : nil
        return TreeEnvelope(
            screen: snapshot.name.text, revision: snapshot.revision,
            nextPageToken: token?.sealed(by: seal, for: snapshot.name.text),
            hasNext: merged.hasNext)
    }

    /// The title of a picture of the layout.
    var title: String {
        "\(snapshot.name.text), \(page.map { "up to page \($0)" } ?? "no pages")"
    }
}

/// The key of an entry of the layout cache: everything that the entry depends on.
struct LayoutKey: Sendable, Hashable {
    /// The screen.
    let screen: ScreenName
    /// The version of the screen.
    let version: Version
    /// The highest page in the layout; `nil` if the screen has no pages.
    let page: Int?
    /// The parameters of the layout; those without influence on the content have their defaults.
    let parameters: LayoutParameters
    /// The content of the entry.
    let content: Content

    /// The content of an entry.
    enum Content: Sendable, Hashable {
        /// The laid-out screen.
        case frames
        /// The bytes of its tree.
        case tree
        /// The bytes of its picture.
        case picture

        /// The label of the content in metrics.
        var label: String { self == .frames ? "layout" : "answer" }

        /// All labels of metrics.
        static let labels = ["layout", "answer"]
    }

    /// A revision of a screen, resolved by a catalog.
    struct Version: Sendable, Hashable, Comparable {
        /// The number of restarts of the store before the screen was read.
        let restarts: UInt64
        /// The generation of the catalog.
        let catalog: UInt64
        /// The revision of the screen.
        let revision: UInt64

        static func < (one: Version, other: Version) -> Bool {
            (one.restarts, one.catalog, one.revision)
                < (other.restarts, other.catalog, other.revision)
        }
    }
}
