import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

extension Operation {
    static let postPage = Operation(
        id: "postPage", method: .post, path: "/v1/screens/{screen}/pages", tag: .screens,
        summary: "Stores a page under its own number, or under the next free one.",
        access: .screen(.write),
        parameters: .layout + .conditions + [.lifetime, .validateOnly, .strict],
        requestSchema: "Page",
        responses: [
            .stored(.ok, "The page was replaced.", headers: ["Location"]),
            .stored(.created, "The page is new.", headers: ["Location"]),
        ],
        problems: .body + [.invalidParameter, .screenTooLarge] + .condition + .store,
        handler: PagesEndpoint.post)

    static let getPage = Operation(
        id: "getPage", method: .get, path: "/v1/screens/{screen}/pages/{page}", tag: .screens,
        summary: "Returns a page byte for byte as it was posted.",
        access: .screen(.read),
        permitsReaders: true,
        parameters: [.revision] + .conditions,
        responses: [.json("Page", "The page.", headers: ["ETag", "Accept-Patch"]), .notModified],
        problems: .screen + [.pageNotFound, .revisionNotFound] + .condition + .reading + .store,
        handler: PagesEndpoint.get)

    static let putPage = Operation(
        id: "putPage", method: .put, path: "/v1/screens/{screen}/pages/{page}", tag: .screens,
        summary: "Stores a page, or replaces it.",
        access: .screen(.write),
        parameters: .layout + .conditions + [.lifetime, .validateOnly, .strict],
        requestSchema: "Page",
        responses: [
            .stored(.ok, "The page was replaced."), .stored(.created, "The page is new."),
        ],
        problems: .body + [.invalidParameter, .pageMismatch, .screenTooLarge] + .condition
            + .store,
        handler: PagesEndpoint.put)

    static let deletePage = Operation(
        id: "deletePage", method: .delete, path: "/v1/screens/{screen}/pages/{page}",
        tag: .screens,
        summary: "Removes a page.",
        access: .screen(.write),
        parameters: .catalog + .conditions + [.lifetime],
        responses: [.removed(headers: ["ETag"])],
        problems: .screen + [.pageNotFound] + .condition + .store,
        handler: PagesEndpoint.delete)
}

extension OpenAPIResponse {
    static func stored(
        _ status: HTTPStatus, _ description: String, tree: String = "The tree up to it",
        headers: [String] = []
    ) -> OpenAPIResponse {
        .json(
            "Tree", "\(description) \(tree); no content with Prefer: return=minimal.",
            status: status,
            headers: ["ETag", "Preference-Applied", "Broadsheet-Diagnostics"] + headers)
    }
}

/// The handlers of `/v1/screens/{screen}/pages/{page}` and of POST of `/v1/screens/{screen}/pages`:
/// one page of a screen.
private enum PagesEndpoint {
    /// Stores the page under the number in the path; returns 201, or 200 if it replaces a page.
    static func put(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let number = try call.page()
        let posted = try await PostedPage(call, service)
        try posted.content.check(number: number, "the path")
        return try await store(posted, under: number, call, service).response
    }

    /// Stores the page under its own number or the next free one, which `Location` names.
    static func post(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let posted = try await PostedPage(call, service)
        var (response, number) = try await store(
            posted, under: posted.content.page.number, call, service)
        response.headers.append(.location, "/v1/screens/\(posted.options.screen)/pages/\(number)")
        return response
    }

    /// Returns the page byte for byte, and the media types of patches (RFC 5789 §3.1).
    static func get(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        var response = try await page(call, service)
        response.headers.append(.acceptPatch, PatchMedia.accepted)
        return response
    }

    private static func page(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let number = try call.page()
        let preconditions = try Preconditions(call.request.headers)
        let screens = service.screens
        if let revision = try call.revision() {
            return try await page(number, at: revision, call, preconditions, service)
        }
        if preconditions.areGiven {
            let found = try await screens.page(number, of: screen)
            // Only a request for the bytes shows that a page is absent, and not damaged.
            if found?.page != nil {
                let tag = try tag(of: found, number, screen, service.renderer.seal)
                if let tag = try preconditions.notModified(tag) { return .notModified(tag) }
            }
        }
        let found = try await screens.page(number, of: screen, bytesIn: call.work.memory)
        let tag = try tag(of: found, number, screen, service.renderer.seal)
        if let tag = try preconditions.notModified(tag) { return .notModified(tag) }
        // Once sending has begun, the connection reserves memory for the unread rest itself.
        return try await service.renderer.json(
            found?.bytes ?? [], tag: tag, preconditions, call.work)
    }

    private static func page(
        _ number: Int, at revision: UInt64, _ call: Call, _ preconditions: Preconditions,
        _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let part = ScreenPart(from: number, upTo: .after(number - 1))
        guard
            let found = try await service.screens.earlierPart(
                screen, at: revision, part, in: call.work.memory)
        else { throw try await service.screens.problem(ofAbsent: revision, of: screen) }
        guard let page = found.pages.first, page.number == number else {
            throw .pageNotFound(number, screen)
        }
        let tag = EntityTags.page(
            number, of: screen, writtenAt: page.revision, seal: service.renderer.seal)
        if let tag = try preconditions.notModified(tag) { return .notModified(tag) }
        return try await service.renderer.json(page.bytes, tag: tag, preconditions, call.work)
    }

    static func delete(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let number = try call.page()
        let preconditions = try Preconditions(call.request.headers)
        let lifetime =
            try ScreenLifetime(in: call.request.headers)
            ?? service.configuration.screenLifetime
        let written = try await service.screens.write(
            ScreenWrite(screen: screen, page: number, lifetime: lifetime), for: call
        ) { base throws(Problem) in
            let tag = base.pageTag(of: screen, seal: service.renderer.seal)
            try preconditions.checkWrite(of: base, page: tag, targetExists: tag != nil)
            guard base.head != nil else { throw .screenNotFound(screen) }
            guard tag != nil else { throw .pageNotFound(number, screen) }
            return PlannedWrite(removing: number, from: base)
        }
        return .removed(revision: written.revision)
    }

    /// `number` is `nil` for the next free one.
    private static func store(
        _ posted: PostedPage, under number: Int?, _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> (response: HTTPResponse, number: Int) {
        let options = posted.options
        let write = options.write(
            page: number, needsPages: !options.prefersMinimal,
            heldBytes: options.memory.count + call.request.body.count)
        let written = try await service.screens.write(write, for: call) { base throws(Problem) in
            let number = if let number { number } else { try nextNumber(in: base.head) }
            let tag = base.pageTag(of: options.screen, seal: service.renderer.seal)
            try options.preconditions.checkWrite(of: base, page: tag, targetExists: tag != nil)
            return try await posted.content.planned(
                as: number, into: base, of: options.screen, in: service.screens, call.work)
        }
        guard let page = written.pages.first else {
            throw Problem(.internal, "The page was stored, but the screen is not there.")
        }
        let isNew = written.before.page == nil && !options.validatesOnly
        let status: HTTPStatus = isNew ? .created : .ok
        let response = await options.response(
            to: written, .upTo(page.number), status, service)
        return (options.reporting(response, of: [page], service), page.number)
    }

    /// Returns the number above the highest page.
    private static func nextNumber(in head: ScreenHead?) throws(Problem) -> Int {
        guard let highest = head?.highestPage else { return 0 }
        guard highest < ServerStatePage.maxNumber else {
            throw .violation(at: "/page", "is needed: no number above \(highest) is left")
        }
        return highest + 1
    }

    /// Throws `SCREEN_NOT_FOUND` or `PAGE_NOT_FOUND`.
    private static func tag(
        of found: PageLoad?, _ number: Int, _ screen: ScreenName, _ seal: TokenSeal
    ) throws(Problem) -> EntityTag {
        guard let found else { throw .screenNotFound(screen) }
        guard let page = found.page else { throw .pageNotFound(number, screen) }
        return EntityTags.page(
            number, of: screen, writtenAt: page.revision, seal: seal)
    }
}

/// A PUT or POST of a page, read and checked as far as that is possible without the stored screen.
private struct PostedPage: Sendable {
    let options: WriteOptions
    let content: ReadPage

    /// Throws the first problem of its path, query, headers and body, in this order.
    init(_ call: Call, _ service: BroadsheetService) async throws(Problem) {
        options = try WriteOptions(call, service.configuration)
        content = try await service.pages.page(
            of: call.request, by: call.catalog.registry, isStrict: options.isStrict, call.work)
    }
}
