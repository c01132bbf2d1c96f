/// The table of the records of revisions (``RevisionRecord``), each with a checksum.
struct SQLiteRecords {
    private let insert: SQLiteStatement
    private let findOldest: SQLiteStatement
    private let findAged: SQLiteStatement
    private let readDown: SQLiteStatement
    private let deleteUpTo: SQLiteStatement
    private let deleteBelow: SQLiteStatement

    /// Prepares the statements on a connection with the current schema.
    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        let columns = "creation, revision, at, record, checksum"
        insert = try connection.prepare(
            "INSERT OR REPLACE INTO revisions (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5)")
        findOldest = try connection.prepare(
            """
            SELECT \(columns) FROM revisions WHERE creation = ?1 AND revision > ?2
            ORDER BY revision LIMIT 1
            """)
        findAged = try connection.prepare(
            """
            SELECT max(revision) FROM revisions
            WHERE creation = ?1 AND revision > ?2 AND at <= ?3
            """)
        readDown = try connection.prepare(
            """
            SELECT \(columns) FROM revisions WHERE creation = ?1 AND revision <= ?2
            ORDER BY revision DESC LIMIT ?3
            """)
        deleteUpTo = try connection.prepare(
            "DELETE FROM revisions WHERE creation = ?1 AND revision <= ?2")
        deleteBelow = try connection.prepare(
            "DELETE FROM revisions WHERE creation = ?1 AND revision < ?2")
    }

    /// Stores a record, or replaces it.
    func save(_ record: RevisionRecord) throws(SQLiteFailure) {
        try save(record.creation, record.revision, record.note.at ?? 0, record.bytes)
    }

    private func save(
        _ creation: Int64, _ revision: UInt64, _ at: Int64, _ record: [UInt8]
    ) throws(SQLiteFailure) {
        try insert.run { statement throws(SQLiteFailure) in
            try statement.bind(creation, at: 1)
            try statement.bind(Int64(bitPattern: revision), at: 2)
            try statement.bind(at, at: 3)
            try statement.bind(String(decoding: record, as: UTF8.self), at: 4)
            try statement.bind(Self.checksum(creation, revision, at, record), at: 5)
            _ = try statement.step()
        }
    }

    /// A record as it is stored, of which the state before the revision is read when it is needed.
    struct Stored {
        /// The creation of the screen.
        let creation: Int64
        /// The revision.
        let revision: UInt64
        /// The time of the write, in milliseconds since 1970.
        let at: Int64
        fileprivate let facts: ArraySlice<UInt8>
        private let formerPart: ArraySlice<UInt8>

        fileprivate init(_ row: SQLiteStatement) throws(SQLiteFailure) {
            (creation, at) = (row.integer(0), row.integer(2))
            revision = UInt64(bitPattern: row.integer(1))
            let record = row.bytes(3)
            guard SQLiteRecords.checksum(creation, revision, at, record) == row.integer(4) else {
                throw .damaged("the record of revision \(revision) of a screen")
            }
            (facts, formerPart) = RevisionRecord.parts(of: record)
        }

        /// The state before the revision; `nil` if it is not kept.
        var former: FormerState? { formerPart.isEmpty ? nil : FormerState(part: formerPart) }
    }

    /// Returns the first record after a revision, or `nil`.
    func oldest(of creation: Int64, after revision: UInt64) throws(SQLiteFailure) -> Stored? {
        try findOldest.run { row throws(SQLiteFailure) in
            guard try row.step(creation, Int64(bitPattern: revision)) else { return nil }
            return try Stored(row)
        }
    }

    /// Removes the state before a revision, which is not kept any more, from its record.
    func removeFormer(of record: Stored) throws(SQLiteFailure) {
        try save(record.creation, record.revision, record.at, Array(record.facts))
    }

    /// Returns the last revision after another one that was written at a time or before it; `nil`
    /// for none.
    func aged(
        of creation: Int64, after revision: UInt64, at time: Int64
    ) throws(SQLiteFailure) -> UInt64? {
        try findAged.run { row throws(SQLiteFailure) in
            guard try row.step(creation, Int64(bitPattern: revision), time), !row.isNull(0) else {
                return nil
            }
            return UInt64(bitPattern: row.integer(0))
        }
    }

    /// Passes the records up to a revision to `body`, the newest first, until it returns `false`.
    func forEach(
        of creation: Int64, upTo revision: UInt64, limit: Int = .max,
        _ body: (RevisionRecord) throws(SQLiteFailure) -> Bool
    ) throws(SQLiteFailure) {
        try readDown.run { row throws(SQLiteFailure) in
            var isThere = try row.step(
                creation, Int64(clamping: revision), Int64(clamping: limit))
            while isThere, try body(try Self.record(row)) { isThere = try row.step() }
        }
    }

    /// Deletes the records below a revision.
    func delete(of creation: Int64, below revision: UInt64) throws(SQLiteFailure) {
        try deleteBelow.run { statement throws(SQLiteFailure) in
            _ = try statement.step(creation, Int64(clamping: revision))
        }
    }

    /// Deletes the records up to a revision.
    func delete(of creation: Int64, upTo revision: UInt64) throws(SQLiteFailure) {
        try deleteUpTo.run { statement throws(SQLiteFailure) in
            _ = try statement.step(creation, Int64(clamping: revision))
        }
    }

    private static func record(_ row: SQLiteStatement) throws(SQLiteFailure) -> RevisionRecord {
        let revision = UInt64(bitPattern: row.integer(1))
        let bytes = row.bytes(3)
        guard checksum(row.integer(0), revision, row.integer(2), bytes) == row.integer(4),
            let record = RevisionRecord(bytes: bytes), record.creation == row.integer(0),
            record.revision == revision
        else { throw .damaged("the record of revision \(revision) of a screen") }
        return record
    }

    private static func checksum(
        _ creation: Int64, _ revision: UInt64, _ at: Int64, _ record: [UInt8]
    ) -> Int64 {
        RowChecksum.value { sum in
            sum.combine(creation)
            sum.combine(Int64(bitPattern: revision))
            sum.combine(at)
            sum.combine(record)
        }
    }
}
