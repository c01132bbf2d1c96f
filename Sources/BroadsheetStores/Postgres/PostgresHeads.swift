import BroadsheetIO
import Dispatch
import Synchronization

/// The heads of screens: reads that arrive while a statement is in progress share the next one.
///
/// The server therefore receives one statement a round trip, however many reads there are.
final class PostgresHeads: Sendable {
    /// The head of a screen.
    struct Head: Sendable, Hashable {
        /// The screen without its pages.
        var screen: ScreenHead
        /// The lower bound of the revisions of its trees.
        var treeFloor: UInt64
    }

    private typealias Reply = Result<Head?, StoreError>

    private struct Request: Sendable {
        let name: ScreenName
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
        var isComplete: Bool { waiting.count >= min(expectedCount, PostgresHeads.maxNames) }
    }

    /// The maximum number of names in a statement.
    static let maxNames = 1000
    /// The maximum time for which a statement waits for the reads that are expected.
    private static let maxCollection = DispatchTimeInterval.microseconds(200)
    private static let statement = "SELECT broadsheet.heads_2($1)"

    private let pool: PostgresPool
    private let line: PostgresLine
    private let state = Mutex(State())
    /// The signal that the reads that are expected have arrived.
    private let completion = DispatchSemaphore(value: 0)

    /// Creates the heads of a store without a statement.
    init(_ pool: PostgresPool, _ line: PostgresLine) {
        self.pool = pool
        self.line = line
    }

    /// Returns the head of a screen as of a statement that begins after this call; `nil` if there
    /// is no such screen.
    func head(of name: ScreenName) async throws(StoreError) -> Head? {
        let closed = Reply.failure(.unavailable("the store is closed"))
        let result = await Waiter.wait(orElse: closed) { waiter in
            let deadline = pool.deadline {
                waiter.resume(.failure(.unavailable("the server has not replied in time")))
            }
            let request = Request(name: name, deadline: deadline, waiter: waiter)
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
                try self.read(Set(requests.map(\.name)), on: connection)
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
            let requests = Array(state.waiting.prefix(Self.maxNames))
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

    private static func resume(
        _ requests: [Request], with result: Result<[ScreenName: Head], StoreError>
    ) {
        for request in requests {
            request.deadline.finish()
            request.waiter.resume(result.map { $0[request.name] })
        }
    }

    private func read(
        _ names: Set<ScreenName>, on connection: PostgresConnection
    ) throws(PostgresFailure) -> [ScreenName: Head] {
        let names = Array(names)
        var parameters = PostgresParameters()
        parameters.add(names.map(\.text))
        var heads: [ScreenName: Head] = [:]
        var count = 0
        try connection.run(Self.statement, parameters) { row throws(PostgresFailure) in
            let numbers = row.integers(0)
            if count == 0 { try line.record(numbers.first ?? nil) }
            if count < names.count { heads[names[count]] = try Head(numbers.dropFirst()) }
            count += 1
        }
        guard count == names.count else {
            throw .malformed("the reply about \(names.count) screens has \(count) rows")
        }
        return heads
    }
}

extension PostgresHeads.Head {
    /// The columns that a head is read from, of a table with the alias `s`.
    static let columns = """
        s.revision, s.latest_page, s.highest_page, s.page_count, s.byte_count, s.section_count, \
        s.item_count, s.tree_floor
        """

    /// Reads a head from the first columns of a row; `nil` if there is no such screen.
    init?(_ row: PostgresRow) throws(PostgresFailure) {
        try self.init((0..<8).map { row.integer($0) }[...])
    }

    /// Reads a head from the numbers of ``columns``; `nil` if there is no such screen.
    init?(_ numbers: ArraySlice<Int?>) throws(PostgresFailure) {
        var rest = numbers
        func next() -> Int? { rest.popFirst() ?? nil }
        guard let revision = next().flatMap({ UInt64(exactly: $0) }) else { return nil }
        let (latest, highest, pageCount, byteCount) = (next(), next(), next(), next())
        let (sections, items, floor) = (next(), next(), next())
        guard let latest, let pageCount, let byteCount,
            let floor = floor.flatMap({ UInt64(exactly: $0) })
        else {
            throw .malformed("the row of a screen at revision \(revision) has null values")
        }
        var counts: ContentCounts?
        if let sections, let items { counts = ContentCounts(sections: sections, items: items) }
        self.init(
            screen: ScreenHead(
                revision: revision, latestPage: latest, highestPage: highest,
                size: ScreenSize(pageCount: pageCount, byteCount: byteCount, counts: counts)),
            treeFloor: floor)
    }
}
