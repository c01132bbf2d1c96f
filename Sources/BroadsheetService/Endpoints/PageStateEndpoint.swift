import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

extension Operation {
    static let getPageState = Operation(
        id: "getPageState", method: .get, path: "/v1/screens/{screen}/pages", tag: .screens,
        summary: "Returns the pages of a screen and their sections.",
        access: .screen(.read),
        permitsReaders: true,
        parameters: [.sectionId, .revision] + .catalog + .conditions,
        responses: [.json("PageState", "The page state.", headers: ["ETag"]), .notModified],
        problems: .screen + [.revisionNotFound] + .condition + .reading + .store,
        handler: PageStateEndpoint.get)

    static let deletePages = Operation(
        id: "deletePages", method: .delete, path: "/v1/screens/{screen}/pages", tag: .screens,
        summary: "Removes all pages of a screen and keeps the screen.",
        access: .screen(.write),
        parameters: .catalog + .conditions + [.lifetime],
        concernsWholeScreen: true,
        responses: [.removed(headers: ["ETag"])],
        problems: .screen + .condition + .store,
        handler: PageStateEndpoint.delete)
}

/// The handlers of GET and DELETE of `/v1/screens/{screen}/pages`: all pages of a screen.
private enum PageStateEndpoint {
    /// Returns the page state; with `sectionId`, of the pages that have such a section, highest
    /// first.
    static func get(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let sectionId = try ParameterReader(call.query).text("sectionId")
        let preconditions = try Preconditions(call.request.headers)
        let revision = try call.revision()
        if revision == nil,
            let notModified = try await call.notModifiedPageState(
                of: screen, preconditions, service.screens)
        {
            return notModified
        }
        let memory = call.work.memory
        let snapshot =
            if let revision {
                try await service.screens.earlier(
                    screen, at: revision, by: call.catalog, call.work)
            } else {
                try await service.screens.existing(
                    screen, by: call.catalog, call.work)
            }
        let tag = EntityTags.pageState(at: snapshot.revision, by: snapshot.catalog)
        if let tag = try preconditions.notModified(tag) { return .notModified(tag) }
        let cost = WorkCost.pageState(of: snapshot.model)
        let isLarge = cost > Work.maxInlineCost
        let bytes = try await call.work.performAll(if: isLarge) { (work) async throws(Problem) in
            try await memory.adjust(
                to: MemoryCost.pageState(of: snapshot.model),
                beside: snapshot.model.reservedByteCount, for: .storedScreen)
            return try await work.perform(cost: cost) { state(of: snapshot, having: sectionId) }
        }
        memory.shrink(to: bytes.capacity)
        return try await service.renderer.json(
            bytes, of: memory, tag: tag, preconditions, call.work)
    }

    /// Removes all pages, keeps the screen and returns 204, also when the screen has no pages.
    ///
    /// Without a page to remove it is a write only if the request sets the screen's lifetime.
    static func delete(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let preconditions = try Preconditions(call.request.headers)
        let requested = try ScreenLifetime(in: call.request.headers)
        let lifetime = requested ?? service.configuration.screenLifetime
        let written = try await service.screens.write(
            ScreenWrite(screen: screen, lifetime: lifetime), for: call
        ) { base throws(Problem) in
            let hasPages = base.head?.highestPage != nil
            try preconditions.checkWrite(of: base, targetExists: hasPages)
            guard base.head != nil else { throw .screenNotFound(screen) }
            return hasPages || requested != nil ? .removingAllPages : nil
        }
        return .removed(revision: written.revision)
    }

    /// Returns the page state as JSON, its members in the order of docs/api.md.
    private static func state(of snapshot: ScreenSnapshot, having sectionId: String?) -> [UInt8] {
        let model = snapshot.model
        var output = StructuredJSONWriter(reservingCapacity: 1024)
        output.object { output in
            output.member("screen", snapshot.name.text)
            output.member("revision", Int(clamping: snapshot.revision))
            output.member("page", model.page)
            output.member("hasNext", model.hasNext)
            output.member("pageCount", model.pageCount)
            output.member("hasPageData", model.hasPageData)
            output.array("pages") { output in
                let pages = sectionId.map(model.pages(containing:)) ?? Array(model.pages)
                for page in pages {
                    output.element()
                    write(page, to: &output)
                }
            }
        }
        return output.bytes
    }

    private static func write(_ page: ResolvedPage, to output: inout StructuredJSONWriter) {
        output.object { output in
            output.member("page", page.number)
            output.member("hasNext", page.hasNext)
            output.array("sections") { output in
                for section in page.sections where !section.isHidden {
                    output.element()
                    output.object { output in
                        output.member("id")
                        output.string(section.identifier)
                        output.member("items", section.cells.count)
                    }
                }
            }
        }
    }
}

extension Call {
    /// Returns 304 for a conditional request whose page state is unchanged, without reading a page;
    /// otherwise `nil`.
    ///
    /// - Throws: `SCREEN_NOT_FOUND`; `PRECONDITION_FAILED` if If-Match does not hold.
    func notModifiedPageState(
        of screen: ScreenName, _ preconditions: Preconditions, _ screens: Screens
    ) async throws(Problem) -> HTTPResponse? {
        guard preconditions.areGiven else { return nil }
        guard let head = try await screens.head(of: screen) else {
            throw .screenNotFound(screen)
        }
        let tag = EntityTags.pageState(at: head.revision, by: catalog)
        return try preconditions.notModified(tag).map(HTTPResponse.notModified)
    }
}
