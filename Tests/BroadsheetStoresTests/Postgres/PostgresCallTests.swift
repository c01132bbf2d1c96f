import BroadsheetIO
import BroadsheetTesting
import TestSupport
import Testing

@testable import BroadsheetStores

/// The calls of the server's functions, each of which is a round trip.
@Suite("PostgreSQL, calls of the server", .timeLimit(.minutes(hangMinutes)))
struct PostgresCallTests {
    @Test("A commit is one call, and a read is one for the record and one for changed pages")
    func calls() async throws {
        let server = try PostgresServer(["fsync=off", "track_functions=all"])
        try await withPostgresStore(at: server.address(), timeout: .seconds(60)) {
            store, _ async throws in
            let home = try name("home")
            // The first one also asks for the state of the server.
            let first = ScreenCommit.put(page: 0, bytes: [1])
            #expect(try await store.commit(first, to: home, expecting: nil) == 1)
            for revision in 1..<10 as Range<UInt64> {
                let pages = (0..<3).map { PutPage(number: $0, bytes: [UInt8(revision)]) }
                _ = try await store.commit(
                    .putPages(pages, totals: nil), to: home, expecting: revision)
            }
            for _ in 0..<5 {
                #expect(try await store.load(home, unlessAt: 10) == .unchanged)
            }
            for _ in 0..<7 { #expect(try await store.stored(home).pages.count == 3) }
        }
        let others = """
            SELECT count(*) FROM pg_stat_activity
            WHERE application_name = 'broadsheet' AND pid <> pg_backend_pid()
            """
        // The server counts the calls of sessions that have ended.
        #expect(try await eventually { try server.execute(others) == ["0"] })
        let calls = try server.execute(
            """
            SELECT funcname, calls FROM pg_stat_user_functions
            WHERE funcname IN ('apply_1', 'records_1', 'objects_1') ORDER BY funcname
            """)
        #expect(calls == ["apply_1|10", "objects_1|7", "records_1|\(1 + 5 + 7)"])
    }
}
