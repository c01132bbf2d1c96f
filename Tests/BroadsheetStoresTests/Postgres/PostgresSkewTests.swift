import BroadsheetTesting
import TestSupport
import Testing

@testable import BroadsheetStores

/// Daemons of two releases on one store.
@Suite(
    "PostgreSQL with the statements of two releases", .serialized, .timeLimit(.minutes(hangMinutes))
)
struct PostgresSkewTests {
    /// The database of all tests, in which each begins with an empty store.
    private static let database = Result { try PostgresServer.shared().newDatabase() }

    @Test(
        "A store whose calls two releases perform in turn conforms to every requirement",
        arguments: StoreConformance.requirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        try await Self.withStores { current, previous, server, database in
            let mixed = AlternatingStore([current, previous])
            try await check(requirement, of: mixed, server, database)
        }
    }

    @Test("Eight writers of two releases lose no write to a screen, and do none twice")
    func writers() async throws {
        try await Self.withStores { current, previous, _, _ in
            let home = try name("home")
            let stores: [any ScreenStore] = [current, previous]
            let pages = 10
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        for page in writer * pages..<(writer + 1) * pages {
                            try await Self.put(page, to: home, stores[writer % stores.count])
                        }
                    }
                }
                try await group.waitForAll()
            }
            for store in stores {
                let stored = try await store.stored(home)
                #expect(stored.revision == UInt64(8 * pages))
                #expect(stored.pages.map(\.number) == Array(0..<8 * pages))
                #expect(Set(stored.pages.map(\.revision)) == Set(1...UInt64(8 * pages)))
            }
            // Each commit replaces what others of either release have stored.
            let writer = CommitWriter(
                screen: try name("replaced"), pageBytes: 500, replacesAll: true)
            let mixed = AlternatingStore(stores)
            #expect(await writer.write(to: mixed, upTo: 25) == 25)
            for store in stores {
                #expect(try await writer.expectWhole(in: store, atLeast: 25, "mixed") == 25)
            }
        }
    }

    /// Puts a page, again after each conflict.
    private static func put(
        _ page: Int, to screen: ScreenName, _ store: any ScreenStore
    ) async throws {
        let bytes = Array("\(page)".utf8)
        var expected = try await store.revision(screen)
        while true {
            do throws(StoreError) {
                _ = try await store.commit(
                    .put(page: page, bytes: bytes), to: screen, expecting: expected)
                return
            } catch {
                guard case .conflict(let current) = error else { throw error }
                expected = current
            }
        }
    }

    /// Runs a store of this release and one of the previous release on an empty database.
    private static func withStores(
        _ body: (
            PostgresStore, PreviousPostgresStore, PostgresServer, _ database: String
        ) async throws -> Void
    ) async throws {
        let server = try PostgresServer.shared()
        let database = try Self.database.get()
        let address = try server.address(database)
        let current = try PostgresStore(
            address,
            options: PostgresStoreOptions(
                connections: 4, timeout: .seconds(60), listening: .off))
        try server.execute(
            """
            DO $$ BEGIN
                EXECUTE (
                    SELECT 'TRUNCATE ' || string_agg('broadsheet.' || tablename, ', ')
                    FROM pg_tables WHERE schemaname = 'broadsheet'
                        AND tablename NOT IN ('migrations', 'store'));
                UPDATE broadsheet.store SET floor = 0;
            END $$
            """, in: database)
        let previous = try PreviousPostgresStore(address, beside: current)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(current, previous, server, database))
        } catch {
            result = .failure(error)
        }
        await previous.close()
        await current.close()
        try result.get()
    }
}
