import BroadsheetIO
import Dispatch
import Synchronization

/// The records of screens: reads that arrive while a statement is in progress share the next one.
///
/// The server therefore receives one statement a round trip, however many reads there are.
final class PostgresRecords: Sendable {
    private typealias Reply = Result<RecordReply, StoreError>

    private struct Request: Sendable {
        let queries: [RecordQuery]
        let deadline: PostgresDeadline
        let waiter: Waiter<Reply>
    }

    private struct State {
        var waiting: [Request] = []
        /// The number of the statement in progress, or `nil`.
        var current: UInt64?
        var lastNumber: UInt64 = 0
        /// The number of reads that the next statement is expected to have.
        var expectedCount = 1
        /// A Boolean value that indicates whether a statement waits for that number.
        var isCollecting = false
        /// A Boolean value that indicates whether as many reads wait as are expected.
        var isComplete: Bool { waiting.count >= min(expectedCount, PostgresRecords.maxNames) }
    }

    /// The maximum number of names in a statement, unless one read has more.
    static let maxNames = 1000
    /// The maximum time for which a statement waits for the reads that are expected.
    private static let maxCollection = DispatchTimeInterval.microseconds(200)
    private static let statement = "SELECT * FROM broadsheet.records_1($1, $2, $3)"

    private let pool: PostgresPool
    private let state = Mutex(State())
    /// The signal that the reads that are expected have arrived.
    private let completion = DispatchSemaphore(value: 0)

    /// Creates the records of a store without a statement.
    init(_ pool: PostgresPool) { self.pool = pool }

    /// Returns records as of a statement that begins after this call.
    ///
    /// - Parameter queries: The queries, at least one.
    func records(_ queries: [RecordQuery]) async throws(StoreError) -> RecordReply {
        let closed = Reply.failure(.unavailable("the store is closed"))
        let result = await Waiter.wait(orElse: closed) { waiter in
            let deadline = pool.deadline {
                waiter.resume(.failure(.unavailable("the server has not replied in time")))
            }
            let request = Request(queries: queries, deadline: deadline, waiter: waiter)
            let (isFirst, isComplete) = state.withLock { state in
                state.waiting.append(request)
                let isComplete = state.isCollecting && state.isComplete
                if isComplete { state.isCollecting = false }
                return (state.current == nil, isComplete)
            }
            if isComplete { completion.signal() }
            if isFirst { begin() }
        }
        return try result.get()
    }

    /// Begins a statement for the reads that wait, unless one is in progress.
    private func begin() {
        let number: UInt64? = state.withLock { state in
            guard state.current == nil, state.waiting.contains(where: { !$0.deadline.isFinished })
            else { return nil }
            state.lastNumber += 1
            state.current = state.lastNumber
            return state.lastNumber
        }
        guard let number else { return }
        // A statement without a reply must not hold up later reads: they are no part of it.
        let deadline = pool.deadline(isShared: true) { self.end(number) }
        let isAccepted = pool.submit(.other, deadline) { worker in
            self.collect()
            let requests = self.take()
            let result = worker.result(until: deadline.instant) {
                connection, _ throws(PostgresFailure) in
                try Self.read(Array(Set(requests.flatMap(\.queries))), on: connection)
            }
            deadline.finish()
            Self.resume(requests, with: result.mapError { $0.storeError })
            self.end(number)
        }
        guard !isAccepted else { return }
        deadline.finish()
        let requests = take()
        end(number)
        Self.resume(requests, with: .failure(.unavailable("too many requests wait for the store")))
    }

    /// Waits for the reads that are expected, for a short time.
    ///
    /// A statement costs the server and this process as much as several requests do, so readers
    /// that come again and again are better served together. A single one never waits.
    private func collect() {
        let waits = state.withLock { state in
            state.isCollecting = !state.isComplete
            return state.isCollecting
        }
        guard waits, completion.wait(timeout: .now() + Self.maxCollection) == .timedOut else {
            return
        }
        // A signal that is sent at this moment only ends the next wait early.
        state.withLock { $0.isCollecting = false }
    }

    /// Removes the reads that the next statement has: all that wait when it is sent, up to
    /// ``maxNames``.
    private func take() -> [Request] {
        state.withLock { state in
            state.waiting.removeAll { $0.deadline.isFinished }
            var names = 0
            let requests = Array(
                state.waiting.prefix { request in
                    names += request.queries.count
                    return names <= Self.maxNames || names == request.queries.count
                })
            state.waiting.removeFirst(requests.count)
            state.expectedCount = max(1, requests.count)
            return requests
        }
    }

    private func end(_ number: UInt64) {
        state.withLock { state in
            guard state.current == number else { return }
            state.current = nil
            state.expectedCount += state.waiting.count
        }
        begin()
    }

    /// The records of a statement, and the state of the server without records.
    private struct Found: Sendable {
        var server: RecordReply
        var records: [RecordQuery: RecordState] = [:]

        func reply(to request: Request) -> RecordReply {
            var reply = server
            reply.records = request.queries.map { records[$0] ?? .absent }
            return reply
        }
    }

    private static func resume(
        _ requests: [Request], with result: Result<Found, StoreError>
    ) {
        for request in requests {
            request.deadline.finish()
            request.waiter.resume(result.map { $0.reply(to: request) })
        }
    }

    private static func read(
        _ queries: [RecordQuery], on connection: PostgresConnection
    ) throws(PostgresFailure) -> Found {
        var parameters = PostgresParameters()
        parameters.add(queries.map(\.screen.text))
        // No record has the version -1.
        parameters.add(queries.map { Int64(bitPattern: $0.known?.revision ?? .max) })
        parameters.add(queries.map { Int64(bitPattern: $0.known?.edit ?? .max) })
        var found: Found?
        var count = 0
        try connection.run(statement, parameters) { row throws(PostgresFailure) in
            if found == nil { found = Found(server: try RecordReply(serverIn: row)) }
            guard count < queries.count else { return }
            let query = queries[count]
            found?.records[query] = try RecordState(row, knowing: query.known)
            count += 1
        }
        guard let found, count == queries.count else {
            throw .malformed("the reply about \(queries.count) screens has \(count) rows")
        }
        return found
    }
}
