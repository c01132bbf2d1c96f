import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// `/v1/screens`, and DELETE of `/v1/screens/{screen}`: the screens as such.
struct ScreensEndpoint: Sendable {
    let screens: Screens
    let seal: TokenSeal
    let limits: ParameterLimits

    /// The screens in name order, `pageSize` of them, and a token when there are more (AIP-158).
    func list(_ call: Call) async throws(Problem) -> HTTPResponse {
        let reader = ParameterReader(call.query)
        let size =
            try reader.integer("pageSize", in: 1...limits.maxPageSize) ?? limits.defaultPageSize
        let start = try reader.text("pageToken").map { text throws(Problem) in
            guard let token = ListingToken(text, sealedBy: seal) else {
                throw Problem(
                    .invalidPageToken, "The page token is damaged, or not of this list and store.")
            }
            return token.name
        }
        // One more than asked for tells whether there are more.
        let listed = try await screens.list(after: start, limit: size + 1)
        return .json(json(listed.prefix(size), hasMore: listed.count > size))
    }

    /// Removes the screen: 204.
    func delete(_ call: Call) async throws(Problem) -> HTTPResponse {
        let screen = try call.screen()
        let preconditions = try Preconditions(call.request.headers)
        _ = try await screens.write(screen, by: call.catalog) { current throws(Problem) in
            try preconditions.checkWrite(of: current, targetExists: current != nil)
            guard current != nil else { throw .screenNotFound(screen) }
            return .removingScreen
        }
        return .removed(revision: nil)
    }

    private func json(_ listed: ArraySlice<ScreenListing>, hasMore: Bool) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 64 * (listed.count + 1))
        writer.raw("{\"screens\":[")
        for (index, listing) in listed.enumerated() {
            writer.raw(index > 0 ? ",{\"screen\":" : "{\"screen\":")
            writer.string(listing.name.text)
            writer.raw(",\"revision\":")
            writer.integer(Int(clamping: listing.revision))
            writer.raw("}")
        }
        writer.raw("]")
        if hasMore, let last = listed.last {
            writer.raw(",\"nextPageToken\":")
            writer.string(ListingToken(after: last.name).sealed(by: seal))
        }
        writer.raw("}")
        return writer.bytes
    }
}
