import BroadsheetIO
import Dispatch
import Synchronization

/// A queue through which async callers pass jobs to a thread that may block.
///
/// Bounded in jobs and in bytes: a full queue refuses a job at once, so the caller can report it
/// instead of waiting.
final class JobQueue<Job: Sendable>: Sendable {
    private struct State {
        var jobs = FIFO<(job: Job, bytes: Int)>()
        var bytes = 0
        var isClosed = false

        mutating func takeBatch(_ limit: Int, _ byteLimit: Int) -> [Job] {
            var batch: [Job] = []
            var taken = 0
            while batch.count < limit, let next = jobs.first {
                guard batch.isEmpty || next.bytes <= byteLimit - taken else { break }
                batch.append(next.job)
                taken += next.bytes
                _ = jobs.popFirst()
            }
            bytes -= taken
            return batch
        }
    }

    private let state = Mutex(State())
    private let arrivals = DispatchSemaphore(value: 0)
    private let capacity: Int
    private let byteCapacity: Int

    /// The only job in the queue may hold more than `byteCapacity` bytes.
    init(capacity: Int, byteCapacity: Int = .max) {
        self.capacity = capacity
        self.byteCapacity = byteCapacity
    }

    func enqueue(_ job: Job, bytes: Int = 0) -> EnqueueResult {
        let (result, isFirst): (EnqueueResult, Bool) = state.withLock { state in
            if state.isClosed { return (.closed, false) }
            let isFirst = state.jobs.isEmpty
            let fits = isFirst || bytes <= byteCapacity - state.bytes
            guard state.jobs.count < capacity, fits else { return (.full, false) }
            state.jobs.append((job, bytes))
            state.bytes += bytes
            return (.accepted, isFirst)
        }
        // The thread takes all jobs before it waits again, so one signal is enough.
        if isFirst { arrivals.signal() }
        return result
    }

    /// Accepts no more jobs; those in the queue can still be dequeued.
    func close() {
        state.withLock { $0.isClosed = true }
        arrivals.signal()
    }

    /// Waits for jobs and removes up to `limit` of them, in order.
    ///
    /// Called by one thread only.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of jobs to return.
    ///   - byteLimit: The maximum number of bytes that the jobs hold together; a first job that
    ///     holds more is returned alone.
    ///   - timeout: The maximum time to wait.
    /// - Returns: The jobs; no jobs after a timeout; `nil` once the queue is closed and empty.
    func dequeue(
        atMost limit: Int, byteLimit: Int = .max, within timeout: DispatchTimeInterval = .never
    ) -> [Job]? {
        let deadline = DispatchTime.now() + timeout
        while true {
            let (batch, isFinished): ([Job], Bool) = state.withLock { state in
                let batch = state.takeBatch(limit, byteLimit)
                return (batch, state.isClosed && batch.isEmpty)
            }
            if !batch.isEmpty { return batch }
            if isFinished { return nil }
            if arrivals.wait(timeout: deadline) == .timedOut { return [] }
        }
    }
}

/// The outcome of ``JobQueue/enqueue(_:bytes:)``.
enum EnqueueResult {
    case accepted
    case full
    case closed
}
