internal import Broadsheet
internal import BroadsheetIO
internal import BroadsheetService
internal import Dispatch
internal import Glibc

/// `broadsheet serve`: runs the daemon until a signal ends it.
enum ServeCommand: Command {
    static let name = "serve"
    static let summary = "Runs the daemon"
    static let usage = ["serve [OPTION ...]"]
    static let discussion = [
        """
        Every option can also be set by the environment variable shown with it, or by a
        member of its name in the --config file: a flag wins over the environment, that
        over the file, and that over the default.
        """,
        """
        Prints one line when it is ready, 'listening on http://ADDRESS:PORT', and logs to
        standard error. SIGTERM and SIGINT end it once requests in flight have ended; a
        second one ends it at once. SIGHUP reads the catalog again.
        """,
    ]
    static let optionGroups = ServeSettings.groups

    static func run(
        _ arguments: Arguments, in console: Console
    ) async throws(CommandError)
        -> ExitStatus
    {
        if let stranger = arguments.operands.first {
            throw .usage("serve takes no '\(stranger)'; options begin with --")
        }
        let settings = try Settings(
            arguments, in: console, options: options, config: ServeSettings.config)
        let address = try StoreAddress(settings, in: console)
        let catalog = try CatalogFile.catalog(
            at: settings[ServeSettings.catalog], in: console, limits: ScreenLimits(settings))
        let sink = prepareProcess(settings)
        let log = Log(format: settings[ServeSettings.log], sink: sink)
        // However it ends: what went before a start that fails says why.
        defer { sink.flush() }
        warnOfFewDescriptors(settings, log)

        let signals = try signalStream()
        let store = try address.open { log.write(LogRecord($0)) }
        let daemon = try await Daemon(settings, store: store, catalog: catalog, log: log)
        try console.print("listening on http://\(daemon.address)\n")
        let reload = CatalogReload(
            path: settings[ServeSettings.catalog], limits: ScreenLimits(settings),
            console: console, log: log)
        await waitForEnd(signals) { reload.run(into: daemon.service) }

        endAtOnce(onNextOf: signals, flushing: sink)
        log.write(LogRecord(.info, "stopping"))
        await daemon.stop(drain: .seconds(settings[ServeSettings.drain]))
        log.write(LogRecord(.info, "stopped"))
        return .success
    }

    /// Sets what holds for the whole process, and opens the log.
    private static func prepareProcess(_ settings: Settings) -> DescriptorLogSink {
        AllocatorTuning.apply(loops: Daemon.loopCount(settings))
        Signal.ignoreFailedWrites()
        return DescriptorLogSink(descriptor: STDERR_FILENO)
    }

    /// Raises the limit of descriptors to what the connections need, and says so if it cannot.
    private static func warnOfFewDescriptors(_ settings: Settings, _ log: Log) {
        // A few dozen go to loops, the store and the standard streams.
        let wanted = settings[LimitSettings.connections] + 64
        let limit = OpenFileLimit.raise(to: wanted)
        guard limit < wanted else { return }
        log.write(
            LogRecord(
                .warning, "too few file descriptors for --max-connections",
                detail: "the process may have \(limit) and wants \(wanted); see ulimit -n"))
    }

    private static func signalStream() throws(CommandError) -> SignalStream {
        do throws(IOError) {
            return try SignalStream([.terminate, .interrupt, .hangup])
        } catch {
            throw .input(["broadsheet: cannot listen for signals: \(error)"])
        }
    }

    /// Returns at the first signal to end; calls `reload` for each to reload before it.
    private static func waitForEnd(_ signals: SignalStream, reload: () -> Void) async {
        for await signal in signals {
            guard signal == .hangup else { return }
            reload()
        }
    }

    /// Ends the process, as the shell shows a signal's end, at the next signal to end; only a log
    /// that nobody reads makes that a moment longer.
    private static func endAtOnce(
        onNextOf signals: SignalStream, flushing sink: DescriptorLogSink
    ) {
        Task {
            for await signal in signals where signal != .hangup {
                sink.flush(within: .milliseconds(100))
                _exit(128 + signal.rawValue)
            }
        }
    }
}
