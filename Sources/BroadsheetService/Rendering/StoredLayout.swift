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
            upTo: page, for: parameters, registry: snapshot.catalog.registry)
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
