import TestSupport
import Testing

import BroadsheetIO
import BroadsheetTesting
@testable import BroadsheetStores

/// Rows of bytes that transactions release and use again.
@Suite("The bytes of pages in the SQLite store")
struct SQLiteContentsTests {
    /// The pages of a screen at a revision, by their numbers.
    private typealias Pages = [Int: [UInt8]]

    /// A transaction that is rolled back on purpose.
    private static let interruption = SQLiteFailure.damaged("nothing")

    /// The bounds of histories, which the writes of a transaction exceed.
    private static let bounds = HistoryBounds(maxRevisions: 3, maxBytes: 1 << 20)

    @Test("Bytes are stored in a row that the transaction has released, unless the file lacks it")
    func reuse() async throws {
        let file = try DatabaseFile()
        try await file.withStore { _ in }
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        let contents = try SQLiteContents(on: connection)
        contents.begin()
        try connection.transaction { () throws(SQLiteFailure) in
            let first = try contents.insert([1])
            let second = try contents.insert([2])
            #expect(first != second)
            try contents.release(first, byteCount: 1)
            #expect(try contents.insert([3, 3]) == first)
            try contents.release(second, byteCount: 1)
            try connection.execute("DELETE FROM contents WHERE id = \(second)")
            #expect(try contents.insert([4]) == second + 1)
            try contents.deleteSome()
        }
        let rows = try connection.text(
            "SELECT group_concat(hex(bytes)) FROM (SELECT bytes FROM contents ORDER BY id)")
        #expect(rows == "0303,04")
    }

    @Test(
        "All kept revisions have the pages that were written, and no others have bytes",
        arguments: SeededGenerator.seeds(of: "SQLiteContentsTests", count: 20))
    func random(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let file = try DatabaseFile()
        let options = SQLiteStoreOptions(clock: ManualClock().time, history: Self.bounds)
        try await file.withStore(options) { _ in }
        let screens = try ["a", "b", "c"].map { try name($0) }
        var states: [ScreenName: [UInt64: Pages]] = [:]
        for _ in 0..<4 {
            let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
            var writer = try SQLiteRowWriter(on: connection, bounds: Self.bounds)
            for _ in 0..<10 {
                var next = states
                writer.history.begin()
                do throws(SQLiteFailure) {
                    try connection.transaction { () throws(SQLiteFailure) in
                        for _ in 0..<Int.random(in: 1...6, using: &generator) {
                            let screen = screens.randomElement(using: &generator) ?? screens[0]
                            try Self.write(
                                to: screen, at: options.clock, &next, by: &writer, &generator)
                        }
                        try writer.history.contents.deleteSome()
                        if Int.random(in: 0..<4, using: &generator) == 0 { throw Self.interruption }
                    }
                    states = next
                } catch {
                    #expect(error == Self.interruption)
                    writer.history.contents.rollBack()
                }
            }
            let kept = try await Self.kept(in: file, options, states)
            let count = try connection.integer("SELECT count(*) FROM contents")
            #expect(count == Int64(kept), "seed \(seed)")
        }
    }

    /// Writes a page of random length, or removes one, and notes the state after it.
    private static func write(
        to screen: ScreenName, at clock: TimeSource, _ states: inout [ScreenName: [UInt64: Pages]],
        by writer: inout SQLiteRowWriter, _ generator: inout SeededGenerator
    ) throws(SQLiteFailure) {
        let last = states[screen]?.keys.max()
        var pages = last.flatMap { states[screen]?[$0] } ?? [:]
        let number = Int.random(in: 0..<3, using: &generator)
        let commit: ScreenCommit
        if pages[number] != nil, Int.random(in: 0..<4, using: &generator) == 0 {
            pages[number] = nil
            commit = .removePage(number)
        } else {
            // Two in three pages have one length, and no two have the same bytes.
            let count =
                [9_000, 9_000, Int.random(in: 8...20_000, using: &generator)]
                .randomElement(using: &generator) ?? 8
            let token = withUnsafeBytes(of: generator.next()) { Array($0) }
            let bytes = (0..<count).map { token[$0 % token.count] }
            pages[number] = bytes
            commit = .put(page: number, bytes: bytes)
        }
        let write = SQLiteRowWriter.Write(
            commit: commit, screen: screen, expected: last, lifetime: .unchanged)
        let outcome = try writer.commit(write, at: clock.unixMilliseconds)
        guard case .written(let revision, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        states[screen, default: [:]][revision] = pages
    }

    /// Compares all kept revisions with what was written, and returns the number of pages that
    /// they have together.
    private static func kept(
        in file: DatabaseFile, _ options: SQLiteStoreOptions,
        _ states: [ScreenName: [UInt64: Pages]]
    ) async throws -> Int {
        try await file.withStore(options) { store in
            var distinct: Set<[UInt8]> = []
            for (screen, revisions) in states {
                let list = try #require(
                    try await store.revisions(of: screen, before: nil, limit: 99))
                #expect(list.revision == revisions.keys.max())
                #expect(list.entries.count == min(revisions.count, bounds.maxRevisions + 1))
                for entry in list.entries {
                    let load = try await store.load(
                        screen, at: entry.revision, .all, within: .unlimited)
                    guard case .screen(let found) = load else {
                        Issue.record("\(screen) at \(entry.revision): \(load)")
                        continue
                    }
                    let pages = Dictionary(
                        uniqueKeysWithValues: found.pages.map { ($0.number, $0.bytes) })
                    #expect(pages == revisions[entry.revision])
                    distinct.formUnion(pages.values)
                }
            }
            return distinct.count
        }
    }
}
