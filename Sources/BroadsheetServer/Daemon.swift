import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetService
import BroadsheetStores
import Synchronization

/// A running daemon: the event loops, the worker threads, the server, the service and the store.
struct Daemon {
    let address: ServerAddress
    let service: BroadsheetService
    private let loops: EventLoopGroup
    private let workers: WorkerPool
    private let trimmer: MemoryTrimmer
    private let server: HTTPServer
    private let store: ScreenStore

    /// Starts the daemon, from the store up.
    ///
    /// Everything that has started is stopped again if a later part fails.
    ///
    /// - Throws: `ServerError.configuration` for a host that does not resolve to an address;
    ///   `ServerError.failed` for an address that is in use, and when the system has no resources
    ///   left.
    init(
        _ configuration: ServerConfiguration, keys: KeyRing?,
        _ sources: (store: ScreenStore, memory: MemoryBudget, origin: (any PageOrigin)?),
        catalogs: (catalogs: CatalogSet, texts: MeasurerCache), events: ReceivedEvents, log: Log
    ) async throws(ServerError) {
        let (store, memory, origin) = sources
        do throws(IOError) {
            (loops, workers, trimmer) = try Self.threads(configuration, memory)
        } catch {
            await store.close()
            throw .failed(["broadsheet: cannot start the threads: \(error)"])
        }
        let metrics = ConnectionMetrics(limit: configuration.http.maxConnections)
        var service = configuration.service(with: keys)
        service.storeTimeout = store.isShared ? store.timeout : nil
        do throws(StoreError) {
            self.service = try await BroadsheetService(
                configuration: service, store: store,
                catalogs: catalogs.catalogs, log: log, memory: memory, workers: workers,
                sources: metrics.sources + catalogs.texts.sources, origin: origin, events: events)
        } catch {
            Self.shutDown(loops, workers, trimmer)
            await store.close()
            throw .failed(["broadsheet: the store cannot be opened: \(error.reason)"])
        }
        server = HTTPServer(
            group: loops, configuration: configuration.http, handler: self.service, memory: memory)
        metrics.observe(server)
        self.store = store
        do throws(IOError) {
            let bound = try await server.start(onExhaustion: { log.exhausted($0) })
            address = ServerAddress(description: bound.description, port: bound.port)
        } catch {
            Self.shutDown(loops, workers, trimmer)
            await store.close()
            throw ServerError(error, listeningOn: configuration.http)
        }
    }

    /// Stops the daemon, from the server down: it accepts no connections, completes the requests in
    /// flight, of which those that wait for changes end at once, and closes the origin and the
    /// store.
    ///
    /// - Parameters:
    ///   - delay: The time before that, in which all requests are served and each response ends its
    ///     connection.
    ///   - drain: The time after which requests in flight are cut off.
    func stop(after delay: Duration, drain: Duration) async {
        service.beginDraining()
        if delay > .zero {
            server.beginEnding(within: delay)
            try? await Task.sleep(for: delay)
        }
        service.drain()
        await server.shutdown(drain: drain)
        await service.closeOrigin()
        await store.close()
        Self.shutDown(loops, workers, trimmer)
    }

    /// Starts the event loops and the other threads, or none.
    private static func threads(
        _ configuration: ServerConfiguration, _ memory: MemoryBudget
    ) throws(IOError) -> (EventLoopGroup, WorkerPool, MemoryTrimmer) {
        let loops = try EventLoopGroup(count: configuration.loopCount)
        do throws(IOError) {
            let trimmer = try MemoryTrimmer(memory)
            do throws(IOError) {
                return (loops, try WorkerPool(threads: configuration.workerCount), trimmer)
            } catch {
                trimmer.shutdown()
                throw error
            }
        } catch {
            loops.shutdown()
            throw error
        }
    }

    /// Ends the threads, those of the workers before the loops, where their work continues.
    private static func shutDown(
        _ loops: EventLoopGroup, _ workers: WorkerPool, _ trimmer: MemoryTrimmer
    ) {
        trimmer.shutdown()
        workers.shutdown()
        loops.shutdown()
    }
}

extension ServerError {
    fileprivate init(_ error: IOError, listeningOn configuration: HTTPServerConfiguration) {
        switch error {
        case .unresolvableHost(let host, let reason):
            self = .configuration("--host: '\(host)' does not resolve to an address: \(reason)")
        case .system, .loopStopped:
            let endpoint = "\(configuration.host), port \(configuration.port)"
            self = .failed(["broadsheet: cannot listen on \(endpoint): \(error)"])
        }
    }
}

extension Log {
    /// Writes that no connection can be accepted for now, and the system's reason.
    fileprivate func exhausted(_ code: Int32) {
        let reason = IOError.system(call: "accept4", code: code)
        write(
            LogRecord(
                .error, "no further connection can be accepted for now", detail: "\(reason)"))
    }
}

/// The metrics of the server's connections.
///
/// The service is created with them before there is a server.
private final class ConnectionMetrics: Sendable {
    private let server = Mutex<HTTPServer?>(nil)
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Sets the server whose connections are reported; before, all values are 0.
    func observe(_ server: HTTPServer) {
        self.server.withLock { $0 = server }
    }

    var sources: [MetricSource] {
        [
            MetricSource(
                name: "broadsheet_connections_open", help: "Open connections.",
                read: { [self] in value(of: \.openConnections) }),
            .limit(
                "broadsheet_connections_limit",
                "The maximum number of open connections (--max-connections).", limit),
            MetricSource(
                name: "broadsheet_connections_accepted_total", type: .counter,
                help: "Accepted connections, including those that were refused.",
                read: { [self] in value(of: \.acceptedConnections) }),
            MetricSource(
                name: "broadsheet_connections_refused_total", type: .counter,
                help: "Connections that were refused because of --max-connections.",
                read: { [self] in value(of: \.refusedConnections) }),
        ]
    }

    private func value(of statistic: (ServerStatistics) -> Int) -> Double {
        server.withLock { Double($0.map { statistic($0.statistics) } ?? 0) }
    }
}
