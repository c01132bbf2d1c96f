import BroadsheetIO

/// Commands that are sent in one go, and what to call with their replies, exactly once.
struct RedisRequest: Sendable {
    /// The commands as they go over the wire.
    var bytes: [UInt8]
    /// How many replies are to come.
    var replyCount: Int
    /// Until when they are of use.
    var deadline: MonotonicInstant
    /// Takes the replies, in the order of the commands.
    var finish: Completion

    /// What a request is finished by.
    typealias Completion = @Sendable (Result<[RESPValue], StoreError>) -> Void
}

/// The requests of one connection, in the order in which they were sent: those that wait for it to
/// stand, and those whose replies it owes.
///
/// Bounded in requests and in the bytes of those that wait. Finishes none itself: who is replied may
/// ask the next thing at once.
struct RedisRequestQueue {
    private struct Sent {
        var replies: [RESPValue] = []
        var missing: Int
        var deadline: MonotonicInstant
        let finish: RedisRequest.Completion

        init(_ request: RedisRequest) {
            missing = request.replyCount
            deadline = request.deadline
            finish = request.finish
        }
    }

    /// The most requests that may be unanswered.
    static let maxCount = 10_000
    /// The most bytes of requests that wait for a connection; a lone one may have more.
    static let maxWaitingBytes = 64 * 1024 * 1024

    private var waiting = FIFO<RedisRequest>()
    private var waitingBytes = 0
    private var sent = FIFO<Sent>()
    /// The oldest request, some of whose replies have come.
    private var current: Sent?

    /// How many are unanswered.
    var count: Int { waiting.count + sent.count + (current == nil ? 0 : 1) }
    /// When the oldest reply is due; nil when none is owed.
    var replyDeadline: MonotonicInstant? { current?.deadline ?? sent.first?.deadline }
    /// When the oldest request of all is overdue; nil when there is none.
    ///
    /// All are given the same time, so those that are sent are older than those that wait.
    var nextDeadline: MonotonicInstant? { replyDeadline ?? waiting.first?.deadline }

    /// Whether one more of `bytes` may be taken in, to be sent at once or to wait.
    func hasCapacity(forBytes bytes: Int, waiting mustWait: Bool) -> Bool {
        guard count < Self.maxCount else { return false }
        return !mustWait || waiting.isEmpty || bytes <= Self.maxWaitingBytes - waitingBytes
    }

    /// Keeps a request until there is a connection.
    mutating func enqueue(_ request: RedisRequest) {
        waiting.append(request)
        waitingBytes += request.bytes.count
    }

    /// Counts a request as sent; its bytes are the caller's to send.
    mutating func send(_ request: RedisRequest) { sent.append(Sent(request)) }

    /// Counts all that wait as sent, and replies their bytes.
    mutating func sendAll() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(waitingBytes)
        for request in waiting.removeAll() {
            bytes += request.bytes
            send(request)
        }
        waitingBytes = 0
        return bytes
    }

    /// What an reply came to.
    enum Taken {
        /// Nobody has sent.
        case unexpected
        /// More replies are to come.
        case incomplete
        /// The request is replied, and to be finished with these.
        case complete([RESPValue], RedisRequest.Completion)
    }

    /// Takes the next reply.
    mutating func take(_ reply: RESPValue) -> Taken {
        guard var request = current ?? sent.popFirst() else { return .unexpected }
        current = nil
        request.replies.append(reply)
        request.missing -= 1
        if request.missing == 0 { return .complete(request.replies, request.finish) }
        current = request
        return .incomplete
    }

    /// Takes out those that still wait and are of no use any more at `now`; they are to be finished.
    mutating func removeWaiting(expiredAt now: MonotonicInstant) -> [RedisRequest.Completion] {
        var removed: [RedisRequest.Completion] = []
        while let first = waiting.first, first.deadline <= now, let request = waiting.popFirst() {
            waitingBytes -= request.bytes.count
            removed.append(request.finish)
        }
        return removed
    }

    /// Takes out all; they are to be finished.
    mutating func removeAll() -> [RedisRequest.Completion] {
        defer { self = RedisRequestQueue() }
        return (current.map { [$0.finish] } ?? []) + sent.removeAll().map(\.finish)
            + waiting.removeAll().map(\.finish)
    }
}
