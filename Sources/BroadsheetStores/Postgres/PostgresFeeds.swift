/// The feeds of screens on the server: the statements, and the decoding of their replies.
enum PostgresFeed {
    /// The maximum number of events in a part.
    private static let maxEvents = 1000

    /// The events of screen $1 after number $2, about $3 bytes of them; one row at least.
    private static let read = """
        SELECT l.instance, o.number, l.number, e.number, e.data, (SELECT broadsheet.line_1())
        FROM broadsheet.screens s
        LEFT JOIN LATERAL (
            SELECT f.number, f.instance FROM broadsheet.feeds f
            WHERE f.screen = s.name ORDER BY f.number DESC LIMIT 1
        ) AS l ON true
        LEFT JOIN LATERAL (
            SELECT f.number FROM broadsheet.feeds f
            WHERE f.screen = s.name ORDER BY f.number LIMIT 1
        ) AS o ON true
        LEFT JOIN LATERAL (
            SELECT f.number, f.end_bytes - octet_length(f.data) AS start FROM broadsheet.feeds f
            WHERE f.screen = s.name AND f.number > $2 ORDER BY f.number LIMIT 1
        ) AS w ON true
        LEFT JOIN LATERAL (
            SELECT f.number, f.end_bytes, f.data FROM broadsheet.feeds f
            WHERE f.screen = s.name AND f.number > $2 ORDER BY f.number LIMIT \(maxEvents)
        ) AS e ON e.number = w.number OR e.end_bytes - w.start <= $3
        WHERE s.name = $1 AND (s.expires_at IS NULL OR s.expires_at > now())
        ORDER BY e.number
        """

    private static let append = """
        SELECT a.revision, \(dropped)
        FROM broadsheet.append_2($1, $2, $3, $4, $5, $6, $7) AS a (revision)
        """

    /// The number of events that a function in the FROM clause of the statement has dropped, which
    /// sets it for its transaction.
    static let dropped = "pg_catalog.current_setting('broadsheet.dropped', true)"

    /// Returns the number of ``dropped`` events; after another transaction of the connection the
    /// text may be empty.
    static func droppedCount(_ row: PostgresRow, _ column: Int32) -> UInt64 {
        row.text(column).flatMap { UInt64($0) } ?? 0
    }

    /// Stores events without a revision, and returns the revision of the screen; `nil` if there is
    /// no such screen.
    ///
    /// - Parameters:
    ///   - number: A random number, by which the server knows events that are sent again.
    ///   - isRepeated: A Boolean value that indicates whether an earlier attempt may have stored
    ///     them.
    ///   - dropped: The number of dropped events, to which those of the feed are added.
    static func append(
        _ events: [[UInt8]], to screen: ScreenName, number: Int64, isRepeated: Bool,
        _ bounds: FeedBounds, counting dropped: DroppedEvents, on connection: PostgresConnection
    ) throws(PostgresFailure) -> UInt64? {
        var parameters = PostgresParameters(capacity: events.reduce(256) { $0 + $1.count })
        parameters.add(screen.text)
        parameters.add(number)
        parameters.add(isRepeated)
        parameters.addEvents(events, bounds)
        var (revision, droppedCount): (UInt64?, UInt64) = (nil, 0)
        let warnings = try connection.run(append, parameters) { row in
            (revision, droppedCount) = (row.revision(0), Self.droppedCount(row, 1))
        }
        guard warnings == 0 else { throw .warned }
        dropped.add(droppedCount)
        return revision
    }

    /// Reads events after a number: about `byteCount` bytes of them, and one at least.
    ///
    /// - Returns: `nil` if there is no such screen.
    static func part(
        of screen: ScreenName, after number: UInt64, byteCount: Int,
        on connection: PostgresConnection, _ line: PostgresLine
    ) throws(PostgresFailure) -> FeedPart? {
        var parameters = PostgresParameters()
        parameters.add(screen.text)
        parameters.add(Int64(clamping: number))
        parameters.add(Int64(byteCount))
        var part: FeedPart?
        try connection.run(read, parameters, byRow: true) { row throws(PostgresFailure) in
            if part == nil { try line.record(row.integer(5)) }
            try add(row, of: screen, after: number, to: &part)
        }
        if part == nil { try PostgresScreenReader.checkPrimary(connection, line) }
        if let part, part.events.isEmpty, part.last > number, part.last >= part.first {
            throw .malformed("the feed of screen \(screen) lacks event \(number &+ 1)")
        }
        return part
    }

    private static func add(
        _ row: PostgresRow, of screen: ScreenName, after number: UInt64, to part: inout FeedPart?
    ) throws(PostgresFailure) {
        var known = part ?? FeedPart()
        defer { part = known }
        guard let instance = row.text(0), let first = row.revision(1), let last = row.revision(2)
        else { return }
        (known.instance, known.first, known.last) = (instance, first, last)
        guard let next = row.revision(3) else { return }
        let expected = known.events.last.map { $0.number + 1 } ?? max(first, number &+ 1)
        guard next == expected, let data = row.bytes(4) else {
            // Those before a missing one are returned first.
            guard known.events.isEmpty else { return }
            throw .malformed("the feed of screen \(screen) lacks event \(expected)")
        }
        known.events.append(FeedEvent(number: next, data: data))
    }
}

extension PostgresParameters {
    /// Adds events, the instance of a new feed, and the bounds.
    mutating func addEvents(_ events: [[UInt8]], _ bounds: FeedBounds) {
        add((bounds.isNone ? [] : events).map { $0 as [UInt8]? })
        add(FeedPart.newInstance())
        add(Int64(clamping: bounds.maxEvents))
        add(Int64(clamping: bounds.maxBytes))
    }
}
