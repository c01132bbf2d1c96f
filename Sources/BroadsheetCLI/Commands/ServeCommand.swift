import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetService
import Glibc

extension Command {
    /// `broadsheet serve`: runs the daemon until a signal ends it.
    static let serve = Command(
        name: "serve", summary: "Runs the daemon", usage: ["serve [OPTION ...]"],
        discussion: """
            Every option can also be set by the environment variable shown with it, or by a
            member of its name in the --config file. A flag takes precedence over the
            environment, that over the file, and that over the default.

            Prints one line when it is ready, 'listening on http://ADDRESS:PORT', and logs to
            standard error. SIGTERM and SIGINT end it after the requests in flight; a second
            one ends it immediately. SIGHUP reads the keys and the catalog again.
            """,
        settings: ServeConfiguration.settings,
        configurationFile: \ServeConfiguration.configurationFile,
        run: { call async throws(CommandError) in
            if let operand = call.operands.first {
                throw .usage("serve takes no '\(operand)'; options begin with --")
            }
            return try await ServeCommand(
                configuration: try call.configuration(), console: call.console,
                variableWarnings: call.variableWarnings
            ).run()
        })
}

/// A run of `broadsheet serve`.
private struct ServeCommand {
    /// The configuration.
    let configuration: ServeConfiguration
    /// The environment, the standard streams and the files.
    let console: Console
    /// The warnings about misspelt environment variables.
    let variableWarnings: [String]

    /// Runs the daemon until a signal ends it.
    ///
    /// - Throws: `CommandError` when the daemon cannot start.
    func run() async throws(CommandError) -> ExitStatus {
        let address = try StoreAddress(configuration.store, in: console.environment)
        try configuration.checkExposure()
        try configuration.checkMemory()
        let sink = prepareProcess()
        let log = Log(format: configuration.logFormat, sink: sink)
        // Also after a start that fails: the log contains the reason.
        defer { sink.flush() }
        let signals = try DaemonSignals()
        let reading = try await signals.value { [configuration, console] in
            Result { () throws(CommandError) in
                (
                    try KeyFile.keys(at: configuration.keys, in: console),
                    try configuration.catalogFile.catalogs(
                        in: console, limits: configuration.service.limits)
                )
            }
        }
        guard let (keys, read) = try reading?.get() else { return .success }
        for warning in variableWarnings {
            log.write(LogRecord(.warning, "unknown environment variable", detail: warning))
        }
        raiseDescriptorLimit(log)
        let origin = try configuration.openOrigin()
        if let record = configuration.originRecord(console.environment) { log.write(record) }

        let memory = MemoryBudget(limit: configuration.memoryLimit)
        let store = try address.open(memory) { log.write(LogRecord($0)) }
        let texts = TextCache(of: read, configuration.catalogFile, in: memory)
        let daemon = try await Daemon(
            configuration, keys: keys, (store, memory, origin),
            catalogs: (read.catalogs, texts), log: log)
        try console.print("listening on http://\(daemon.address)\n")
        await signals.waitForEnd(
            onHangup: { [configuration, console, service = daemon.service] in
                service.reloadKeys(configuration, in: console)
                service.reloadCatalog(configuration, texts, in: console, log)
            }, refuse: { daemon.service.refuseReload(detail: "\($0)") })

        signals.exitAtNextEnd(flushing: sink)
        log.write(LogRecord(.info, "stopping"))
        await daemon.stop(drain: configuration.drain)
        log.write(LogRecord(.info, "stopped"))
        return .success
    }

    /// Applies the process-wide settings and opens the log.
    private func prepareProcess() -> DescriptorLogSink {
        AllocatorTuning.apply(
            loops: configuration.loopCount, workers: configuration.workerCount)
        Signal.ignoreFailedWrites()
        return DescriptorLogSink(descriptor: STDERR_FILENO)
    }

    /// The number of descriptors besides those of connections and fetches: for the event loops, the
    /// store and the standard streams.
    private static let otherDescriptors = 64

    /// Raises the limit of descriptors to the number of connections, and logs a warning if the
    /// system does not allow it, or if streams may take all connections that it allows.
    private func raiseDescriptorLimit(_ log: Log) {
        let maxConnections = configuration.server.maxConnections
        let fetches = configuration.origin == nil ? 0 : configuration.service.origin.maxFetches
        let needed = maxConnections + fetches + Self.otherDescriptors
        let limit = OpenFileLimit.raise(to: needed)
        if limit < needed {
            log.write(
                LogRecord(
                    .warning, "too few file descriptors for --max-connections",
                    detail: "the process may open \(limit) and needs \(needed); see ulimit -n"))
        }
        let connections = min(maxConnections, limit - fetches - Self.otherDescriptors)
        guard configuration.service.maxStreams >= connections else { return }
        log.write(
            LogRecord(
                .warning, "streams may take all connections",
                detail: "--max-streams is \(configuration.service.maxStreams), and the process may "
                    + "have \(max(0, connections)) connections"))
    }
}
