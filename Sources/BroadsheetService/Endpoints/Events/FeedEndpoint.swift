import BroadsheetHTTP
import BroadsheetStores

extension Operation {
    static let getFeed = Operation(
        id: "getFeed", method: .get, path: "/v1/screens/{screen}/feed", tag: .screens,
        summary: "Streams the events that the catalog forwards to a backend.",
        access: .screen(.write),
        parameters: [.lastEventID],
        responses: [.events("Events of the types client, dropped and problem.")],
        problems: .screen + [.overloaded] + .store,
        handler: FeedEndpoint.get)
}

/// The handler of `/v1/screens/{screen}/feed`.
private enum FeedEndpoint {
    /// Returns a stream of the events from now on, or from the last one that the client has.
    static func get(
        _ call: Call, _ service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let screen = try await service.reportedScreen(of: call)
        let last = call.request.headers[.lastEventID].flatMap { $0.isEmpty ? nil : $0 }
        if let feeds = service.feeds {
            let part = try await service.screens.asking { () async throws(StoreError) in
                try await feeds.part(of: screen, after: .max, byteCount: 0)
            }
            guard let part else { throw .screenNotFound(screen) }
            let position = StoredFeedSource.Position(after: last, in: part)
            return try call.events(
                from: StoredFeedSource(of: screen, after: position, feeds),
                through: service.streamGate, service.access, service.metrics)
        }
        return try call.events(
            from: FeedSource(of: screen, after: last, service.reports, service.metrics),
            through: service.streamGate, service.access, service.metrics)
    }
}
