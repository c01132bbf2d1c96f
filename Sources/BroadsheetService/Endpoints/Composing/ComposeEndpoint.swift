import Broadsheet
import BroadsheetHTTP

/// POST of `/v1/layout`: lays out what is posted and keeps nothing.
struct ComposeEndpoint: Sendable {
    let reading: PageReading
    let rendering: TreeRendering
    let limits: ParameterLimits

    /// The tree of all posted pages.
    func post(_ call: Call) throws(Problem) -> HTTPResponse {
        let query = try LayoutQuery(call.query, limits: limits)
        let document = try reading.document(of: call.request)
        let composition = try Composition(
            document.root, registry: call.catalog.registry, reading: reading)
        // The query wins over the body's viewport, and that over the defaults.
        let parameters = query.applied(to: composition.viewport.applied())
        return .json(
            rendering.tree(of: composition.model, by: composition.registry, parameters))
    }
}
