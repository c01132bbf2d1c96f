/// The objects of screens, by the ids of the creations of these.
///
/// A row of a key has a checksum. The bytes have none here, since those who store them have.
struct ObjectTable {
    /// The place of the bytes of an object.
    fileprivate struct Place {
        var content: Int64
        var byteCount: Int

        func checksum(_ key: ObjectKey, _ creation: Int64) -> Int64 {
            RowChecksum.value { sum in
                for number in [
                    creation, Int64(key.kind), Int64(bitPattern: key.number),
                    Int64(bitPattern: key.revision), content, Int64(byteCount),
                ] {
                    sum.combine(number)
                }
            }
        }
    }

    private let find: SQLiteStatement
    private let read: SQLiteStatement

    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        find = try connection.prepare(
            """
            SELECT content, byte_count, checksum FROM objects
            WHERE creation = ?1 AND kind = ?2 AND number = ?3 AND revision = ?4
            """)
        read = try connection.prepare("SELECT bytes FROM contents WHERE id = ?1")
    }

    /// Returns objects of a creation: their bytes while these fit, and then their lengths.
    func objects(
        _ keys: [ObjectKey], of creation: Int64, within byteCount: Int
    ) throws(SQLiteFailure) -> [ObjectReply] {
        var rest = byteCount
        var replies: [ObjectReply] = []
        replies.reserveCapacity(keys.count)
        for key in keys {
            guard let place = try place(key, creation) else {
                replies.append(.absent)
                continue
            }
            rest = place.byteCount <= rest ? rest - place.byteCount : -1
            replies.append(rest < 0 ? .length(place.byteCount) : try bytes(place))
        }
        return replies
    }

    private func place(_ key: ObjectKey, _ creation: Int64) throws(SQLiteFailure) -> Place? {
        try find.run { statement throws(SQLiteFailure) in
            guard
                try statement.step(
                    creation, Int64(key.kind), Int64(bitPattern: key.number),
                    Int64(bitPattern: key.revision))
            else { return nil }
            let place = Place(
                content: statement.integer(0), byteCount: Int(statement.integer(1)))
            guard statement.integer(2) == place.checksum(key, creation) else {
                throw .damaged("the key of an object")
            }
            return place
        }
    }

    private func bytes(_ place: Place) throws(SQLiteFailure) -> ObjectReply {
        try read.run { statement throws(SQLiteFailure) in
            try statement.step(place.content) ? .bytes(statement.bytes(0)) : .absent
        }
    }
}

/// The writes of objects, in a transaction of the caller.
///
/// A transaction deletes a limited number of bytes. What goes beyond becomes a leftover: a creation
/// without a screen, whose objects later transactions delete.
struct ObjectWriter {
    /// The maximum number of bytes that a transaction deletes, unless one object has more.
    static let deletedBytes = 1 << 20
    /// The number of bytes that a deletion counts beside those of the object.
    private static let overhead = 512
    private static let rowsPerStep = 256

    /// An object to delete.
    private struct Row {
        var key: ObjectKey
        var place: ObjectTable.Place
        var isIntact: Bool
    }

    private let connection: SQLiteConnection
    private let insertContent: SQLiteStatement
    private let insertObject: SQLiteStatement
    private let deleteContent: SQLiteStatement
    private let deleteObject: SQLiteStatement
    private let find: SQLiteStatement
    private let list: SQLiteStatement
    private let findLeftover: SQLiteStatement
    private let insertLeftover: SQLiteStatement
    private let deleteLeftover: SQLiteStatement
    /// The number of bytes that the transaction may still delete.
    private var rest = deletedBytes

    private(set) var hasLeftovers: Bool
    /// A function that receives damage because of which bytes stay.
    var onDamage: (SQLiteFailure) -> Void = { _ in }

    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        self.connection = connection
        insertContent = try connection.prepare("INSERT INTO contents (bytes) VALUES (?1)")
        insertObject = try connection.prepare(
            """
            INSERT OR REPLACE INTO objects
                (creation, kind, number, revision, content, byte_count, checksum)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """)
        deleteContent = try connection.prepare("DELETE FROM contents WHERE id = ?1")
        let key = "creation = ?1 AND kind = ?2 AND number = ?3 AND revision = ?4"
        deleteObject = try connection.prepare("DELETE FROM objects WHERE \(key)")
        let columns = "kind, number, revision, content, byte_count, checksum"
        find = try connection.prepare("SELECT \(columns) FROM objects WHERE \(key)")
        list = try connection.prepare(
            "SELECT \(columns) FROM objects WHERE creation = ?1 LIMIT \(Self.rowsPerStep)")
        findLeftover = try connection.prepare("SELECT creation, checksum FROM leftovers LIMIT 1")
        insertLeftover = try connection.prepare(
            "INSERT OR REPLACE INTO leftovers (creation, checksum) VALUES (?1, ?2)")
        deleteLeftover = try connection.prepare("DELETE FROM leftovers WHERE creation = ?1")
        hasLeftovers = try connection.integer("SELECT 1 FROM leftovers LIMIT 1") != nil
    }

    mutating func begin() { rest = Self.deletedBytes }

    /// Finds out whether there are leftovers, after a transaction was rolled back.
    mutating func rollBack() throws(SQLiteFailure) {
        hasLeftovers = try connection.integer("SELECT 1 FROM leftovers LIMIT 1") != nil
    }

    func put(_ put: StoreBatch.Put, of creation: Int64) throws(SQLiteFailure) {
        try insertContent.run { statement throws(SQLiteFailure) in
            try statement.bind(put.bytes, at: 1) { () throws(SQLiteFailure) in
                _ = try statement.step()
            }
        }
        let place = ObjectTable.Place(
            content: connection.lastInsertedRow, byteCount: put.bytes.count)
        try insert(put.key, creation, place)
    }

    private func insert(
        _ key: ObjectKey, _ creation: Int64, _ place: ObjectTable.Place
    ) throws(SQLiteFailure) {
        try insertObject.run { statement throws(SQLiteFailure) in
            _ = try statement.step(
                creation, Int64(key.kind), Int64(bitPattern: key.number),
                Int64(bitPattern: key.revision), place.content, Int64(place.byteCount),
                place.checksum(key, creation))
        }
    }

    /// Deletes objects, at once or later; `nextID` becomes the creation of the latter.
    mutating func delete(
        _ keys: [ObjectKey], of creation: Int64, nextID: inout Int64
    ) throws(SQLiteFailure) {
        var later: Int64?
        for key in keys {
            let found: Row? = try find.run { statement throws(SQLiteFailure) in
                try statement.step(
                    creation, Int64(key.kind), Int64(bitPattern: key.number),
                    Int64(bitPattern: key.revision)) ? Self.row(statement, creation) : nil
            }
            guard let row = found else { continue }
            if try delete(row, of: creation) { continue }
            let id = later ?? nextID
            if later == nil {
                nextID += 1
                try leave(id)
                later = id
            }
            try deleteKey(row, of: creation)
            try insert(row.key, id, row.place)
        }
    }

    /// Records that all objects of a creation are deleted later.
    mutating func leave(_ creation: Int64) throws(SQLiteFailure) {
        try insertLeftover.run { statement throws(SQLiteFailure) in
            _ = try statement.step(creation, RowChecksum.value(of: creation))
        }
        hasLeftovers = true
    }

    /// Deletes leftovers, as many as the transaction may.
    mutating func deleteLeftovers() throws(SQLiteFailure) {
        while hasLeftovers, rest > 0 {
            guard let creation = try nextLeftover() else { return hasLeftovers = false }
            let rows: [Row] = try list.run { statement throws(SQLiteFailure) in
                var rows: [Row] = []
                var isThere = try statement.step(creation)
                while isThere {
                    rows.append(Self.row(statement, creation))
                    isThere = try statement.step()
                }
                return rows
            }
            for row in rows {
                guard try delete(row, of: creation) else { return }
            }
            guard rows.count < Self.rowsPerStep else { continue }
            try deleteLeftover.run { statement throws(SQLiteFailure) in
                _ = try statement.step(creation)
            }
        }
    }

    private func nextLeftover() throws(SQLiteFailure) -> Int64? {
        try findLeftover.run { statement throws(SQLiteFailure) in
            guard try statement.step() else { return nil }
            let creation = statement.integer(0)
            guard statement.integer(1) == RowChecksum.value(of: creation) else {
                throw .damaged("a leftover")
            }
            return creation
        }
    }

    /// Deletes an object if the transaction may delete as many bytes; returns `false` if not.
    private mutating func delete(_ row: Row, of creation: Int64) throws(SQLiteFailure) -> Bool {
        guard row.isIntact else {
            // The bytes may be those of another object.
            onDamage(.damaged("the key of an object"))
            try deleteKey(row, of: creation)
            return true
        }
        let cost = row.place.byteCount + Self.overhead
        guard cost <= rest || rest == Self.deletedBytes else { return false }
        rest -= cost
        try deleteKey(row, of: creation)
        try deleteContent.run { statement throws(SQLiteFailure) in
            _ = try statement.step(row.place.content)
        }
        return true
    }

    private func deleteKey(_ row: Row, of creation: Int64) throws(SQLiteFailure) {
        try deleteObject.run { statement throws(SQLiteFailure) in
            _ = try statement.step(
                creation, Int64(row.key.kind), Int64(bitPattern: row.key.number),
                Int64(bitPattern: row.key.revision))
        }
    }

    private static func row(_ statement: SQLiteStatement, _ creation: Int64) -> Row {
        let key = ObjectKey(
            kind: UInt8(truncatingIfNeeded: statement.integer(0)),
            number: UInt64(bitPattern: statement.integer(1)),
            revision: UInt64(bitPattern: statement.integer(2)))
        let place = ObjectTable.Place(
            content: statement.integer(3), byteCount: Int(statement.integer(4)))
        return Row(
            key: key, place: place,
            isIntact: statement.integer(5) == place.checksum(key, creation))
    }
}
