internal import Dispatch
internal import Synchronization

/// Where async callers leave jobs for a thread that may block.
///
/// Bounded: a sender is told when there is no room, rather than waiting where nobody waits.
final class Mailbox<Job: Sendable>: Sendable {
    private struct State {
        var jobs: [Job] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let arrivals = DispatchSemaphore(value: 0)
    private let capacity: Int

    /// Makes an empty mailbox for up to `capacity` waiting jobs.
    init(capacity: Int) { self.capacity = capacity }

    /// Leaves a job, or says why not.
    func send(_ job: Job) -> MailboxReception {
        let reception: MailboxReception = state.withLock { state in
            if state.isClosed { return .closed }
            if state.jobs.count >= capacity { return .full }
            state.jobs.append(job)
            return .accepted
        }
        if case .accepted = reception { arrivals.signal() }
        return reception
    }

    /// Takes no more jobs; the ones that wait are still handed out.
    func close() {
        state.withLock { $0.isClosed = true }
        arrivals.signal()
    }

    /// Waits for jobs and takes up to `limit` of them, in order; nil once closed and empty.
    ///
    /// For one thread only.
    func take(atMost limit: Int) -> [Job]? {
        while true {
            let (batch, isOver): ([Job], Bool) = state.withLock { state in
                let batch = Array(state.jobs.prefix(limit))
                state.jobs.removeFirst(batch.count)
                return (batch, state.isClosed && batch.isEmpty)
            }
            if !batch.isEmpty { return batch }
            if isOver { return nil }
            arrivals.wait()
        }
    }
}

/// What became of a job that was sent to a ``Mailbox``.
enum MailboxReception {
    /// It will be handed out.
    case accepted
    /// There is no room.
    case full
    /// Nobody serves the mailbox any more.
    case closed
}
