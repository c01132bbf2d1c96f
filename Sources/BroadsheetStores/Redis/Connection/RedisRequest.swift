import BroadsheetIO
import Synchronization

/// Commands that are sent together, with a function that receives their replies exactly once.
struct RedisRequest: Sendable {
    /// The encoded commands.
    var bytes: [UInt8]
    var replyCount: Int
    var deadline: MonotonicInstant
    /// The marker that the last reply ends with; `nil` if it has none.
    var marker: RedisMarker?
    var waitsForConnection = false
    /// The function that receives the replies, in the order of the commands.
    var finish: Completion

    /// A function that receives the result of a request.
    typealias Completion = @Sendable (Result<[RESPValue], RedisFailure>) -> Void
}

/// The failure of a request that has no replies.
enum RedisFailure: Error, Hashable, Sendable {
    case unsent(String)
    /// The request was sent, and the server may have performed it.
    case lost(String)
    case closed(String)

    var reason: String {
        switch self {
        case .unsent(let reason), .lost(let reason), .closed(let reason): reason
        }
    }

    var storeError: StoreError { .unavailable(reason) }
}

/// A text that the last reply to a request ends with, and no other reply.
///
/// Replies are assigned to requests by their order. If anything between the daemon and the server
/// repeats, drops, or delays a reply, all later ones would be assigned to wrong requests; the
/// marker of the first of these is missing, and the connection is closed before any reply is used.
struct RedisMarker: Hashable, Sendable {
    let bytes: [UInt8]

    /// Returns whether a reply ends with the marker.
    ///
    /// An error reply, which cannot have one, is accepted as the reply to any request.
    func ends(_ reply: RESPValue) -> Bool {
        switch reply {
        case .error: true
        case .array(let elements): elements.last == .bulk(bytes)
        default: reply == .bulk(bytes)
        }
    }

    static let script = "return ARGV[1]"

    /// Returns the command whose reply is the marker, for the owner of `keys`.
    func command(keys: [String] = []) -> RESPCommand {
        let head = ["EVAL", Self.script, String(keys.count)] + keys
        return RESPCommand(head.map { Array($0.utf8) } + [bytes])
    }
}

/// A sequence of markers that no other sequence has, of this process or another one.
final class RedisMarkers: Sendable {
    private let prefix = String(UInt64.random(in: 0 ... .max), radix: 36)
    private let count = Atomic<UInt64>(0)

    func next() -> RedisMarker {
        let number = count.add(1, ordering: .relaxed).newValue
        return RedisMarker(bytes: Array("\(prefix).\(number)".utf8))
    }
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
        let marker: RedisMarker?
        let finish: RedisRequest.Completion

        init(_ request: RedisRequest) {
            missing = request.replyCount
            deadline = request.deadline
            marker = request.marker
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

    var count: Int { waiting.count + sent.count + (current == nil ? 0 : 1) }
    /// The deadline of the oldest expected reply; `nil` if there is none.
    var replyDeadline: MonotonicInstant? { current?.deadline ?? sent.first?.deadline }
    /// The deadline of the oldest request; `nil` if there is none.
    ///
    /// All requests have the same timeout, so those that were sent are older than those that wait.
    var nextDeadline: MonotonicInstant? { replyDeadline ?? waiting.first?.deadline }

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
    ///
    /// A request that was sent before and whose deadline has passed is not sent: its caller does
    /// not wait any more.
    mutating func sendAll(at now: MonotonicInstant) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(waitingBytes)
        for request in waiting.removeAll() {
            if request.waitsForConnection, request.deadline <= now { continue }
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
        /// The replies are not those to the request; the caller fails it and closes the connection.
        case misassigned(RedisRequest.Completion)
    }

    mutating func take(_ reply: RESPValue) -> Taken {
        guard var request = current ?? sent.popFirst() else { return .unexpected }
        current = nil
        request.replies.append(reply)
        request.missing -= 1
        guard request.missing == 0 else {
            current = request
            return .incomplete
        }
        if let marker = request.marker, !marker.ends(reply) { return .misassigned(request.finish) }
        return .complete(request.replies, request.finish)
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

    /// Removes all requests, those that were sent and those that wait; the caller finishes them.
    mutating func removeAll() -> (
        sent: [RedisRequest.Completion], waiting: [RedisRequest.Completion]
    ) {
        defer { self = RedisRequestQueue() }
        return (
            (current.map { [$0.finish] } ?? []) + sent.removeAll().map(\.finish),
            waiting.removeAll().map(\.finish)
        )
    }
}
