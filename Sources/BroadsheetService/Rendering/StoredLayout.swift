import Broadsheet
import BroadsheetStores

/// A layout of a stored screen that someone asks for.
struct StoredLayout: Sendable {
    /// The screen as it is.
    let snapshot: ScreenSnapshot
    /// The highest page in the layout; nil when the screen has none at all.
    let page: Int?
    /// How it is laid out and written.
    let parameters: LayoutParameters

    /// What its frames depend on.
    ///
    /// - Parameter lint: Whether its diagnostics are of any use in the answer.
    func key(lint: Bool) -> LayoutKey {
        LayoutKey(
            screen: snapshot.name,
            version: LayoutKey.Version(
                restarts: snapshot.restarts, catalog: snapshot.catalog.generation,
                revision: snapshot.revision),
            page: page, viewport: parameters.viewport, rounding: parameters.rounding,
            collapsed: parameters.collapsed, lint: lint)
    }

    /// What its entity tag stands for.
    func identity(as form: LayoutForm) -> LayoutIdentity {
        LayoutIdentity(
            screen: snapshot.name, revision: snapshot.revision, page: page,
            catalog: snapshot.catalog.fingerprint, parameters: parameters, form: form)
    }

    /// Merges the screen's pages and lays them out; O(sections + items).
    func laidOut(lint: Bool) -> LaidOutScreen {
        var parameters = parameters
        parameters.lint = lint
        let merged = snapshot.model.merged(
            upTo: page, collapsed: parameters.collapsed.texts, registry: snapshot.catalog.registry)
        return LaidOutScreen(merged, parameters)
    }

    /// What the tree says of where it comes from and what follows it.
    func envelope(of merged: MergedScreen, seal: TokenSeal) -> TreeEnvelope {
        let token = merged.hasNext ? PageToken(after: merged.page, parameters) : nil
        return TreeEnvelope(
            screen: snapshot.name.text, revision: snapshot.revision,
            nextPageToken: token?.sealed(by: seal, for: snapshot.name.text),
            hasNext: merged.hasNext)
    }

    /// What a picture of it is called.
    var title: String {
        "\(snapshot.name.text), \(page.map { "up to page \($0)" } ?? "no pages")"
    }
}
