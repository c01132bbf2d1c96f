/// Version 2 of the schema: the earlier revisions of screens, and the events for their backends.
enum PostgresHistoryMigration {
    /// The SQL, which is safe to run again.
    static let sql = [
        tables, PostgresSchema.compression(of: [("history_pages", "bytes"), ("feeds", "data")]),
        heads, records, PostgresCommitFunction.sql, replaced, feeds, end,
    ].joined(separator: "\n\n")

    /// The tables: a record of each revision that is kept, the pages that it has replaced or
    /// removed, and the events of feeds.
    ///
    /// The screens have the oldest revision that is kept (`first_revision`), the number of those
    /// that are earlier than the current one, and their bytes. `end_bytes` is the number of all
    /// bytes of a feed up to the end of an event, those of dropped events included.
    private static let tables = """
        DO $migration$
        BEGIN
            -- Not when this text is run again: it would wait for all transactions that read.
            IF pg_catalog.to_regclass('broadsheet.screens_has_history') IS NULL THEN
                ALTER TABLE broadsheet.screens ADD COLUMN IF NOT EXISTS creation bigint,
                    ADD COLUMN IF NOT EXISTS first_revision bigint,
                    ADD COLUMN IF NOT EXISTS history_count int,
                    ADD COLUMN IF NOT EXISTS history_bytes bigint,
                    ADD COLUMN IF NOT EXISTS has_history boolean;
                CREATE INDEX screens_has_history ON broadsheet.screens (name)
                    WHERE has_history;
            END IF;
        END
        $migration$;
        CREATE TABLE IF NOT EXISTS broadsheet.history (
            screen text COLLATE "C", revision bigint, at bigint, bytes bigint, record bytea,
            PRIMARY KEY (screen, revision))
            WITH (autovacuum_vacuum_scale_factor = 0.02,
                toast.autovacuum_vacuum_scale_factor = 0.02);
        CREATE TABLE IF NOT EXISTS broadsheet.history_pages (
            screen text COLLATE "C", number int, from_revision bigint, to_revision bigint,
            bytes bytea, PRIMARY KEY (screen, to_revision, number))
            WITH (autovacuum_vacuum_scale_factor = 0.02,
                toast.autovacuum_vacuum_scale_factor = 0.02);
        CREATE TABLE IF NOT EXISTS broadsheet.feeds (
            screen text COLLATE "C", instance text, number bigint, write_number bigint,
            end_bytes bigint, data bytea, PRIMARY KEY (screen, number))
            WITH (autovacuum_vacuum_scale_factor = 0.02,
                toast.autovacuum_vacuum_scale_factor = 0.02);
        """

    /// The function that reads the heads of screens.
    private static let heads = """
        -- Returns the line of the server and the numbers of each screen, and for one that does not
        -- exist the line only. A function keeps its plan; a statement is planned each time.
        CREATE OR REPLACE FUNCTION broadsheet.heads_2(names text[]) RETURNS SETOF bigint[]
        LANGUAGE plpgsql STABLE AS $$
        DECLARE
            line bigint := broadsheet.line_1();
            own text;
            head bigint[];
        BEGIN
            -- A plan that is made while the table is empty must not read all of it later.
            PERFORM pg_catalog.set_config('enable_seqscan', 'off', true);
            FOREACH own IN ARRAY names LOOP
                SELECT ARRAY[line, \(PostgresHeads.Head.columns)] INTO head
                FROM broadsheet.screens s
                WHERE s.name = own AND (s.expires_at IS NULL OR s.expires_at > now());
                RETURN NEXT coalesce(head, ARRAY[line]);
            END LOOP;
        END
        $$;
        """

    /// The functions of records.
    private static let records = """
        -- The lines of pages in a record (t, or p of those that revision `place` replaces).
        CREATE OR REPLACE FUNCTION broadsheet.lines_2(
            screen_name text, numbers int[], place bigint
        ) RETURNS text[] LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            RETURN ARRAY(
                SELECT CASE WHEN place IS NULL THEN 't ' ELSE 'p ' END
                    || pg_catalog.concat_ws(
                        ' ', p.number, p.revision, p.removal_below, p.next_change)
                    || CASE WHEN place IS NULL THEN '' ELSE pg_catalog.concat(
                        ' ', octet_length(p.bytes), ' ', coalesce(p.sections::text, '-'), ' ',
                        coalesce(p.items::text, '-'), ' ', place, ' 0') END
                FROM broadsheet.pages p
                WHERE p.screen = screen_name AND p.number = ANY (numbers));
        END
        $$;

        -- Deletes the revisions before `first`, and the pages that only they have; null for all.
        CREATE OR REPLACE FUNCTION broadsheet.cut_2(screen_name text, first bigint) RETURNS void
        LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            DELETE FROM broadsheet.history h
            WHERE h.screen = screen_name AND h.revision < coalesce(first, 9223372036854775807);
            DELETE FROM broadsheet.history_pages p
            WHERE p.screen = screen_name AND p.to_revision <= coalesce(first, 9223372036854775807);
        END
        $$;

        -- Drops the oldest revisions that are beyond the bounds.
        --
        -- first, kept, size: the oldest revision, the number of those after it, and their bytes.
        CREATE OR REPLACE FUNCTION broadsheet.prune_2(
            screen_name text, INOUT first bigint, INOUT kept int, INOUT size bigint,
            max_revisions bigint, max_bytes bigint, cutoff bigint
        ) LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
            start bigint := first;
            later record;
        BEGIN
            FOR later IN
                SELECT h.revision, h.at, h.bytes FROM broadsheet.history h
                WHERE h.screen = screen_name AND h.revision > start ORDER BY h.revision
            LOOP
                EXIT WHEN kept <= max_revisions AND size <= max_bytes AND later.at > cutoff;
                first := later.revision;
                kept := kept - 1;
                size := size - later.bytes;
            END LOOP;
            IF first > start THEN
                -- The lower bounds pass by the index entries of rows that were deleted before.
                DELETE FROM broadsheet.history h
                WHERE h.screen = screen_name AND h.revision >= start AND h.revision < first;
                DELETE FROM broadsheet.history_pages p
                WHERE p.screen = screen_name AND p.to_revision > start AND p.to_revision <= first;
            END IF;
        END
        $$;

        -- Drops the revisions that were replaced up to `cutoff`; null for all earlier ones.
        -- Returns whether there is such a screen.
        CREATE OR REPLACE FUNCTION broadsheet.forget_2(screen_name text, cutoff bigint)
        RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
            line int := broadsheet.begin_1();
            own record;
        BEGIN
            PERFORM pg_catalog.pg_advisory_xact_lock(1114794099, pg_catalog.hashtext(screen_name));
            SELECT s.revision, s.first_revision, s.history_count, s.history_bytes INTO own
            FROM broadsheet.screens s WHERE s.name = screen_name
                AND (s.expires_at IS NULL OR s.expires_at > pg_catalog.clock_timestamp());
            IF own.revision IS NULL THEN
                RETURN false;
            END IF;
            IF cutoff IS NULL THEN
                PERFORM broadsheet.cut_2(screen_name, own.revision);
                own.first_revision := own.revision;
                own.history_count := 0;
                own.history_bytes := 0;
            ELSE
                SELECT p.first, p.kept, p.size
                    INTO own.first_revision, own.history_count, own.history_bytes
                FROM broadsheet.prune_2(
                    screen_name, own.first_revision, own.history_count, own.history_bytes,
                    9223372036854775807, 9223372036854775807, cutoff) AS p;
            END IF;
            UPDATE broadsheet.screens s SET first_revision = own.first_revision,
                history_count = own.history_count, history_bytes = own.history_bytes,
                has_history = own.history_count > 0
            WHERE s.name = screen_name;
            RETURN true;
        END
        $$;

        -- The oldest revision of a screen that was not replaced up to `cutoff`; the last one, if
        -- that has no record. Stable, so that it sees what the statement sees.
        CREATE OR REPLACE FUNCTION broadsheet.first_2(
            screen_name text, last bigint, first bigint, cutoff bigint
        ) RETURNS bigint LANGUAGE sql STABLE AS $$
            SELECT coalesce((
                SELECT greatest(first, (
                    SELECT max(b.revision) FROM broadsheet.history b
                    WHERE b.screen = screen_name AND b.revision < a.revision))
                FROM broadsheet.history a
                WHERE a.screen = screen_name AND a.revision > first AND a.at > cutoff
                    AND EXISTS (SELECT FROM broadsheet.history c
                        WHERE c.screen = screen_name AND c.revision = last)
                ORDER BY a.revision LIMIT 1), last)
        $$;
        """

    /// Functions of version 1, which keep the tables of version 2 right.
    private static let replaced = """
        -- Removes a screen, its history and its feed, and raises the floor above every revision
        -- that it may have had.
        CREATE OR REPLACE FUNCTION broadsheet.remove_1(
            screen_name text, screen_revision bigint, screen_line int, line int
        ) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            DELETE FROM broadsheet.pages p WHERE p.screen = screen_name;
            DELETE FROM broadsheet.screens s WHERE s.name = screen_name;
            PERFORM broadsheet.cut_2(screen_name, NULL);
            DELETE FROM broadsheet.feeds f WHERE f.screen = screen_name;
            UPDATE broadsheet.store s SET timeline = line, floor = greatest(
                s.floor + broadsheet.gap_1(s.timeline, line),
                screen_revision + broadsheet.gap_1(screen_line, line));
        END
        $$;

        -- Raises the floor and all revisions by a million: the store may lack the latest ones.
        -- Histories begin again, and feeds have another instance.
        CREATE OR REPLACE FUNCTION broadsheet.advance_1(unless_system text) RETURNS boolean
        LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
            line int := broadsheet.begin_1();
        BEGIN
            PERFORM pg_catalog.pg_advisory_xact_lock(1114794099);
            -- A commit holds a weaker lock from its first look at a screen to its end.
            LOCK TABLE broadsheet.screens IN ACCESS EXCLUSIVE MODE;
            IF EXISTS (SELECT FROM broadsheet.store s WHERE s.system = unless_system) THEN
                RETURN false;
            END IF;
            UPDATE broadsheet.store s SET system = broadsheet.system_1(), timeline = line,
                floor = 1000000 + broadsheet.gap_1(s.timeline, line)
                    + greatest(s.floor, (SELECT max(c.revision) FROM broadsheet.screens c));
            UPDATE broadsheet.screens s SET timeline = line, creation = NULL, first_revision = NULL,
                history_count = 0, history_bytes = 0, has_history = false,
                revision = s.revision + 1000000 + broadsheet.gap_1(s.timeline, line);
            DELETE FROM broadsheet.history;
            DELETE FROM broadsheet.history_pages;
            UPDATE broadsheet.feeds f SET instance = pg_catalog.left(pg_catalog.encode(
                pg_catalog.sha256(pg_catalog.convert_to(f.instance || now(), 'UTF8')), 'hex'), 32);
            RETURN true;
        END
        $$;
        """

    /// The functions of feeds.
    private static let feeds = """
        -- Stores events of a screen, drops the oldest ones beyond the bounds, and sets the number of
        -- these for the transaction.
        CREATE OR REPLACE FUNCTION broadsheet.feed_2(
            screen_name text, number_of_write bigint, events bytea[], new_instance text,
            max_events bigint, max_event_bytes bigint
        ) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
            newest record;
            oldest record;
            first bigint;
            dropped bigint;
        BEGIN
            SELECT f.number, f.instance, f.end_bytes INTO newest FROM broadsheet.feeds f
            WHERE f.screen = screen_name ORDER BY f.number DESC LIMIT 1;
            INSERT INTO broadsheet.feeds (
                screen, instance, number, write_number, end_bytes, data)
            SELECT screen_name, coalesce(newest.instance, new_instance),
                coalesce(newest.number, 0) + e.place, number_of_write,
                coalesce(newest.end_bytes, 0)
                    + sum(octet_length(e.data)) OVER (ORDER BY e.place), e.data
            FROM unnest(events) WITH ORDINALITY AS e (data, place);
            SELECT f.number, f.end_bytes INTO newest FROM broadsheet.feeds f
            WHERE f.screen = screen_name ORDER BY f.number DESC LIMIT 1;
            FOR oldest IN
                SELECT f.number, f.end_bytes - octet_length(f.data) AS start
                FROM broadsheet.feeds f WHERE f.screen = screen_name ORDER BY f.number
            LOOP
                EXIT WHEN oldest.number = newest.number
                    OR oldest.number > newest.number - max_events
                        AND newest.end_bytes - oldest.start <= max_event_bytes;
                first := oldest.number + 1;
            END LOOP;
            IF first IS NOT NULL THEN
                DELETE FROM broadsheet.feeds f WHERE f.screen = screen_name AND f.number < first;
                GET DIAGNOSTICS dropped = ROW_COUNT;
                -- For the statement that calls this, whatever functions are in between.
                PERFORM pg_catalog.set_config('broadsheet.dropped', dropped::text, true);
            END IF;
        END
        $$;

        -- Stores events of a screen without a revision. Returns the revision that it has, or null
        -- if there is no such screen.
        --
        -- is_repeated: whether an earlier attempt may have stored them.
        CREATE OR REPLACE FUNCTION broadsheet.append_2(
            screen_name text, number_of_write bigint, is_repeated boolean, events bytea[],
            new_instance text, max_events bigint, max_event_bytes bigint
        ) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
            line int := broadsheet.begin_1();
            current bigint;
        BEGIN
            PERFORM pg_catalog.pg_advisory_xact_lock(1114794099, pg_catalog.hashtext(screen_name));
            SELECT s.revision INTO current FROM broadsheet.screens s WHERE s.name = screen_name
                AND (s.expires_at IS NULL OR s.expires_at > pg_catalog.clock_timestamp());
            IF current IS NULL THEN
                RETURN NULL;
            END IF;
            IF is_repeated THEN
                -- A write, so that this transaction, too, waits for the replicas.
                UPDATE broadsheet.feeds f SET write_number = f.write_number
                WHERE f.screen = screen_name AND f.write_number = number_of_write;
                IF FOUND THEN
                    RETURN current;
                END IF;
            END IF;
            PERFORM broadsheet.feed_2(
                screen_name, number_of_write, events, new_instance, max_events, max_event_bytes);
            RETURN current;
        END
        $$;
        """

    private static let end = """
        INSERT INTO broadsheet.migrations (version, oldest, at) VALUES (2, 1, now())
        ON CONFLICT DO NOTHING;
        """
}
