import BroadsheetIO
import BroadsheetService
import Dispatch
import Glibc

/// The signals that a daemon handles: SIGHUP reloads the catalog, SIGTERM and SIGINT end the
/// daemon.
struct DaemonSignals {
    private let signals: SignalStream

    /// Handles the signals from now on.
    ///
    /// - Throws: `CommandError.input` if the system does not permit it.
    init() throws(CommandError) {
        do throws(IOError) {
            signals = try SignalStream([.terminate, .interrupt, .hangup])
        } catch {
            throw .input(["broadsheet: cannot listen for signals: \(error)"])
        }
    }

    /// Waits for SIGTERM or SIGINT, and calls `reload` for each SIGHUP before it.
    func waitForEnd(onHangup reload: () -> Void) async {
        for await signal in signals {
            guard signal == .hangup else { break }
            reload()
        }
    }

    /// Ends the process at the next signal to end, with the status that a shell shows for it.
    ///
    /// Flushing the log takes at most 100 ms, even if its reader has stopped.
    func exitAtNextEnd(flushing sink: DescriptorLogSink) {
        Task { [signals] in
            for await signal in signals where signal != .hangup {
                sink.flush(within: .milliseconds(100))
                _exit(128 + signal.rawValue)
            }
        }
    }
}

extension Daemon {
    /// Reads the catalog's file again and puts the catalog into service; an invalid one is logged
    /// with all its violations, and the current one stays in service.
    func reloadCatalog(_ configuration: ServeConfiguration, in console: Console, _ log: Log) {
        guard let path = configuration.catalog else {
            log.write(LogRecord(.info, "the built-in catalog has no file to read again"))
            return
        }
        do throws(CommandError) {
            service.reload(
                catalog: try CatalogFile.catalog(
                    at: path, in: console, limits: configuration.service.limits))
        } catch {
            service.refuseReload(detail: error.lines.joined(separator: "\n"))
        }
    }
}
