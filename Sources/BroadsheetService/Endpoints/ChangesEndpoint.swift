import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

extension Operation {
    /// `GET /v1/screens/{screen}/changes`.
    static let getChanges = Operation(
        id: "getChanges", method: .get, path: "/v1/screens/{screen}/changes", tag: .layouts,
        summary: "Returns the changes from a tree that the client has to the current one.",
        access: .screen(.read),
        parameters: [.since, .changesPage, .pages, .pageToken] + .layout,
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
                .invalidPageToken, .pageTokenMismatch, .pageNotLoaded, .responseTooLarge,
                .overloaded,
            ] + .essential + .reading + .store + .origin,
        handler: ChangesEndpoint.get)

    /// `POST /v1/changes`.
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
        let request = try ChangesRequest(&call, screen, service)
        guard let seconds = Preferences(in: call.request.headers).wait else {
            let memory = MemoryReservation(in: service.memory, for: .work)
            let changes = try await current(request, of: screen, call, service, memory)
            let selected = try await selected(of: changes, call, service, memory)
            var response = HTTPResponse.json([]).with(selected)
            if let key = changes.key(isCompressed: selected.isCompressed) {
                response = service.repeater.repeating(
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
    private static func waiting(
        for request: ChangesRequest, of screen: ScreenName, atMost duration: Duration, _ call: Call,
        _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let observers = service.screens.observers
        let clock = service.renderer.clock
        let end = clock.now.advanced(by: duration)
        var waited: UInt64 = 0
        while true {
            let observer = try observers.add(to: screen)
            defer { observers.remove(observer) }
            let memory = MemoryReservation(in: service.memory, for: .work)
            let changes = try await current(request, of: screen, call, service, memory)
            guard changes.isNothingNew else {
                var response = HTTPResponse.json([])
                    .with(try await selected(of: changes, call, service, memory))
                response.waitedNanoseconds = waited
                return response
            }
            memory.shrink(to: 0)
            call.request.connection?.whenPeerEnds { observer.end(.ended) }
            let start = clock.now
            let rest = start.duration(to: end)
            let outcome = rest > .zero ? await observers.wait(observer, atMost: rest) : nil
            waited += clock.now.nanoseconds(since: start)
            if outcome == .changed { continue }
            try Work.checkConnection()
            // A screen may have expired meanwhile, of which there is no event.
            memory.shrink(to: 0)
            _ = try await service.source.screen(
                screen, upTo: request.end, needing: request.need, for: call, memory)
            var response = HTTPResponse(status: .noContent)
            response.waitedNanoseconds = waited
            return response
        }
    }

    /// Returns the trees between which the changes are, as the screen is now.
    private static func current(
        _ request: ChangesRequest, of screen: ScreenName, _ call: Call,
        _ service: BroadsheetService, _ memory: MemoryReservation
    ) async throws(Problem) -> StoredChanges {
        let snapshot = try await service.source.screen(
            screen, upTo: request.end, needing: request.need, for: call, memory)
        return try StoredChanges(
            request, of: snapshot, service.screens.history, seal: service.renderer.seal)
    }

    /// Returns the changes document in the coding that the client prefers: from the cache, or
    /// compressed on a worker thread.
    ///
    /// A reset is compressed after the handler, if it is.
    private static func selected(
        of changes: StoredChanges, _ call: Call, _ service: BroadsheetService,
        _ memory: MemoryReservation
    ) async throws(Problem) -> SelectedContent {
        guard let key = changes.key(isCompressed: true) else {
            let content = try await service.source.content(of: changes, call.work, memory)
            return SelectedContent(plain: content, memory)
        }
        let preference = CodingPreference(in: call.request.headers)
        return try await service.renderer.selected(key, preference, call.work, memory) {
            () async throws(Problem) in
            try await service.source.content(of: changes, call.work, memory)
        }
    }

    /// Returns the changes between the pages of the body.
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
        content.keep(posted.memory)
        return .json(content, posted.memory)
    }
}

extension ChangesRequest {
    /// Reads the query of a request; the catalog of the request is then that of its page token.
    ///
    /// - Throws: The problem of a parameter or of the page token.
    fileprivate init(
        _ call: inout Call, _ screen: ScreenName, _ service: BroadsheetService
    ) throws(Problem) {
        let reader = ParameterReader(call.query)
        let form = "a revision, or a revision, a dot and the entity tag of its tree"
        guard let since = try reader.read("since", form, TreeVersion.init) else {
            throw .invalidParameter("since", "is required: \(form)")
        }
        self.since = since
        let page = try reader.integer("page", in: 0...ServerStatePage.maxNumber)
        let (end, parameters) = try service.layoutQuery(of: screen, &call)
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
