import Broadsheet
import BroadsheetHTTP
package import BroadsheetIO
package import BroadsheetStores

/// The service behind the HTTP server, and the composition root of the module.
///
/// A request passes the router, the handler of its operation (``Operation``), ``Screens`` and
/// ``LayoutRenderer``. Problems become problem documents here, and every response is counted and
/// logged under the id of its request.
package final class BroadsheetService: HTTPHandler {
    /// The router to positions in ``Operation/all``.
    let router: Router
    /// The router of requests that do not receive the inspector.
    let routerWithoutInspector: Router
    let configuration: ServiceConfiguration
    /// The stored screens, their renderer, and the origin of pages that are not stored.
    let source: ScreenSource
    let catalogs: CatalogSlot
    let access: AccessControl
    let metrics: ServiceMetrics
    let clientEvents = ClientEventCounts()
    let originMetrics = OriginMetrics()
    let log: Log
    let clock: TimeSource
    let requestIDs: RequestIDSource
    let pages: PageReader
    let reports: ClientReports
    /// The feeds of the store; `nil` if it keeps none.
    let feeds: StoredFeeds?
    /// The events that clients report, for the program.
    let receivedEvents: ReceivedEvents
    let streams: ScreenStreams
    let streamGate: StreamGate
    let memory: MemoryBudget
    /// The threads for expensive work; `nil` for a service that runs everything where it is called.
    private let workers: WorkerPool?
    /// The metrics whose values other parts of the process provide.
    let metricSources: [MetricSource]
    let openAPI: ConstantContent

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
    ///   - events: The receivers of the events of clients.
    ///   - sleep: Suspends a task for a duration, unless it is cancelled.
    /// - Throws: The error of the store if its identity cannot be read.
    package init(
        configuration: ServiceConfiguration = ServiceConfiguration(), store: ScreenStore,
        catalogs: CatalogSet, log: Log = .silent, clock: TimeSource = .system,
        memory: MemoryBudget = .unlimited, workers: WorkerPool? = nil,
        sources: [MetricSource] = [], origin: (any PageOrigin)? = nil,
        events: ReceivedEvents = ReceivedEvents(),
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) async throws(StoreError) {
        (self.configuration, self.log, self.clock) = (configuration, log, clock)
        let reduced = Self.makeRouter { !$0.isOfInspector }
        routerWithoutInspector = reduced
        router =
            configuration.inspector == .none ? reduced : Self.makeRouter { _ in true }
        (self.memory, self.workers, self.catalogs) = (memory, workers, CatalogSlot(catalogs))
        receivedEvents = events
        metrics = ServiceMetrics(clientEvents: clientEvents, origin: originMetrics)
        let identity = try await store.identity()
        let renderer = LayoutRenderer(
            seal: TokenSeal(identity), metrics: metrics, clock: clock,
            cache: LayoutCache(
                limit: configuration.layoutCacheBytes ?? memory.cacheBytes(for: .layouts),
                metrics: metrics),
            memory: memory, maxResponseBytes: configuration.maxResponseBytes)
        var generator = SystemRandomNumberGenerator()
        requestIDs = RequestIDSource(using: &generator)
        reports = ClientReports(
            maxItems: configuration.journeyItems, memory, lost: metrics.feedEventsLost,
            token: generator.next())
        streams = ScreenStreams(memory: memory, metrics: metrics, log: log, sleep: sleep)
        feeds = StoredFeeds(store, metrics, besides: streams)
        streamGate = StreamGate(limit: configuration.maxStreams, memory: memory)
        var listeners: [ScreenObservers.Listener] = [streams.receive, reports.receive]
        if let feeds { listeners.append(feeds.receive) }
        let screens = Screens(
            WriteStatus(of: store, gauge: metrics.storeWritable, log: log), configuration, memory,
            layouts: renderer.cache, metrics: metrics, clock: clock,
            observers: ScreenObservers(
                limit: configuration.maxWaiters, sleep: sleep, listeners: listeners))
        pages = PageReader(limits: configuration.limits, metrics: metrics, clock: clock)
        source = ScreenSource(
            screens: screens, renderer: renderer,
            origin: origin.map { [pages, originMetrics] origin in
                PagesOnDemand(from: origin, into: screens, pages, originMetrics, log: log)
            })
        access = AccessControl(
            configuration.access,
            TokenVerifier(memory, identity, metrics.tokens, log, clock: clock), metrics.tokens,
            clock: clock, sleep: sleep)
        openAPI = ConstantContent(
            OpenAPIDocument.shared(
                needsKeys: configuration.access.keys != nil,
                hasInspector: configuration.inspector != .none))
        metricSources =
            MetricSource.streams(streamGate) + MetricSource.screens(screens, reports, memory)
            + MetricSource.configuration(self.catalogs, access)
            + MetricSource.store(store) + MetricSource.feeds(store, feeds)
            + MetricSource.work(workers) + MetricSource.memory(memory)
            + [MetricSource.droppedLines(log)] + MetricSource.process + sources
        // Made at the start instead of at the first request.
        _ = ClientFile.all
        workers?.observeStarts { [metrics] in metrics.workWait.observe(nanoseconds: $0) }
        logDiagnostics(of: self.catalogs.current)
        configuration.access.keys.map(logDiagnostics)
    }

    var screens: Screens { source.screens }

    var renderer: LayoutRenderer { source.renderer }

    var origin: PagesOnDemand? { source.origin }

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
        streams.checkAll()
        return Task(priority: .low) {
            let preview = await CatalogPreview(
                of: active, for: screens.cache.first(), limits: configuration.limits
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
    package func drain() { screens.observers.drain() }

    /// Ends the requests to the origin, after the last request of a client and before the store is
    /// closed.
    package func closeOrigin() async { await origin?.close() }

    /// Counts and logs a catalog that could not be put into service; the current one stays.
    package func refuseReload(detail: String) {
        metrics.catalogReloads.add(ReloadResult.refused.rawValue)
        log.write(LogRecord(.error, "catalog refused, the current one stays", detail: detail))
    }

    /// Puts other keys into service; requests and streams in progress end if their key is not among
    /// them with the same rights.
    package func reload(keys: KeyRing) {
        access.replace(with: keys)
        metrics.keyReloads.add(ReloadResult.replaced.rawValue)
        let issuers = keys.issuers.isEmpty ? "" : ", \(keys.issuers.count) lines of issuers"
        log.write(LogRecord(.info, "keys replaced", detail: "\(keys.keys.count) keys\(issuers)"))
        logDiagnostics(of: keys)
    }

    private func logDiagnostics(of keys: KeyRing) {
        guard keys.exposesSecrets else { return }
        log.write(
            LogRecord(
                .warning, "secrets exposed",
                detail: "any user of the machine may read the file of keys, which has secrets of "
                    + "HS256: chmod o-r, or use EdDSA"))
    }

    /// Counts and logs keys that could not be put into service; the current ones stay.
    package func refuseKeys(detail: String) {
        metrics.keyReloads.add(ReloadResult.refused.rawValue)
        log.write(LogRecord(.error, "keys refused, the current ones stay", detail: detail))
    }

    private func logDiagnostics(of catalogs: ActiveCatalogs) {
        for catalog in catalogs.all {
            if let record = LogRecord(diagnosticsOf: catalog) { log.write(record) }
        }
    }

    private static func makeRouter(of isIncluded: (Operation) -> Bool) -> Router {
        var router = Router()
        for (index, operation) in Operation.all.enumerated() where isIncluded(operation) {
            for path in operation.paths { router.add(operation.method, path, endpoint: index) }
        }
        return router
    }

    func work(of client: ClientKey) -> Work {
        Work(pool: workers, client: client, metrics: metrics, in: memory)
    }
}
