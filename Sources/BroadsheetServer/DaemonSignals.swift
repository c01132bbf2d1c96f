import BroadsheetIO
import BroadsheetService
import Dispatch
import Glibc
import Synchronization

/// The events that end a daemon or make it read its files again: signals, if it handles any, and
/// ``stop()``.
///
/// SIGHUP reloads keys and catalog, SIGTERM and SIGINT end the daemon.
///
/// A catalog may be a FIFO or a file on a slow disk, so it is read on a thread of its own, and a
/// signal to end does not wait for it. The first process of a container depends on that: the kernel
/// ignores signals that such a process does not handle.
struct DaemonSignals: Sendable {
    private enum Event {
        case signal(Signal)
        /// The program ends the daemon.
        case stop
        case workEnded
    }

    private final class WorkResult<Value: Sendable>: Sendable {
        private let slot = Mutex<Value?>(nil)

        var value: Value? { slot.withLock { $0 } }

        func set(_ value: Value) { slot.withLock { $0 = value } }
    }

    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init() { (events, continuation) = AsyncStream.makeStream(of: Event.self) }

    func stop() { continuation.yield(.stop) }

    /// Handles signals from now on.
    ///
    /// - Throws: `ServerError.failed` if the system does not permit it.
    func handle(_ handled: [Signal]) throws(ServerError) {
        let signals: SignalStream
        do throws(IOError) {
            signals = try SignalStream(handled)
        } catch {
            throw .failed(["broadsheet: cannot listen for signals: \(error)"])
        }
        Task { [continuation] in
            for await signal in signals { continuation.yield(.signal(signal)) }
        }
    }

    /// Calls `work` on a thread of its own and waits for its result, or for the end.
    ///
    /// - Returns: The result, or `nil` if the daemon is to end before; `work` is then still
    ///   in progress, and its result is discarded.
    /// - Throws: `ServerError.failed` if the process is out of threads.
    func value<Value: Sendable>(
        of work: @escaping @Sendable () -> Value
    ) async throws(ServerError) -> Value? {
        let result = WorkResult<Value>()
        do throws(IOError) {
            try start { result.set(work()) }
        } catch {
            throw .failed(["broadsheet: cannot start a thread: \(error)"])
        }
        var isHungUp = false
        for await event in events {
            switch event {
            case .workEnded:
                // The file may have changed since it was read.
                if isHungUp { continuation.yield(.signal(.hangup)) }
                return result.value
            case .signal(.hangup): isHungUp = true
            case .signal, .stop: return nil
            }
        }
        return nil
    }

    /// Waits for the end, and calls `reload` on a thread of its own for each SIGHUP
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
            case .signal, .stop: return
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
