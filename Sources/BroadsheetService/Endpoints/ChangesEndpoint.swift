import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

extension Operation {
    static let getChanges = Operation(
        id: "getChanges", method: .get, path: "/v1/screens/{screen}/changes", tag: .layouts,
        summary: "Returns the changes from a tree that the client has to the current one.",
        access: .screen(.read),
        permitsReaders: true,
        parameters: [.since, .changesPage, .pages, .pageToken] + .window + [.revision] + .layout,
        responses: [
            .json(
                "Changes", "The changes, or the whole tree.",
                headers: ["Cache-Control", "Preference-Applied"]),
            OpenAPIResponse(
                .noContent, "Nothing has changed within the time of Prefer: wait.",
                headers: ["Cache-Control", "Preference-Applied"]),
        ],
        problems: .screen
            + [
                .invalidPageToken, .pageTokenMismatch, .pageNotLoaded, .itemNotFound,
                .revisionNotFound,
                .responseTooLarge, .overloaded,
            ] + .essential + .reading + .store + .origin,
        handler: ChangesEndpoint.get)

    static let compareLayouts = Operation(
        id: "compareLayouts", method: .post, path: "/v1/changes", tag: .layouts,
        summary: "Returns the changes between posted pages without storing them.",
        access: .daemon(.read),
        parameters: .layout, requestSchema: "CompareRequest",
        responses: [.json("Changes", "The changes, or the whole tree.")],
        problems: .body + [.invalidParameter, .invalidCatalog, .screenTooLarge, .responseTooLarge]
            + .essential,
        handler: ChangesEndpoint.post)
}

/// The handlers of `/v1/screens/{screen}/changes` and `/v1/changes`.
private enum ChangesEndpoint {
    /// Returns the changes since a tree; with `Prefer: wait`, as soon as there are any.
    static func get(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        var call = call
        let request = try ChangesQuery(&call, screen, service)
        guard let seconds = Preferences(in: call.request.headers).wait, request.revision == nil
        else {
            let changes = try await current(request, of: screen, call, service)
            let selected = try await selected(of: changes, call, service)
            var response = HTTPResponse.json([]).with(selected)
            if case .tree(let changes) = changes,
                let key = changes.key(isCompressed: selected.isCompressed)
            {
                response = service.repeating(
                    changes: response, key, of: changes.new, to: call)
            }
            response.headers.append(.cacheControl, "no-cache")
            return response
        }
        var response = try await waiting(
            for: request, of: screen, atMost: .seconds(seconds), call, service)
        response.headers.append(.preferenceApplied, "wait=\(seconds)")
        response.headers.append(.cacheControl, "no-cache")
        return response
    }

    /// Returns the changes as soon as there are any, or 204 when the time is over.
    ///
    /// If a write continues more requests than there may be in the queue of expensive ones, the
    /// others try again, as streams do.
    private static func waiting(
        for request: ChangesQuery, of screen: ScreenName, atMost duration: Duration, _ call: Call,
        _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let clock = service.renderer.clock
        let end = clock.now.advanced(by: duration)
        var (request, waited) = (request, UInt64(0))
        while true {
            do throws(Problem) {
                let response = try await round(
                    &request, of: screen, until: end, call, service, &waited)
                guard var response else { continue }
                response.waitedNanoseconds = waited
                return response
            } catch {
                guard error == .tooMuchWork, clock.now < end else { throw error }
            }
            let start = clock.now
            await service.screens.observers.sleep(
                min(StreamGroup.retryInterval, start.duration(to: end)))
            waited += clock.now.nanoseconds(since: start)
            try Work.checkConnection()
        }
    }

    /// Returns the changes if there are any; otherwise waits, and returns 204 when the time is over
    /// or `nil` if there may be some.
    private static func round(
        _ request: inout ChangesQuery, of screen: ScreenName, until end: MonotonicInstant,
        _ call: Call, _ service: BroadsheetService, _ waited: inout UInt64
    ) async throws(Problem) -> HTTPResponse? {
        let observers = service.screens.observers
        let clock = service.renderer.clock
        let observer = try observers.add(call, to: screen)
        defer { observers.remove(observer) }
        let keyObserver = service.access.observe(call.caller) { observer.end(.changed) }
        defer { withExtendedLifetime(keyObserver) {} }
        // The key may have ended before it was observed, or while the request waited.
        try call.checkWaiting()
        var call = call
        call.work = call.work.withOwnMemory()
        let changes = try await current(request, of: screen, call, service)
        guard changes.isNothingNew else {
            return HTTPResponse.json([])
                .with(try await selected(of: changes, call, service))
        }
        request.advance(over: changes, service.renderer.seal, of: screen)
        call.work.memory.shrink(to: 0)
        call.request.connection?.whenPeerEnds { observer.end(.ended) }
        let start = clock.now
        let rest = service.access.time(of: call.caller, atMost: start.duration(to: end))
        let outcome = rest > .zero ? await observers.wait(observer, atMost: rest) : nil
        waited += clock.now.nanoseconds(since: start)
        if outcome == .changed { return nil }
        try Work.checkConnection()
        try call.checkWaiting()
        // A screen may have expired meanwhile, of which there is no event.
        call.work.memory.shrink(to: 0)
        _ = try await service.source.screen(
            screen, upTo: request.end, needing: request.need, for: call)
        return HTTPResponse(status: .noContent)
    }

    private static func current(
        _ request: ChangesQuery, of screen: ScreenName, _ call: Call,
        _ service: BroadsheetService
    ) async throws(Problem) -> FoundChanges {
        let snapshot = try await service.source.screen(
            screen, upTo: request.end, needing: request.need, at: request.revision, for: call)
        switch request {
        case .tree(let request):
            let known = await service.screens.known(request, wanting: snapshot, call.work)
            return .tree(
                try StoredChanges(
                    request, of: snapshot, from: known, seal: service.renderer.seal))
        case .window(let request, let need):
            try need.check(snapshot)
            let reader = WindowReader(source: service.source, work: call.work)
            return .window(try await reader.changes(request, in: snapshot))
        }
    }

    /// Returns the changes document in the coding that the client prefers: from the cache, or
    /// compressed on a worker thread.
    ///
    /// A reset is compressed after the handler, if it is.
    private static func selected(
        of found: FoundChanges, _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> SelectedContent {
        let changes: StoredChanges
        switch found {
        case .tree(let trees): changes = trees
        // It is compressed after the handler, if it is.
        case .window(let windows): return SelectedContent(plain: windows.content, call.work.memory)
        }
        guard let key = changes.key(isCompressed: true) else {
            let content = try await service.source.content(of: changes, call.work)
            return SelectedContent(plain: content, call.work.memory)
        }
        let preference = CodingPreference(in: call.request.headers)
        return try await service.renderer.selected(key, preference, call.work) {
            () async throws(Problem) in
            try await service.source.content(of: changes, call.work)
        }
    }

    static func post(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let posted = try await Composition<CompareBody>(call, service)
        let body = posted.body
        try await posted.reserve(besidesPages: MemoryCost.comparing(body.old, body.new))
        let content = try await call.work.perform(cost: posted.cost()) { () throws(Problem) in
            let content = try service.renderer.changes(
                from: body.old, to: body.new, by: body.registry,
                posted.query.applied(to: body.viewport.applied()))
            try body.registry.checkJudgements()
            return content
        }
        content.keep(call.work.memory)
        return .json(content, call.work.memory)
    }
}

/// The changes that a request asks for.
private enum ChangesQuery {
    case tree(ChangesRequest)
    /// The changes between windows, and the pages that have to be stored for the one that is
    /// wanted.
    case window(WindowChangesRequest, needing: WindowToken.Need)

    /// The last page that the request needs: no page above it is read.
    var end: ScreenPart.End {
        switch self {
        case .tree(let request): request.end
        case .window: .highest
        }
    }

    /// The last page that is fetched if it is not stored.
    var need: ScreenPart.End {
        switch self {
        case .tree(let request): request.need
        case .window(_, let need): need.end
        }
    }

    /// The revision of the screen that is wanted; `nil` for the current one.
    var revision: UInt64? {
        switch self {
        case .tree(let request): request.revision
        case .window(let request, _): request.revision
        }
    }

    /// Reads the query; the catalog of the request is then that of its page token.
    init(
        _ call: inout Call, _ screen: ScreenName, _ service: BroadsheetService
    ) throws(Problem) {
        let reader = ParameterReader(call.query)
        let form = "a revision, or a revision, a dot and the entity tag of its tree"
        guard let since = try reader.read("since", form, TreeVersion.init) else {
            throw .invalidParameter("since", "is required: \(form)")
        }
        let tag = since.windowTag(service.renderer.seal, of: screen)
        if tag == nil, since.isOfWindow, try WindowQuery(reader)?.anchor == nil,
            try reader.text("pageToken") == nil
        {
            throw .unknownWindow("since")
        }
        let page = try reader.integer("page", in: 0...ServerStatePage.maxNumber)
        let (query, window, parameters, revision) = try service.layoutQuery(
            of: screen, from: tag, &call)
        if case .tree(let end) = query {
            var request = ChangesRequest(since, page, end, parameters)
            request.revision = revision
            self = .tree(request)
            return
        }
        guard page == nil else {
            throw .invalidParameter("page", "cannot be given for a window, which is of all pages")
        }
        var request: WindowChangesRequest
        var need = WindowToken.Need.none
        switch (query, tag) {
        case (.window(let wants, let pages), let tag?):
            need = pages
            request = WindowChangesRequest(
                since: since, tag, target: wants.target, before: wants.before, after: wants.after,
                parameters)
        case (.window(let wants, let pages), nil):
            need = pages
            request = WindowChangesRequest(
                since: since, wants, isKnown: since.tag == nil && window != nil, parameters)
        case (_, let tag?):
            request = WindowChangesRequest(
                since: since, tag, before: window?.before, after: window?.after, parameters)
        case (_, nil): throw .invalidParameter("since", "must be \(form)")
        }
        request.revision = revision
        self = .window(request, needing: need)
    }
}

extension ChangesQuery {
    /// Continues from the window as it is now, after it was found to be the same as that which the
    /// client has: a later revision is kept longer.
    fileprivate mutating func advance(
        over found: FoundChanges, _ seal: TokenSeal, of screen: ScreenName
    ) {
        guard case .window(let request, let need) = self, case .window(let changes) = found else {
            return
        }
        let since = changes.version(since: request.since.revision)
        guard let tag = since.windowTag(seal, of: screen) else { return }
        self = .window(
            WindowChangesRequest(since: since, sameAt: changes.base, tag, request.parameters),
            needing: need)
    }
}

/// The changes that a request has found.
private enum FoundChanges {
    case tree(StoredChanges)
    case window(WindowChanges)

    /// A Boolean value that indicates whether the client has what it wants.
    var isNothingNew: Bool {
        switch self {
        case .tree(let changes): changes.isNothingNew
        case .window(let changes): changes.isNothingNew
        }
    }
}

extension ChangesRequest {
    /// Creates the request for the tree up to an end, of a client that has the tree up to a page.
    fileprivate init(
        _ since: TreeVersion, _ page: Int?, _ end: ScreenPart.End, _ parameters: LayoutParameters
    ) {
        self.since = since
        self.parameters = parameters
        let named = PageExtent(end)
        if case .after(let last) = named {
            has = .upTo(page ?? last)
        } else {
            has = page.map(PageExtent.upTo) ?? named
        }
        wants = named == .lowest ? has : named
    }
}
