import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

extension Operation {
    static let getLayout = Operation(
        id: "getLayout", method: .get, path: "/v1/screens/{screen}/layout", tag: .layouts,
        summary: "Returns the tree of a screen's stored pages.",
        access: .screen(.read),
        permitsReaders: true,
        parameters: [.pages, .pageToken, .rect] + .window + [.revision] + .layout + [.explain]
            + .conditions,
        responses: [
            .json("Tree", "The tree.", headers: ["ETag", "Cache-Control"]),
            .notModified(headers: ["Cache-Control"]),
        ],
        problems: layoutProblems + [.itemNotFound],
        handler: ScreenLayoutEndpoint.get)

    static let getPicture = Operation(
        id: "getPicture", method: .get, path: "/v1/screens/{screen}/layout.svg", tag: .layouts,
        summary: "Returns a picture of the layout of a screen's stored pages.",
        access: .screen(.read),
        permitsReaders: true,
        parameters: [.pages, .pageToken, .revision] + .layout + .conditions + [.acceptPicture],
        responses: [
            OpenAPIResponse(
                .ok, "The picture.", headers: ["ETag", "Cache-Control", "Content-Security-Policy"],
                content: PictureMedia.allCases.map { ($0.rawValue, OpenAPISchemas.string) }),
            .notModified(headers: ["Cache-Control"]),
        ],
        problems: layoutProblems,
        handler: ScreenLayoutEndpoint.getPicture)

    private static let layoutProblems: [ProblemCode] =
        .screen
        + [
            .invalidPageToken, .pageTokenMismatch, .pageNotLoaded, .revisionNotFound,
            .responseTooLarge,
        ] + .essential + .condition + .reading + .store + .origin
}

/// The handlers of `/v1/screens/{screen}/layout` and `/v1/screens/{screen}/layout.svg`: the stored
/// pages of a screen, laid out.
private struct ScreenLayoutEndpoint {
    var call: Call
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

    private func response(
        to request: WindowRequest, needing need: WindowToken.Need, _ parameters: LayoutParameters,
        _ screen: ScreenName, at revision: UInt64?
    ) async throws(Problem) -> HTTPResponse {
        switch form {
        case .tree: break
        case .part: throw .invalidParameter("rect", "cannot be given for a window")
        case .picture: throw .invalidParameter("pageToken", "is one of a window, not of a picture")
        }
        let preconditions = try Preconditions(call.request.headers)
        let snapshot = try await service.source.screen(
            screen, upTo: .highest, needing: need.end, at: revision, for: call)
        try need.check(snapshot)
        let reader = WindowReader(source: service.source, work: call.work)
        let window = try await reader.window(request, in: snapshot, parameters, at: revision)
        let tag = EntityTag(window.version(service.renderer.seal).tag ?? "")
        if let tag = try preconditions.notModified(tag) { return .notModified(tag) }
        let selected = try await service.renderer.selected(
            nil, preconditions.coding, call.work
        ) { () async throws(Problem) in try await reader.content(of: window) }
        let selectedTag = selected.tag(tag)
        if preconditions.isKnown(selectedTag) { return .notModified(selectedTag) }
        return .json([], tag: selectedTag).with(selected)
    }

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
        var own = self
        var (query, _, parameters, revision) = try service.layoutQuery(of: screen, &own.call)
        parameters.options.explain = try ParameterReader(call.query).truth("explain") ?? false
        var response: HTTPResponse
        switch query {
        case .window(let request, let need):
            response = try await own.response(
                to: request, needing: need, parameters, screen, at: revision)
        case .tree(let end):
            response = try await own.response(upTo: end, parameters, screen, at: revision)
        case nil:
            response = try await own.response(upTo: .lowest, parameters, screen, at: revision)
        }
        // A cache asks whether its copy is current before each use (RFC 9111 §5.2.2.4).
        response.headers.append(.cacheControl, "no-cache")
        return response
    }

    private func response(
        upTo end: ScreenPart.End, _ parameters: LayoutParameters, _ screen: ScreenName,
        at revision: UInt64?
    ) async throws(Problem) -> HTTPResponse {
        let preconditions = try Preconditions(call.request.headers)
        let snapshot = try await service.source.screen(
            screen, upTo: end, needing: end, at: revision, for: call)
        var layout = try StoredLayout(of: PageExtent(end), in: snapshot, parameters)
        layout.pinnedRevision = revision
        let plain = layout.tag(as: form, seal: service.renderer.seal)
        if let tag = try preconditions.notModified(plain) {
            return service.repeating(.notModified(tag), as: form, nil, of: layout, to: call)
        }
        let key = layout.key(for: form, isCompressed: true)
        let selected = try await service.renderer.selected(
            key, preconditions.coding, call.work
        ) { () async throws(Problem) in
            try await service.renderer.content(of: layout, as: form, call.work)
        }
        let tag = selected.tag(plain)
        return service.repeating(
            preconditions.isKnown(tag) ? .notModified(tag) : empty(tag).with(selected), as: form,
            selected, of: layout, to: call)
    }

    private func empty(_ tag: EntityTag) -> HTTPResponse {
        if case .picture(let media) = form {
            .picture([], tag: tag, as: media)
        } else {
            .json([], tag: tag)
        }
    }
}
