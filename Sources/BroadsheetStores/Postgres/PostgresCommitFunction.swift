/// The function of the server that performs a commit, and keeps what it replaces.
enum PostgresCommitFunction {
    /// The definition, and that of the function with which releases of version 1 commit.
    ///
    /// The rules of the trees are those of ``TreeHistory``, those of sizes are
    /// ``ScreenSize/replace(_:with:)``, and the record is ``RevisionRecord/text``. A page that is
    /// replaced is copied, because the table of pages is read by releases that know no other one.
    /// The cost does not depend on the other pages, except that a replacement looks at the keys of
    /// all of them.
    static let sql = [commit, earlierCommit].joined(separator: "\n\n")

    private static let commit = """
        -- Writes a screen by compare-and-set, and keeps the revision that it replaces.
        --
        -- expected: null for a new screen. action: put, replace, page, pages or screen. lifetime:
        -- seconds, 0 for no end, null for the one that the screen has. page_numbers: the pages to
        -- store, those to keep (without bytes), or the page to remove. new_creation: the creation
        -- of a new screen, null to keep no history. written_at: milliseconds since 1970. note,
        -- operations: words of the record. cutoff: the time up to which revisions are too old.
        -- events: those of the feed. instance: that of a new feed.
        --
        -- outcome: done; conflict, which is final; unclear, a conflict that the same commit may
        -- have caused if it was sent before.
        CREATE OR REPLACE FUNCTION broadsheet.commit_2(
            screen_name text, expected bigint, action text, write_number bigint, lifetime bigint,
            page_numbers int[], page_bytes bytea[], page_sections int[], page_items int[],
            total_sections bigint, total_items bigint, new_creation bigint, written_at bigint,
            note text, operations text, max_revisions bigint, max_bytes bigint, cutoff bigint,
            events bytea[], instance text, max_events bigint, max_event_bytes bigint,
            OUT outcome text, OUT new_revision bigint
        ) LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
            line int := broadsheet.begin_1();
            own record;
            former record;
            put record;
            stored int[];
            touched int[];
            above int[];
            gone int[];
            highest int;
            -- The revision before this one; null for a new screen.
            before bigint;
            -- The bytes of earlier pages that may be kept, and whether those of this commit are.
            most bigint;
            is_kept boolean;
            -- The lines of the record: of the state before, and of its pages.
            head text;
            lines text[] := '{}';
            entry text;
        BEGIN
            PERFORM pg_catalog.pg_advisory_xact_lock(1114794099, pg_catalog.hashtext(screen_name));
            SELECT s.revision, s.timeline, s.writes, s.latest_page, s.highest_page, s.page_count,
                s.byte_count, s.section_count, s.item_count, s.tree_floor, s.expires_at,
                s.creation, s.first_revision, s.history_count, s.history_bytes INTO own
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
                IF action = 'screen' AND own.revision IS NULL THEN
                    -- If this commit has removed it before, this transaction, too, waits.
                    UPDATE broadsheet.store s SET floor = s.floor;
                END IF;
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

            before := own.revision;
            IF before IS NULL THEN
                SELECT s.floor AS revision, s.timeline, '{}'::bigint[] AS writes, 0 AS latest_page,
                    NULL::int AS highest_page, 0 AS page_count, 0::bigint AS byte_count,
                    0::bigint AS section_count, 0::bigint AS item_count, 0::bigint AS tree_floor,
                    NULL::timestamptz AS expires_at, NULL::bigint AS creation,
                    NULL::bigint AS first_revision, 0 AS history_count,
                    0::bigint AS history_bytes INTO STRICT own
                FROM broadsheet.store s;
                DELETE FROM broadsheet.feeds f WHERE f.screen = screen_name;
            END IF;
            new_revision := own.revision + 1 + broadsheet.gap_1(own.timeline, line);

            stored := ARRAY(
                SELECT n.number FROM unnest(page_numbers, page_bytes) AS n (number, bytes)
                WHERE n.bytes IS NOT NULL);
            SELECT coalesce(sum(octet_length(n.bytes)), 0) AS bytes,
                coalesce(sum(n.sections), 0) AS sections, coalesce(sum(n.items), 0) AS items,
                bool_and(n.sections IS NOT NULL AND n.items IS NOT NULL) AS counted,
                max(n.number) AS highest INTO put
            FROM unnest(page_numbers, page_bytes, page_sections, page_items)
                AS n (number, bytes, sections, items) WHERE n.bytes IS NOT NULL;
            -- The pages that are replaced or removed, as they are.
            touched := page_numbers;
            IF action NOT IN ('put', 'page') THEN
                touched := ARRAY(
                    SELECT p.number FROM broadsheet.pages p
                    WHERE p.screen = screen_name AND p.number NOT IN (
                        SELECT n.number FROM unnest(page_numbers, page_bytes) AS n (number, bytes)
                        WHERE n.bytes IS NULL));
            END IF;
            SELECT count(*) AS pages, coalesce(sum(octet_length(p.bytes)), 0) AS bytes,
                coalesce(sum(p.sections), 0) AS sections, coalesce(sum(p.items), 0) AS items
                INTO former
            FROM broadsheet.pages p WHERE p.screen = screen_name AND p.number = ANY (touched);

            most := least(
                max_bytes, greatest(own.byte_count - former.bytes + put.bytes, 262144));
            is_kept := new_creation IS NOT NULL AND before IS NOT NULL
                AND former.bytes <= most;
            IF is_kept THEN
                head := pg_catalog.concat_ws(
                    ' ', 'h 0', own.latest_page, coalesce(own.highest_page::text, '-'),
                    own.page_count, own.byte_count, coalesce(own.section_count::text, '-'),
                    coalesce(own.item_count::text, '-'), own.tree_floor);
                INSERT INTO broadsheet.history_pages (
                    screen, to_revision, number, from_revision, bytes)
                SELECT screen_name, new_revision, p.number, p.revision, p.bytes
                FROM broadsheet.pages p WHERE p.screen = screen_name AND p.number = ANY (touched);
                lines := broadsheet.lines_2(screen_name, touched, new_revision) || ARRAY(
                    SELECT 'n ' || n.number FROM unnest(stored) AS n (number)
                    WHERE NOT EXISTS (
                        SELECT FROM broadsheet.pages p
                        WHERE p.screen = screen_name AND p.number = n.number));
            END IF;

            highest := greatest(own.highest_page, put.highest);
            IF highest > own.highest_page THEN
                IF is_kept THEN
                    lines := lines
                        || broadsheet.lines_2(screen_name, ARRAY[own.highest_page], NULL);
                END IF;
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
                above := ARRAY(
                    SELECT (SELECT min(a.number) FROM broadsheet.pages a
                        WHERE a.screen = screen_name AND a.number > g.number)
                    FROM unnest(gone) AS g (number));
                IF is_kept THEN
                    -- Of each page the first line counts.
                    lines := lines || broadsheet.lines_2(screen_name, above || highest, NULL);
                END IF;
                UPDATE broadsheet.pages p SET removal_below = new_revision
                WHERE p.screen = screen_name AND p.number = ANY (above);
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

        \(record)

            INSERT INTO broadsheet.screens (
                name, revision, timeline, writes, latest_page, highest_page, page_count, byte_count,
                section_count, item_count, tree_floor, expires_at, creation, first_revision,
                history_count, history_bytes, has_history)
            VALUES (
                screen_name, new_revision, line,
                ARRAY[write_number, new_revision] || own.writes[1:30], own.latest_page, highest,
                own.page_count, own.byte_count, own.section_count,
                own.item_count, own.tree_floor, own.expires_at, own.creation, own.first_revision,
                own.history_count, own.history_bytes, own.history_count > 0)
            ON CONFLICT (name) DO UPDATE SET
                revision = excluded.revision, timeline = excluded.timeline,
                writes = excluded.writes, latest_page = excluded.latest_page,
                highest_page = excluded.highest_page, page_count = excluded.page_count,
                byte_count = excluded.byte_count, section_count = excluded.section_count,
                item_count = excluded.item_count, tree_floor = excluded.tree_floor,
                expires_at = excluded.expires_at, creation = excluded.creation,
                first_revision = excluded.first_revision,
                history_count = excluded.history_count, history_bytes = excluded.history_bytes,
                has_history = excluded.has_history;
            IF pg_catalog.cardinality(events) > 0 THEN
                PERFORM broadsheet.feed_2(
                    screen_name, write_number, events, instance, max_events, max_event_bytes);
            END IF;
        END
        $$;
        """

    /// The part that stores the record, and drops the revisions that are beyond the bounds.
    private static let record = """
            IF new_creation IS NULL THEN
                IF own.creation IS NOT NULL THEN
                    PERFORM broadsheet.cut_2(screen_name, NULL);
                END IF;
                own.creation := NULL;
                own.first_revision := NULL;
                own.history_count := 0;
                own.history_bytes := 0;
            ELSE
                own.creation := coalesce(own.creation, new_creation);
                IF own.first_revision IS NULL OR own.first_revision <> before AND NOT EXISTS (
                    SELECT FROM broadsheet.history h
                    WHERE h.screen = screen_name AND h.revision = before)
                THEN
                    -- New, or an earlier release wrote in between.
                    own.first_revision := coalesce(before, new_revision);
                    own.history_count := 0;
                    own.history_bytes := 0;
                    PERFORM broadsheet.cut_2(screen_name, own.first_revision);
                END IF;
                SELECT coalesce(string_agg(c.word, ' ' ORDER BY c.number), '') INTO entry
                FROM (
                    SELECT n.number, n.number || ':' || octet_length(n.bytes) AS word
                    FROM unnest(page_numbers, page_bytes) AS n (number, bytes)
                    WHERE n.bytes IS NOT NULL
                    UNION ALL SELECT g.number, g.number || ':-' FROM unnest(gone) AS g (number)
                    ORDER BY 1 LIMIT 100) AS c;
                entry := pg_catalog.concat(
                    '1 ', own.creation, ' ', new_revision, ' ', coalesce(before, new_revision), ' ',
                    note, ' ', own.page_count, E'\\n', operations, E'\\n', entry,
                    CASE WHEN coalesce(pg_catalog.cardinality(gone), 0)
                        + pg_catalog.cardinality(stored) > 100
                    THEN ' +' || (coalesce(pg_catalog.cardinality(gone), 0)
                        + pg_catalog.cardinality(stored) - 100) END);
                IF is_kept THEN
                    entry := pg_catalog.array_to_string(ARRAY[entry, head] || lines, E'\\n');
                    own.history_count := own.history_count + 1;
                    own.history_bytes := own.history_bytes + former.bytes;
                ELSIF before IS NOT NULL THEN
                    own.first_revision := new_revision;
                    own.history_count := 0;
                    own.history_bytes := 0;
                    PERFORM broadsheet.cut_2(screen_name, new_revision);
                END IF;
                INSERT INTO broadsheet.history (screen, revision, at, bytes, record)
                VALUES (screen_name, new_revision, written_at, former.bytes,
                    pg_catalog.convert_to(entry, 'UTF8'));
                SELECT p.first, p.kept, p.size
                    INTO own.first_revision, own.history_count, own.history_bytes
                FROM broadsheet.prune_2(
                    screen_name, own.first_revision, own.history_count, own.history_bytes,
                    max_revisions, most, cutoff) AS p;
            END IF;
        """

    private static let earlierCommit = """
        -- Commits of a release that knows no history: what there was is forgotten.
        CREATE OR REPLACE FUNCTION broadsheet.commit_1(
            screen_name text, expected bigint, action text, write_number bigint, lifetime bigint,
            page_numbers int[], page_bytes bytea[], page_sections int[], page_items int[],
            total_sections bigint, total_items bigint, OUT outcome text, OUT new_revision bigint
        ) LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            SELECT c.outcome, c.new_revision INTO outcome, new_revision
            FROM broadsheet.commit_2(
                screen_name, expected, action, write_number, lifetime, page_numbers, page_bytes,
                page_sections, page_items, total_sections, total_items, NULL, NULL, NULL, NULL,
                NULL, NULL, NULL, '{}', NULL, NULL, NULL) AS c;
        END
        $$;
        """
}
