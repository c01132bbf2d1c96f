import BroadsheetIO
import Foundation
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("A SQLite store's write-ahead log", .timeLimit(.minutes(hangMinutes)))
struct WriteAheadLogTests {
    /// Returns the length of the log in pages, from the size of its file.
    private func pages(_ file: DatabaseFile) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path + "-wal")
        // Each page has a header of 24 bytes.
        return (attributes[.size] as? Int ?? 0) / (4096 + 24)
    }

    @Test("The log is checkpointed repeatedly while eight writers write, and removed at the end")
    func bounded() async throws {
        let file = try DatabaseFile()
        let limit = 100
        let text = String(repeating: "x", count: 20_000)
        try await file.withStore(SQLiteStoreOptions(autocheckpointPages: limit)) { store in
            var longest = 0
            for page in 0..<60 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<8 {
                        group.addTask { try await store.put(page, text, to: name("s\(writer)")) }
                    }
                    try await group.waitForAll()
                }
                longest = max(longest, try pages(file))
            }
            // 480 writes of at least 5 pages each would be 24 times the limit, and each one reads
            // its screen first. On a busy machine a suspended reader may delay a checkpoint; the
            // tests of ``CheckpointPlan`` check the exact numbers.
            #expect(longest < 12 * limit, "\(longest) pages")
        }
        #expect(try file.fileNames() == ["screens.db", "screens.db.lock"])
    }

    @Test("The log grows while a reader keeps its pages, and is short again afterwards")
    func longReading() async throws {
        let file = try DatabaseFile()
        let limit = 50
        let text = String(repeating: "x", count: 20_000)
        try await file.withStore(SQLiteStoreOptions(autocheckpointPages: limit)) { store in
            try await store.put(0, to: name("home"))
            let reader = try SQLiteConnection(path: file.path, mode: .readOnly)
            try reader.execute("BEGIN")
            _ = try reader.integer("SELECT count(*) FROM records")
            for page in 0..<80 { try await store.put(page, text, to: name("home")) }
            #expect(try pages(file) > 4 * limit)
            try reader.execute("COMMIT")
            let isShort = try await eventually {
                try await store.put(99, text, to: name("home"))
                return try pages(file) <= 3 * limit
            }
            #expect(isShort)
            #expect(try await store.stored(name("home")).pages.count == 81)
        }
    }
}

@Suite("The checkpoint plan")
struct CheckpointPlanTests {
    private typealias Step = CheckpointPlan.Step
    private let rest = Step.checkpointRest(waitingForReaders: false)
    private let restAgain = Step.checkpointRest(waitingForReaders: true)

    /// Returns the actions after transactions that left the log with a number of pages, the other
    /// thread being idle or not.
    private func steps(_ transactions: [(pages: Int, isIdle: Bool)]) -> [Step] {
        var plan = CheckpointPlan(limit: 100)
        return transactions.map { plan.step(pages: $0.pages, isCheckpointerIdle: $0.isIdle) }
    }

    @Test("The plan requires no action for a short log")
    func short() {
        #expect(steps([(1, true), (50, true), (99, true)]) == [.none, .none, .none])
    }

    @Test("The plan requests a checkpoint once, and one of the rest, and starts again with the log")
    func wholeRound() {
        let transactions = [
            (100, true), (110, false), (120, false), (130, true), (10, true), (100, true),
        ]
        #expect(
            steps(transactions) == [
                .requestCheckpoint, .none, .none, rest, .none, .requestCheckpoint,
            ])
    }

    @Test("The plan waits for the other thread if that is too slow")
    func slowThread() {
        let transactions = [(105, true), (199, false), (200, false), (210, false), (5, false)]
        #expect(
            steps(transactions) == [.requestCheckpoint, .none, .waitAndCheckpoint, .none, .none])
    }

    @Test("If a reader keeps the log long, the plan requests a checkpoint that waits for readers")
    func longReading() {
        let transactions = [
            (100, true), (101, true), (102, true), (150, true), (151, true), (152, true),
            (153, true), (201, true), (202, true), (203, true),
        ]
        #expect(
            steps(transactions)
                == [
                    .requestCheckpoint, rest, .none, .none, .requestCheckpoint, restAgain, .none,
                    .none, .requestCheckpoint, restAgain,
                ])
    }

    @Test("The plan handles a log whose first transaction exceeds the limit")
    func hugeTransaction() {
        #expect(
            steps([(5000, true), (5001, true), (5002, true)]) == [.requestCheckpoint, rest, .none])
    }

    @Test("The plan never lets a long log grow by more than the limit without an action")
    func bounded() {
        var plan = CheckpointPlan(limit: 100)
        var last = 0
        for pages in stride(from: 1, to: 5000, by: 7) {
            if plan.step(pages: pages, isCheckpointerIdle: false) != .none { last = pages }
            #expect(pages - last < 100 + 7)
        }
    }
}

@Suite("Requests for checkpoints", .timeLimit(.minutes(hangMinutes)))
struct CheckpointRequestsTests {
    @Test("A request is unfinished until the end of its checkpoint")
    func round() {
        let requests = CheckpointRequests()
        #expect(requests.isIdle)
        requests.request()
        #expect(!requests.isIdle)
        #expect(requests.wait())
        #expect(!requests.isIdle)
        requests.finish()
        #expect(requests.isIdle)
        requests.waitUntilIdle()
    }

    @Test("Requests are unfinished while one more waits, and share the one that waits")
    func overlapping() {
        let requests = CheckpointRequests()
        requests.request()
        #expect(requests.wait())
        for _ in 0..<3 { requests.request() }
        requests.finish()
        #expect(!requests.isIdle)
        #expect(requests.wait())
        requests.finish()
        #expect(requests.isIdle)
    }

    @Test("Requests block a waiting thread until they are finished")
    func waiting() throws {
        let requests = CheckpointRequests()
        requests.request()
        let thread = try WorkerThread("test-wal") {
            while requests.wait() { requests.finish() }
        }
        requests.waitUntilIdle()
        #expect(requests.isIdle)
        requests.close()
        thread.join()
    }

    @Test("Abandoned requests never block a thread, before or after")
    func abandoned() {
        let requests = CheckpointRequests()
        requests.request()
        requests.abandon()
        #expect(requests.isIdle)
        requests.request()
        #expect(requests.isIdle)
        requests.waitUntilIdle()
    }

    @Test("Closed requests end after the last one")
    func closing() {
        let requests = CheckpointRequests()
        requests.request()
        requests.close()
        #expect(requests.wait())
        #expect(!requests.wait())
    }
}
