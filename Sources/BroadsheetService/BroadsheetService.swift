package import Broadsheet
package import BroadsheetHTTP
package import BroadsheetIO
package import BroadsheetStores

/// The service behind the HTTP server: the composition root of everything else in this module.
///
/// A request goes one way: router, endpoint, screens, rendering. What is wrong with it becomes a
/// problem document here, and every answer is counted and logged under the request's id.
package final class BroadsheetService: HTTPHandler {
    private let router: Router<Operation>
    private let endpoints: Endpoints
    private let catalog: CatalogSlot
    private let metrics: ServiceMetrics
    private let log: Log
    private let clock: TimeSource
    private let requestIDs: RequestIDSource

    /// Puts the service together over a store.
    ///
    /// Throws what keeps the store from telling its identity; nothing is left behind then.
    ///
    /// - Parameters:
    ///   - configuration: What it may be told.
    ///   - store: Where screens are kept; closing it stays the caller's.
    ///   - catalog: The registered cell types, until ``reload(catalog:)``.
    ///   - log: Where answered requests and problems are logged.
    ///   - clock: Where durations and times come from.
    ///   - sources: Metrics whose values others know.
    package init(
        configuration: ServiceConfiguration = ServiceConfiguration(), store: any ScreenStore,
        catalog: Catalog, log: Log = .silent, clock: TimeSource = .system,
        sources: [MetricSource] = []
    ) async throws(StoreError) {
        let metrics = ServiceMetrics()
        let cache = LayoutCache(limit: configuration.cacheBytes, metrics: metrics)
        let screens = Screens(
            store: store, cacheBytes: configuration.screenCacheBytes, layouts: cache,
            metrics: metrics, clock: clock)
        let seal = TokenSeal(try await store.identity())
        self.catalog = CatalogSlot(catalog)
        self.metrics = metrics
        self.log = log
        self.clock = clock
        var generator = SystemRandomNumberGenerator()
        requestIDs = RequestIDSource(using: &generator)
        router = Self.router()
        let rendering = TreeRendering(seal: seal, metrics: metrics, clock: clock, cache: cache)
        let own =
            Self.screensSources(screens) + Self.storeSources(store)
            + [Self.droppedLinesSource(log)]
        endpoints = Endpoints(
            configuration, screens: screens, rendering: rendering,
            metrics: MetricsEndpoint(metrics: metrics, sources: own + sources))
    }

    /// Puts another catalog into service, for requests that come from now on; those in flight keep
    /// theirs.
    ///
    /// A stored screen is resolved anew when it is next used.
    package func reload(catalog: Catalog) {
        self.catalog.replace(with: catalog)
        metrics.catalogReloads.add(CatalogReloadResult.replaced.rawValue)
        log.write(LogRecord(.info, "catalog replaced"))
    }

    /// Counts and logs a catalog that could not be put into service; the old one stays.
    package func refuseReload(detail: String) {
        metrics.catalogReloads.add(CatalogReloadResult.refused.rawValue)
        log.write(LogRecord(.error, "catalog refused, the old one stays", detail: detail))
    }

    private static func router() -> Router<Operation> {
        var router = Router<Operation>()
        for operation in Operation.allCases {
            router.add(operation.method, operation.path, operation)
        }
        return router
    }

    private static func screensSources(_ screens: Screens) -> [MetricSource] {
        [
            MetricSource(
                name: "broadsheet_screens_in_memory", help: "Screens that are held resolved.",
                read: { Double(screens.countInMemory) }),
            MetricSource(
                name: "broadsheet_screens_in_memory_bytes",
                help: "What the screens take that are held resolved.",
                read: { Double(screens.bytesInMemory) }),
        ]
    }

    private static func storeSources(_ store: any ScreenStore) -> [MetricSource] {
        guard store.transactionCount != nil else { return [] }
        return [
            MetricSource(
                name: "broadsheet_store_transactions_total", type: .counter,
                help: "Transactions that commits were made in, many at once sharing one.",
                read: { Double(store.transactionCount ?? 0) })
        ]
    }

    private static func droppedLinesSource(_ log: Log) -> MetricSource {
        MetricSource(
            name: "broadsheet_log_lines_dropped_total", type: .counter,
            help: "Log lines that nobody read fast enough.",
            read: { Double(log.droppedLines) })
    }
}

extension BroadsheetService {
    /// Answers a request; never fails, since what goes wrong is an answer too.
    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        let start = clock.now
        let id = requestID(of: request.head)
        metrics.requestsInFlight.add(1)
        defer { metrics.requestsInFlight.add(-1) }
        var operation: Operation?
        var response: HTTPResponse
        do throws(Problem) {
            response = try await answer(request, &operation)
        } catch {
            response = refuse(error, id)
        }
        response.headers.append(.requestID, id.text)
        metrics.requestBodyBytes.add(bytes: request.body.count)
        metrics.responseBodyBytes.add(bytes: response.body.count)
        metrics.requests.count(
            operation, response.status, nanoseconds: clock.now.nanoseconds(since: start))
        return response
    }

    /// Renders what HTTP itself refuses as a problem document.
    package func response(to error: HTTPError) -> HTTPResponse {
        let id = requestIDs.next()
        var response = refuse(Problem(error), id)
        response.headers.append(.requestID, id.text)
        metrics.responseBodyBytes.add(bytes: response.body.count)
        metrics.requests.count(nil, response.status, nanoseconds: 0)
        return response
    }

    /// Logs an answer once it is sent.
    package func completed(_ exchange: HTTPExchange) {
        log.write(LogRecord(exchange))
    }

    private func answer(
        _ request: HTTPRequest, _ operation: inout Operation?
    ) async throws(Problem) -> HTTPResponse {
        guard request.target.form != .asterisk else { return .options(allow: router.methods) }
        switch router.match(request.method, request.target.path) {
        case .found(let found, let path):
            operation = found
            let call = Call(
                request: request, path: path, query: Query(request.target.query),
                catalog: catalog.current)
            return try await endpoints.respond(to: call, found)
        case .options(let allow): return .options(allow: allow)
        case .methodNotAllowed(let allow):
            throw .methodNotAllowed(request.method, allow: allow)
        case .notFound:
            throw Problem(.notFound, "There is nothing at this path; /openapi.json says what is.")
        case .malformed(let error): throw Problem(error)
        }
    }

    private func refuse(_ problem: Problem, _ id: RequestID) -> HTTPResponse {
        metrics.problems.add(problem.code.rawValue)
        log.write(LogRecord(problem, of: id))
        return problem.response(to: id)
    }

    private func requestID(of head: HTTPRequestHead) -> RequestID {
        head.headers[.requestID].flatMap(RequestID.init) ?? requestIDs.next()
    }
}
