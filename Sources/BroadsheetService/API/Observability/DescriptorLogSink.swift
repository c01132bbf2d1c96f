package import Broadsheet
package import Dispatch
import Glibc
import Synchronization

/// A sink that writes log lines to a file descriptor, such as standard error, from its own queue.
///
/// A caller only appends to a buffer under a lock; the queue swaps the buffer for an empty one and
/// writes it. Lines are collected for a short time first, because waking a thread for each line
/// would cost a request more than the line itself. The two buffers are reused, so that nothing is
/// allocated in steady state. If the reader is so slow that the buffer is full, further lines are
/// dropped and counted.
package final class DescriptorLogSink: LogSink {
    /// `write(2)` or a replacement: returns the number of bytes written, or -1 with `errno` set.
    package typealias Write = @Sendable (Int32, UnsafeRawBufferPointer) -> Int

    /// The default capacity of the buffer: 1 MiB, about five thousand lines.
    package static let defaultCapacity = 1 << 20

    /// The default of the longest time that a line waits for others: 10 ms.
    ///
    /// A daemon that is killed loses the lines of that time.
    package static let defaultDelay = DispatchTimeInterval.milliseconds(10)

    /// The number of bytes that are written without further delay: 64 KiB, the capacity of a pipe.
    private static let batchSize = 64 * 1024

    /// The next run of the queue.
    private enum Schedule: Sendable {
        case none
        case delayed
        case immediate
    }

    private struct State: Sendable {
        var pending = JSONWriter()
        /// The other buffer, empty, or `nil` while the queue writes it.
        var spare: JSONWriter? = JSONWriter()
        var schedule = Schedule.none

        /// Updates the schedule for one more line and returns the run to schedule, or `nil` if it
        /// is scheduled already.
        mutating func scheduleForNextLine() -> Schedule? {
            let wanted: Schedule = pending.bytes.count < batchSize ? .delayed : .immediate
            guard schedule == .none || (schedule == .delayed && wanted == .immediate) else {
                return nil
            }
            schedule = wanted
            return wanted
        }
    }

    private let descriptor: Int32
    private let capacity: Int
    private let delay: DispatchTimeInterval
    private let write: Write
    private let queue = DispatchQueue(label: "broadsheet.log")
    /// The timer of the delayed runs: a new one for each run would take several heap blocks.
    ///
    /// Unsafe for the compiler alone: sources of Dispatch may be used from any thread.
    private nonisolated(unsafe) let timer: any DispatchSourceTimer
    private let state = Mutex(State())
    private let dropped = Atomic<UInt64>(0)

    /// Creates a sink that writes to `descriptor`, which remains the caller's to close.
    package init(
        descriptor: Int32, capacity: Int = defaultCapacity,
        delay: DispatchTimeInterval = defaultDelay,
        write: @escaping Write = { Glibc.write($0, $1.baseAddress, $1.count) }
    ) {
        self.descriptor = descriptor
        self.capacity = capacity
        self.delay = delay
        self.write = write
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.drain() }
        timer.activate()
    }

    deinit {
        timer.cancel()
        drain()
    }

    package var droppedLines: UInt64 { dropped.load(ordering: .relaxed) }

    /// Accepts one line, or drops it if the buffer is full.
    package func line(_ write: (inout JSONWriter) -> Void) {
        let schedule = state.withLock { state -> Schedule? in
            guard state.pending.bytes.count < capacity else {
                dropped.add(1, ordering: .relaxed)
                return nil
            }
            write(&state.pending)
            state.pending.raw("\n")
            return state.scheduleForNextLine()
        }
        switch schedule {
        case .delayed?: timer.schedule(deadline: .now() + delay)
        case .immediate?: queue.async { self.drain() }
        case .some(.none), nil: break
        }
    }

    /// Waits until every line accepted so far is written, but no longer than `timeout`.
    ///
    /// The last call before the process ends.
    package func flush(within timeout: DispatchTimeInterval = .seconds(1)) {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.drain()
            done.signal()
        }
        _ = done.wait(timeout: .now() + timeout)
    }

    /// Writes all pending lines; runs on the queue only.
    private func drain() {
        while var lines = takePending() {
            writeAll(lines.bytes)
            lines.removeAll()
            state.withLock { $0.spare = lines }
        }
    }

    private func takePending() -> JSONWriter? {
        state.withLock { state in
            guard !state.pending.bytes.isEmpty else {
                state.schedule = .none
                return nil
            }
            let lines = state.pending
            state.pending = state.spare ?? JSONWriter()
            state.spare = nil
            return lines
        }
    }

    private func writeAll(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while start < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
                let count = write(descriptor, rest)
                if count >= 0 {
                    start += count
                } else if !canRetry(after: errno) {
                    // The service continues without its log.
                    dropped.add(lineCount(of: rest), ordering: .relaxed)
                    return
                }
            }
        }
    }

    private func canRetry(after error: Int32) -> Bool {
        switch error {
        case EINTR: return true
        case EAGAIN:
            // Another process that shares the descriptor made it non-blocking; this queue may wait.
            var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return poll(&writable, 1, -1) >= 0 || errno == EINTR
        default: return false
        }
    }

    private func lineCount(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        bytes.reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    }
}
