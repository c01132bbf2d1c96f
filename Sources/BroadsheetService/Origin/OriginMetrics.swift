/// The metrics of pages on demand.
final class OriginMetrics: Metric {
    /// The results of fetches that have failed.
    private enum Failure: String, CaseIterable {
        /// The response was not a page, or there was none.
        case failed
        case timeout
        /// The origin rested, or the daemon could not fetch or store the page.
        case refused
    }

    let running = Gauge(
        "broadsheet_origin_fetches_in_progress",
        "Pages that are requested from the origin, those that wait for others included.")
    let limit = Gauge(
        "broadsheet_origin_fetches_limit",
        "The maximum number of fetches at one time (--origin-fetches); 0 without an origin.")
    let waiting = Gauge(
        "broadsheet_origin_requests_waiting", "Requests that wait for a page of the origin.")
    let resting = Gauge(
        "broadsheet_origin_resting",
        "1 from the failures after which the origin rests until a page arrives.")
    let retries = Counter(
        "broadsheet_origin_retries_total", "Pages that were requested a second time.")
    let bytes = Counter("broadsheet_origin_bytes_total", "Bytes of pages of the origin.")
    private let fetches = LabelledCounter(
        "broadsheet_origin_fetches_total", "Pages that were needed from the origin, by result.",
        label: "result",
        FetchResult.allCases.map(\.rawValue) + Failure.allCases.map(\.rawValue))
    private let duration = DurationHistogram(
        "broadsheet_origin_fetch_duration_seconds",
        "The time from the need of a page of the origin to its being stored, or to a failure.")

    func count(_ result: Result<FetchResult, Problem>, nanoseconds: UInt64) {
        switch result {
        case .success(let result): fetches.add(result.rawValue)
        case .failure(let problem):
            switch problem.code {
            case .originFailed: fetches.add(Failure.failed.rawValue)
            case .originTimeout: fetches.add(Failure.timeout.rawValue)
            default: fetches.add(Failure.refused.rawValue)
            }
        }
        duration.observe(nanoseconds: nanoseconds)
    }

    func write(to text: inout MetricsText) {
        let metrics: [any Metric] = [
            fetches, duration, retries, bytes, running, limit, waiting, resting,
        ]
        for metric in metrics { metric.write(to: &text) }
    }
}

extension LogRecord {
    /// Creates the record of a fetch; `nil` for one that was not necessary.
    init?(
        _ result: Result<FetchResult, Problem>, of fetch: PageFetch, nanoseconds: UInt64
    ) {
        let page = "page \(fetch.key.page) of screen \(fetch.key.screen)"
        switch result {
        case .success(.stored):
            self.init(
                .info, "page fetched",
                detail: "\(page) was stored after \(nanoseconds / 1_000_000) ms")
        case .success(.notFound):
            self.init(.info, "page fetched", detail: "the origin does not have \(page)")
        case .success(.unneeded): return nil
        case .failure(let problem):
            self.init(
                .warning, "page not fetched",
                detail: problem.cause.map { "\(problem.detail) (\($0))" } ?? problem.detail)
            code = problem.code.rawValue
        }
        requestID = fetch.requestID
    }
}
