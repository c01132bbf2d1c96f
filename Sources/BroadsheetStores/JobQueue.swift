import Dispatch
import Synchronization

/// Where async callers leave jobs for a thread that may block.
///
/// Bounded in jobs and in bytes: a sender is told when there is no room, rather than waiting where
/// nobody waits.
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

    /// Makes an empty queue for up to `capacity` waiting jobs that hold up to `byteCapacity` bytes
    /// together; a lone job may hold any number.
    init(capacity: Int, byteCapacity: Int = .max) {
        self.capacity = capacity
        self.byteCapacity = byteCapacity
    }

    /// Leaves a job that holds `bytes`, or says why not.
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
        // The thread takes all that is there before it waits again, so one signal is enough.
        if isFirst { arrivals.signal() }
        return result
    }

    /// Takes no more jobs; the ones that wait are still handed out.
    func close() {
        state.withLock { $0.isClosed = true }
        arrivals.signal()
    }

    /// Waits for jobs and takes up to `limit` of them, in order, and no more than hold `byteLimit`
    /// bytes together unless the first does alone.
    ///
    /// For one thread only. Answers none once `patience` is over; nil once closed and empty.
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

/// What became of a job that was sent to a ``JobQueue``.
enum EnqueueResult {
    /// It will be handed out.
    case accepted
    /// There is no room.
    case full
    /// Nobody serves the queue any more.
    case closed
}
