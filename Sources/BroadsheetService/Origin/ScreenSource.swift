import BroadsheetHTTP
import BroadsheetStores

/// The stored screens, their renderer, and the origin of pages that are not stored.
struct ScreenSource: Sendable {
    let screens: Screens
    let renderer: LayoutRenderer
    let origin: PagesOnDemand?

    /// Returns a stored screen with its pages up to `end`; those that are needed and not stored
    /// come from the origin, if there is one.
    ///
    /// - Parameters:
    ///   - end: The last page to read.
    ///   - need: The last page that is needed.
    ///   - revision: The revision, which the history of the store has; `nil` for the current one.
    /// - Throws: `SCREEN_NOT_FOUND` if there is no such screen; the problem of the origin.
    func screen(
        _ screen: ScreenName, upTo end: ScreenPart.End, needing need: ScreenPart.End,
        at revision: UInt64? = nil, for call: Call
    ) async throws(Problem) -> ScreenSnapshot {
        if let revision {
            return try await screens.earlier(
                screen, at: revision, upTo: end, by: call.catalog, call.work)
        }
        guard let origin else {
            return try await screens.existing(
                screen, upTo: end, by: call.catalog, call.work)
        }
        return try await origin.screen(screen, upTo: end, needing: need, for: call)
    }
}

extension Call {
    /// A Boolean value that indicates whether the client does not want what is stored.
    ///
    /// That is `no-cache` (RFC 9111 §5.2.1.4). One that waits for changes has what is stored.
    var isRefresh: Bool {
        obeysNoCache && CacheControl(in: request.headers).isNoCache
            && Preferences(in: request.headers).wait == nil
    }
}
