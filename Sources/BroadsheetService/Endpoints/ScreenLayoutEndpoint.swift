import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

extension Operation {
    /// `GET /v1/screens/{screen}/layout`.
    static let getLayout = Operation(
        id: "getLayout", method: .get, path: "/v1/screens/{screen}/layout", tag: .layouts,
        summary: "Returns the tree of a screen's stored pages.",
        access: .screen(.read),
        parameters: [.pages, .pageToken, .rect] + .layout + .conditions,
        responses: [
            .json("Tree", "The tree.", headers: ["ETag", "Cache-Control"]),
            .notModified(headers: ["Cache-Control"]),
        ],
        problems: layoutProblems,
        handler: ScreenLayoutEndpoint.get)

    /// `GET /v1/screens/{screen}/layout.svg`.
    static let getPicture = Operation(
        id: "getPicture", method: .get, path: "/v1/screens/{screen}/layout.svg", tag: .layouts,
        summary: "Returns a picture of the layout of a screen's stored pages.",
        access: .screen(.read),
        parameters: [.pages, .pageToken] + .layout + .conditions + [.acceptPicture],
        responses: [
            OpenAPIResponse(
                .ok, "The picture.", headers: ["ETag", "Cache-Control", "Content-Security-Policy"],
                content: PictureMedia.allCases.map { ($0.rawValue, OpenAPISchemas.string) }),
            .notModified(headers: ["Cache-Control"]),
        ],
        problems: layoutProblems,
        handler: ScreenLayoutEndpoint.getPicture)

    private static let layoutProblems: [ProblemCode] =
        .screen + [.invalidPageToken, .pageTokenMismatch, .pageNotLoaded, .responseTooLarge]
        + .essential + .condition + .reading + .store + .origin
}

/// The handlers of `/v1/screens/{screen}/layout` and `/v1/screens/{screen}/layout.svg`: the stored
/// pages of a screen, laid out.
private enum ScreenLayoutEndpoint {
    /// Returns the tree up to the page that the query selects, or the part of it in `rect`; or 304.
    static func get(_ call: Call) async throws(Problem) -> HTTPResponse {
        let rectangle = try ParameterReader(call.query).rectangle("rect")
        return try await respond(to: call, as: rectangle.map(LayoutForm.part) ?? .tree)
    }

    /// Returns a picture of the same layout; or 304.
    static func getPicture(_ call: Call) async throws(Problem) -> HTTPResponse {
        let media = PictureMedia(acceptedBy: call.request.headers)
        var response = try await respond(to: call, as: .picture(as: media))
        response.headers.append(.vary, HTTPFieldName.accept.spelling)
        return response
    }

    private static func respond(
        to call: Call, as form: LayoutForm
    ) async throws(Problem) -> HTTPResponse {
        let service = call.service
        let screen = try call.screen()
        var call = call
        let (end, parameters) = try call.layoutQuery(of: screen)
        let preconditions = try Preconditions(call.request.headers)
        let memory = MemoryReservation(in: service.memory, for: .work)
        let snapshot = try await service.screen(
            screen, upTo: end, needing: end, for: call, memory)
        let layout = try StoredLayout(of: PageExtent(end), in: snapshot, parameters)
        let tag = EntityTags.layout(layout, as: form, seal: service.renderer.seal)
        var response: HTTPResponse
        if let tag = try preconditions.notModified(tag) {
            response = call.repeating(.notModified(tag), as: form, nil, of: layout)
        } else {
            response = try await self.response(
                of: layout, as: form, tag, preconditions, call, memory)
        }
        // A cache asks whether its copy is current before each use (RFC 9111 §5.2.2.4).
        response.headers.append(.cacheControl, "no-cache")
        return response
    }

    private static func response(
        of layout: StoredLayout, as form: LayoutForm, _ tag: EntityTag,
        _ preconditions: Preconditions, _ call: Call, _ memory: MemoryReservation
    ) async throws(Problem) -> HTTPResponse {
        let key = layout.key(for: form, isCompressed: true)
        let selected = try await call.selected(key, preconditions.coding, memory) {
            () async throws(Problem) in
            try await call.service.content(of: layout, as: form, call.work, memory)
        }
        let tag = selected.tag(tag)
        if preconditions.isKnown(tag) {
            return call.repeating(.notModified(tag), as: form, selected, of: layout)
        }
        let empty: HTTPResponse =
            if case .picture(let media) = form {
                .picture([], tag: tag, as: media)
            } else {
                .json([], tag: tag)
            }
        return call.repeating(empty.with(selected), as: form, selected, of: layout)
    }
}

extension ServiceContext {
    /// Returns a tree, a part of it, or a picture; that of a large screen from the cache, or from a
    /// worker thread, where one of the requests that need it at this time makes it for all.
    func content(
        of layout: StoredLayout, as form: LayoutForm, _ work: Work, _ memory: MemoryReservation
    ) async throws(Problem) -> LayoutContent {
        if let known = try await known(layout, as: form, memory) { return known }
        var cost = 0
        if layout.snapshot.mayBeExpensive {
            cost = WorkCost.layout(of: layout.snapshot.model, upTo: layout.page)
        }
        guard cost > Work.maxInlineCost else {
            return try await made(layout, as: form, work, memory)
        }
        return try await work.performAll { (work) throws(Problem) in
            let key = renderer.sharedKey(of: layout, as: form)
            let first = try await renderer.inProgress.perform(key, releasing: memory) {
                () async throws(Problem) in
                try await made(layout, as: form, work, memory)
            }
            guard first.isShared else { return first.value }
            // A response is sent once, so each request has one of its own, of the same layout,
            // which the first keeps in memory meanwhile.
            defer { withExtendedLifetime(first) {} }
            if let known = try await known(layout, as: form, memory) { return known }
            return try await made(layout, as: form, work, memory)
        }
    }

    /// Returns the content if it is in the cache.
    private func known(
        _ layout: StoredLayout, as form: LayoutForm, _ memory: MemoryReservation
    ) async throws(Problem) -> LayoutContent? {
        let known = renderer.cached(layout, as: form)
        if case .source? = known { try await memory.adjust(to: MemoryCost.output) }
        return known
    }

    private func made(
        _ layout: StoredLayout, as form: LayoutForm, _ work: Work,
        _ memory: MemoryReservation
    ) async throws(Problem) -> LayoutContent {
        // Kept meanwhile, so that they need not be made again without memory for them.
        let frames = renderer.frames(of: layout, as: form)
        defer { withExtendedLifetime(frames) {} }
        try await memory.adjust(
            to: MemoryCost.rendering(layout, as: form, isLaidOut: frames != nil),
            beside: layout.snapshot.model.reservedByteCount, for: .storedScreen)
        return try await work.perform(cost: 0) { () throws(Problem) in
            switch form {
            case .tree: try renderer.tree(of: layout, memory)
            case .part(let rectangle): try renderer.tree(of: layout, in: rectangle, memory)
            case .picture: .bytes(try renderer.picture(of: layout, memory))
            }
        }
    }
}

extension Call {
    /// Reads the highest page and the parameters of a layout from the query; the catalog of the
    /// request is then that of its page token.
    ///
    /// - Throws: The problem of a parameter or of the page token.
    mutating func layoutQuery(
        of screen: ScreenName
    ) throws(Problem) -> (end: ScreenPart.End, parameters: LayoutParameters) {
        let reader = ParameterReader(query)
        let requested = try LayoutParameters.Partial(
            query, limits: service.configuration.parameters)
        let all = try reader.read("pages", "all, if it is given") { $0 == "all" ? true : nil }
        guard let text = try reader.text("pageToken") else {
            return (all == nil ? .lowest : .highest, requested.applied())
        }
        guard all == nil else {
            throw .invalidParameter("pages", "cannot be given together with pageToken")
        }
        guard let token = PageToken(text, sealedBy: service.renderer.seal, for: screen.text)
        else { throw invalidToken(text) }
        var other = requested.contradiction(to: token.parameters)
        if catalog.name != nil, catalog.name != token.catalog { other = CatalogParameter.name }
        if let other {
            throw Problem(
                .pageTokenMismatch,
                "\(other) contradicts the page token; omit it.")
        }
        if catalog.name != token.catalog {
            catalog = try repeater.catalogs.current.catalog(named: token.catalog)
        }
        return (.after(token.page), requested.applied(to: token.parameters))
    }

    /// Returns the problem of a page token that is not one of the screen of the request: that it is
    /// one of another screen, if that screen is in memory and the client may know of it.
    private func invalidToken(_ text: String) -> Problem {
        let other = service.screen(ofPageToken: text).flatMap { name in
            caller.listedScreens?.contains(name.text) == false ? nil : name
        }
        return Problem(
            .invalidPageToken,
            other.map { "The page token is one of the screen \"\($0.text)\", not of this one." }
                ?? "The page token is damaged, or belongs to another screen or store.")
    }
}
