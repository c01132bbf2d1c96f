package import Broadsheet
package import Dispatch
import Glibc
import Synchronization

/// Writes log lines to a file descriptor, such as standard error, from a queue of its own.
///
/// Whoever logs only appends to a buffer under a lock; the queue takes whole buffers away and
/// writes them. Lines gather for a moment first: waking a thread for each would cost a request more
/// than its line does. Two buffers take turns, so that in steady state nothing is allocated. When the
/// reader is so slow that the buffer is full, further lines are dropped and counted.
package final class DescriptorLogSink: LogSink {
    /// `write(2)` or what stands in for it: how many bytes were taken, or -1 with `errno` set.
    package typealias Write = @Sendable (Int32, UnsafeRawBufferPointer) -> Int

    /// The bytes that may wait to be written: 1 MiB, some five thousand lines.
    package static let defaultCapacity = 1 << 20

    /// How long a line may wait for others to be written with: 10 ms, which a killed daemon loses.
    package static let defaultPatience = DispatchTimeInterval.milliseconds(10)

    /// How many bytes are not made to wait any longer: 64 KiB, as many as a pipe takes at once.
    private static let enough = 64 * 1024

    /// How soon the queue will look at the lines that wait.
    private enum Attention: Sendable {
        /// Not before it is told of them.
        case none
        /// When they have gathered for a moment.
        case later
        /// As soon as it can.
        case soon
    }

    private struct State: Sendable {
        /// The lines that wait.
        var pending = JSONWriter()
        /// The other buffer, empty, unless the queue is writing it.
        var spare: JSONWriter? = JSONWriter()
        var attention = Attention.none

        /// What the queue must be told now that there is one more line; nil for nothing.
        mutating func raisedAttention() -> Attention? {
            let wanted: Attention = pending.bytes.count < enough ? .later : .soon
            guard attention == .none || (attention == .later && wanted == .soon) else {
                return nil
            }
            attention = wanted
            return wanted
        }
    }

    private let descriptor: Int32
    private let capacity: Int
    private let patience: DispatchTimeInterval
    private let write: Write
    private let queue = DispatchQueue(label: "broadsheet.log")
    private let state = Mutex(State())
    private let dropped = Counter()

    /// A sink into `descriptor`, which stays the caller's to close.
    ///
    /// - Parameters:
    ///   - capacity: How many bytes may wait to be written.
    ///   - patience: How long a line may wait for others.
    ///   - write: The system's, or a test's.
    package init(
        descriptor: Int32, capacity: Int = defaultCapacity,
        patience: DispatchTimeInterval = defaultPatience,
        write: @escaping Write = { Glibc.write($0, $1.baseAddress, $1.count) }
    ) {
        self.descriptor = descriptor
        self.capacity = capacity
        self.patience = patience
        self.write = write
    }

    /// How many lines were dropped so far.
    package var droppedLines: UInt64 { dropped.value }

    /// Takes one line, or drops it when too many wait.
    package func line(_ write: (inout JSONWriter) -> Void) {
        let attention = state.withLock { state -> Attention? in
            guard state.pending.bytes.count < capacity else {
                dropped.add()
                return nil
            }
            write(&state.pending)
            state.pending.raw("\n")
            return state.raisedAttention()
        }
        switch attention {
        case .later?: queue.asyncAfter(deadline: .now() + patience) { self.drain() }
        case .soon?: queue.async { self.drain() }
        case .some(.none), nil: break
        }
    }

    /// Waits until every line taken so far is written, but no longer than `timeout`: the last call
    /// before the process ends.
    package func flush(within timeout: DispatchTimeInterval = .seconds(1)) {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.drain()
            done.signal()
        }
        _ = done.wait(timeout: .now() + timeout)
    }

    /// Runs on the queue alone.
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
                state.attention = .none
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
                } else if !mayRetry(after: errno) {
                    // A closed log must not take the service down with it.
                    dropped.add(lines(in: rest))
                    return
                }
            }
        }
    }

    private func mayRetry(after error: Int32) -> Bool {
        switch error {
        case EINTR: return true
        case EAGAIN:
            // Someone who shares the descriptor made it non-blocking; this thread may wait.
            var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return poll(&writable, 1, -1) >= 0 || errno == EINTR
        default: return false
        }
    }

    private func lines(in bytes: UnsafeRawBufferPointer) -> UInt64 {
        bytes.reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    }
}
