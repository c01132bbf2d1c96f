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
        guard store.transactionCount != nil else { return [] }
        return [
            MetricSource(
                name: "broadsheet_store_transactions_total", type: .counter,
                help: "Transactions of commits; concurrent commits share one.",
                read: { Double(store.transactionCount ?? 0) })
        ]
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
