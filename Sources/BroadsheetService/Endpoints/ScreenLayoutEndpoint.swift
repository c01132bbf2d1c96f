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
private struct ScreenLayoutEndpoint {
    let call: Call
    let service: BroadsheetService
    let form: LayoutForm

    /// Returns the tree up to the page that the query selects, or the part of it in `rect`; or 304.
    static func get(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let rectangle = try ParameterReader(call.query).rectangle("rect")
        let form = rectangle.map(LayoutForm.part) ?? .tree
        return try await Self(call: call, service: service, form: form).response()
    }

    /// Returns a picture of the same layout; or 304.
    static func getPicture(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let form = LayoutForm.picture(as: PictureMedia(acceptedBy: call.request.headers))
        var response = try await Self(call: call, service: service, form: form).response()
        response.headers.append(.vary, HTTPFieldName.accept.spelling)
        return response
    }

    private func response() async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        var call = call
        let (end, parameters) = try service.layoutQuery(of: screen, &call)
        let preconditions = try Preconditions(call.request.headers)
        let memory = MemoryReservation(in: service.memory, for: .work)
        let snapshot = try await service.source.screen(
            screen, upTo: end, needing: end, for: call, memory)
        let layout = try StoredLayout(of: PageExtent(end), in: snapshot, parameters)
        let tag = layout.tag(as: form, seal: service.renderer.seal)
        var response: HTTPResponse
        if let tag = try preconditions.notModified(tag) {
            response = service.repeater.repeating(
                .notModified(tag), as: form, nil, of: layout, to: call)
        } else {
            response = try await self.response(of: layout, tag, preconditions, memory)
        }
        // A cache asks whether its copy is current before each use (RFC 9111 §5.2.2.4).
        response.headers.append(.cacheControl, "no-cache")
        return response
    }

    private func response(
        of layout: StoredLayout, _ tag: EntityTag, _ preconditions: Preconditions,
        _ memory: MemoryReservation
    ) async throws(Problem) -> HTTPResponse {
        let renderer = service.renderer
        let key = layout.key(for: form, isCompressed: true)
        let selected = try await renderer.selected(key, preconditions.coding, call.work, memory) {
            () async throws(Problem) in
            try await renderer.content(of: layout, as: form, call.work, memory)
        }
        let tag = selected.tag(tag)
        if preconditions.isKnown(tag) {
            return service.repeater.repeating(
                .notModified(tag), as: form, selected, of: layout, to: call)
        }
        let empty: HTTPResponse =
            if case .picture(let media) = form {
                .picture([], tag: tag, as: media)
            } else {
                .json([], tag: tag)
            }
        return service.repeater.repeating(
            empty.with(selected), as: form, selected, of: layout, to: call)
    }
}

extension BroadsheetService {
    /// Reads the highest page and the parameters of a layout from the query; the catalog of the
    /// request is then that of its page token.
    ///
    /// - Throws: The problem of a parameter or of the page token.
    func layoutQuery(
        of screen: ScreenName, _ call: inout Call
    ) throws(Problem) -> (end: ScreenPart.End, parameters: LayoutParameters) {
        let reader = ParameterReader(call.query)
        let requested = try LayoutParameters.Partial(
            call.query, limits: configuration.parameters)
        let all = try reader.read("pages", "all, if it is given") { $0 == "all" ? true : nil }
        guard let text = try reader.text("pageToken") else {
            return (all == nil ? .lowest : .highest, requested.applied())
        }
        guard all == nil else {
            throw .invalidParameter("pages", "cannot be given together with pageToken")
        }
        guard let token = PageToken(text, sealedBy: renderer.seal, for: screen.text)
        else { throw invalidToken(text, of: call.caller) }
        var other = requested.contradiction(to: token.parameters)
        if call.catalog.name != nil, call.catalog.name != token.catalog {
            other = CatalogParameter.name
        }
        if let other {
            throw Problem(
                .pageTokenMismatch,
                "\(other) contradicts the page token; omit it.")
        }
        if call.catalog.name != token.catalog {
            call.catalog = try catalogs.current.catalog(named: token.catalog)
        }
        return (.after(token.page), requested.applied(to: token.parameters))
    }

    /// Returns the problem of a page token that is not one of the screen of the request: that it is
    /// one of another screen, if that screen is in memory and the client may know of it.
    private func invalidToken(_ text: String, of caller: Caller) -> Problem {
        let other = screen(ofPageToken: text).flatMap { name in
            caller.listedScreens?.contains(name.text) == false ? nil : name
        }
        return Problem(
            .invalidPageToken,
            other.map { "The page token is one of the screen \"\($0.text)\", not of this one." }
                ?? "The page token is damaged, or belongs to another screen or store.")
    }

    /// The work that the search for the screen of a page token may take, in bytes that are hashed;
    /// fixed.
    private static let maxSearchedBytes = 1 << 20
    /// The work on each screen beside hashing the token, in the same unit.
    private static let bytesPerScreen = 1 << 10

    /// Returns the screen in memory that a page token is sealed for, or `nil`.
    ///
    /// A token does not have the name of its screen, so the names are tried: as many as the limit
    /// permits.
    private func screen(ofPageToken text: String) -> ScreenName? {
        let count = Self.maxSearchedBytes / (text.utf8.count + Self.bytesPerScreen)
        return screens.inMemory.prefix(count).lazy.map(\.name).first {
            [seal = renderer.seal] name in
            PageToken(text, sealedBy: seal, for: name.text) != nil
        }
    }
}
