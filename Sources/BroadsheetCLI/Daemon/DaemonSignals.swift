import BroadsheetIO
import BroadsheetService
import Dispatch
import Glibc
import Synchronization

/// The signals that a daemon handles: SIGHUP reloads keys and catalog, SIGTERM and SIGINT end the
/// daemon.
///
/// A catalog may be a FIFO or a file on a slow disk, so it is read on a thread of its own, and a
/// signal to end does not wait for it. The first process of a container depends on that: the kernel
/// ignores signals that such a process does not handle.
struct DaemonSignals {
    private enum Event {
        case signal(Signal)
        /// The work on a thread of its own has ended.
        case workEnded
    }

    /// The result of work on another thread.
    private final class WorkResult<Value: Sendable>: Sendable {
        private let slot = Mutex<Value?>(nil)

        /// The value; `nil` while the work is in progress.
        var value: Value? { slot.withLock { $0 } }

        /// Sets the value.
        func set(_ value: Value) { slot.withLock { $0 = value } }
    }

    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    /// Handles the signals from now on.
    ///
    /// - Throws: `CommandError.input` if the system does not permit it.
    init() throws(CommandError) {
        let signals: SignalStream
        do throws(IOError) {
            signals = try SignalStream([.terminate, .interrupt, .hangup])
        } catch {
            throw .input(["broadsheet: cannot listen for signals: \(error)"])
        }
        (events, continuation) = AsyncStream.makeStream(of: Event.self)
        Task { [continuation] in
            for await signal in signals { continuation.yield(.signal(signal)) }
        }
    }

    /// Calls `work` on a thread of its own and waits for its result, or for a signal to end.
    ///
    /// - Returns: The result, or `nil` if a signal to end has arrived first; `work` is then still
    ///   in progress, and its result is discarded.
    /// - Throws: `CommandError.input` if the process is out of threads.
    func value<Value: Sendable>(
        of work: @escaping @Sendable () -> Value
    ) async throws(CommandError) -> Value? {
        let result = WorkResult<Value>()
        do throws(IOError) {
            try start { result.set(work()) }
        } catch {
            throw .input(["broadsheet: cannot start a thread: \(error)"])
        }
        var isHungUp = false
        for await event in events {
            switch event {
            case .workEnded:
                // The file may have changed since it was read.
                if isHungUp { continuation.yield(.signal(.hangup)) }
                return result.value
            case .signal(.hangup): isHungUp = true
            case .signal: return nil
            }
        }
        return nil
    }

    /// Waits for SIGTERM or SIGINT, and calls `reload` on a thread of its own for each SIGHUP
    /// before it; once more after a reload during which SIGHUP arrived, however often.
    ///
    /// - Parameter refuse: Receives the reason why no thread could be started for a reload.
    func waitForEnd(
        onHangup reload: @escaping @Sendable () -> Void, refuse: (IOError) -> Void
    ) async {
        var isRequested = false
        var isReloading = false
        for await event in events {
            switch event {
            case .workEnded: isReloading = false
            case .signal(.hangup): isRequested = true
            case .signal: return
            }
            guard isRequested, !isReloading else { continue }
            isRequested = false
            do throws(IOError) {
                try start(reload)
                isReloading = true
            } catch {
                refuse(error)
            }
        }
    }

    /// Ends the process at the next signal to end, with the status that a shell shows for it.
    ///
    /// Flushing the log takes at most 100 ms, even if its reader has stopped.
    func exitAtNextEnd(flushing sink: DescriptorLogSink) {
        Task { [events] in
            for await case .signal(let signal) in events where signal != .hangup {
                sink.flush(within: .milliseconds(100))
                _exit(128 + signal.rawValue)
            }
        }
    }

    private func start(_ work: @escaping @Sendable () -> Void) throws(IOError) {
        _ = try WorkerThread("catalog") { [continuation] in
            work()
            continuation.yield(.workEnded)
        }
    }
}

extension BroadsheetService {
    /// Reads the file of keys again and puts the keys into service; an invalid one is logged with
    /// all its violations, and the current ones stay in service.
    func reloadKeys(_ configuration: ServeConfiguration, in console: Console) {
        do throws(CommandError) {
            guard let keys = try KeyFile.keys(at: configuration.keys, in: console) else { return }
            reload(keys: keys)
        } catch {
            refuseKeys(detail: error.lines.joined(separator: "\n"))
        }
    }

    /// Reads the files of catalogs and their fonts again and puts the catalogs into service; if one
    /// is invalid, its violations are logged, and all current ones stay in service.
    func reloadCatalog(
        _ configuration: ServeConfiguration, _ texts: TextCache, in console: Console, _ log: Log
    ) {
        guard configuration.catalog != nil else {
            log.write(LogRecord(.info, "the built-in catalog has no file to read again"))
            return
        }
        do throws(CommandError) {
            let read = try configuration.catalogFile.catalogs(
                in: console, limits: configuration.service.limits)
            texts.replace(with: read)
            reload(catalogs: read.catalogs)
        } catch {
            refuseReload(detail: error.lines.joined(separator: "\n"))
        }
    }
}
