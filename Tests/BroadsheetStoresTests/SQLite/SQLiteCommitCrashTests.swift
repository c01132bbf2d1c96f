import BroadsheetStores
import BroadsheetTesting
import Foundation
import Glibc
import TestSupport
import Testing

/// Commits of several pages when a process is killed, or a machine stops.
@Suite("A commit of several pages to SQLite, after a crash", .timeLimit(.minutes(hangMinutes)))
struct SQLiteCommitCrashTests {
    @Test(
        "A process killed by SIGKILL leaves all pages of a commit or none, and all acknowledged",
        arguments: 0..<4)
    func killed(round: Int) async throws {
        let file = try DatabaseFile()
        let seed = SeededGenerator.seed(of: "SQLiteCommitCrashTests")
        let child = await #expect(
            processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]
        ) { [path = file.path as String, seed = seed as UInt64] in
            try await writeUntilKilled(path, seed: seed)
        }
        let output = String(decoding: child?.standardOutputContent ?? [], as: UTF8.self)
        var acknowledged: [String: UInt64] = [:]
        for line in output.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "acknowledged" else { continue }
            acknowledged[String(words[1])] = UInt64(words[2])
        }
        try await file.withStore(withoutCheckpoints) { store in
            for writer in try screenWriters() {
                let last = acknowledged[writer.screen.text] ?? 0
                try await writer.expectWhole(in: store, atLeast: last, "seed \(seed)")
                try await writer.expectHistory(in: store, "seed \(seed)")
            }
        }
    }

    @Test("The store has all pages of a commit and of a kept revision or none, wherever it is cut")
    func cutLog() async throws {
        let pair = try screenWriters().prefix(2)
        let copy = try await history(of: pair)
        let log = try copy.log()
        let seed = SeededGenerator.seed(of: "SQLiteCommitCrashTests")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let cut = Int.random(in: 0...log.count, using: &generator)
            let torn = try copy.snapshot()
            try torn.replaceLog(with: Array(log.prefix(cut)))
            try await torn.withStore(withoutCheckpoints) { store in
                var revisions: [UInt64] = []
                for writer in pair {
                    let comment: Comment = "seed \(seed), \(cut) of \(log.count) bytes"
                    revisions.append(try await writer.expectWhole(in: store, comment))
                    try await writer.expectHistory(in: store, comment)
                }
                // The writers took turns, so that the second one is at most one commit behind.
                #expect(revisions[0] == revisions[1] || revisions[0] == revisions[1] + 1)
            }
        }
    }

    /// Returns the database and its log after commits of both writers alternately, without
    /// checkpoints.
    private func history(of writers: ArraySlice<CommitWriter>) async throws -> DatabaseFile {
        let file = try DatabaseFile()
        return try await file.withStore(withoutCheckpoints) { store in
            for revision in 1...8 as ClosedRange<UInt64> {
                for writer in writers {
                    let next = try await store.write(
                        writer.change(to: revision), to: writer.screen)
                    #expect(next == revision)
                }
            }
            return try file.snapshot()
        }
    }
}

/// Options with a history and without checkpoints, so that the log holds all transactions.
private let withoutCheckpoints = SQLiteStoreOptions(
    autocheckpointPages: 1_000_000, history: HistoryBounds())

/// Returns the writers, whose pages take several pages of the database; every second one replaces
/// all pages with each commit.
private func screenWriters() throws -> [CommitWriter] {
    try (0..<4).map {
        CommitWriter(
            screen: try name("screen-\($0)"), pageBytes: 10_000,
            replacesAll: !$0.isMultiple(of: 2))
    }
}

/// Runs all writers, and prints what is acknowledged, until this process kills itself while the log
/// grows: in the middle of a commit as a rule.
private func writeUntilKilled(_ path: String, seed: UInt64) async throws {
    let writers = try screenWriters()
    let store = try ScreenStore(path: path, options: withoutCheckpoints)
    var generator = SeededGenerator(seed: seed)
    let size = Int.random(in: 50_000...4_000_000, using: &generator)
    Thread.detachNewThread {
        var status = stat()
        while stat(path + "-wal", &status) != 0 || Int(status.st_size) < size {}
        kill(getpid(), SIGKILL)
    }
    await withTaskGroup(of: Void.self) { group in
        for writer in writers {
            group.addTask {
                await writer.write(to: store) { revision in
                    let line = Array("acknowledged \(writer.screen) \(revision)\n".utf8)
                    _ = write(STDOUT_FILENO, line, line.count)
                }
            }
        }
    }
}
