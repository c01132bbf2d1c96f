import Foundation
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("A PostgreSQL role with the documented rights", .timeLimit(.minutes(hangMinutes)))
struct PostgresRightsTests {
    @Test("A role that may not create uses a migrated store, with the rights in docs/operations.md")
    func sufficient() async throws {
        try await Self.withRole { address, server, database, role in
            let error = #expect(throws: StoreOpenError.self) { try ScreenStore(address) }
            let text = try #require(error).description
            #expect(text.contains("permission denied for schema broadsheet"), "\(text)")
            for grant in try Self.grants(to: "ROLE") { #expect(text.contains(grant), "\(text)") }
            try Self.grantAll(to: role, server, database)
            let store = try ScreenStore(
                address,
                options: PostgresStoreOptions(
                    connections: 2, timeout: .seconds(60), history: HistoryBounds(),
                    feeds: FeedBounds()))
            _ = try await store.identity()
            let home = try name("home")
            for text in ["a", "b"] { try await store.put(0, text, to: home) }
            #expect(try await store.append([[1]], to: home))
            #expect(try await store.feed(of: home, after: 0, byteCount: 9)?.last == 1)
            let earlier = try await store.load(home, at: 1, .all, within: .unlimited)
            #expect(earlier != .absent)
            #expect(try await store.removeRevisions(of: home))
            try await store.write(.removeScreen, to: home)
            #expect(try await store.screens(after: nil, limit: 9).isEmpty)
            try await store.checkWrites(ofBytes: 1)
            await store.close()
        }
    }

    @Test("Without the right to call any one of the functions the store does not open")
    func functions() async throws {
        try await Self.withRole { address, server, database, role in
            try Self.grantAll(to: role, server, database)
            let functions = try server.execute(
                """
                SELECT p.oid::regprocedure FROM pg_proc p
                WHERE p.pronamespace = 'broadsheet'::regnamespace
                """, in: database)
            #expect(functions.count == PostgresSchema.functionNames.count)
            for function in functions {
                try server.execute(
                    "REVOKE EXECUTE ON FUNCTION \(function) FROM \(role)", in: database)
                let error = #expect(throws: StoreOpenError.self) { try ScreenStore(address) }
                let name = function.prefix { $0 != "(" }.split(separator: ".").last ?? ""
                #expect(
                    error?.description.contains("lacks rights: EXECUTE on \(name); ") == true,
                    "\(function): \(error?.description ?? "")")
                try server.execute(
                    "GRANT EXECUTE ON FUNCTION \(function) TO \(role)", in: database)
            }
        }
    }

    /// Runs a test with a role that has no rights, not even those that all roles have by default.
    private static func withRole(
        _ body: (PostgresAddress, PostgresServer, _ database: String, _ role: String) async throws
            -> Void
    ) async throws {
        try await withPostgresStore { _, server, database in
            let role = "r\(database)"
            try server.execute("CREATE ROLE \(role) LOGIN")
            try server.execute(
                "REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA broadsheet FROM PUBLIC", in: database)
            try await body(server.address(database, user: role), server, database, role)
            try server.execute("DROP OWNED BY \(role); DROP ROLE \(role)", in: database)
        }
    }

    /// Runs the statements of docs/operations.md that give rights to a role.
    private static func grantAll(
        to role: String, _ server: PostgresServer, _ database: String
    ) throws {
        for grant in try grants(to: role) { try server.execute(grant, in: database) }
    }

    private static func grants(to role: String) throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).pathComponents.prefix { $0 != "Tests" }
        let file = root.joined(separator: "/") + "/docs/operations.md"
        let command = "psql --dbname screens --command '"
        let grants = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix(command + "GRANT") }
            .map { String($0.dropFirst(command.count).dropLast()) }
        #expect(grants.count == 3)
        return grants.map { $0.replacing("TO daemon", with: "TO \(role)") }
    }
}
