/// A batch as the parameters of the function of the server, and the decoding of its reply.
enum PostgresBatch {
    /// The maximum number of bytes of the values of a batch.
    static let maxBytes = 256 << 20

    private static let statement = """
        SELECT a.line, a.floor, a.floor_line, a.revision, a.edit, a.time_left, a.feed_version,
            a.bytes, a.feed, a.applied
        FROM broadsheet.apply_1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
            $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26) AS a
        """

    static func apply(
        _ parameters: PostgresParameters, on connection: PostgresConnection
    ) throws(PostgresFailure) -> BatchOutcome {
        var outcome: BatchOutcome?
        let warnings = try connection.run(statement, parameters) { row throws(PostgresFailure) in
            guard !row.isTrue(9) else { return outcome = .applied }
            var reply = try RecordReply(serverIn: row)
            reply.records = [try RecordState(row, knowing: nil)]
            outcome = .conflict(reply)
        }
        guard warnings == 0 else { throw .warned }
        guard let outcome else { throw .malformed("the reply to a batch has no row") }
        return outcome
    }

    static func parameters(of batch: StoreBatch) -> PostgresParameters {
        var parameters = PostgresParameters(capacity: batch.byteCount + batch.keyCount * 32 + 1024)
        parameters.add(batch.screen.text)
        parameters.add(number: batch.line)
        parameters.add(batch.expectation.word)
        let expected = batch.expectation.version
        parameters.add(number: expected?.revision)
        parameters.add(number: expected?.edit)
        parameters.add(batch.change)
        parameters.add(batch.clears)
        parameters.add(batch.change.record)
        parameters.add(number: batch.feed?.expected)
        parameters.add(number: batch.feed?.version)
        parameters.add(batch.feed?.bytes)
        parameters.add(keys: batch.deletes)
        parameters.add(keys: batch.puts.map(\.key))
        parameters.add(batch.puts.map(\.bytes))
        parameters.add(number: batch.floor?.revision)
        parameters.add(number: batch.floor?.line)
        return parameters
    }
}

extension RecordReply {
    /// Reads the state of the server from the first columns of a row.
    init(serverIn row: PostgresRow) throws(PostgresFailure) {
        guard let line = row.number(0), let floor = row.number(1), let floorLine = row.number(2)
        else { throw .malformed("the row of broadsheet.store has null values") }
        self.init(
            line: line, floor: RevisionFloor(revision: floor, line: floorLine), records: [])
    }
}

extension RecordState {
    /// Reads a record from the columns of a row behind those of the server.
    ///
    /// - Parameter known: The version of which the row has no bytes.
    init(_ row: PostgresRow, knowing known: RecordVersion?) throws(PostgresFailure) {
        guard let revision = row.number(3) else {
            self = .absent
            return
        }
        guard let edit = row.number(4), let feedVersion = row.number(6) else {
            throw .malformed("a row of broadsheet.records has null values")
        }
        let version = RecordVersion(revision: revision, edit: edit)
        let timeLeft = row.integer(5).map { Int64($0) }
        if version == known {
            self = .unchanged(timeLeft: timeLeft)
            return
        }
        guard let bytes = row.bytes(7) else {
            throw .malformed("a row of broadsheet.records has no bytes")
        }
        self = .present(
            StoredRecord(
                version: version, bytes: bytes, timeLeft: timeLeft, feedVersion: feedVersion,
                feed: row.bytes(8)))
    }
}

extension StoreBatch {
    fileprivate var keyCount: Int { deletes.count + puts.count }
}

extension StoreBatch.Expectation {
    /// The name in the function of the server.
    fileprivate var word: String {
        switch self {
        case .absent: "absent"
        case .current: "current"
        case .expired: "expired"
        case .alive: "alive"
        case .unchecked: "unchecked"
        }
    }

    /// The version that the record must have; `nil` for any.
    fileprivate var version: RecordVersion? {
        switch self {
        case .current(let version), .expired(let version): version
        case .absent, .alive, .unchecked: nil
        }
    }
}

extension StoreBatch.Change {
    fileprivate var record: StoreBatch.RecordWrite? {
        if case .write(let record) = self { record } else { nil }
    }
}

extension ScreenLifetime {
    /// The seconds, 0 for a screen that does not expire, or `nil` for what it has.
    fileprivate var parameter: Int64? {
        switch self {
        case .unchanged: nil
        case .indefinite: 0
        case .seconds: wholeSeconds.map { Int64($0) }
        }
    }
}

extension PostgresParameters {
    /// Adds the 64 bits of a number.
    mutating func add(number: UInt64?) { add(number.map { Int64(bitPattern: $0) }) }

    /// Adds arrays of the kinds, the numbers and the revisions of keys.
    mutating func add(keys: [ObjectKey]) {
        add(keys.map { Int32($0.kind) })
        add(keys.map { Int64(bitPattern: $0.number) })
        add(keys.map { Int64(bitPattern: $0.revision) })
    }

    fileprivate mutating func add(_ change: StoreBatch.Change) {
        switch change {
        case .none: add("none")
        case .write: add("write")
        case .remove: add("remove")
        }
    }

    fileprivate mutating func add(_ record: StoreBatch.RecordWrite?) {
        add(number: record?.version.revision)
        add(number: record?.version.edit)
        add(record?.bytes)
        add(record?.due)
        add((record?.weight).map { Int64($0) })
        add((record?.listedBytes).map { Int64($0) })
        add(record?.lifetime.parameter)
    }
}
