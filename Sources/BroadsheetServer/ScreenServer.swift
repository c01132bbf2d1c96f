public import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetService
public import BroadsheetStores
import Glibc
import Synchronization

/// A server of screens over HTTP: what `broadsheet serve` runs, in a Swift program.
///
///     let server = ScreenServer(registry: registry)
///     try await server.run()
///
/// ``run()`` serves until its task is cancelled or ``stop()`` is called. It applies settings of the
/// process: it raises the limit of open files, it limits the arenas of the allocator, and failed
/// writes into pipes no longer end the process.
public final class ScreenServer: Sendable {
    private let configuration: ServerConfiguration
    private let contents: ServerContents
    private let signals = DaemonSignals()
    private let isRunning = Atomic(false)
    private let listening = OnceValue<ServerAddress?>()
    private let running = RunningServer()

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - registry: The unit types, the layouts of sections and the action handlers of the
    ///     program.
    ///   - catalog: A catalog whose units are served as well. For a unit type and for a section
    ///     that both have, the registry's applies; the layout of the screen and the names of
    ///     members are the catalog's. Without a catalog and a registry, the built-in catalog is
    ///     served.
    ///   - store: A store of one's own, which the server closes when it ends; `nil` for that of the
    ///     configuration.
    ///   - configuration: The configuration.
    public convenience init(
        registry: CellRegistry? = nil, catalog: Catalog? = nil, store: ScreenStore? = nil,
        configuration: ServerConfiguration = ServerConfiguration()
    ) {
        let run = String(UInt64.random(in: .min ... .max), radix: 16)
        let version = configuration.registryVersion ?? run
        self.init(
            configuration,
            ServerContents(
                keys: { configuration.keys?.ring }, hasKeys: configuration.keys != nil,
                catalogs: { () throws(ServerError) in
                    guard let registry else {
                        return MeasuredCatalogs(catalogs: CatalogSet(catalog ?? .storefront))
                    }
                    if let catalog, let type = registry.catalogType(notIn: catalog.registry) {
                        throw .configuration(
                            "the registry has the unit type '\(type)' of another catalog")
                    }
                    return MeasuredCatalogs(
                        catalogs: CatalogSet(Catalog(registry, over: catalog, version: version)))
                },
                store: { memory, log throws(ServerError) in
                    if let store { return (store, "of the program") }
                    let address = try configuration.storeAddress(
                        in: ServerContents.processEnvironment)
                    let store = try address.open(
                        memory, for: configuration.service, configuration.storeAccess
                    ) {
                        log.write(LogRecord($0))
                    }
                    return (store, "\(address)")
                }))
    }

    /// Creates a server of contents that are read when it starts.
    package init(_ configuration: ServerConfiguration, _ contents: ServerContents) {
        self.configuration = configuration
        self.contents = contents
    }

    /// The address that the server listens on: waits until it does; `nil` if it ends before, or if
    /// the waiting task is cancelled.
    public var address: ServerAddress? {
        get async { await listening.value ?? nil }
    }

    /// The screens of the server, for its own program.
    public var screens: ServerScreens { ServerScreens(server: running) }

    /// Stops the server: it accepts no connections, completes the requests in flight, and closes
    /// the store; ``run()`` returns after that.
    public func stop() { signals.stop() }

    /// Serves until the task is cancelled, until ``stop()`` is called, or until a signal ends it if
    /// the configuration says so.
    ///
    /// Requests in flight are completed first, also when the task is cancelled.
    ///
    /// - Throws: ``ServerError`` when the server cannot start; a server runs once.
    public func run() async throws(ServerError) { try await run { _ in } }

    /// Calls `onListening` when the server listens; an error that it throws stops the server.
    package func run(
        onListening: @escaping @Sendable (ServerAddress) throws(ServerError) -> Void
    ) async throws(ServerError) {
        guard !isRunning.exchange(true, ordering: .relaxed) else {
            throw .configuration("a server runs once")
        }
        // A task of its own, so that a cancellation does not end the requests in flight.
        let serving = Task { () async -> ServerError? in
            do throws(ServerError) {
                try await serve(onListening)
                return nil
            } catch {
                return error
            }
        }
        let error = await withTaskCancellationHandler {
            await serving.value
        } onCancel: {
            stop()
        }
        listening.set(nil)
        running.end()
        if let error { throw error }
    }

    private func serve(
        _ onListening: @Sendable (ServerAddress) throws(ServerError) -> Void
    ) async throws(ServerError) {
        let configuration = try self.configuration.inheritingSockets(in: contents.environment)
        try configuration.checkExposure(hasKeys: contents.hasKeys)
        try configuration.checkMemory()
        let sink = prepareProcess()
        let log: Log =
            configuration.isLogging ? Log(format: configuration.logFormat, sink: sink) : .silent
        // Also after a start that fails: the log contains the reason.
        defer { sink.flush() }
        if configuration.handlesSignals {
            try signals.handle(
                [.terminate, .interrupt] + (contents.isReadAgain ? [.hangup] : []))
        }
        let reading = try await signals.value { [contents] in
            Result { () throws(ServerError) in try contents.read() }
        }
        guard let parts = try reading?.get() else { return }
        for record in contents.records + configuration.socketRecords(contents.environment) {
            log.write(record)
        }
        if let record = configuration.memoryRecord() { log.write(record) }
        configuration.raiseDescriptorLimit(log)
        let (daemon, texts, storeName) = try await start(parts, configuration, log)
        log.write(configuration.startRecord(of: parts, storedIn: storeName, at: daemon.address))
        try await announce(daemon, onListening)
        running.begin(daemon.service)
        await signals.waitForEnd(
            onHangup: { [contents, service = daemon.service] in
                service.reload(contents, texts, log)
            }, refuse: { daemon.service.refuseReload(detail: "\($0)") })

        if configuration.handlesSignals { signals.exitAtNextEnd(flushing: sink) }
        log.write(LogRecord(.info, "stopping"))
        await daemon.stop(after: configuration.drainDelay, drain: configuration.drain)
        log.write(LogRecord(.info, "stopped"))
    }

    /// Opens the origin and the store, and starts the daemon.
    private func start(
        _ parts: ServerContents.Parts, _ configuration: ServerConfiguration, _ log: Log
    ) async throws(ServerError) -> (Daemon, MeasurerCache, storeName: String) {
        let origin = try configuration.openOrigin()
        if let record = configuration.originRecord(contents.environment) {
            log.write(record)
        }
        let memory = MemoryBudget(limit: configuration.memoryLimit)
        let (store, storeName) = try await contents.store(memory, log)
        let texts = MeasurerCache(
            of: parts.catalogs, byteCount: configuration.textCacheLimit, in: memory)
        let daemon = try await Daemon(
            configuration, keys: parts.keys, (store, memory, origin),
            catalogs: (parts.catalogs.catalogs, texts), events: running.receivedEvents, log: log)
        return (daemon, texts, storeName)
    }

    /// Makes the address known; stops the daemon if that fails.
    private func announce(
        _ daemon: Daemon, _ onListening: (ServerAddress) throws(ServerError) -> Void
    ) async throws(ServerError) {
        do throws(ServerError) {
            try onListening(daemon.address)
        } catch {
            await daemon.stop(after: .zero, drain: .zero)
            throw error
        }
        listening.set(daemon.address)
    }

    /// Applies the process-wide settings and opens the log.
    private func prepareProcess() -> DescriptorLogSink {
        AllocatorTuning.apply(
            loops: configuration.loopCount, workers: configuration.workerCount)
        Signal.ignoreFailedWrites()
        return DescriptorLogSink(descriptor: STDERR_FILENO)
    }
}

/// The address that a server listens on.
public struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address with its port, as in a URL: `127.0.0.1:8080`.
    public let description: String
    /// The port.
    public let port: UInt16

    /// The URL of the server: `http://127.0.0.1:8080`.
    public var url: String { "http://\(description)" }
}
