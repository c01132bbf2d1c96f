import BroadsheetIO

/// Commands that are sent together, with a function that receives their replies exactly once.
struct RedisRequest: Sendable {
    /// The encoded commands.
    var bytes: [UInt8]
    /// The number of expected replies.
    var replyCount: Int
    /// The time after which the request fails.
    var deadline: MonotonicInstant
    /// The function that receives the replies, in the order of the commands.
    var finish: Completion

    /// A function that receives the result of a request.
    typealias Completion = @Sendable (Result<[RESPValue], StoreError>) -> Void
}

/// The unfinished requests of a connection in order: those that wait for the connection, and those
/// whose replies are expected.
///
/// Bounded in requests and in the bytes of waiting requests. The caller finishes the requests that
/// the methods return, because a finished request may be followed by the next one at once.
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

    /// The maximum number of unfinished requests.
    static let maxCount = 10_000
    /// The maximum number of bytes of requests that wait for a connection; a single one may have
    /// more.
    static let maxWaitingBytes = 64 * 1024 * 1024

    private var waiting = FIFO<RedisRequest>()
    private var waitingBytes = 0
    private var sent = FIFO<Sent>()
    /// The oldest request, if some of its replies have been received.
    private var current: Sent?

    /// The number of unfinished requests.
    var count: Int { waiting.count + sent.count + (current == nil ? 0 : 1) }
    /// The deadline of the oldest expected reply; `nil` if there is none.
    var replyDeadline: MonotonicInstant? { current?.deadline ?? sent.first?.deadline }
    /// The deadline of the oldest request; `nil` if there is none.
    ///
    /// All requests have the same timeout, so those that were sent are older than those that wait.
    var nextDeadline: MonotonicInstant? { replyDeadline ?? waiting.first?.deadline }

    /// Returns a Boolean value that indicates whether a request of `bytes` can be added, to be sent
    /// at once or to wait.
    func hasCapacity(forBytes bytes: Int, waiting mustWait: Bool) -> Bool {
        guard count < Self.maxCount else { return false }
        return !mustWait || waiting.isEmpty || bytes <= Self.maxWaitingBytes - waitingBytes
    }

    /// Adds a request that waits for a connection.
    mutating func enqueue(_ request: RedisRequest) {
        waiting.append(request)
        waitingBytes += request.bytes.count
    }

    /// Adds a request whose bytes the caller sends.
    mutating func send(_ request: RedisRequest) { sent.append(Sent(request)) }

    /// Moves all waiting requests to the sent ones and returns their bytes, which the caller sends.
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

    /// The effect of a reply.
    enum Taken {
        /// No request expects a reply.
        case unexpected
        /// More replies are expected.
        case incomplete
        /// The request is complete; the caller finishes it with these replies.
        case complete([RESPValue], RedisRequest.Completion)
    }

    /// Assigns the next reply.
    mutating func take(_ reply: RESPValue) -> Taken {
        guard var request = current ?? sent.popFirst() else { return .unexpected }
        current = nil
        request.replies.append(reply)
        request.missing -= 1
        if request.missing == 0 { return .complete(request.replies, request.finish) }
        current = request
        return .incomplete
    }

    /// Removes the waiting requests whose deadline has passed; the caller finishes them.
    mutating func removeWaiting(expiredAt now: MonotonicInstant) -> [RedisRequest.Completion] {
        var removed: [RedisRequest.Completion] = []
        while let first = waiting.first, first.deadline <= now, let request = waiting.popFirst() {
            waitingBytes -= request.bytes.count
            removed.append(request.finish)
        }
        return removed
    }

    /// Removes all requests; the caller finishes them.
    mutating func removeAll() -> [RedisRequest.Completion] {
        defer { self = RedisRequestQueue() }
        return (current.map { [$0.finish] } ?? []) + sent.removeAll().map(\.finish)
            + waiting.removeAll().map(\.finish)
    }
}
