import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Commits of several pages when the server is killed.
@Suite("A commit of several pages to Redis, after a crash", .timeLimit(.minutes(hangMinutes)))
struct RedisCommitCrashTests {
    private static let options = ["--appendonly", "yes", "--appendfsync", "always"]

    @Test(
        "A server killed by SIGKILL restarts with all pages of a commit or none, and all acknowledged"
    )
    func killed() async throws {
        try await withRedisServer(Self.options) { server in
            let seed = SeededGenerator.seed(of: "RedisCommitCrashTests")
            var generator = SeededGenerator(seed: seed)
            let limit = Int.random(in: 1...100, using: &generator)
            let writers = try (0..<4).map {
                CommitWriter(
                    screen: try name("screen-\($0)"), pageBytes: 10_000,
                    replacesAll: !$0.isMultiple(of: 2))
            }
            let acknowledged = try await Self.write(as: writers, to: server) { count in
                if count == limit { server.kill() }
            }
            #expect(acknowledged.reduce(0, +) >= limit)
            try server.restart()
            try await withRedisStore(server.endpoint()) { store, _, _ in
                for (writer, last) in zip(writers, acknowledged) {
                    try await writer.expectWhole(in: store, atLeast: last, "seed \(seed)")
                }
            }
        }
    }

    @Test(
        "Redis has all pages of a commit or none, wherever its append-only file is cut",
        arguments: [false, true])
    func cutFile(replacesAll: Bool) async throws {
        try await withRedisServer(Self.options) { server in
            let writer = CommitWriter(
                screen: try name("home"), pageBytes: 1_000, replacesAll: replacesAll)
            try await withRedisStore(server.endpoint()) { store, _, _ in
                #expect(await writer.write(to: store, upTo: 20) == 20)
            }
            let seed = SeededGenerator.seed(of: "RedisCommitCrashTests")
            var generator = SeededGenerator(seed: seed)
            var last: UInt64 = 20
            for _ in 0..<6 {
                server.kill()
                let size = try server.cutAppendOnlyFile { Int.random(in: $0, using: &generator) }
                try server.restart()
                try await withRedisStore(server.endpoint()) { store, _, _ in
                    let comment: Comment = "seed \(seed), \(size) bytes"
                    let revision = try await writer.expectWhole(in: store, comment)
                    #expect(revision <= last, comment)
                    last = revision
                }
            }
        }
    }

    /// Runs all writers until each one fails.
    ///
    /// - Parameter onAcknowledgment: Called with the number of acknowledged commits after each.
    /// - Returns: The last acknowledged revision of each writer.
    private static func write(
        as writers: [CommitWriter], to server: RedisServer,
        onAcknowledgment: @escaping @Sendable (Int) -> Void
    ) async throws -> [UInt64] {
        let count = CommitCount()
        var acknowledged = [UInt64](repeating: 0, count: writers.count)
        try await withRedisStore(server.endpoint(), timeout: .seconds(10)) { store, _, _ in
            await withTaskGroup(of: (Int, UInt64).self) { group in
                for (index, writer) in writers.enumerated() {
                    group.addTask {
                        let last = await writer.write(to: store) { _ in
                            onAcknowledgment(count.increment())
                        }
                        return (index, last)
                    }
                }
                for await (index, last) in group { acknowledged[index] = last }
            }
        }
        return acknowledged
    }
}

/// A counter that several tasks share.
final class CommitCount: Sendable {
    private let count = Atomic(0)

    func increment() -> Int { count.add(1, ordering: .relaxed).newValue }
}
