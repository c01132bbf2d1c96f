import Broadsheet
import BroadsheetHTTP
import BroadsheetIO

extension Operation {
    static let compose = Operation(
        id: "compose", method: .post, path: "/v1/layout", tag: .layouts,
        summary: "Lays out posted pages without storing them.",
        access: .daemon(.read),
        parameters: .layout + [.explain, .accept, .strict], requestSchema: "ComposeRequest",
        responses: [
            OpenAPIResponse(
                .ok, "The tree, or a tree for each viewport, or a picture.",
                headers: ["Broadsheet-Diagnostics"],
                content: [
                    ("application/json", .schema("ComposeResponse")),
                    ("image/svg+xml", OpenAPISchemas.string),
                ])
        ],
        problems: .body + [.invalidParameter, .invalidCatalog, .screenTooLarge, .responseTooLarge]
            + .essential,
        handler: ComposeEndpoint.post)
}

/// The handler of POST of `/v1/layout`.
private enum ComposeEndpoint {
    /// Returns the tree of all posted pages, or a picture if the client prefers it; for several
    /// viewports always the trees.
    static func post(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let posted = try await Composition<ComposeBody>(call, service)
        let body = posted.body
        if !body.hasCatalog { logUnknownUnitTypes(of: body, call, service) }
        let prefersPicture = prefersPicture(call.request.headers)
        let layoutBytes = MemoryCost.layout(
            sections: body.model.sectionCount, items: body.model.itemCount,
            viewports: body.viewports.all.count)
        let explains = try ParameterReader(call.query).truth("explain") ?? false
        let originBytes = explains ? MemoryCost.explaining(body.model.pages) : 0
        try await posted.reserve(
            besidesPages: layoutBytes + originBytes + MemoryCost.filling(body.model.pages)
                + (prefersPicture ? MemoryCost.picture : 0))
        let cost = posted.cost(viewports: body.viewports.all.count)
        let (content, diagnostics) = try await call.work.perform(cost: cost) {
            () throws(Problem) in
            let content = try Self.content(
                of: body, posted.query, explains: explains, prefersPicture: prefersPicture,
                service.renderer)
            try body.registry.checkJudgements()
            return content
        }
        var response = content.response(call.work.memory, pageBytes: posted.pageBytes)
            .reporting(diagnostics, in: service.metrics)
        response.headers.append(.vary, HTTPFieldName.accept.spelling)
        return response
    }

    /// Logs the unknown unit types of the first page that has any, in the catalog in service.
    private static func logUnknownUnitTypes(
        of body: ComposeBody, _ call: Call, _ service: BroadsheetService
    ) {
        let page = body.model.pages.first { !$0.unknownUnitTypes.isEmpty }
        guard let page else { return }
        service.logUnknownUnitTypes(
            of: page, as: "page \(page.number) of a composition", call.catalog, in: call)
    }

    private static func content(
        of body: ComposeBody, _ query: LayoutParameters.Partial, explains: Bool,
        prefersPicture: Bool, _ renderer: LayoutRenderer
    ) throws(Problem) -> (ComposedContent, DiagnosticCounts) {
        // The query takes precedence over the body's viewports, and those over the defaults.
        let parameters = body.viewports.all.map {
            query.applied(to: $0.applied()).explained(explains)
        }
        if prefersPicture, !body.viewports.areList {
            let (picture, diagnostics) = try renderer.picture(
                of: body.model, by: body.registry, parameters[0])
            return (.picture(picture), diagnostics)
        }
        let trees = try renderer.trees(
            of: body.model, by: body.registry, parameters, isList: body.viewports.areList)
        return (.tree(trees.content, keptBytes: trees.keptBytes), trees.diagnostics)
    }

    /// Returns whether the client prefers a picture; a client that accepts neither receives the
    /// tree, as RFC 9110 §12.5.1 allows.
    private static func prefersPicture(_ headers: HTTPHeaders) -> Bool {
        guard headers.contains(.accept), let picture, let tree else { return false }
        let accepted = AcceptedMedia(in: headers)
        return accepted.quality(of: picture) > accepted.quality(of: tree)
    }

    private static let picture = MediaType("image/svg+xml")
    private static let tree = MediaType("application/json")
}

extension LayoutParameters {
    fileprivate func explained(_ explains: Bool) -> LayoutParameters {
        var parameters = self
        parameters.options.explain = explains
        return parameters
    }
}

/// The content of the response to a composition.
private enum ComposedContent: Sendable {
    /// One or several trees, and the size of their layouts.
    case tree(LayoutContent, keptBytes: Int)
    case picture([UInt8])

    /// Returns the response, which keeps of `memory` what it needs until it is sent.
    func response(_ memory: MemoryReservation, pageBytes: Int) -> HTTPResponse {
        switch self {
        case .tree(let content, let keptBytes):
            content.keep(memory)
            let response = HTTPResponse.json(content, memory)
            if response.source != nil { memory.shrink(to: pageBytes + keptBytes) }
            return response
        case .picture(let picture):
            memory.shrink(to: picture.capacity)
            var response = HTTPResponse.picture(picture)
            response.owner = memory
            return response
        }
    }
}
