internal import BroadsheetHTTP
internal import BroadsheetService
internal import Synchronization

/// Lets the service's metrics say how the server is doing, which comes to be after the service.
final class ConnectionMetrics: Sendable {
    private let server = Mutex<HTTPServer?>(nil)

    /// From now on tells of `server`.
    func observe(_ server: HTTPServer) {
        self.server.withLock { $0 = server }
    }

    /// The metrics.
    var sources: [MetricSource] {
        [
            MetricSource(
                name: "broadsheet_connections_open", help: "Connections that are open now.",
                read: { [self] in reading(\.openConnections) }),
            MetricSource(
                name: "broadsheet_connections_accepted_total", type: .counter,
                help: "Connections that came in, those that were turned away included.",
                read: { [self] in reading(\.acceptedConnections) }),
            MetricSource(
                name: "broadsheet_connections_refused_total", type: .counter,
                help: "Connections that were turned away because there were too many.",
                read: { [self] in reading(\.refusedConnections) }),
        ]
    }

    private func reading(_ figure: (ServerStatistics) -> Int) -> Double {
        server.withLock { Double($0.map { figure($0.statistics) } ?? 0) }
    }
}
