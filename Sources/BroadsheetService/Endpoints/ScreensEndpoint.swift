import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

extension Operation {
    /// `GET /v1/screens`.
    static let listScreens = Operation(
        id: "listScreens", method: .get, path: "/v1/screens", tag: .screens,
        summary: "Lists the screens in the order of their names.",
        parameters: [.pageSize, .listPageToken],
        responses: [.json("ScreenList", "The screens.")],
        problems: [.invalidParameter, .invalidPageToken, .storeUnavailable],
        handler: ScreensEndpoint.list)

    /// `DELETE /v1/screens/{screen}`.
    static let deleteScreen = Operation(
        id: "deleteScreen", method: .delete, path: "/v1/screens/{screen}", tag: .screens,
        summary: "Removes a screen.",
        parameters: .conditions,
        responses: [.removed(headers: [])],
        problems: .screen + .condition + .store,
        handler: ScreensEndpoint.delete)
}

/// The handlers of `/v1/screens` and of DELETE of `/v1/screens/{screen}`.
private enum ScreensEndpoint {
    /// Returns `pageSize` screens in the order of their names, and a token if there are more
    /// (AIP-158).
    static func list(_ call: Call) async throws(Problem) -> HTTPResponse {
        let seal = call.service.renderer.seal
        let limits = call.service.configuration.parameters
        let reader = ParameterReader(call.query)
        let size =
            try reader.integer("pageSize", in: 1...limits.maxPageSize) ?? limits.defaultPageSize
        let start = try reader.text("pageToken").map { text throws(Problem) in
            guard let token = ListingToken(text, sealedBy: seal) else {
                throw Problem(
                    .invalidPageToken,
                    "The page token is damaged, or belongs to another list or store.")
            }
            return token.name
        }
        // One screen more than requested shows whether there are more.
        let listed = try await call.service.screens.list(after: start, limit: size + 1)
        return .json(json(listed.prefix(size), hasMore: listed.count > size, seal: seal))
    }

    /// Removes the screen and returns 204.
    static func delete(_ call: Call) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let preconditions = try Preconditions(call.request.headers)
        _ = try await call.service.screens.write(screen, by: call.catalog) {
            current throws(Problem) in
            try preconditions.checkWrite(of: current, targetExists: current != nil)
            guard current != nil else { throw .screenNotFound(screen) }
            return .removingScreen
        }
        return .removed(revision: nil)
    }

    private static func json(
        _ listed: ArraySlice<ScreenListing>, hasMore: Bool, seal: TokenSeal
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
            if hasMore, let last = listed.last {
                output.member("nextPageToken", ListingToken(after: last.name).sealed(by: seal))
            }
        }
        return output.bytes
    }
}
