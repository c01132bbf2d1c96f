import Broadsheet
import BroadsheetHTTP

/// POST of `/v1/layout`: lays out what is posted and keeps nothing.
struct ComposeEndpoint: Sendable {
    let reading: PageReading
    let rendering: TreeRendering
    let limits: ParameterLimits

    /// The tree of all posted pages, or a picture when the client would rather have that; of many
    /// viewports always the trees.
    func post(_ call: Call) throws(Problem) -> HTTPResponse {
        let query = try LayoutQuery(call.query, limits: limits)
        let document = try reading.document(of: call.request)
        let composition = try Composition(
            document.root, registry: call.catalog.registry, reading: reading)
        var response = answer(
            composition, query, prefersPicture: Self.prefersPicture(call.request.headers))
        response.headers.append(.vary, HTTPFieldName.accept.spelling)
        return response
    }

    private func answer(
        _ composition: Composition, _ query: LayoutQuery, prefersPicture: Bool
    ) -> HTTPResponse {
        let (model, registry) = (composition.model, composition.registry)
        // The query wins over the body's viewports, and those over the defaults.
        switch composition.viewports {
        case .many(let viewports):
            return .json(
                rendering.trees(
                    of: model, by: registry, viewports.map { query.applied(to: $0.applied()) }))
        case .one(let viewport):
            let parameters = query.applied(to: viewport.applied())
            return prefersPicture
                ? .picture(rendering.picture(of: model, by: registry, parameters))
                : .json(rendering.tree(of: model, by: registry, parameters))
        }
    }

    /// Whether a picture is wanted more than a tree; a client that accepts neither gets the tree,
    /// as RFC 9110 §12.5.1 allows.
    private static func prefersPicture(_ headers: HTTPHeaders) -> Bool {
        let accepted = AcceptedMedia(in: headers)
        guard let picture = MediaType("image/svg+xml"), let tree = MediaType("application/json")
        else { return false }
        return accepted.quality(of: picture) > accepted.quality(of: tree)
    }
}
