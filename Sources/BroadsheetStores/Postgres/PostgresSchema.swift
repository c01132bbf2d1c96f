/// The schema of a store in PostgreSQL: one text of SQL, which is safe to run again.
package enum PostgresSchema {
    package static let version = 1

    /// The SQL that creates the schema, in one transaction.
    package static let script = [
        begin, tables, compression, begins, reads, apply, maintenance, "COMMIT;\n",
    ].joined(separator: "\n\n")

    static let tableNames = ["store", "records", "objects", "probes"]
    /// The functions that this program calls, and those that they call.
    static let functionNames = [
        "advance_1", "apply_1", "begin_1", "primary_1", "objects_1", "probe_1", "records_1",
        "system_1", "timeline_1",
    ]

    /// The statements that give a role the rights of a daemon (docs/operations.md, "PostgreSQL").
    static let grants = [
        "USAGE ON SCHEMA", "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA",
        "EXECUTE ON ALL FUNCTIONS IN SCHEMA",
    ].map { "GRANT \($0) broadsheet TO ROLE" }.joined(separator: "; ")
    static let rightsRemedy = "an administrator runs \(grants)"

    /// The begin of the transaction, and the check that the schema is not another program's.
    private static let begin = """
        BEGIN;
        SET LOCAL lock_timeout = '2s';
        SET LOCAL client_min_messages = warning;
        SELECT pg_catalog.pg_advisory_xact_lock(1114794099);

        DO $schema$
        DECLARE
            latest int;
        BEGIN
            IF pg_catalog.to_regclass('broadsheet.migrations') IS NOT NULL THEN
                RAISE EXCEPTION 'the schema broadsheet has a former format';
            END IF;
            IF pg_catalog.to_regclass('broadsheet.store') IS NOT NULL THEN
                SELECT s.version INTO latest FROM broadsheet.store s;
                IF latest > \(version) THEN
                    RAISE EXCEPTION 'a newer Broadsheet made version % of the schema', latest;
                END IF;
            END IF;
            -- An administrator may have created the schema for a role that may not.
            IF pg_catalog.to_regnamespace('broadsheet') IS NULL THEN
                CREATE SCHEMA broadsheet;
            END IF;
        END
        $schema$;
        """

    /// The tables, and the functions that depend on the server.
    private static let tables = """
        -- version: that of the schema; oldest: the oldest one of programs that can use it. name:
        -- the identity, or the mark of a store that a copy has not filled. The line of the server
        -- is lines + its timeline; timeline: the latest one in which a batch was applied.
        CREATE TABLE IF NOT EXISTS broadsheet.store (
            one boolean PRIMARY KEY CHECK (one), version int NOT NULL, oldest int NOT NULL,
            name text, sealing_key bytea, system text, floor bigint NOT NULL,
            floor_line bigint NOT NULL, lines bigint NOT NULL, timeline int NOT NULL,
            epoch bigint NOT NULL);
        -- A row has its values in it up to 2 kB; pages have space for later versions of their rows.
        CREATE TABLE IF NOT EXISTS broadsheet.records (
            name text COLLATE "C" PRIMARY KEY, revision bigint NOT NULL, edit bigint NOT NULL,
            bytes bytea NOT NULL, feed_version bigint NOT NULL, feed bytea, expires timestamptz,
            due bigint, weight bigint NOT NULL, listed_bytes bigint NOT NULL)
            WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02,
                toast.autovacuum_vacuum_scale_factor = 0.02);
        CREATE TABLE IF NOT EXISTS broadsheet.objects (
            screen text COLLATE "C", kind smallint, number bigint, revision bigint,
            bytes bytea NOT NULL, PRIMARY KEY (screen, kind, number, revision))
            WITH (autovacuum_vacuum_scale_factor = 0.02,
                toast.autovacuum_vacuum_scale_factor = 0.02);
        CREATE TABLE IF NOT EXISTS broadsheet.probes (bytes bytea)
            WITH (autovacuum_vacuum_scale_factor = 0.02,
                toast.autovacuum_vacuum_scale_factor = 0.02);

        -- Not when this text is run again: that would wait for all transactions that write.
        -- Each of the functions depends on the server, and on the rights that a service gives.
        DO $schema$
        BEGIN
            IF pg_catalog.to_regclass('broadsheet.records_due') IS NULL THEN
                CREATE INDEX records_expires ON broadsheet.records (expires)
                    WHERE expires IS NOT NULL;
                CREATE INDEX records_due ON broadsheet.records (due) WHERE due IS NOT NULL;
                ALTER TABLE broadsheet.records ALTER COLUMN bytes SET STORAGE EXTERNAL;
                ALTER TABLE broadsheet.records ALTER COLUMN feed SET STORAGE EXTERNAL;
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
        $schema$;
        """

    /// The statement that lets objects be compressed with lz4 where the server has it, and be
    /// stored plain elsewhere.
    ///
    /// If that was decided before, it stays so, and the table is not locked.
    private static let compression = """
        DO $schema$
        BEGIN
            IF EXISTS (
                SELECT FROM pg_catalog.pg_attribute a
                WHERE a.attrelid = 'broadsheet.objects'::regclass AND a.attname = 'bytes'
                    AND a.attstorage = 'x'
                    -- Version 13 has no such member.
                    AND coalesce(pg_catalog.to_jsonb(a) ->> 'attcompression', '') = '')
            THEN
                BEGIN
                    ALTER TABLE broadsheet.objects ALTER COLUMN bytes SET COMPRESSION lz4;
                -- Built without lz4, of version 13, or of a kind that has other methods.
                EXCEPTION WHEN feature_not_supported OR syntax_error OR invalid_parameter_value
                THEN
                    ALTER TABLE broadsheet.objects ALTER COLUMN bytes SET STORAGE EXTERNAL;
                END;
            END IF;
        END
        $schema$;
        """

    /// The functions that other ones begin with.
    private static let begins = """
        -- Returns the timeline of the server, and fails at a replica.
        CREATE OR REPLACE FUNCTION broadsheet.primary_1() RETURNS int
        LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            IF pg_catalog.pg_is_in_recovery() THEN
                RAISE EXCEPTION 'the server is a replica'
                    USING ERRCODE = 'read_only_sql_transaction';
            END IF;
            RETURN broadsheet.timeline_1();
        END
        $$;

        -- Begins a write: with the settings of its transaction, and at a primary only. Returns the
        -- timeline.
        CREATE OR REPLACE FUNCTION broadsheet.begin_1() RETURNS int LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            -- After the lock a batch must see what was committed before it had the lock.
            IF pg_catalog.current_setting('transaction_isolation') <> 'read committed' THEN
                RAISE EXCEPTION 'the isolation of the transaction is not read committed'
                    USING ERRCODE = 'invalid_transaction_state';
            END IF;
            PERFORM pg_catalog.set_config('lock_timeout', '2s', true);
            IF pg_catalog.current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
            THEN
                PERFORM pg_catalog.set_config('synchronous_commit', 'on', true);
            END IF;
            -- A plan that is made while a table is empty must not read all of it later. A table
            -- without an index then costs as much as if its plan had to be compiled.
            PERFORM pg_catalog.set_config('enable_seqscan', 'off', true);
            PERFORM pg_catalog.set_config('jit', 'off', true);
            RETURN broadsheet.primary_1();
        END
        $$;
        """

    /// The functions of reads, which keep their plans; a statement is planned each time.
    private static let reads = """
        -- Returns the state of the server and the record of each name, whose bytes are left out if
        -- it has the revision and the edit. time_left: milliseconds.
        CREATE OR REPLACE FUNCTION broadsheet.records_1(
            names text[], revisions bigint[], edits bigint[]
        ) RETURNS TABLE (
            line bigint, floor bigint, floor_line bigint, revision bigint, edit bigint,
            time_left bigint, feed_version bigint, bytes bytea, feed bytea
        ) LANGUAGE plpgsql STABLE AS $$
        BEGIN
            SELECT s.lines + broadsheet.primary_1(), s.floor, s.floor_line
                INTO STRICT line, floor, floor_line FROM broadsheet.store s;
            -- A plan that is made while the table is empty must not read all of it later.
            PERFORM pg_catalog.set_config('enable_seqscan', 'off', true);
            FOR place IN 1..pg_catalog.cardinality(names) LOOP
                SELECT r.revision, r.edit,
                    ceil(extract(epoch FROM r.expires - clock_timestamp()) * 1000)::bigint,
                    r.feed_version, CASE WHEN k.differs THEN r.bytes END,
                    CASE WHEN k.differs THEN r.feed END
                    INTO revision, edit, time_left, feed_version, bytes, feed
                FROM broadsheet.records r, LATERAL (
                    SELECT (r.revision, r.edit)
                        IS DISTINCT FROM (revisions[place], edits[place])) AS k (differs)
                WHERE r.name = names[place];
                RETURN NEXT;
            END LOOP;
        END
        $$;

        -- Returns for each key the length of the object, null for none, and its bytes, while they
        -- fit into `most` together.
        CREATE OR REPLACE FUNCTION broadsheet.objects_1(
            screen_name text, kinds int[], numbers bigint[], revisions bigint[], most bigint
        ) RETURNS TABLE (length int, bytes bytea) LANGUAGE plpgsql STABLE AS $$
        BEGIN
            PERFORM broadsheet.primary_1();
            PERFORM pg_catalog.set_config('enable_seqscan', 'off', true);
            RETURN QUERY
                SELECT f.length, CASE WHEN f.total <= most THEN f.bytes END
                FROM (
                    SELECT k.place, octet_length(o.bytes) AS length, o.bytes,
                        sum(octet_length(o.bytes)) OVER (ORDER BY k.place) AS total
                    FROM unnest(kinds, numbers, revisions) WITH ORDINALITY
                        AS k (kind, number, revision, place)
                    -- By the whole key, whatever is known of the table.
                    LEFT JOIN LATERAL (
                        SELECT a.bytes FROM broadsheet.objects a
                        WHERE a.screen = screen_name AND a.kind = k.kind
                            AND a.number = k.number AND a.revision = k.revision
                        LIMIT 1) AS o ON true) AS f
                ORDER BY f.place;
        END
        $$;
        """

    private static let apply = """
        -- Compares the line, the record and the feed with those that a batch expects, and applies
        -- it, or returns what is there.
        --
        -- expectation: absent, current, expired, alive or unchecked. change: none, write or remove.
        -- clears: whether what there is of the screen goes before. lifetime: seconds, 0 for no end,
        -- null for the one that the record has. feed_expected, raised: null for no write of the
        -- feed, and of the floor.
        CREATE OR REPLACE FUNCTION broadsheet.apply_1(
            screen_name text, expected_line bigint, expectation text, expected_revision bigint,
            expected_edit bigint, change text, clears boolean, new_revision bigint,
            new_edit bigint, new_bytes bytea, new_due bigint, new_weight bigint, new_listed bigint,
            lifetime bigint, feed_expected bigint, new_feed_version bigint, new_feed bytea,
            delete_kinds int[], delete_numbers bigint[], delete_revisions bigint[],
            put_kinds int[], put_numbers bigint[], put_revisions bigint[], put_bytes bytea[],
            raised bigint, raised_line bigint, OUT applied boolean, OUT line bigint,
            OUT floor bigint, OUT floor_line bigint, OUT revision bigint, OUT edit bigint,
            OUT time_left bigint, OUT feed_version bigint, OUT bytes bytea, OUT feed bytea
        ) LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
            own_timeline int := broadsheet.begin_1();
            last_timeline int;
            ends timestamptz;
        BEGIN
            PERFORM pg_catalog.pg_advisory_xact_lock(1114794099, pg_catalog.hashtext(screen_name));
            SELECT s.lines + own_timeline, s.floor, s.floor_line, s.timeline, r.revision, r.edit,
                r.feed_version, r.expires,
                ceil(extract(epoch FROM r.expires - clock_timestamp()) * 1000)::bigint
                INTO STRICT line, floor, floor_line, last_timeline, revision, edit, feed_version,
                    ends, time_left
            FROM broadsheet.store s LEFT JOIN broadsheet.records r ON r.name = screen_name;
            applied := coalesce(
                line = expected_line AND CASE expectation
                    WHEN 'absent' THEN revision IS NULL AND new_revision > floor
                    WHEN 'current' THEN revision = expected_revision AND edit = expected_edit
                        AND coalesce(time_left > 0, true)
                    WHEN 'expired' THEN revision = expected_revision AND edit = expected_edit
                        AND time_left <= 0
                    WHEN 'alive' THEN revision IS NOT NULL AND coalesce(time_left > 0, true)
                    ELSE true END
                AND (feed_expected IS NULL OR revision IS NULL OR clears
                    OR feed_version = feed_expected), false);
            IF NOT applied THEN
                SELECT r.bytes, r.feed INTO bytes, feed
                FROM broadsheet.records r WHERE r.name = screen_name;
                RETURN;
            END IF;

            IF clears THEN
                DELETE FROM broadsheet.objects o WHERE o.screen = screen_name;
                DELETE FROM broadsheet.records r WHERE r.name = screen_name;
                revision := NULL;
                ends := NULL;
            END IF;
            ends := CASE WHEN lifetime IS NULL THEN ends WHEN lifetime > 0
                THEN clock_timestamp() + pg_catalog.make_interval(secs => lifetime) END;
            IF change = 'write' AND revision IS NULL THEN
                INSERT INTO broadsheet.records (
                    name, revision, edit, bytes, feed_version, feed, expires, due, weight,
                    listed_bytes)
                VALUES (
                    screen_name, new_revision, new_edit, new_bytes,
                    coalesce(new_feed_version, new_revision), new_feed, ends, new_due, new_weight,
                    new_listed);
            ELSIF change = 'write' THEN
                UPDATE broadsheet.records r SET revision = new_revision, edit = new_edit,
                    bytes = new_bytes, feed_version = coalesce(new_feed_version, r.feed_version),
                    feed = coalesce(new_feed, r.feed), expires = ends, due = new_due,
                    weight = new_weight, listed_bytes = new_listed
                WHERE r.name = screen_name;
            ELSIF change = 'none' AND revision IS NOT NULL THEN
                -- Also without changes, so that the transaction waits for the replicas.
                UPDATE broadsheet.records r SET
                    feed_version = coalesce(new_feed_version, r.feed_version),
                    feed = coalesce(new_feed, r.feed)
                WHERE r.name = screen_name;
            END IF;
            FOR place IN 1..pg_catalog.cardinality(delete_kinds) LOOP
                DELETE FROM broadsheet.objects o
                WHERE o.screen = screen_name AND o.kind = delete_kinds[place]
                    AND o.number = delete_numbers[place] AND o.revision = delete_revisions[place];
            END LOOP;
            IF pg_catalog.cardinality(put_kinds) > 0 THEN
                INSERT INTO broadsheet.objects (screen, kind, number, revision, bytes)
                SELECT screen_name, p.kind, p.number, p.revision, p.bytes
                FROM unnest(put_kinds, put_numbers, put_revisions, put_bytes)
                    AS p (kind, number, revision, bytes);
            END IF;
            -- Last, as other screens wait for the row.
            IF raised IS NOT NULL OR own_timeline > last_timeline
                OR revision IS NULL AND change <> 'write'
            THEN
                UPDATE broadsheet.store s SET timeline = greatest(s.timeline, own_timeline),
                    floor = greatest(s.floor, raised),
                    floor_line = coalesce(raised_line, s.floor_line);
            END IF;
        END
        $$;
        """

    /// The functions of maintenance, and the row that a store begins with.
    private static let maintenance = """
        -- Begins another line, because the store may lack its latest batches, unless it is that of
        -- a system: in front of every line in which a batch was applied.
        CREATE OR REPLACE FUNCTION broadsheet.advance_1(unless_system text) RETURNS boolean
        LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
            own_timeline int := broadsheet.begin_1();
        BEGIN
            PERFORM pg_catalog.pg_advisory_xact_lock(1114794099);
            -- A batch holds a weaker lock from its first look at a record to its end.
            LOCK TABLE broadsheet.records IN ACCESS EXCLUSIVE MODE;
            IF EXISTS (SELECT FROM broadsheet.store s WHERE s.system = unless_system) THEN
                RETURN false;
            END IF;
            UPDATE broadsheet.store s SET system = broadsheet.system_1(), epoch = s.epoch + 1,
                lines = s.lines + greatest(s.timeline - own_timeline, 0) + 1,
                timeline = own_timeline;
            RETURN true;
        END
        $$;

        -- Performs a write that changes no screen.
        CREATE OR REPLACE FUNCTION broadsheet.probe_1(probe_bytes bytea) RETURNS void
        LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            PERFORM broadsheet.begin_1();
            INSERT INTO broadsheet.probes (bytes) VALUES (probe_bytes);
            DELETE FROM broadsheet.probes;
        END
        $$;

        INSERT INTO broadsheet.store (
            one, version, oldest, system, floor, floor_line, lines, timeline, epoch)
        SELECT true, \(version), 1, broadsheet.system_1(), 0, t.timeline, 0, t.timeline, 0
        FROM broadsheet.timeline_1() AS t (timeline)
        ON CONFLICT DO NOTHING;
        """
}
