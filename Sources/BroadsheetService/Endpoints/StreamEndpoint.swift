import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

extension Operation {
    /// `GET /v1/screens/{screen}/stream`.
    static let getStream = Operation(
        id: "getStream", method: .get, path: "/v1/screens/{screen}/stream", tag: .layouts,
        summary: "Sends events when a screen changes: its revisions, or a tree and its changes.",
        access: .screen(.read),
        parameters: [.streamChanges, .streamSince, .streamPage, .pages] + .layout + [.lastEventID],
        responses: [
            .events("Events of the types revision, tree, changes, problem and removed.")
        ],
        problems: .screen + [.responseTooLarge, .overloaded] + .essential + .store + .origin,
        handler: StreamEndpoint.get)
}

/// The handler of `/v1/screens/{screen}/stream`.
private enum StreamEndpoint {
    /// Returns a stream, whose first event is made once before, so that a problem is a response.
    static func get(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let reader = ParameterReader(call.query)
        let tree = try treeContent(call, service, screen, reader)
        var known = try known(call, reader)
        let content: any StreamContent
        let key: StreamKey
        if try reader.truth(OpenAPIParameter.streamChanges.name) ?? false {
            content = tree
            key = StreamKey(
                screen: screen,
                content: .changes(tree.extent, tree.parameters, catalog: tree.catalog))
        } else {
            content = RevisionContent(screen: screen, source: service.source)
            key = StreamKey(screen: screen, content: .revisions)
            known = nil
        }
        try await fetchLowestPage(of: screen, call, service)
        _ = try await content.read().event(from: known)
        return try call.events(
            from: ScreenStream(
                content, key, from: known, in: service.streams),
            through: service.streamGate, service.access)
    }

    /// Fetches the lowest page from the origin, if there is one and the page is not stored.
    ///
    /// A stream begins with a page and ends with the screen, so it fetches no other.
    private static func fetchLowestPage(
        of screen: ScreenName, _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) {
        guard let origin = service.origin else { return }
        let memory = MemoryReservation(in: service.memory, for: .work)
        _ = try await origin.screen(
            screen, upTo: .lowest, needing: .lowest, for: call, memory)
    }

    private static func treeContent(
        _ call: Call, _ service: BroadsheetService, _ screen: ScreenName,
        _ reader: ParameterReader
    ) throws(Problem) -> TreeContent {
        var parameters = try LayoutParameters.Partial(
            call.query, limits: service.configuration.parameters
        ).applied()
        // The data of an event is one line.
        parameters.options.pretty = false
        return TreeContent(
            screen: screen, extent: try extent(reader), parameters: parameters,
            source: service.source, catalogs: service.catalogs,
            catalog: call.catalog.name, work: call.work)
    }

    /// Returns the tree that the client has, if it says so in a way that can be read.
    private static func known(
        _ call: Call, _ reader: ParameterReader
    ) throws(Problem) -> TreeVersion? {
        // A client that connects again sends the last id; its URL still has the first revision.
        if let last = call.request.headers[.lastEventID], !last.isEmpty {
            return TreeVersion(last)
        }
        return try reader.text("since").flatMap(TreeVersion.init)
    }

    /// Returns the pages of the tree.
    private static func extent(_ reader: ParameterReader) throws(Problem) -> PageExtent {
        let all = try reader.read("pages", "all, if it is given") { $0 == "all" ? true : nil }
        let page = try reader.integer("page", in: 0...ServerStatePage.maxNumber)
        guard let page else { return all == nil ? .lowest : .all }
        guard all == nil else {
            throw .invalidParameter("pages", "cannot be given together with page")
        }
        return .upTo(page)
    }
}
