import BroadsheetIO
import BroadsheetStores

extension ServiceMetrics {
    convenience init(
        clientEvents: ClientEventCounts = ClientEventCounts(),
        origin: OriginMetrics = OriginMetrics()
    ) {
        self.init(
            labels: Labels(
                operations: Operation.all.map { ($0.id, $0.problems) },
                cached: LayoutKey.Content.labels,
                streamEvents: StreamEventType.allCases.map(\.rawValue),
                rareStreamEvents: [StreamEventType.expired.rawValue]),
            clientEvents: clientEvents, origin: origin)
    }
}

extension MetricSource {
    static func screens(
        _ screens: Screens, _ reports: ClientReports, _ memory: MemoryBudget
    ) -> [MetricSource] {
        [
            MetricSource(
                name: "broadsheet_screens_in_memory", help: "Resolved screens in memory.",
                read: { Double(screens.cache.count) }),
            MetricSource(
                name: "broadsheet_screens_in_memory_bytes",
                help: "The size of the resolved screens in memory.",
                read: { Double(screens.cache.byteCount) }),
            .limit(
                "broadsheet_screens_in_memory_limit_bytes",
                "The maximum size of the cached screens (--screen-cache-bytes).",
                screens.cache.limit),
            MetricSource(
                name: "broadsheet_history_bytes",
                help: "The size of the earlier revisions that are kept for changes.",
                read: { Double(screens.history.byteCount) }),
            .limit(
                "broadsheet_history_limit_bytes",
                "The maximum size of the earlier revisions (--history-bytes).",
                screens.history.limit),
            MetricSource(
                name: "broadsheet_client_reports_bytes",
                help: "The size of the journeys of screens and of the events for backends.",
                read: { Double(reports.byteCount) }),
            .limit(
                "broadsheet_client_reports_limit_bytes",
                "The maximum size of the journeys and of the events for backends.",
                memory.cacheBytes(for: .events)),
            MetricSource(
                name: "broadsheet_changes_waiting",
                help: "Requests that wait for changes of a screen.",
                read: { Double(screens.observers.count) }),
            .limit(
                "broadsheet_changes_waiting_limit",
                "The maximum number of requests that wait for changes (--max-waiters).",
                screens.observers.limit),
        ]
    }

    /// Returns the metric of a limit, which stands behind that of what it limits.
    package static func limit(_ name: String, _ help: String, _ value: Int) -> MetricSource {
        MetricSource(name: name, help: help, read: { Double(value) })
    }

    static func configuration(
        _ catalogs: CatalogSlot, _ access: AccessControl
    ) -> [MetricSource] {
        [
            MetricSource(
                name: "broadsheet_catalog_info",
                help: "The catalogs in service, with a code over the bytes of each; always 1.",
                samples: {
                    catalogs.current.all.map { catalog in
                        let name = catalog.name?.text ?? CatalogName.fileOfUnnamed
                        let code = Base64URL.encode(catalog.fingerprint.bytes)
                        return ([("catalog", name), ("fingerprint", code)], 1)
                    }
                }),
            MetricSource(
                name: "broadsheet_key_earliest_expiry_timestamp_seconds",
                help: "The time at which the first key expires or has; +Inf if none does.",
                read: { access.earliestExpiry }),
        ]
    }

    static func store(_ store: ScreenStore) -> [MetricSource] {
        if store.isShared { return shared(store) + (store.postgres.map(Self.postgres) ?? []) }
        guard store.transactionCount != nil else { return [] }
        return [
            MetricSource(
                name: "broadsheet_store_transactions_total", type: .counter,
                help: "Transactions of commits; concurrent commits share one.",
                read: { Double(store.transactionCount ?? 0) })
        ]
    }

    /// Returns the metric of the feeds of a store; 0 if it keeps none.
    static func feeds(_ store: ScreenStore, _ feeds: StoredFeeds?) -> [MetricSource] {
        [
            MetricSource(
                name: "broadsheet_feed_backlog_events",
                help: "Stored events for backends that no stream of this daemon has sent yet.",
                read: { Double(feeds?.backlog ?? 0) }),
            MetricSource(
                name: "broadsheet_feed_dropped_total", type: .counter,
                help: "Stored events for backends that were dropped for later ones, read or not.",
                read: { Double(store.droppedEventCount) }),
        ]
    }

    /// Returns the metrics of a store on a server that daemons share.
    private static func shared(_ store: ScreenStore) -> [MetricSource] {
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

    private static func postgres(_ backend: PostgresBackend) -> [MetricSource] {
        let statistics = backend.statistics
        let connections = [
            MetricSource(
                name: "broadsheet_store_connections", label: "state",
                help: "Connections to the store's server, by state.",
                read: {
                    let (busy, idle, lost) = backend.connections
                    return [
                        ("idle", Double(idle)), ("busy", Double(busy)), ("lost", Double(lost)),
                    ]
                }),
            .limit(
                "broadsheet_store_connections_limit",
                "The maximum number of connections for requests (--store-connections).",
                backend.maxConnections),
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
        return connections + notifications
    }

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
            .limit(
                "broadsheet_work_requests_limit", "The maximum number of expensive requests.",
                workers.limits.total),
        ]
    }

    static func droppedLines(_ log: Log) -> MetricSource {
        MetricSource(
            name: "broadsheet_log_lines_dropped_total", type: .counter,
            help: "Log lines dropped because their reader was too slow.",
            read: { Double(log.droppedLines) })
    }
}
