import BroadsheetIO
import Synchronization
import Testing

@testable import BroadsheetStores

@Suite("Requests to a Redis server")
struct RedisRequestQueueTests {
    /// The results of requests, in order.
    final class Outcomes: Sendable {
        let completed = Mutex<[String]>([])

        func request(
            _ name: String, bytes: Int = 1, replies: Int = 1, marker: RedisMarker? = nil
        ) -> RedisRequest {
            RedisRequest(
                bytes: [UInt8](repeating: 1, count: bytes), replyCount: replies,
                deadline: MonotonicInstant(nanoseconds: Int64(name.count)), marker: marker
            ) { result in
                let text = (try? result.get()).map { $0.compactMap(\.text).joined(separator: "+") }
                self.completed.withLock { $0.append("\(name): \(text ?? "failed")") }
            }
        }

        /// Assigns a reply, finishes the request if it is the last one, and returns whether one
        /// expected it.
        func take(_ reply: RESPValue, _ requests: inout RedisRequestQueue) -> Bool {
            switch requests.take(reply) {
            case .unexpected: return false
            case .incomplete: return true
            case .complete(let replies, let finish):
                finish(.success(replies))
                return true
            case .misassigned(let finish):
                finish(.failure(.lost("misassigned")))
                return false
            }
        }

        var all: [String] { completed.withLock { $0 } }
    }

    @Test("Requests receive their replies in order, as many as each expects")
    func order() {
        let outcomes = Outcomes()
        var requests = RedisRequestQueue()
        requests.send(outcomes.request("a"))
        requests.send(outcomes.request("b", replies: 3))
        requests.send(outcomes.request("c"))
        for reply in ["1", "2", "3", "4", "5"] {
            #expect(requests.count > 0)
            #expect(outcomes.take(.simple(reply), &requests))
        }
        #expect(outcomes.all == ["a: 1", "b: 2+3+4", "c: 5"])
        #expect(requests.count == 0)
        #expect(!outcomes.take(.simple("6"), &requests))
    }

    @Test("A request whose last reply does not end with its marker receives no replies")
    func markers() {
        let outcomes = Outcomes()
        var requests = RedisRequestQueue()
        let markers = (0..<6).map { RedisMarker(bytes: [UInt8](repeating: UInt8($0), count: 3)) }
        let replies: [(RESPValue, Bool)] = [
            (.bulk([0, 0, 0]), true), (.array([.simple("x"), .bulk([1, 1, 1])]), true),
            (.error("ERR x"), true), (.bulk([2, 2, 2]), false),
            (.array([.bulk([4, 4, 4]), .simple("x")]), false), (.null, false),
        ]
        for (marker, (reply, isOwn)) in zip(markers, replies) {
            requests.send(outcomes.request("a", replies: 2, marker: marker))
            #expect(outcomes.take(.simple("1"), &requests))
            #expect(outcomes.take(reply, &requests) == isOwn)
        }
        #expect(outcomes.all.count { $0 == "a: failed" } == 3)
        #expect(Set((0..<99).map { _ in RedisMarkers().next() }).count == 99)
    }

    @Test("Waiting requests are sent together, and fail together with those that have some replies")
    func waiting() {
        let outcomes = Outcomes()
        var requests = RedisRequestQueue()
        requests.enqueue(outcomes.request("a", bytes: 2, replies: 2))
        requests.enqueue(outcomes.request("b", bytes: 3))
        #expect(requests.replyDeadline == nil)
        #expect(requests.nextDeadline == MonotonicInstant(nanoseconds: 1))
        let sent = requests.sendAll(at: MonotonicInstant(nanoseconds: 0))
        #expect(sent.count == 5)
        #expect(requests.replyDeadline == MonotonicInstant(nanoseconds: 1))
        #expect(outcomes.take(.simple("1"), &requests))
        requests.enqueue(outcomes.request("c"))
        #expect(requests.count == 3)
        let (sentOnes, waitingOnes) = requests.removeAll()
        #expect(sentOnes.count == 2 && waitingOnes.count == 1)
        for finish in sentOnes + waitingOnes { finish(.failure(.lost("gone"))) }
        #expect(outcomes.all == ["a: failed", "b: failed", "c: failed"])
        #expect(requests.count == 0)
    }

    @Test("Waiting requests fail at their own deadlines, and free capacity for others")
    func overdue() {
        let outcomes = Outcomes()
        var requests = RedisRequestQueue()
        let large = RedisRequestQueue.maxWaitingBytes
        for (name, bytes) in [("a", 1), ("bb", large - 1), ("ccc", 0)] {
            requests.enqueue(outcomes.request(name, bytes: bytes))
        }
        #expect(!requests.hasCapacity(forBytes: 1, waiting: true))
        let overdue = requests.removeWaiting(expiredAt: MonotonicInstant(nanoseconds: 2))
        for finish in overdue { finish(.failure(.unsent("too late"))) }
        #expect(outcomes.all == ["a: failed", "bb: failed"])
        #expect(requests.nextDeadline == MonotonicInstant(nanoseconds: 3))
        #expect(requests.hasCapacity(forBytes: large, waiting: true))
        #expect(requests.count == 1)
    }

    @Test("A request that is repeated, and whose deadline has passed, is not sent")
    func overdueRepetition() {
        let outcomes = Outcomes()
        var requests = RedisRequestQueue()
        for name in ["a", "bb", "ccc"] {
            var request = outcomes.request(name, bytes: name.count)
            request.waitsForConnection = name != "a"
            requests.enqueue(request)
        }
        #expect(requests.sendAll(at: MonotonicInstant(nanoseconds: 2)).count == 1 + 3)
        #expect(requests.count == 2)
    }

    @Test("Requests are refused beyond the limits in number and, while they wait, in bytes")
    func limits() {
        let outcomes = Outcomes()
        var requests = RedisRequestQueue()
        let large = RedisRequestQueue.maxWaitingBytes - 10
        #expect(requests.hasCapacity(forBytes: .max, waiting: true))
        requests.enqueue(outcomes.request("a", bytes: large))
        #expect(requests.hasCapacity(forBytes: 10, waiting: true))
        #expect(!requests.hasCapacity(forBytes: 11, waiting: true))
        #expect(requests.hasCapacity(forBytes: .max, waiting: false))
        let sent = requests.sendAll(at: MonotonicInstant(nanoseconds: 0))
        #expect(sent.count == large)
        #expect(requests.hasCapacity(forBytes: 11, waiting: true))
        for _ in 1..<RedisRequestQueue.maxCount { requests.send(outcomes.request("b")) }
        #expect(!requests.hasCapacity(forBytes: 1, waiting: false))
        #expect(outcomes.take(.null, &requests))
        #expect(requests.hasCapacity(forBytes: 1, waiting: false))
    }
}
