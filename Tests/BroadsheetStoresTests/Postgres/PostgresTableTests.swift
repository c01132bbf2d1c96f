import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// The settings of the tables that the schema creates.
@Suite("The tables of the PostgreSQL store", .timeLimit(.minutes(hangMinutes)))
struct PostgresTableTests {
    @Test("Tables with screens, and their TOAST tables, are vacuumed when 2 % of the rows are dead")
    func vacuum() async throws {
        try await withPostgresStore { _, server, database in
            let settings = try server.execute(
                """
                SELECT c.relname, c.reloptions, t.reloptions FROM pg_class c
                JOIN pg_class t ON t.oid = c.reltoastrelid
                WHERE c.relnamespace = 'broadsheet'::regnamespace AND c.relkind = 'r'
                    AND c.relname <> 'store'
                ORDER BY c.relname
                """, in: database)
            let factor = "autovacuum_vacuum_scale_factor=0.02"
            #expect(
                settings == [
                    "objects|{\(factor)}|{\(factor)}", "probes|{\(factor)}|{\(factor)}",
                    "records|{fillfactor=50,\(factor)}|{\(factor)}",
                ])
        }
    }

    @Test("Objects are compressed with lz4 where the server has it, else stored plain, as records")
    func compression() async throws {
        try await withPostgresStore { store, server, database in
            let home = try name("home")
            try await store.put(0, String(repeating: "text ", count: 20_000), to: home)
            let hasLZ4 = try server.execute(
                """
                SELECT coalesce(bool_or('lz4' = ANY (s.enumvals)), false) FROM pg_settings s
                WHERE s.name = 'default_toast_compression'
                """)
            let columns = try server.execute(
                """
                SELECT c.relname, a.attstorage, coalesce(to_jsonb(a) ->> 'attcompression', '')
                FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
                WHERE c.relnamespace = 'broadsheet'::regnamespace
                    AND (c.relname, a.attname) IN (
                        ('objects', 'bytes'), ('records', 'bytes'), ('records', 'feed'))
                ORDER BY c.relname
                """, in: database)
            let method = hasLZ4 == ["t"] ? "x|l" : "e|"
            #expect(columns == ["objects|\(method)", "records|e|", "records|e|"])
            let isSmaller = try server.execute(
                "SELECT pg_column_size(o.bytes) < 50000 FROM broadsheet.objects o", in: database)
            #expect(isSmaller == hasLZ4)
        }
    }

    @Test("The schema has no foreign keys and no triggers")
    func triggers() async throws {
        try await withPostgresStore { _, server, database in
            let found = try server.execute(
                """
                SELECT (SELECT count(*) FROM pg_trigger), count(*) FROM pg_constraint c
                WHERE c.contype = 'f' AND c.connamespace = 'broadsheet'::regnamespace
                """, in: database)
            #expect(found == ["0|0"])
        }
    }
}
