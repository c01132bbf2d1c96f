import Broadsheet
import BroadsheetHTTP

/// The metrics of the service.
///
/// Each metric is declared once, with its name, its help text and its type; ``all`` gives the order
/// of the exposition, and a test checks that it is complete.
final class ServiceMetrics: Sendable {
    let build = BuildInformation()
    let requests: RequestMetrics
    let keys = KeyMetrics()
    let tokens = TokenMetrics()
    let requestsInFlight = Gauge(
        "broadsheet_http_requests_in_flight", "Requests that are being processed.")
    let draining = Gauge(
        "broadsheet_draining", "1 from the signal to stop on, when /readyz is 503.")
    let requestBodyBytes = Counter(
        "broadsheet_http_request_body_bytes_total", "Bytes of received bodies.")
    let responseBodyBytes = Counter(
        "broadsheet_http_response_body_bytes_total", "Bytes of sent bodies.")
    let problems = LabelledCounter(
        "broadsheet_problems_total", "Problem documents by code.", label: "code",
        ProblemCode.allCases.map(\.rawValue), rare: Set(ProblemCode.ofTokens.map(\.rawValue)))
    let diagnostics = LabelledCounter(
        "broadsheet_diagnostics_total",
        "Diagnostics of written pages and of composed trees, by code.", label: "code",
        Diagnostic.Code.all.map(\.rawValue))
    private let clientEvents: any Metric
    let clientEventDiagnostics = LabelledCounter(
        "broadsheet_client_event_diagnostics_total",
        "Diagnostics of events that clients reported, by code.", label: "code",
        Diagnostic.Code.ofEvents.map(\.rawValue))
    let feedEventsLost = Counter(
        "broadsheet_feed_events_lost_total",
        "Events for backends that were dropped before a feed had them.")
    let feedEvents = Counter(
        "broadsheet_feed_events_total", "Events for backends that were stored.")
    let layoutDuration = DurationHistogram(
        "broadsheet_layout_duration_seconds", "The time from resolved pages to a tree's bytes.")
    let parseDuration = DurationHistogram(
        "broadsheet_parse_duration_seconds",
        "The time from a page's bytes to its sections and units.")
    /// The durations of resolving a posted page, or a whole screen after a reload of the catalog.
    let resolveDuration = DurationHistogram(
        "broadsheet_resolve_duration_seconds", "The time from units to their cells.")
    let commitDuration = DurationHistogram(
        "broadsheet_store_commit_duration_seconds", "The time of commits to the store.")
    let storeConflicts = Counter(
        "broadsheet_store_conflicts_total", "Commits that met another writer's commit.")
    let storeFailures = Counter(
        "broadsheet_store_failures_total", "Calls of the store that failed.")
    let storeWritable = Gauge(
        "broadsheet_store_writable",
        "1 while a page could be stored, 0 from a failure until as large a write succeeds.")
    let storeUp = Gauge(
        "broadsheet_store_up", "1 if the store could serve requests at this scrape, 0 otherwise.")
    let storeHistoryBytes = Gauge(
        "broadsheet_store_history_bytes", "The bytes of earlier pages in the store.")
    let storeScreens = Gauge("broadsheet_store_screens", "The screens in the store.")
    let storeBytes = Gauge(
        "broadsheet_store_bytes", "The bytes of the current pages in the store.")
    let layoutCacheHits: LabelledCounter
    let layoutCacheMisses: LabelledCounter
    let layoutCacheEvictions = Counter(
        "broadsheet_layout_cache_evictions_total",
        "Layouts and responses that were removed from the cache to free capacity.")
    let layoutCacheBytes = Gauge(
        "broadsheet_layout_cache_bytes", "The size of the cached layouts and responses.")
    let layoutCacheLimit = Gauge(
        "broadsheet_layout_cache_limit_bytes",
        "The maximum size of the cached layouts and responses (--cache-bytes).")
    let workWait = DurationHistogram(
        "broadsheet_work_wait_seconds",
        "The time for which a part of an expensive request waits for a worker thread.")
    let workRefused = Counter(
        "broadsheet_work_refused_total", "Expensive requests refused because too many waited.")
    let workDropped = Counter(
        "broadsheet_work_dropped_total",
        "Requests that were not completed because their connection was lost.")
    let catalogReloads = LabelledCounter(
        "broadsheet_catalog_reloads_total", "Reloads of the catalog by result.", label: "result",
        ReloadResult.allCases.map(\.rawValue))
    let keyReloads = LabelledCounter(
        "broadsheet_key_reloads_total", "Reloads of the keys by result.", label: "result",
        ReloadResult.allCases.map(\.rawValue))
    let streamEvents: LabelledCounter
    private let origin: any Metric

    /// The values of labels that other parts of the service have.
    struct Labels {
        let operations: [(name: String, problems: [ProblemCode])]
        /// The kinds of entries of the layout cache.
        let cached: [String]
        let streamEvents: [String]
        /// Those that have no sample before they occur.
        var rareStreamEvents: Set<String> = []
    }

    init(labels: Labels, clientEvents: any Metric, origin: any Metric) {
        requests = RequestMetrics(of: labels.operations)
        self.clientEvents = clientEvents
        layoutCacheHits = LabelledCounter(
            "broadsheet_layout_cache_hits_total",
            "Layouts and responses that were in the cache, by kind.", label: "kind",
            labels.cached)
        layoutCacheMisses = LabelledCounter(
            "broadsheet_layout_cache_misses_total",
            "Layouts and responses that were not in the cache, by kind.", label: "kind",
            labels.cached)
        streamEvents = LabelledCounter(
            "broadsheet_stream_events_total", "Events that streams have sent, by type.",
            label: "event", labels.streamEvents, rare: labels.rareStreamEvents)
        self.origin = origin
    }

    /// Every metric, in the order of the exposition.
    var all: [any Metric] {
        [
            build, requests, keys, requestsInFlight, draining, requestBodyBytes, responseBodyBytes,
            problems, diagnostics, clientEvents, clientEventDiagnostics, feedEventsLost,
            feedEvents,
            layoutDuration, parseDuration, resolveDuration, commitDuration, storeConflicts,
            storeFailures, storeWritable, storeUp, storeHistoryBytes, storeScreens,
            storeBytes, layoutCacheHits, layoutCacheMisses,
            layoutCacheEvictions, layoutCacheBytes, layoutCacheLimit, workWait, workRefused,
            workDropped,
            catalogReloads, keyReloads, streamEvents, tokens, origin,
        ]
    }

    func count(_ counts: DiagnosticCounts) {
        for (code, count) in counts.byCode { diagnostics.add(code.rawValue, UInt64(count)) }
    }

    func count(_ diagnostics: EventDiagnostics) {
        for (code, count) in diagnostics.counts.byCode {
            clientEventDiagnostics.add(code.rawValue, UInt64(count))
        }
    }

    /// Returns the metrics in the exposition format of Prometheus, followed by those of `sources`.
    func text(sources: [MetricSource]) -> String {
        var text = MetricsText()
        for metric in all { metric.write(to: &text) }
        for source in sources { source.write(to: &text) }
        return text.text
    }
}

/// The result of a reload of the catalog, or of the keys.
enum ReloadResult: String, CaseIterable {
    case replaced
    /// The new value was invalid, and the current one stays in service.
    case refused
}

/// The version of the build, as a label of a sample that is always 1.
struct BuildInformation: Metric {
    func write(to text: inout MetricsText) {
        let name = "broadsheet_build_info"
        text.begin(name, .gauge, help: "The version of the daemon; always 1.")
        text.sample(name, [("version", BroadsheetVersion.current)], count: 1)
    }
}

/// The requests by operation and status, and their durations by operation.
final class RequestMetrics: Metric {
    private struct Row: Sendable {
        /// The operation's name, or `none` for requests without an operation.
        let operation: String
        /// The statuses that have a sample before they occur: those of alerts.
        let initial: Set<String>
        let byStatus: LabelValues
        let duration: DurationHistogram
    }

    static let statuses: [HTTPStatus] = {
        let problems = Set(ProblemCode.allCases.map(\.status.code))
        let all = Set([200, 201, 202, 204, 304, HTTPStatus.connectionLost.code]).union(problems)
            .sorted()
        return all.compactMap(HTTPStatus.init(code:))
    }()

    /// The position of each code in ``statuses``, by the code.
    private static let statusIndices: [Int?] = (0...599).map { code in
        statuses.firstIndex { $0.code == code }
    }

    private static let durationName = "broadsheet_http_request_duration_seconds"
    private static let durationHelp =
        "The time from a complete request to its response, by operation."

    /// One row for each operation, in their order, and the last for requests without an operation.
    private let rows: [Row]

    init(of operations: [(name: String, problems: [ProblemCode])]) {
        let statuses = Self.statuses.map { String($0.code) }
        rows =
            (operations + [(name: "none", problems: [.notImplemented, .httpVersionNotSupported])])
            .map {
                name, problems in
                let errors = (problems + [.internal, .overloaded]).map(\.status.code)
                return Row(
                    operation: name, initial: Set(errors.filter { $0 >= 500 }.map { String($0) }),
                    byStatus: LabelValues(statuses),
                    duration: DurationHistogram(Self.durationName, Self.durationHelp))
            }
    }

    /// `operation` is a position, `nil` without one; the time is from the complete request.
    func count(operation: Int?, _ status: HTTPStatus, nanoseconds: UInt64) {
        let index = operation ?? rows.count - 1
        if let status = Self.statusIndices[status.code] { rows[index].byStatus.add(at: status) }
        rows[index].duration.observe(nanoseconds: nanoseconds)
    }

    /// Writes both metrics; a pair of operation and status that did not occur has no sample, unless
    /// it is an error of the server: an alert on its rate has to see the first one.
    func write(to text: inout MetricsText) {
        let total = "broadsheet_http_requests_total"
        text.begin(total, .counter, help: "Completed requests by operation and status.")
        for row in rows {
            for (status, count) in row.byStatus.counts
            where count > 0 || row.initial.contains(status) {
                text.sample(
                    total, [("operation", row.operation), ("status", status)], count: count)
            }
        }
        text.begin(Self.durationName, .histogram, help: Self.durationHelp)
        for row in rows {
            row.duration.writeSamples(
                to: &text, Self.durationName, [("operation", row.operation)])
        }
    }
}
