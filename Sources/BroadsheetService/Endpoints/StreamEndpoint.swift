import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

extension Operation {
    static let getStream = Operation(
        id: "getStream", method: .get, path: "/v1/screens/{screen}/stream", tag: .layouts,
        summary: "Sends events when a screen changes: its revisions, or a tree and its changes.",
        access: .screen(.read),
        permitsReaders: true,
        parameters: [.streamChanges, .streamSince, .streamPage, .pages] + .window + .layout
            + [.lastEventID],
        responses: [
            .events("Events of the types revision, tree, changes, problem and removed.")
        ],
        problems: .screen + [.itemNotFound, .responseTooLarge, .overloaded] + .essential + .store
            + .origin,
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
        var (content, key, state) = try tree(call, service, screen, reader)
        if try !(reader.truth(OpenAPIParameter.streamChanges.name) ?? false) {
            content = RevisionContent(screen: screen, source: service.source)
            key = StreamKey(screen: screen, content: .revisions)
            state = StreamState()
        }
        try await fetchLowestPage(of: screen, call, service)
        do throws(Problem) {
            _ = try await content.read().event(from: state)
        } catch {
            // The stream waits for its turn, as it would after a write.
            guard error == .tooMuchWork else { throw error }
        }
        return try call.events(
            from: ScreenStream(content, key, from: state, in: service.streams),
            through: service.streamGate, service.access, service.metrics)
    }

    /// Fetches the lowest page from the origin, if there is one and the page is not stored.
    ///
    /// A stream begins with a page and ends with the screen, so it fetches no other.
    private static func fetchLowestPage(
        of screen: ScreenName, _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) {
        guard let origin = service.origin else { return }
        var call = call
        call.obeysNoCache = false
        // The stream keeps the access of the request, but not this memory.
        call.work = call.work.withOwnMemory()
        _ = try await origin.screen(screen, upTo: .lowest, needing: .lowest, for: call)
    }

    /// The content of a stream of a tree, its key, and the state of the client.
    private typealias Parts = (content: any StreamContent, key: StreamKey, state: StreamState)

    private static func tree(
        _ call: Call, _ service: BroadsheetService, _ screen: ScreenName, _ reader: ParameterReader
    ) throws(Problem) -> Parts {
        let known = try KnownTree(call, service, screen, reader)
        let window = try WindowQuery(reader)
        let isOfWindow = window != nil || known.sentTag != nil || known.tag != nil
        if !isOfWindow, known.version?.isOfWindow ?? false {
            throw .unknownWindow("since or Last-Event-ID")
        }
        var standard = LayoutParameters()
        if isOfWindow { standard.options.coordinates = .window }
        var parameters = try LayoutParameters.Partial(
            call.query, limits: service.configuration.parameters, isOfWindow: isOfWindow
        ).applied(to: standard)
        try call.caller.check(flags: parameters.flags)
        // The data of an event is one line.
        parameters.options.pretty = false
        let extent = try extent(reader)
        // A window has no diagnostics.
        if isOfWindow { parameters.lint = false }
        let streamed = StreamedScreen(
            screen: screen, parameters: parameters, source: service.source,
            catalogs: service.catalogs, catalog: call.catalog.name, work: call.work)
        guard isOfWindow else {
            let content = TreeContent(streamed: streamed, extent: extent)
            let key = StreamKey.Content.changes(extent, parameters, catalog: call.catalog.name)
            return (
                content, StreamKey(screen: screen, content: key), StreamState(known: known.version)
            )
        }
        guard extent == .lowest else {
            throw .invalidParameter(
                "page or pages", "cannot be given for a window, which is of all pages")
        }
        let opening = try known.opening(window)
        let content = WindowStreamContent(streamed: streamed, opening: opening)
        let key = StreamKey.Content.window(opening, parameters, catalog: call.catalog.name)
        return (
            content, StreamKey(screen: screen, content: key),
            StreamState(
                known: known.version, moves: window != nil && !known.isLast && known.tag != nil)
        )
    }

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

/// The tree that the client of a stream has, as far as it says so in a way that can be read.
private struct KnownTree {
    let version: TreeVersion?
    /// A Boolean value that indicates whether it is that of the last event of an earlier stream.
    let isLast: Bool
    let tag: WindowTag?
    /// The tree of the query.
    private let sent: TreeVersion?
    /// The tag of the query, if it is one of a window.
    let sentTag: WindowTag?

    init(
        _ call: Call, _ service: BroadsheetService, _ screen: ScreenName, _ reader: ParameterReader
    ) throws(Problem) {
        sent = try reader.text("since").flatMap(TreeVersion.init)
        sentTag = sent?.windowTag(service.renderer.seal, of: screen)
        // A client that connects again sends the last id; its URL still has the first revision.
        if let last = call.request.headers[.lastEventID], !last.isEmpty {
            version = TreeVersion(last)
            tag = version?.windowTag(service.renderer.seal, of: screen)
            isLast = true
        } else {
            (version, tag, isLast) = (sent, sentTag, false)
        }
    }

    /// Returns the window that the stream opens if the client has none, or moves to.
    ///
    /// - Throws: `INVALID_PARAMETER` if there is no anchor.
    func opening(_ window: WindowQuery?) throws(Problem) -> WindowOpening {
        var target = window?.anchor.map(WindowRequest.Target.named)
        if let sent, let sentTag, target == nil {
            target = isLast ? .known(sentTag.anchor, at: sent.revision) : nil
        }
        guard target != nil || tag != nil else {
            throw .invalidParameter(
                WindowQuery.anchorNames.listed, "is required beside before and after")
        }
        return WindowOpening(
            target: target, before: window?.before ?? (isLast ? sentTag?.lengths.before : nil),
            after: window?.after ?? (isLast ? sentTag?.lengths.after : nil))
    }
}
