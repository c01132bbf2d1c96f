/// The table of the revisions of pages besides those of their own writes (``TreeHistory``), in a
/// transaction of the caller.
struct SQLitePageRevisions {
    /// A row of the table.
    struct Row: Hashable {
        /// The key of the page (``PageKey``).
        var key: Int64
        /// The revision of ``TreeHistory/Page/removalBelow``.
        var removalBelow: UInt64 = 0
        /// The revision of ``TreeHistory/Page/nextChange``.
        var nextChange: UInt64 = 0

        /// The checksum of the row.
        var checksum: Int64 {
            RowChecksum.value { sum in
                sum.combine(key)
                sum.combine(Int64(bitPattern: removalBelow))
                sum.combine(Int64(bitPattern: nextChange))
            }
        }

        /// Records a revision.
        mutating func record(_ revision: UInt64, of kind: Kind) {
            switch kind {
            case .removal: removalBelow = revision
            case .next: nextChange = revision
            }
        }
    }

    /// The event that a revision is of.
    enum Kind {
        /// A page below this one was removed.
        case removal
        /// The page began or ceased to have a next one.
        case next
    }

    private let find: SQLiteStatement
    private let readAll: SQLiteStatement
    private let save: SQLiteStatement
    private let delete: SQLiteStatement

    /// Prepares the statements on a connection with the current schema.
    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        let columns = "key, removal_below, next_change, checksum"
        find = try connection.prepare("SELECT \(columns) FROM page_changes WHERE key = ?1")
        readAll = try connection.prepare(
            "SELECT \(columns) FROM page_changes WHERE key BETWEEN ?1 AND ?2 ORDER BY key")
        save = try connection.prepare(
            "INSERT OR REPLACE INTO page_changes (\(columns)) VALUES (?1, ?2, ?3, ?4)")
        delete = try connection.prepare("DELETE FROM page_changes WHERE key = ?1")
    }

    /// Returns the rows with these keys, ascending.
    func all(in keys: ClosedRange<Int64>) throws(SQLiteFailure) -> [Row] {
        try readAll.run { statement throws(SQLiteFailure) in
            try statement.bind(keys.lowerBound, at: 1)
            try statement.bind(keys.upperBound, at: 2)
            var rows: [Row] = []
            while try statement.step() {
                rows.append(try Self.row(statement))
            }
            return rows
        }
    }

    /// Records a revision of a page, and returns the difference of the sum of checksums.
    func record(
        _ revision: UInt64, of kind: Kind, at key: Int64
    ) throws(SQLiteFailure) -> Int64 {
        let former = try row(key)
        var row = former ?? Row(key: key)
        row.record(revision, of: kind)
        try save.run { statement throws(SQLiteFailure) in
            try statement.bind(key, at: 1)
            try statement.bind(Int64(bitPattern: row.removalBelow), at: 2)
            try statement.bind(Int64(bitPattern: row.nextChange), at: 3)
            try statement.bind(row.checksum, at: 4)
            _ = try statement.step()
        }
        return row.checksum &- (former?.checksum ?? 0)
    }

    /// Removes the row of a page, if there is one, and returns the difference of the sum of
    /// checksums.
    func remove(_ key: Int64) throws(SQLiteFailure) -> Int64 {
        guard let former = try row(key) else { return 0 }
        try delete.run { statement throws(SQLiteFailure) in _ = try statement.step(key) }
        return 0 &- former.checksum
    }

    private func row(_ key: Int64) throws(SQLiteFailure) -> Row? {
        try find.run { statement throws(SQLiteFailure) in
            try statement.step(key) ? try Self.row(statement) : nil
        }
    }

    private static func row(_ statement: SQLiteStatement) throws(SQLiteFailure) -> Row {
        let row = Row(
            key: statement.integer(0), removalBelow: UInt64(bitPattern: statement.integer(1)),
            nextChange: UInt64(bitPattern: statement.integer(2)))
        guard row.checksum == statement.integer(3) else {
            throw .damaged("the changes of page \(PageKey.number(of: row.key))")
        }
        return row
    }
}
