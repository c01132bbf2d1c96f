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
        IF latest > 1 THEN
            RAISE EXCEPTION 'a newer Broadsheet made version % of the schema', latest;
        END IF;
    END IF;
    -- An administrator may have created the schema for a role that may not.
    IF pg_catalog.to_regnamespace('broadsheet') IS NULL THEN
        CREATE SCHEMA broadsheet;
    END IF;
END
$migration$;

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
CREATE INDEX IF NOT EXISTS screens_expires_at ON broadsheet.screens (expires_at)
    WHERE expires_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS broadsheet.pages (
    screen text COLLATE "C", number int, revision bigint, removal_below bigint,
    next_change bigint, sections int, items int, bytes bytea, PRIMARY KEY (screen, number))
    WITH (autovacuum_vacuum_scale_factor = 0.02,
        toast.autovacuum_vacuum_scale_factor = 0.02);
CREATE TABLE IF NOT EXISTS broadsheet.probes (bytes bytea)
    WITH (autovacuum_vacuum_scale_factor = 0.02,
        toast.autovacuum_vacuum_scale_factor = 0.02);

-- Each of these depends on the server: its version, its build, and the rights of a service.
DO $migration$
BEGIN
    BEGIN
        EXECUTE 'ALTER TABLE broadsheet.pages ALTER COLUMN bytes SET COMPRESSION lz4';
    EXCEPTION WHEN OTHERS THEN
        ALTER TABLE broadsheet.pages ALTER COLUMN bytes SET STORAGE EXTERNAL;
    END;
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

-- The line of the server, and null at a replica.
CREATE OR REPLACE FUNCTION broadsheet.line_1() RETURNS int LANGUAGE sql VOLATILE AS $$
    SELECT CASE WHEN NOT pg_catalog.pg_is_in_recovery() THEN broadsheet.timeline_1() END
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

-- Removes a screen, and raises the floor above every revision that it may have had.
CREATE OR REPLACE FUNCTION broadsheet.remove_1(
    screen_name text, screen_revision bigint, screen_line int, line int
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    DELETE FROM broadsheet.pages p WHERE p.screen = screen_name;
    DELETE FROM broadsheet.screens s WHERE s.name = screen_name;
    UPDATE broadsheet.store s SET timeline = line, floor = greatest(
        s.floor + CASE WHEN s.timeline IS DISTINCT FROM line THEN 1000000 ELSE 0 END,
        screen_revision
            + CASE WHEN screen_line IS DISTINCT FROM line THEN 1000000 ELSE 0 END);
END
$$;

-- Writes a screen by compare-and-set.
--
-- expected: null for a new screen. action: put, replace, page, pages or screen. lifetime:
-- seconds, 0 for no end, null for the one that the screen has. page_numbers: the pages to
-- store, those to keep (without bytes), or the page to remove.
--
-- outcome: done; conflict, which is final; unclear, a conflict that the same commit may
-- have caused if it was sent before.
CREATE OR REPLACE FUNCTION broadsheet.commit_1(
    screen_name text, expected bigint, action text, write_number bigint, lifetime bigint,
    page_numbers int[], page_bytes bytea[], page_sections int[], page_items int[],
    total_sections bigint, total_items bigint, OUT outcome text, OUT new_revision bigint
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    line int := broadsheet.begin_1();
    own record;
    former record;
    put record;
    stored int[];
    gone int[];
    highest int;
BEGIN
    PERFORM pg_catalog.pg_advisory_xact_lock(1114794099, pg_catalog.hashtext(screen_name));
    SELECT s.revision, s.timeline, s.writes, s.latest_page, s.highest_page, s.page_count,
        s.byte_count, s.section_count, s.item_count, s.tree_floor, s.expires_at INTO own
    FROM broadsheet.screens s WHERE s.name = screen_name;

    FOR place IN 1..coalesce(pg_catalog.cardinality(own.writes), 0) BY 2 LOOP
        IF own.writes[place] = write_number THEN
            -- So that this transaction, too, waits for the replicas.
            UPDATE broadsheet.screens s SET revision = s.revision
            WHERE s.name = screen_name;
            outcome := 'done';
            new_revision := own.writes[place + 1];
            RETURN;
        END IF;
    END LOOP;
    IF own.expires_at <= pg_catalog.clock_timestamp() THEN
        PERFORM broadsheet.remove_1(screen_name, own.revision, own.timeline, line);
        own.revision := NULL;
        own.writes := NULL;
    END IF;

    IF own.revision IS DISTINCT FROM expected
        OR own.revision IS NULL AND action NOT IN ('put', 'replace')
    THEN
        outcome := CASE
            WHEN own.writes[pg_catalog.cardinality(own.writes)] <= expected THEN 'conflict'
            ELSE 'unclear' END;
        new_revision := own.revision;
        RETURN;
    END IF;
    outcome := 'done';
    IF action = 'screen' THEN
        PERFORM broadsheet.remove_1(screen_name, own.revision, own.timeline, line);
        new_revision := own.revision;
        RETURN;
    END IF;

    IF own.revision IS NULL THEN
        SELECT s.floor AS revision, s.timeline, '{}'::bigint[] AS writes, 0 AS latest_page,
            NULL::int AS highest_page, 0 AS page_count, 0::bigint AS byte_count,
            0::bigint AS section_count, 0::bigint AS item_count, 0::bigint AS tree_floor,
            NULL::timestamptz AS expires_at INTO STRICT own
        FROM broadsheet.store s;
    END IF;
    new_revision := own.revision + 1
        + CASE WHEN own.timeline IS DISTINCT FROM line THEN 1000000 ELSE 0 END;

    stored := ARRAY(
        SELECT n.number FROM unnest(page_numbers, page_bytes) AS n (number, bytes)
        WHERE n.bytes IS NOT NULL);
    SELECT coalesce(sum(octet_length(n.bytes)), 0) AS bytes,
        coalesce(sum(n.sections), 0) AS sections, coalesce(sum(n.items), 0) AS items,
        bool_and(n.sections IS NOT NULL AND n.items IS NOT NULL) AS counted,
        max(n.number) AS highest INTO put
    FROM unnest(page_numbers, page_bytes, page_sections, page_items)
        AS n (number, bytes, sections, items) WHERE n.bytes IS NOT NULL;
    -- The pages that are replaced or removed, as they are. Their bytes are not read.
    IF action IN ('put', 'page') THEN
        SELECT count(*) AS pages, coalesce(sum(octet_length(p.bytes)), 0) AS bytes,
            coalesce(sum(p.sections), 0) AS sections, coalesce(sum(p.items), 0) AS items
            INTO former
        FROM broadsheet.pages p
        WHERE p.screen = screen_name AND p.number = ANY (page_numbers);
    ELSE
        SELECT count(*) AS pages, coalesce(sum(octet_length(p.bytes)), 0) AS bytes,
            coalesce(sum(p.sections), 0) AS sections, coalesce(sum(p.items), 0) AS items
            INTO former
        FROM broadsheet.pages p WHERE p.screen = screen_name AND p.number NOT IN (
            SELECT n.number FROM unnest(page_numbers, page_bytes) AS n (number, bytes)
            WHERE n.bytes IS NULL);
    END IF;

    highest := greatest(own.highest_page, put.highest);
    IF highest > own.highest_page THEN
        UPDATE broadsheet.pages p SET next_change = new_revision
        WHERE p.screen = screen_name AND p.number = own.highest_page;
    END IF;
    IF pg_catalog.cardinality(stored) > 0 THEN
        INSERT INTO broadsheet.pages AS p (
            screen, number, revision, removal_below, next_change, sections, items, bytes)
        SELECT screen_name, n.number, new_revision, 0,
            -- Each page that was the highest when it came has a next one, but for the last.
            CASE WHEN n.number < put.highest AND n.number > coalesce(greatest(
                own.highest_page, max(n.number) OVER (
                    ORDER BY n.place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)), -1)
            THEN new_revision ELSE 0 END, n.sections, n.items, n.bytes
        FROM unnest(page_numbers, page_bytes, page_sections, page_items) WITH ORDINALITY
            AS n (number, bytes, sections, items, place) WHERE n.bytes IS NOT NULL
        ON CONFLICT (screen, number) DO UPDATE SET revision = excluded.revision,
            sections = excluded.sections, items = excluded.items, bytes = excluded.bytes;
    END IF;

    IF action = 'page' THEN
        WITH deleted AS (
            DELETE FROM broadsheet.pages p
            WHERE p.screen = screen_name AND p.number = ANY (page_numbers)
            RETURNING p.number)
        SELECT array_agg(d.number) INTO gone FROM deleted d;
    ELSIF action <> 'put' THEN
        WITH deleted AS (
            DELETE FROM broadsheet.pages p
            WHERE p.screen = screen_name AND p.number NOT IN (SELECT unnest(page_numbers))
            RETURNING p.number)
        SELECT array_agg(d.number) INTO gone FROM deleted d;
    END IF;
    IF gone IS NOT NULL THEN
        SELECT p.number INTO highest FROM broadsheet.pages p WHERE p.screen = screen_name
        ORDER BY p.number DESC LIMIT 1;
        UPDATE broadsheet.pages p SET removal_below = new_revision
        WHERE p.screen = screen_name AND p.number IN (
            SELECT (SELECT min(a.number) FROM broadsheet.pages a
                WHERE a.screen = screen_name AND a.number > g.number)
            FROM unnest(gone) AS g (number));
        IF highest IS NULL THEN
            own.tree_floor := new_revision;
        ELSIF (SELECT max(g.number) FROM unnest(gone) AS g (number)) > highest THEN
            UPDATE broadsheet.pages p SET next_change = new_revision
            WHERE p.screen = screen_name AND p.number = highest;
        END IF;
    END IF;

    own.latest_page := CASE
        WHEN action = 'put' THEN page_numbers[pg_catalog.cardinality(page_numbers)]
        WHEN action = 'replace' OR own.latest_page = ANY (gone) THEN coalesce(highest, 0)
        ELSE own.latest_page END;
    own.page_count := own.page_count - former.pages + pg_catalog.cardinality(stored);
    own.byte_count := own.byte_count - former.bytes + put.bytes;
    IF total_sections IS NOT NULL THEN
        own.section_count := total_sections;
        own.item_count := total_items;
    ELSIF own.page_count = 0 THEN
        own.section_count := 0;
        own.item_count := 0;
    ELSIF put.counted IS FALSE OR own.section_count IS NULL THEN
        own.section_count := NULL;
        own.item_count := NULL;
    ELSE
        own.section_count := put.sections
            + greatest(0, own.section_count - former.sections);
        own.item_count := put.items + greatest(0, own.item_count - former.items);
    END IF;
    own.expires_at := CASE
        WHEN lifetime IS NULL THEN own.expires_at
        WHEN lifetime > 0
        THEN pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs => lifetime) END;

    INSERT INTO broadsheet.screens (
        name, revision, timeline, writes, latest_page, highest_page, page_count, byte_count,
        section_count, item_count, tree_floor, expires_at)
    VALUES (
        screen_name, new_revision, line,
        ARRAY[write_number, new_revision] || own.writes[1:30], own.latest_page, highest,
        own.page_count, own.byte_count, own.section_count,
        own.item_count, own.tree_floor, own.expires_at)
    ON CONFLICT (name) DO UPDATE SET
        revision = excluded.revision, timeline = excluded.timeline,
        writes = excluded.writes, latest_page = excluded.latest_page,
        highest_page = excluded.highest_page, page_count = excluded.page_count,
        byte_count = excluded.byte_count, section_count = excluded.section_count,
        item_count = excluded.item_count, tree_floor = excluded.tree_floor,
        expires_at = excluded.expires_at;
END
$$;

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

-- Raises the floor and all revisions by a million: the store may lack the latest ones.
--
-- unless_system: the system for which nothing is done. Returns whether anything was.
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
        floor = 1000000 + CASE WHEN s.timeline IS DISTINCT FROM line THEN 1000000 ELSE 0 END
            + greatest(s.floor, (SELECT max(c.revision) FROM broadsheet.screens c));
    UPDATE broadsheet.screens s SET timeline = line, revision = s.revision + 1000000
        + CASE WHEN s.timeline IS DISTINCT FROM line THEN 1000000 ELSE 0 END;
    RETURN true;
END
$$;

INSERT INTO broadsheet.store (one, system, floor, timeline)
VALUES (true, broadsheet.system_1(), 0, broadsheet.timeline_1()) ON CONFLICT DO NOTHING;
INSERT INTO broadsheet.migrations (version, oldest, at) VALUES (1, 1, now())
ON CONFLICT DO NOTHING;
COMMIT;

