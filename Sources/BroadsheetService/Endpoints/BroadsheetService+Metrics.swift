import BroadsheetIO
import BroadsheetStores

extension ServiceMetrics {
    /// Creates metrics with the labels of all operations, cache entries and events of streams.
    convenience init(
        clientEvents: ClientEventCounts = ClientEventCounts(),
        origin: OriginMetrics = OriginMetrics()
    ) {
        self.init(
            labels: Labels(
                operations: Operation.all.map { ($0.id, $0.problems) },
                cached: LayoutKey.Content.labels,
                streamEvents: StreamEventType.allCases.map(\.rawValue)),
            clientEvents: clientEvents, origin: origin)
    }
}

extension MetricSource {
    /// Returns the metrics of the screens in memory, and of what is kept for their clients.
    static func screens(_ screens: Screens, _ reports: ClientReports) -> [MetricSource] {
        [
            MetricSource(
                name: "broadsheet_screens_in_memory", help: "Resolved screens in memory.",
                read: { Double(screens.countInMemory) }),
            MetricSource(
                name: "broadsheet_screens_in_memory_bytes",
                help: "The size of the resolved screens in memory.",
                read: { Double(screens.bytesInMemory) }),
            MetricSource(
                name: "broadsheet_history_bytes",
                help: "The size of the earlier revisions that are kept for changes.",
                read: { Double(screens.history.byteCount) }),
            MetricSource(
                name: "broadsheet_client_reports_bytes",
                help: "The size of the journeys of screens and of the events for backends.",
                read: { Double(reports.byteCount) }),
            MetricSource(
                name: "broadsheet_changes_waiting",
                help: "Requests that wait for changes of a screen.",
                read: { Double(screens.observers.count) }),
        ]
    }

    /// Returns the metrics of a store.
    static func store(_ store: any ScreenStore) -> [MetricSource] {
        if let postgres = store as? PostgresStore { return Self.postgres(postgres) }
        if let shared = store as? any ServerStore { return Self.shared(shared) }
        guard store.transactionCount != nil else { return [] }
        return [
            MetricSource(
                name: "broadsheet_store_transactions_total", type: .counter,
                help: "Transactions of commits; concurrent commits share one.",
                read: { Double(store.transactionCount ?? 0) })
        ]
    }

    /// Returns the metric of the feeds of a store; 0 if it keeps none.
    static func feeds(_ store: any ScreenStore) -> [MetricSource] {
        [
            MetricSource(
                name: "broadsheet_feed_dropped_total", type: .counter,
                help: "Stored events for backends that were dropped for later ones, read or not.",
                read: { Double((store as? any FeedStore)?.droppedEventCount ?? 0) })
        ]
    }

    /// Returns the metrics of a store on a server that daemons share.
    private static func shared(_ store: any ServerStore) -> [MetricSource] {
        let commits = store.commitsSentAgain
        return [
            MetricSource(
                name: "broadsheet_store_asked_again_total", type: .counter, label: "outcome",
                help: "Commits that were sent again because their reply was lost, by outcome.",
                read: {
                    [
                        ("done", Double(commits.done)), ("conflict", Double(commits.conflicts)),
                        ("unknown", Double(commits.unknown)),
                    ]
                }),
            MetricSource(
                name: "broadsheet_store_lines_total", type: .counter,
                help: "Times that the store's server had another history than before.",
                read: { Double(store.lineCount) }),
        ]
    }

    /// Returns the metrics of a store in PostgreSQL.
    private static func postgres(_ store: PostgresStore) -> [MetricSource] {
        let statistics = store.statistics
        let connections = [
            MetricSource(
                name: "broadsheet_store_connections", label: "state",
                help: "Connections to the store's server, by state.",
                read: {
                    let (busy, idle, lost) = store.connections
                    return [
                        ("idle", Double(idle)), ("busy", Double(busy)), ("lost", Double(lost)),
                    ]
                })
        ]
        let notifications = [
            MetricSource(
                name: "broadsheet_store_notifications_total", type: .counter, label: "result",
                help: "Notifications of writes between daemons, and losses of their subscription.",
                read: {
                    [
                        ("sent", Double(statistics.sentNotifications)),
                        ("received", Double(statistics.receivedNotifications)),
                        ("lost", Double(statistics.lostNotifications)),
                    ]
                })
        ]
        return connections + shared(store) + notifications
    }

    /// Returns the metrics of worker threads.
    static func work(_ workers: WorkerPool?) -> [MetricSource] {
        guard let workers else { return [] }
        return [
            MetricSource(
                name: "broadsheet_work_queue_jobs",
                help: "Parts of expensive requests that wait for a worker thread.",
                read: { Double(workers.queueLength) }),
            MetricSource(
                name: "broadsheet_work_requests",
                help: "Expensive requests that wait, run, or are suspended in between.",
                read: { Double(workers.workCount) }),
        ]
    }

    /// Returns the metric of a log.
    static func droppedLines(_ log: Log) -> MetricSource {
        MetricSource(
            name: "broadsheet_log_lines_dropped_total", type: .counter,
            help: "Log lines dropped because their reader was too slow.",
            read: { Double(log.droppedLines) })
    }
}
