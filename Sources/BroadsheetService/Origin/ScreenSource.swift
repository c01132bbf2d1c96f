import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

/// The stored screens, their renderer, and the origin of pages that are not stored.
struct ScreenSource: Sendable {
    /// The stored screens.
    let screens: Screens
    /// The renderer of trees and pictures.
    let renderer: LayoutRenderer
    /// The pages that come from an origin; `nil` without one.
    let origin: PagesOnDemand?

    /// Returns a stored screen with its pages up to `end`; those that are needed and not stored
    /// come from the origin, if there is one.
    ///
    /// - Parameters:
    ///   - screen: The screen.
    ///   - end: The last page to read.
    ///   - need: The last page that is needed.
    ///   - call: The request.
    ///   - memory: The reservation for the work of the request.
    /// - Throws: `SCREEN_NOT_FOUND` if there is no such screen; the problem of the origin.
    func screen(
        _ screen: ScreenName, upTo end: ScreenPart.End, needing need: ScreenPart.End,
        for call: Call, _ memory: MemoryReservation
    ) async throws(Problem) -> ScreenSnapshot {
        guard let origin else {
            return try await screens.existing(
                screen, upTo: end, by: call.catalog, call.work, memory)
        }
        return try await origin.screen(screen, upTo: end, needing: need, for: call, memory)
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
