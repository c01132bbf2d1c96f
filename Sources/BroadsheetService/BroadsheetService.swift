import Broadsheet
package import BroadsheetHTTP
package import BroadsheetIO
package import BroadsheetStores

/// The service behind the HTTP server, and the composition root of the module.
///
/// A request passes the router, the handler of its operation (``Operation``), ``Screens`` and
/// ``LayoutRenderer``. Problems become problem documents here, and every response is counted and
/// logged under the id of its request.
package final class BroadsheetService: HTTPHandler {
    /// The router to positions in ``Operation/all``.
    private let router: Router
    let context: ServiceContext
    let catalogs: CatalogSlot
    let access: AccessControl
    let metrics: ServiceMetrics
    let log: Log
    let clock: TimeSource
    let requestIDs: RequestIDSource

    /// Creates a service over a store.
    ///
    /// - Parameters:
    ///   - configuration: The service configuration.
    ///   - store: The store of screens; the caller closes it.
    ///   - catalogs: The catalogs in service until ``reload(catalogs:)``.
    ///   - log: The log of requests and problems.
    ///   - clock: The source of durations and times.
    ///   - memory: The memory that requests, responses and caches may use.
    ///   - workers: The threads for expensive work; the caller stops them. Without them everything
    ///     runs where it is called.
    ///   - sources: Metrics whose values other parts of the process provide.
    ///   - origin: The origin of pages that are not stored; ``closeOrigin()`` closes it.
    ///   - sleep: Suspends a task for a duration, unless it is cancelled.
    /// - Throws: The error of the store if its identity cannot be read.
    package init(
        configuration: ServiceConfiguration = ServiceConfiguration(), store: any ScreenStore,
        catalogs: CatalogSet, log: Log = .silent, clock: TimeSource = .system,
        memory: MemoryBudget = .unlimited, workers: WorkerPool? = nil,
        sources: [MetricSource] = [], origin: (any PageOrigin)? = nil,
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) async throws(StoreError) {
        let metrics = ServiceMetrics()
        let cache = LayoutCache(
            limit: configuration.layoutCacheBytes ?? memory.cacheBytes(for: .layouts),
            metrics: metrics)
        let screens = Screens(
            WriteStatus(of: store, gauge: metrics.storeWritable, log: log), configuration, memory,
            layouts: cache, metrics: metrics, clock: clock,
            observers: ScreenObservers(
                limit: configuration.maxWaiters,
                streams: ScreenStreams(memory: memory, metrics: metrics, log: log, sleep: sleep)))
        let seal = TokenSeal(try await store.identity())
        self.catalogs = CatalogSlot(catalogs)
        access = AccessControl(configuration.access, clock: clock)
        self.metrics = metrics
        self.log = log
        self.clock = clock
        var generator = SystemRandomNumberGenerator()
        requestIDs = RequestIDSource(using: &generator)
        router = Self.router()
        _ = ClientFile.all
        let own =
            Self.screensSources(screens) + Self.storeSources(store)
            + Self.workSources(workers) + MetricSource.memory(memory)
            + [Self.droppedLinesSource(log)]
        workers?.observeStarts { [metrics] in metrics.workWait.observe(nanoseconds: $0) }
        context = ServiceContext(
            configuration, screens: screens,
            renderer: LayoutRenderer(
                seal: seal, metrics: metrics, clock: clock, cache: cache, memory: memory,
                maxResponseBytes: configuration.maxResponseBytes),
            log: log, workers: workers, metricSources: own + sources, origin: origin)
        logDiagnostics(of: self.catalogs.current)
    }

    /// Puts other catalogs into service for new requests; requests in progress keep theirs.
    ///
    /// A stored screen is resolved again when it is next used.
    ///
    /// - Returns: A task that writes to the log which diagnostics the screens in memory have with
    ///   the catalogs; it ends early when yet others replace these.
    @discardableResult
    package func reload(catalogs: CatalogSet) -> Task<Void, Never> {
        let active = self.catalogs.replace(with: catalogs)
        logDiagnostics(of: active)
        metrics.catalogReloads.add(ReloadResult.replaced.rawValue)
        log.write(LogRecord(replacedBy: active))
        context.screens.observers.streams.checkAll()
        return Task(priority: .low) {
            let preview = await CatalogPreview(
                of: active, for: snapshotsInMemory, limits: context.configuration.limits
            ) {
                self.catalogs.generation == active.generation
            }
            if let preview { log.write(LogRecord(preview)) }
        }
    }

    /// Makes `/readyz` say that the daemon stops soon.
    package func beginDraining() { metrics.draining.set(1) }

    /// Ends the waiting of all requests for changes, also of later ones, before the server shuts
    /// down.
    package func drain() { context.screens.observers.drain() }

    /// Ends the requests to the origin, after the last request of a client and before the store is
    /// closed.
    package func closeOrigin() async { await context.origin?.close() }

    /// Counts and logs a catalog that could not be put into service; the current one stays.
    package func refuseReload(detail: String) {
        metrics.catalogReloads.add(ReloadResult.refused.rawValue)
        log.write(LogRecord(.error, "catalog refused, the current one stays", detail: detail))
    }

    /// Puts other keys into service for new requests; requests in progress keep their rights.
    package func reload(keys: KeyRing) {
        access.replace(with: keys)
        metrics.keyReloads.add(ReloadResult.replaced.rawValue)
        log.write(LogRecord(.info, "keys replaced", detail: "\(keys.keys.count) keys"))
    }

    /// Counts and logs keys that could not be put into service; the current ones stay.
    package func refuseKeys(detail: String) {
        metrics.keyReloads.add(ReloadResult.refused.rawValue)
        log.write(LogRecord(.error, "keys refused, the current ones stay", detail: detail))
    }

    /// The resolved screens in memory, in no particular order.
    var snapshotsInMemory: [ScreenSnapshot] { context.screens.inMemory }

    private func logDiagnostics(of catalogs: ActiveCatalogs) {
        for catalog in catalogs.all {
            if let record = LogRecord(diagnosticsOf: catalog) { log.write(record) }
        }
    }

    private static func router() -> Router {
        var router = Router()
        for (index, operation) in Operation.all.enumerated() {
            for path in operation.paths { router.add(operation.method, path, index) }
        }
        return router
    }

    private static func screensSources(_ screens: Screens) -> [MetricSource] {
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
                read: { Double(screens.reports.byteCount) }),
            MetricSource(
                name: "broadsheet_changes_waiting",
                help: "Requests that wait for changes of a screen.",
                read: { Double(screens.observers.count) }),
        ]
    }

    private static func storeSources(_ store: any ScreenStore) -> [MetricSource] {
        guard store.transactionCount != nil else { return [] }
        return [
            MetricSource(
                name: "broadsheet_store_transactions_total", type: .counter,
                help: "Transactions of commits; concurrent commits share one.",
                read: { Double(store.transactionCount ?? 0) })
        ]
    }

    private static func workSources(_ workers: WorkerPool?) -> [MetricSource] {
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

    private static func droppedLinesSource(_ log: Log) -> MetricSource {
        MetricSource(
            name: "broadsheet_log_lines_dropped_total", type: .counter,
            help: "Log lines dropped because their reader was too slow.",
            read: { Double(log.droppedLines) })
    }
}

extension BroadsheetService {
    /// Returns the response to a request; an error is a response too.
    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        let start = clock.now
        let id = requestID(of: request.head)
        metrics.requestsInFlight.add(1)
        defer { metrics.requestsInFlight.add(-1) }
        var facts = RequestFacts(address: context.configuration.clientAddress(of: request))
        var response: HTTPResponse
        do throws(Problem) {
            response = try await route(request, id, &facts)
        } catch {
            response =
                error.isConnectionLost ? connectionLost() : self.response(to: error, id, facts)
        }
        response = await coded(response, for: request, of: facts.caller)
        finish(&response, to: request.head, id, facts)
        metrics.requestBodyBytes.add(bytes: request.body.count)
        let nanoseconds = clock.now.nanoseconds(since: start)
        metrics.requests.count(
            operation: facts.operation, response.status,
            nanoseconds: nanoseconds - min(nanoseconds, response.waitedNanoseconds))
        return response
    }

    /// Returns the response to a request that its client may not send, before its body is read.
    package func refusal(of head: HTTPRequestHead) -> HTTPResponse? {
        var facts = RequestFacts()
        do throws(Problem) {
            _ = try match(head, &facts)
            return nil
        } catch {
            let id = requestID(of: head)
            var response = response(to: error, id, facts)
            finish(&response, to: head, id, facts)
            metrics.requests.count(operation: facts.operation, response.status, nanoseconds: 0)
            return response
        }
    }

    /// Returns the response to an error of HTTP as a problem document.
    package func response(to error: HTTPError) -> HTTPResponse {
        let id = requestIDs.next()
        var response = response(to: Problem(error), id, RequestFacts())
        response.finish(id)
        metrics.responseBodyBytes.add(bytes: response.contentLength)
        metrics.requests.count(operation: nil, response.status, nanoseconds: 0)
        return response
    }

    /// Logs a response after it was sent.
    package func completed(_ exchange: HTTPExchange) {
        let headers = exchange.request?.headers
        log.write(
            LogRecord(
                exchange, with: context.configuration.clientAddress(from: exchange.peer, headers)))
    }

    /// Adds the fields of every response to a request, and the client for the log.
    private func finish(
        _ response: inout HTTPResponse, to head: HTTPRequestHead, _ id: RequestID,
        _ facts: RequestFacts
    ) {
        response.finish(id)
        access.browsers.addFields(to: &response, for: head)
        response.client = facts.caller.key?.name
        metrics.responseBodyBytes.add(bytes: response.contentLength)
    }

    /// Finds the operation of a request, and checks that its client may call it.
    ///
    /// - Parameter facts: Set to the operation and the client, also if an error is thrown.
    private func match(
        _ head: HTTPRequestHead, _ facts: inout RequestFacts
    ) throws(Problem) -> RouteMatch {
        if let origin = access.browsers.foreignOrigin(of: head) {
            noteRequest(head.method.token, head.target.path, of: origin)
        }
        try access.browsers.check(head)
        guard head.target.form != .asterisk else { return .options(allow: router.methods) }
        let match = router.match(head.method, head.target.path)
        guard case .found(let index, let path) = match else { return match }
        facts.operation = index
        let requirement = Operation.all[index].access
        facts.caller = try access.caller(for: requirement, head.headers)
        try facts.caller.check(requirement, screen: path["screen"])
        return match
    }

    /// Logs a request of a web page of an origin that is not allowed, once a minute and origin.
    func noteRequest(_ method: String, _ path: String, of origin: String) {
        if let record = access.foreignOrigins.record(of: origin, method, path, at: clock.now) {
            log.write(record)
        }
    }

    /// Calls the handler of the request's operation.
    private func route(
        _ request: HTTPRequest, _ id: RequestID, _ facts: inout RequestFacts
    ) async throws(Problem) -> HTTPResponse {
        switch try match(request.head, &facts) {
        case .found(let index, let path):
            let query = Query(request.target.query)
            try Operation.checkNames(of: query, at: index)
            let call = Call(
                request: request, requestID: id, path: path, query: query,
                catalog: try Operation.catalog(
                    for: query, at: index, among: catalogs.current),
                service: context, operation: index, repeater: self,
                caller: facts.caller, work: context.work(for: request, of: facts.caller))
            return try await Operation.all[index].respond(to: call)
        case .options(let allow): return .options(allow: allow)
        case .methodNotAllowed(let allow):
            throw .methodNotAllowed(request.method, request.target.path, allow: allow)
        case .notFound: throw .notFound(request.target.path)
        case .malformed(let error): throw Problem(error)
        }
    }

    private func response(
        to problem: Problem, _ id: RequestID, _ facts: RequestFacts
    ) -> HTTPResponse {
        metrics.problems.add(problem.code.rawValue)
        log.write(
            LogRecord(problem, of: id, address: facts.address, client: facts.caller.key?.name))
        return problem.response(to: id)
    }

    /// Counts a request that was ended because its connection is lost, and returns the response for
    /// the log.
    func connectionLost() -> HTTPResponse {
        metrics.workDropped.add()
        return HTTPResponse(status: .connectionLost)
    }

    private func requestID(of head: HTTPRequestHead) -> RequestID {
        head.headers[.requestID].flatMap(RequestID.init) ?? requestIDs.next()
    }
}

/// The facts about a request that its log line and the metrics have, as far as they are known.
private struct RequestFacts {
    /// The address of the client; `nil` while it is not known.
    var address: IPAddress?
    /// The position of the operation in ``Operation/all``.
    var operation: Int?
    /// The client.
    var caller = Caller.anyone
}
