internal import Broadsheet
internal import BroadsheetHTTP
internal import BroadsheetIO
internal import BroadsheetService
internal import BroadsheetStores

/// A running daemon: the loops, the server on them, the service behind it and the store below.
struct Daemon {
    /// Where it listens, as in a URL.
    let address: String
    /// Answers requests; told of new catalogs.
    let service: BroadsheetService
    private let loops: EventLoopGroup
    private let server: HTTPServer
    private let store: any ScreenStore

    /// Starts everything, from the bottom up.
    ///
    /// - Throws: `CommandError.usage` for a host that is no address, `CommandError.input` for an
    ///   address that is taken or a machine that has no room; whatever had started is stopped again.
    init(
        _ settings: Settings, store: any ScreenStore, catalog: Catalog, log: Log
    ) async throws(CommandError) {
        let metrics = ConnectionMetrics()
        do throws(StoreError) {
            service = try await BroadsheetService(
                configuration: ServiceConfiguration(settings), store: store, catalog: catalog,
                log: log, sources: metrics.sources)
        } catch {
            await store.close()
            throw .input(["broadsheet: the store cannot be opened: \(error.reason)"])
        }
        let configuration = HTTPServerConfiguration(settings)
        do throws(IOError) {
            loops = try EventLoopGroup(count: Self.loopCount(settings))
        } catch {
            await store.close()
            throw .input(["broadsheet: cannot start the event loops: \(error)"])
        }
        server = HTTPServer(group: loops, configuration: configuration, handler: service)
        metrics.observe(server)
        self.store = store
        do throws(IOError) {
            address = try await server.start(onExhaustion: { log.exhausted($0) }).description
        } catch {
            loops.shutdown()
            await store.close()
            throw CommandError(error, listeningOn: configuration)
        }
    }

    /// How many loops to run: as many as was said, else one a core.
    static func loopCount(_ settings: Settings) -> Int {
        settings[ServeSettings.loops] ?? EventLoopGroup.coreCount
    }

    /// Ends everything, from the top down: no new connections, what is in flight, the store.
    func stop(drain: Duration) async {
        await server.shutdown(drain: drain)
        await store.close()
        loops.shutdown()
    }
}

extension ServiceConfiguration {
    /// The configuration that the daemon was told.
    fileprivate init(_ settings: Settings) {
        self.init()
        limits = ScreenLimits(settings)
        screenLifetime = settings[ServeSettings.screenTTL].map(ScreenLifetime.seconds) ?? .unchanged
        screenCacheBytes = settings[ServeSettings.screenCache]
        cacheBytes = settings[ServeSettings.layoutCache]
    }
}

extension CommandError {
    /// What keeps a server from listening where it was told to.
    fileprivate init(_ error: IOError, listeningOn configuration: HTTPServerConfiguration) {
        switch error {
        case .unresolvableHost(let host, let reason):
            self = .usage("--host: '\(host)' is no address: \(reason)")
        case .system, .loopStopped:
            let place = "\(configuration.host), port \(configuration.port)"
            self = .input(["broadsheet: cannot listen on \(place): \(error)"])
        }
    }
}

extension Log {
    /// Says that no connection can be accepted for a while, and why.
    fileprivate func exhausted(_ code: Int32) {
        let reason = IOError.system(call: "accept4", code: code)
        write(
            LogRecord(
                .error, "no further connection can be accepted for now", detail: "\(reason)"))
    }
}
