/// The schema of the PostgreSQL store: one text of SQL, which is safe to run again.
///
/// A migration only adds. One that was released never changes: a later one has another version, and
/// functions with another number. Of a function that it replaces only the later body is here.
package enum PostgresSchema {
    /// The version of the schema that this program needs.
    package static let version = 2

    /// The SQL that creates the schema, in one transaction.
    package static let script = [
        begin, tables, compression(of: [("pages", "bytes")]), functions, maintenance,
        PostgresHistoryMigration.sql, "COMMIT;\n",
    ].joined(separator: "\n\n")

    /// The statements that give a role the rights of a daemon (docs/operations.md, "PostgreSQL").
    static let grants = [
        "USAGE ON SCHEMA", "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA",
        "EXECUTE ON ALL FUNCTIONS IN SCHEMA",
    ].map { "GRANT \($0) broadsheet TO ROLE" }.joined(separator: "; ")
    /// The remedy for a right that a role lacks.
    static let rightsRemedy = "an administrator runs \(grants)"

    /// The begin of the transaction, and the check that no newer program made the schema.
    private static let begin = """
        BEGIN;
        SET LOCAL lock_timeout = '2s';
        SET LOCAL client_min_messages = warning;
        SELECT pg_catalog.pg_advisory_xact_lock(1114794099);

        DO $migration$
        DECLARE
            latest int;
        BEGIN
            IF pg_catalog.to_regclass('broadsheet.migrations') IS NOT NULL THEN
                SELECT max(version) INTO latest FROM broadsheet.migrations;
                IF latest > \(version) THEN
                    RAISE EXCEPTION 'a newer Broadsheet made version % of the schema', latest;
                END IF;
            END IF;
            -- An administrator may have created the schema for a role that may not.
            IF pg_catalog.to_regnamespace('broadsheet') IS NULL THEN
                CREATE SCHEMA broadsheet;
            END IF;
        END
        $migration$;
        """

    /// The tables, and the functions that depend on the server.
    private static let tables = """
        CREATE TABLE IF NOT EXISTS broadsheet.migrations (
            version int PRIMARY KEY, oldest int NOT NULL, at timestamptz NOT NULL);
        CREATE TABLE IF NOT EXISTS broadsheet.store (
            one boolean PRIMARY KEY CHECK (one), name text, sealing_key bytea, system text,
            floor bigint, timeline int);
        CREATE TABLE IF NOT EXISTS broadsheet.screens (
            name text COLLATE "C" PRIMARY KEY, revision bigint, timeline int, writes bigint[],
            latest_page int, highest_page int, page_count int, byte_count bigint,
            section_count bigint, item_count bigint, tree_floor bigint, expires_at timestamptz)
            WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02,
                toast.autovacuum_vacuum_scale_factor = 0.02);
        CREATE TABLE IF NOT EXISTS broadsheet.pages (
            screen text COLLATE "C", number int, revision bigint, removal_below bigint,
            next_change bigint, sections int, items int, bytes bytea, PRIMARY KEY (screen, number))
            WITH (autovacuum_vacuum_scale_factor = 0.02,
                toast.autovacuum_vacuum_scale_factor = 0.02);
        CREATE TABLE IF NOT EXISTS broadsheet.probes (bytes bytea)
            WITH (autovacuum_vacuum_scale_factor = 0.02,
                toast.autovacuum_vacuum_scale_factor = 0.02);

        -- Each of the functions depends on the server, and on the rights that a service gives.
        DO $migration$
        BEGIN
            -- Not when this text is run again: it would wait for all transactions that write.
            IF pg_catalog.to_regclass('broadsheet.screens_expires_at') IS NULL THEN
                CREATE INDEX screens_expires_at ON broadsheet.screens (expires_at)
                    WHERE expires_at IS NOT NULL;
            END IF;
            BEGIN
                PERFORM pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn());
                CREATE OR REPLACE FUNCTION broadsheet.timeline_1() RETURNS int
                LANGUAGE sql VOLATILE AS $$
                    SELECT ('x' || pg_catalog.left(pg_catalog.pg_walfile_name(
                        pg_catalog.pg_current_wal_lsn()), 8))::bit(32)::int
                $$;
            EXCEPTION WHEN OTHERS THEN
                CREATE OR REPLACE FUNCTION broadsheet.timeline_1() RETURNS int
                LANGUAGE sql VOLATILE AS $$
                    SELECT 1
                $$;
            END;
            BEGIN
                PERFORM system_identifier FROM pg_catalog.pg_control_system();
                CREATE OR REPLACE FUNCTION broadsheet.system_1() RETURNS text
                LANGUAGE sql VOLATILE AS $$
                    SELECT system_identifier::text FROM pg_catalog.pg_control_system()
                $$;
            EXCEPTION WHEN OTHERS THEN
                CREATE OR REPLACE FUNCTION broadsheet.system_1() RETURNS text
                LANGUAGE sql VOLATILE AS $$
                    SELECT NULL::text
                $$;
            END;
        END
        $migration$;
        """

    /// Returns the statement that lets columns be compressed with lz4 where the server has it, and
    /// be stored plain elsewhere.
    ///
    /// A column of which that was decided before stays as it is, and its table is not locked.
    static func compression(of columns: [(table: String, column: String)]) -> String {
        let names = columns.map { "('broadsheet.\($0.table)'::regclass, '\($0.column)')" }
            .joined(separator: ", ")
        return """
            DO $migration$
            DECLARE
                own record;
            BEGIN
                FOR own IN
                    SELECT a.attrelid::regclass AS relation, a.attname AS name
                    FROM pg_catalog.pg_attribute a
                    WHERE (a.attrelid, a.attname) IN (\(names)) AND a.attstorage = 'x'
                        -- Version 13 has no such member.
                        AND coalesce(pg_catalog.to_jsonb(a) ->> 'attcompression', '') = ''
                LOOP
                    BEGIN
                        EXECUTE pg_catalog.format(
                            'ALTER TABLE %s ALTER COLUMN %I SET COMPRESSION lz4',
                            own.relation, own.name);
                    -- Built without lz4, of version 13, or of a kind that has other methods.
                    EXCEPTION WHEN feature_not_supported OR syntax_error OR invalid_parameter_value
                    THEN
                        EXECUTE pg_catalog.format(
                            'ALTER TABLE %s ALTER COLUMN %I SET STORAGE EXTERNAL',
                            own.relation, own.name);
                    END;
                END LOOP;
            END
            $migration$;
            """
    }

    /// The functions that a write begins with.
    private static let functions = """
        -- The line of the server, and null at a replica.
        CREATE OR REPLACE FUNCTION broadsheet.line_1() RETURNS int LANGUAGE sql VOLATILE AS $$
            SELECT CASE WHEN NOT pg_catalog.pg_is_in_recovery() THEN broadsheet.timeline_1() END
        $$;

        -- The revisions that are left out where a screen's line is not the server's: a million for
        -- each line since, as the screen may have had a write in any of them that was lost.
        CREATE OR REPLACE FUNCTION broadsheet.gap_1(own int, line int) RETURNS bigint
        LANGUAGE sql IMMUTABLE AS $$
            SELECT CASE WHEN own IS DISTINCT FROM line
                THEN 1000000 * greatest(1, coalesce(line::bigint - own, 1)) ELSE 0 END
        $$;

        -- Begins a write: with the settings of its transaction, and at a primary only.
        CREATE OR REPLACE FUNCTION broadsheet.begin_1() RETURNS int LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            -- After the lock a commit must see what was committed before it had the lock.
            IF pg_catalog.current_setting('transaction_isolation') <> 'read committed' THEN
                RAISE EXCEPTION 'the isolation of the transaction is not read committed'
                    USING ERRCODE = 'invalid_transaction_state';
            END IF;
            IF pg_catalog.pg_is_in_recovery() THEN
                RAISE EXCEPTION 'the server is a replica'
                    USING ERRCODE = 'read_only_sql_transaction';
            END IF;
            PERFORM pg_catalog.set_config('lock_timeout', '2s', true);
            IF pg_catalog.current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
            THEN
                PERFORM pg_catalog.set_config('synchronous_commit', 'on', true);
            END IF;
            -- A plan that is made while a table is empty must not read all of it later. A table without
            -- an index then costs as much as if its plan had to be compiled.
            PERFORM pg_catalog.set_config('enable_seqscan', 'off', true);
            PERFORM pg_catalog.set_config('jit', 'off', true);
            RETURN broadsheet.timeline_1();
        END
        $$;
        """

    /// The functions of maintenance, and the rows that a store begins with.
    private static let maintenance = """
        -- Removes a screen if it has expired and no commit to it is in progress.
        CREATE OR REPLACE FUNCTION broadsheet.expire_1(screen_name text) RETURNS boolean
        LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
            line int := broadsheet.begin_1();
            own record;
        BEGIN
            IF NOT pg_catalog.pg_try_advisory_xact_lock(
                1114794099, pg_catalog.hashtext(screen_name))
            THEN
                RETURN false;
            END IF;
            SELECT s.revision, s.timeline INTO own FROM broadsheet.screens s
            WHERE s.name = screen_name AND s.expires_at <= pg_catalog.clock_timestamp();
            IF own.revision IS NULL THEN
                RETURN false;
            END IF;
            PERFORM broadsheet.remove_1(screen_name, own.revision, own.timeline, line);
            RETURN true;
        END
        $$;

        -- Performs a write that changes no screen.
        CREATE OR REPLACE FUNCTION broadsheet.probe_1(probe_bytes bytea) RETURNS int
        LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
            line int := broadsheet.begin_1();
        BEGIN
            INSERT INTO broadsheet.probes (bytes) VALUES (probe_bytes);
            DELETE FROM broadsheet.probes;
            RETURN line;
        END
        $$;

        INSERT INTO broadsheet.store (one, system, floor, timeline)
        VALUES (true, broadsheet.system_1(), 0, broadsheet.timeline_1()) ON CONFLICT DO NOTHING;
        INSERT INTO broadsheet.migrations (version, oldest, at) VALUES (1, 1, now())
        ON CONFLICT DO NOTHING;
        """
}
