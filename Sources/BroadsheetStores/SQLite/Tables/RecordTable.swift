/// The rows of records, which are found by the names of their screens.
///
/// The checksum of a row covers all of its columns, but of its values the lengths alone: values
/// have checksums of their own.
struct RecordTable {
    /// The number of names, and the sum of checksums of all of them.
    struct Names: Hashable, Sendable {
        var count: UInt64
        var sum: UInt64

        /// Adds a name with the id of its record, or with a factor of -1 removes it.
        mutating func add(_ name: ScreenName, _ id: Int64, factor: Int64 = 1) {
            count &+= UInt64(bitPattern: factor)
            sum &+= UInt64(bitPattern: factor &* Self.sum(of: name.text, id))
        }

        fileprivate static func sum(of name: String, _ id: Int64) -> Int64 {
            RowChecksum.value { sum in
                sum.combine(name)
                sum.combine(id)
            }
        }
    }

    /// A row without its values.
    struct Row: Hashable, Sendable {
        /// The id of the row, and of the creation of the screen.
        var id: Int64
        var version: RecordVersion
        var feedVersion: UInt64
        var expiry: Int64?
        var due: Int64?
        var weight: Int
        var listedBytes: Int
        /// The length of the record.
        var byteCount: Int
        var feedByteCount: Int?

        func stored(at now: Int64, bytes: [UInt8] = [], feed: [UInt8]? = nil) -> StoredRecord {
            StoredRecord(
                version: version, bytes: bytes, timeLeft: expiry.map { $0 &- now },
                feedVersion: feedVersion, feed: feed)
        }

        func isExpired(at now: Int64) -> Bool { expiry.map { $0 <= now } ?? false }

        fileprivate func checksum(_ name: String) -> Int64 {
            RowChecksum.value { sum in
                sum.combine(name)
                for number in [
                    id, Int64(bitPattern: version.revision), Int64(bitPattern: version.edit),
                    Int64(bitPattern: feedVersion), expiry == nil ? 0 : 1, expiry ?? 0,
                    due == nil ? 0 : 1, due ?? 0, Int64(weight), Int64(listedBytes),
                    Int64(byteCount), Int64(feedByteCount ?? -1),
                ] {
                    sum.combine(number)
                }
            }
        }
    }

    private static let columns = """
        r.id, r.revision, r.edit, r.feed_version, r.expiry, r.due, r.weight, r.listed_bytes, \
        length(r.bytes), length(r.feed), r.checksum, n.name
        """
    private static let tables = "names n LEFT JOIN records r ON r.id = n.id"

    private let find: SQLiteStatement
    private let read: SQLiteStatement
    private let list: SQLiteStatement
    private let listExpired: SQLiteStatement
    private let listDue: SQLiteStatement

    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        find = try connection.prepare(
            "SELECT \(Self.columns) FROM \(Self.tables) WHERE n.name = ?1")
        read = try connection.prepare(
            "SELECT \(Self.columns), r.bytes, r.feed FROM \(Self.tables) WHERE n.name = ?1")
        list = try connection.prepare(
            """
            SELECT \(Self.columns) FROM \(Self.tables) WHERE n.name >= ?1 AND n.name < ?2
            ORDER BY n.name
            """)
        listExpired = try connection.prepare(
            "SELECT name FROM records WHERE expiry <= ?1 ORDER BY expiry LIMIT ?2")
        listDue = try connection.prepare(
            "SELECT name FROM records WHERE due < ?1 ORDER BY due LIMIT ?2")
    }

    /// Returns the row of a screen without its values; `nil` if there is none.
    func row(of name: ScreenName) throws(SQLiteFailure) -> Row? {
        try find.run { statement throws(SQLiteFailure) in
            try statement.bind(name.text, at: 1)
            return try statement.step() ? try Self.row(statement, name.text) : nil
        }
    }

    func record(
        of name: ScreenName, unlessAt known: RecordVersion? = nil, at now: Int64
    ) throws(SQLiteFailure) -> RecordState {
        try read.run { statement throws(SQLiteFailure) in
            try statement.bind(name.text, at: 1)
            guard try statement.step() else { return .absent }
            let row = try Self.row(statement, name.text)
            guard row.version != known else {
                return .unchanged(timeLeft: row.expiry.map { $0 &- now })
            }
            return .present(
                row.stored(
                    at: now, bytes: statement.bytes(12),
                    feed: row.feedByteCount == nil ? nil : statement.bytes(13)))
        }
    }

    /// Returns up to `limit` screens in name order that have not expired.
    func list(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int, at now: Int64
    ) throws(SQLiteFailure) -> [ScreenListing] {
        try list.run { statement throws(SQLiteFailure) in
            try statement.bind(prefix.lowerBound(after: name), at: 1)
            try statement.bind(prefix.upperBound, at: 2)
            var listed: [ScreenListing] = []
            while listed.count < limit, try statement.step() {
                let name = try Self.name(statement, at: 11)
                let row = try Self.row(statement, name.text)
                guard !row.isExpired(at: now) else { continue }
                listed.append(
                    ScreenListing(
                        name: name, revision: row.version.revision, byteCount: row.listedBytes))
            }
            return listed
        }
    }

    /// Returns up to `limit` screens that have expired, the earliest first.
    func expired(at now: Int64, limit: Int) throws(SQLiteFailure) -> [ScreenName] {
        try Self.names(listExpired, now, limit)
    }

    /// Returns up to `limit` screens that are due before a time, the earliest first.
    func due(before time: Int64, limit: Int) throws(SQLiteFailure) -> [ScreenName] {
        try Self.names(listDue, time, limit)
    }

    private static func names(
        _ query: SQLiteStatement, _ time: Int64, _ limit: Int
    ) throws(SQLiteFailure) -> [ScreenName] {
        try query.run { statement throws(SQLiteFailure) in
            var names: [ScreenName] = []
            var isThere = try statement.step(time, Int64(limit))
            while isThere {
                names.append(try name(statement, at: 0))
                isThere = try statement.step()
            }
            return names
        }
    }

    private static func name(
        _ statement: SQLiteStatement, at index: Int32
    ) throws(SQLiteFailure) -> ScreenName {
        guard let name = ScreenName(statement.text(index)) else {
            throw .invalid("a screen's name")
        }
        return name
    }

    private static func row(
        _ statement: SQLiteStatement, _ name: String
    ) throws(SQLiteFailure) -> Row {
        guard !statement.isNull(0) else { throw .invalid("the record of screen \(name)") }
        func optional(_ index: Int32) -> Int64? {
            statement.isNull(index) ? nil : statement.integer(index)
        }
        func number(_ index: Int32) -> UInt64 { UInt64(bitPattern: statement.integer(index)) }
        let row = Row(
            id: statement.integer(0), version: RecordVersion(revision: number(1), edit: number(2)),
            feedVersion: number(3), expiry: optional(4), due: optional(5),
            weight: Int(statement.integer(6)), listedBytes: Int(statement.integer(7)),
            byteCount: Int(statement.integer(8)), feedByteCount: optional(9).map { Int($0) })
        guard statement.integer(10) == row.checksum(name) else {
            throw .damaged("the record of screen \(name)")
        }
        return row
    }

    static func countNames(_ connection: SQLiteConnection) throws(SQLiteFailure) -> Names {
        let statement = try connection.prepare("SELECT name, id FROM names")
        return try statement.run { row throws(SQLiteFailure) in
            var names = Names(count: 0, sum: 0)
            while try row.step() {
                names.count += 1
                names.sum &+= UInt64(bitPattern: Names.sum(of: row.text(0), row.integer(1)))
            }
            return names
        }
    }
}

/// The writes of records, in a transaction of the caller.
struct RecordWriter {
    /// The values to write; `nil` for those that stay.
    typealias Values = (bytes: [UInt8]?, feed: [UInt8]?)

    private let insertName: SQLiteStatement
    private let deleteName: SQLiteStatement
    private let insert: SQLiteStatement
    private let update: SQLiteStatement
    private let updateTimes: SQLiteStatement
    private let delete: SQLiteStatement

    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        insertName = try connection.prepare("INSERT INTO names (name, id) VALUES (?1, ?2)")
        deleteName = try connection.prepare("DELETE FROM names WHERE name = ?1")
        insert = try connection.prepare(
            """
            INSERT INTO records (id, revision, edit, feed_version, weight, listed_bytes, checksum,
                bytes, feed, expiry, due, name)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """)
        let columns = """
            revision = ?2, edit = ?3, feed_version = ?4, weight = ?5, listed_bytes = ?6,
            checksum = ?7, bytes = coalesce(?8, bytes), feed = coalesce(?9, feed)
            """
        // A column that is set has its index written again, even if it has the same value.
        update = try connection.prepare("UPDATE records SET \(columns) WHERE id = ?1")
        updateTimes = try connection.prepare(
            "UPDATE records SET \(columns), expiry = ?10, due = ?11 WHERE id = ?1")
        delete = try connection.prepare("DELETE FROM records WHERE id = ?1")
    }

    func create(
        _ row: RecordTable.Row, _ name: ScreenName, _ values: Values
    ) throws(SQLiteFailure) {
        try insertName.run { statement throws(SQLiteFailure) in
            try statement.bind(name.text, at: 1)
            try statement.bind(row.id, at: 2)
            try statement.step()
        }
        try insert.run { statement throws(SQLiteFailure) in
            try bindTimes(row, statement)
            try statement.bind(name.text, at: 12)
            try write(row, name, values, statement)
        }
    }

    func replace(
        _ former: RecordTable.Row, by row: RecordTable.Row, _ name: ScreenName, _ values: Values
    ) throws(SQLiteFailure) {
        if (row.expiry, row.due) == (former.expiry, former.due) {
            try update.run { statement throws(SQLiteFailure) in
                try write(row, name, values, statement)
            }
        } else {
            try updateTimes.run { statement throws(SQLiteFailure) in
                try bindTimes(row, statement)
                try write(row, name, values, statement)
            }
        }
    }

    func remove(_ row: RecordTable.Row, _ name: ScreenName) throws(SQLiteFailure) {
        try delete.run { statement throws(SQLiteFailure) in _ = try statement.step(row.id) }
        try deleteName.run { statement throws(SQLiteFailure) in
            try statement.bind(name.text, at: 1)
            try statement.step()
        }
    }

    private func bindTimes(
        _ row: RecordTable.Row, _ statement: SQLiteStatement
    ) throws(SQLiteFailure) {
        try statement.bind(row.expiry, at: 10)
        try statement.bind(row.due, at: 11)
    }

    private func write(
        _ row: RecordTable.Row, _ name: ScreenName, _ values: Values, _ statement: SQLiteStatement
    ) throws(SQLiteFailure) {
        for (index, number) in [
            row.id, Int64(bitPattern: row.version.revision), Int64(bitPattern: row.version.edit),
            Int64(bitPattern: row.feedVersion), Int64(row.weight), Int64(row.listedBytes),
            row.checksum(name.text),
        ].enumerated() {
            try statement.bind(number, at: Int32(index + 1))
        }
        try statement.bind(values.bytes, at: 8) { () throws(SQLiteFailure) in
            try statement.bind(values.feed, at: 9) { () throws(SQLiteFailure) in
                _ = try statement.step()
            }
        }
    }
}
