import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Reads that need the revision of a screen, which the server is asked for together.
@Suite("PostgreSQL, revisions that are read together", .timeLimit(.minutes(hangMinutes)))
struct PostgresHeadsTests {
    /// The number of statements that asked for revisions; the sessions must have ended.
    private func statementCount(_ server: PostgresServer) async throws -> Int {
        let others = """
            SELECT count(*) FROM pg_stat_activity
            WHERE application_name = 'broadsheet' AND pid <> pg_backend_pid()
            """
        #expect(try await eventually { try server.execute(others) == ["0"] })
        let calls = try server.execute(
            """
            SELECT coalesce(sum(calls), 0) FROM pg_stat_user_functions WHERE funcname = 'heads_2'
            """)
        return try #require(calls.first.flatMap { Int($0) })
    }

    @Test("Reads that arrive during a statement share the next one, of at most 1,000 names")
    func shared() async throws {
        let count = 2500
        let server = try PostgresServer(["fsync=off", "track_functions=all"])
        let revisions = try await withPostgresStore(at: server.address()) { store, _ in
            for number in 0..<3 { try await store.put(0, to: name("screen-\(number)")) }
            var revisions: [UInt64] = []
            for number in 0..<3 {
                revisions.append(try #require(try await store.revision(name("screen-\(number)"))))
            }
            return revisions
        }
        let before = try await statementCount(server)
        try await withPostgresStore(at: server.address(), timeout: .seconds(60)) { store, _ in
            _ = try await store.revision(name("screen-0"))
            try server.pause()
            let started = Recorder<Int>()
            let loads = try await withThrowingTaskGroup(of: (Int, ScreenLoad).self) { group in
                for number in 0..<count {
                    group.addTask {
                        let known = number < revisions.count ? revisions[number] : 7
                        started.record(number)
                        return (
                            number,
                            try await store.load(name("screen-\(number)"), unlessAt: known)
                        )
                    }
                }
                #expect(await eventually { started.count == count })
                try server.resume()
                return try await group.reduce(into: [Int: ScreenLoad]()) { $0[$1.0] = $1.1 }
            }
            #expect(loads.count == count)
            for (number, load) in loads {
                switch load {
                case .unchanged: #expect(number < revisions.count)
                case .absent: #expect(number >= revisions.count)
                case .screen, .tooLarge: Issue.record("screen \(number) was read")
                }
            }
        }
        // The one before, the one in progress, three for the others, and some for those whose task
        // was late.
        let statements = try await statementCount(server) - before
        #expect((4...10).contains(statements), "\(statements) statements")
    }

    @Test("A single reader has a statement for each of its reads")
    func single() async throws {
        let server = try PostgresServer(["fsync=off", "track_functions=all"])
        let count = 20
        try await withPostgresStore(at: server.address()) { store, _ async throws in
            for _ in 0..<count { #expect(try await store.revision(name("home")) == nil) }
        }
        #expect(try await statementCount(server) == count)
    }
}
