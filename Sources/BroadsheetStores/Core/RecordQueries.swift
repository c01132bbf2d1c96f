import BroadsheetIO
import Synchronization

/// The queries for records: those of a shared backend that wait while a call is in progress share
/// the next one, so that the server has one call a round trip, however many readers there are.
final class RecordQueries: Sendable {
    private typealias Reply = Result<RecordReply, StoreError>

    private struct Waiting: Sendable {
        let query: RecordQuery
        /// The time at which it fails.
        let end: MonotonicInstant
        let waiter: Waiter<Reply>
    }

    private struct State {
        var waiting: [Waiting] = []
        /// The beginning of the call in progress; `nil` if there is none.
        var begin: MonotonicInstant?
    }

    static let maxQueries = 1000
    /// The part of the timeout after which a call without a reply holds up no other; fixed.
    private static let holdingPart = 10

    private let backend: any StoreBackend
    private let timeout: Duration
    private let clock: TimeSource
    private let state = Mutex(State())

    init(_ backend: any StoreBackend, timeout: Duration, clock: TimeSource) {
        self.backend = backend
        self.timeout = timeout
        self.clock = clock
    }

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Returns the reply to a query, as of a call that begins after this one.
    func reply(to query: RecordQuery) async throws(StoreError) -> RecordReply {
        guard backend.limits.isShared else { return try await backend.records([query]) }
        let now = clock.now
        let end = StoreDeadline.end(of: timeout, from: now)
        let closed = Reply.failure(.unavailable("the store is closed"))
        let result = await Waiter.wait(orElse: closed) { waiter in
            let begins = state.withLock { state in
                state.waiting.append(Waiting(query: query, end: end, waiter: waiter))
                if let begin = state.begin,
                    now < begin.advanced(by: timeout / Self.holdingPart)
                {
                    return false
                }
                state.begin = now
                return true
            }
            if begins { Task { await self.perform(now) } }
        }
        return try result.get()
    }

    private func perform(_ begun: MonotonicInstant) async {
        var begin = begun
        while true {
            let queries: [Waiting]? = state.withLock { state in
                // One that took too long is not the one in progress any more.
                guard state.begin == begin else { return nil }
                guard !state.waiting.isEmpty else {
                    state.begin = nil
                    return nil
                }
                begin = clock.now
                state.begin = begin
                let queries = Array(state.waiting.prefix(Self.maxQueries))
                state.waiting.removeFirst(queries.count)
                return queries
            }
            guard let queries else { return }
            await reply(to: queries)
        }
    }

    private func reply(to queries: [Waiting]) async {
        let end = queries.reduce(queries[0].end) { max($0, $1.end) }
        do throws(StoreError) {
            let reply = try await StoreDeadline.binding(end) { () async throws(StoreError) in
                try await backend.records(queries.map(\.query))
            }
            for (waiting, record) in zip(queries, reply.records) {
                waiting.waiter.resume(
                    .success(
                        RecordReply(line: reply.line, floor: reply.floor, records: [record])))
            }
        } catch {
            for waiting in queries { waiting.waiter.resume(.failure(error)) }
        }
    }
}
