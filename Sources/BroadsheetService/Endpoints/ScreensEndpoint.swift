import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

extension Operation {
    static let listScreens = Operation(
        id: "listScreens", method: .get, path: "/v1/screens", tag: .screens,
        summary: "Lists the screens in the order of their names.",
        access: .list,
        permitsReaders: true,
        parameters: [.pageSize, .prefix, .listPageToken],
        responses: [.json("ScreenList", "The screens.")],
        problems: [.invalidParameter, .invalidPageToken, .pageTokenMismatch, .storeUnavailable],
        handler: ScreensEndpoint.list)

    static let getScreen = Operation(
        id: "getScreen", method: .get, path: "/v1/screens/{screen}", tag: .screens,
        summary: "Returns the revision and the number of pages of a screen.",
        access: .screen(.read),
        permitsReaders: true,
        parameters: .catalog + .conditions,
        responses: [.json("Screen", "The screen.", headers: ["ETag"]), .notModified],
        problems: .screen + .condition + .reading + .store,
        handler: ScreensEndpoint.get)

    static let deleteScreen = Operation(
        id: "deleteScreen", method: .delete, path: "/v1/screens/{screen}", tag: .screens,
        summary: "Removes a screen.",
        access: .screen(.write),
        parameters: .catalog + .conditions,
        concernsWholeScreen: true,
        responses: [.removed(headers: [])],
        problems: .screen + .condition + .store,
        handler: ScreensEndpoint.delete)
}

/// The handlers of `/v1/screens` and `/v1/screens/{screen}`.
private enum ScreensEndpoint {
    /// Returns `pageSize` screens in the order of their names, and a token if there are more
    /// (AIP-158).
    static func list(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let seal = service.renderer.seal
        let limits = service.configuration.parameters
        let reader = ParameterReader(call.query)
        let size =
            try reader.integer("pageSize", in: 1...limits.maxPageSize) ?? limits.defaultPageSize
        let requested = try reader.read(
            "prefix", "at most \(ScreenName.maxLength) of A-Z a-z 0-9 . _ ~ -",
            ScreenNamePrefix.init)
        let start = try reader.text("pageToken").map { text throws(Problem) in
            try listingToken(text, seal, prefix: requested)
        }
        let prefix = start?.prefix ?? requested ?? .none
        // One screen more than requested shows whether there are more.
        let listed = try await screens(
            after: start?.name, prefix: prefix, limit: size + 1, call.caller, service.screens)
        let next = listed.count > size ? listed.prefix(size).last : nil
        let token = next.map { ListingToken(after: $0.name, prefix: prefix).sealed(by: seal) }
        return .json(json(listed.prefix(size), nextPageToken: token))
    }

    /// Returns screens in the order of their names; only those that the client may read.
    private static func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int,
        _ caller: Caller, _ screens: Screens
    ) async throws(Problem) -> [ScreenListing] {
        guard let own = caller.listedScreens else {
            return try await screens.list(after: name, prefix: prefix, limit: limit)
        }
        return try await screens.list(after: name, prefix: prefix, limit: limit, of: own)
    }

    /// Reads a page token, which contains the prefix.
    private static func listingToken(
        _ text: String, _ seal: TokenSeal, prefix: ScreenNamePrefix?
    ) throws(Problem) -> ListingToken {
        guard let token = ListingToken(text, sealedBy: seal) else {
            throw Problem(
                .invalidPageToken,
                "The page token is damaged, or belongs to another list or store.")
        }
        guard prefix == nil || prefix == token.prefix else {
            throw Problem(.pageTokenMismatch, "prefix contradicts the page token; omit it.")
        }
        return token
    }

    /// Returns the screen without its pages, with the tag of its page state.
    static func get(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let preconditions = try Preconditions(call.request.headers)
        if let notModified = try await call.notModifiedPageState(
            of: screen, preconditions, service.screens)
        {
            return notModified
        }
        let (head, hasNext) = try await service.screens.state(
            of: screen, by: call.catalog, call.work)
        let tag = EntityTags.pageState(at: head.revision, by: call.catalog)
        if let tag = try preconditions.notModified(tag) { return .notModified(tag) }
        var output = StructuredJSONWriter(reservingCapacity: 256)
        output.object { output in
            output.member("screen", screen.text)
            output.member("revision", Int(clamping: head.revision))
            output.member("page", head.latestPage)
            output.member("pageCount", head.size.pageCount)
            output.member("hasNext", hasNext)
        }
        return try await service.renderer.json(output.bytes, tag: tag, preconditions, call.work)
    }

    static func delete(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let preconditions = try Preconditions(call.request.headers)
        _ = try await service.screens.write(ScreenWrite(screen: screen), for: call) {
            base throws(Problem) in
            try preconditions.checkWrite(of: base, targetExists: base.head != nil)
            guard base.head != nil else { throw .screenNotFound(screen) }
            return .removingScreen
        }
        return .removed(revision: nil)
    }

    private static func json(
        _ listed: ArraySlice<ScreenListing>, nextPageToken: String?
    ) -> [UInt8] {
        var output = StructuredJSONWriter(reservingCapacity: 64 * (listed.count + 1))
        output.object { output in
            output.array("screens") { output in
                for listing in listed {
                    output.element()
                    output.object { output in
                        output.member("screen", listing.name.text)
                        output.member("revision", Int(clamping: listing.revision))
                    }
                }
            }
            if let nextPageToken { output.member("nextPageToken", nextPageToken) }
        }
        return output.bytes
    }
}
