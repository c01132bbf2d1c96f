import BroadsheetHTTP

/// Everything that the service counts.
final class ServiceMetrics: Sendable {
    /// Requests by operation and status.
    let requests = RequestCounters()
    /// Problems that requests were answered with.
    let problems = CounterTable(ProblemCode.allCases.map(\.rawValue))
    /// Requests that are being answered.
    let requestsInFlight = Gauge()
    /// Bodies that came in, in bytes.
    let requestBodyBytes = Counter()
    /// Bodies that went out, in bytes.
    let responseBodyBytes = Counter()
    /// From pages to a tree's bytes.
    let layoutDuration = DurationHistogram()
    /// From a page's bytes to its sections and units.
    let parseDuration = DurationHistogram()
    /// From a page's units to its cells; of a whole screen, after a reload of the catalog.
    let resolveDuration = DurationHistogram()
    /// A commit to the store.
    let commitDuration = DurationHistogram()
    /// Commits that another writer got in between of.
    let storeConflicts = Counter()
    /// Calls that the store failed.
    let storeFailures = Counter()
    /// Laid-out screens and answers that were kept and asked for again, by what they are.
    let layoutCacheHits = CounterTable(LayoutCacheKey.kinds)
    /// Those that had to be made, by what they are.
    let layoutCacheMisses = CounterTable(LayoutCacheKey.kinds)
    /// Those that made room for others.
    let layoutCacheEvictions = Counter()
    /// What is kept, in bytes.
    let layoutCacheBytes = Gauge()
    /// Catalogs that a reload put into service.
    let catalogReloads = Counter()
    /// Reloads that left the old catalog in service.
    let failedCatalogReloads = Counter()
}

/// Counters by one label, whose values are all known beforehand.
final class CounterTable: Sendable {
    private let indices: [String: Int]
    private let counters: [(value: String, counter: Counter)]

    /// A counter for each of `values`.
    init(_ values: [String]) {
        counters = values.map { ($0, Counter()) }
        indices = Dictionary(
            values.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Counts one more of `value`; nothing when that is not known.
    func add(_ value: String) {
        if let index = indices[value] { counters[index].counter.add() }
    }

    /// What has been counted of each.
    var counts: [(value: String, count: UInt64)] { counters.map { ($0.value, $0.counter.value) } }
}

/// Requests by operation and status, and how long they took by operation.
final class RequestCounters: Sendable {
    /// What is counted of one operation.
    struct Row: Sendable {
        /// The operation's name; `none` for requests that no operation serves.
        let operation: String
        let byStatus: CounterTable
        let duration: DurationHistogram
    }

    /// Every status that is ever answered with.
    static let statuses: [HTTPStatus] = {
        let problems = Set(ProblemCode.allCases.map(\.status.code))
        let all = Set([200, 201, 204, 304]).union(problems).sorted()
        return all.compactMap(HTTPStatus.init(code:))
    }()

    /// One row for each operation, in their order, and the last for none.
    let rows: [Row]

    /// Counters that stand at 0.
    init() {
        let statuses = Self.statuses.map { String($0.code) }
        rows = (Operation.allCases.map(\.rawValue) + ["none"]).map { name in
            Row(
                operation: name, byStatus: CounterTable(statuses), duration: DurationHistogram())
        }
    }

    /// Counts an answer.
    func count(_ operation: Operation?, _ status: HTTPStatus, nanoseconds: UInt64) {
        let index = operation.flatMap(Self.index) ?? rows.count - 1
        rows[index].byStatus.add(String(status.code))
        rows[index].duration.observe(nanoseconds: nanoseconds)
    }

    private static func index(of operation: Operation) -> Int? { indices[operation] }

    private static let indices = Dictionary(
        Operation.allCases.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
}
