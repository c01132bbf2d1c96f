/// The table of the bytes of pages, in a transaction of the caller.
///
/// The bytes of a page are in its row of the table of pages, or, in a store with a history, in a
/// row of this table, whose id the row of the page has in their place. So a page that is replaced
/// keeps its bytes where they are, and another row refers to them.
///
/// A transaction stores its bytes in rows that it has released, which changes fewer parts of the
/// file than a new row and a deleted one. It deletes what is left at its end: a part of the file
/// that it frees and uses again would be read before, and one that an earlier transaction has freed
/// is not.
///
/// Used on the thread of the writer.
final class SQLiteContents {
    /// The maximum number of bytes that a transaction deletes, unless a single page has more.
    static let maxDeletedBytes = 1 << 20

    private let connection: SQLiteConnection
    private let insertBytes: SQLiteStatement
    private let moveOut: SQLiteStatement
    private let replaceBytes: SQLiteStatement
    private let deleteRow: SQLiteStatement
    private let findReleased: SQLiteStatement
    private let insertReleased: SQLiteStatement
    private let deleteReleased: SQLiteStatement
    private var nextID: Int64
    /// The number of bytes that the transaction may still delete.
    private var rest = maxDeletedBytes
    /// The contents that the transaction has released, and deletes at its end.
    private var due: [Int64] = []
    /// A Boolean value that indicates whether there may be contents that wait for their deletion.
    private var mayHaveReleased = true

    /// The distance of the first id of a process from those of others.
    private static let idSpace: Int64 = 1 << 32

    /// Prepares the statements on a connection with the current schema.
    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        self.connection = connection
        insertBytes = try connection.prepare("INSERT INTO contents (id, bytes) VALUES (?1, ?2)")
        replaceBytes = try connection.prepare("UPDATE contents SET bytes = ?2 WHERE id = ?1")
        moveOut = try connection.prepare(
            "INSERT INTO contents (id, bytes) SELECT ?1, bytes FROM pages WHERE key = ?2")
        deleteRow = try connection.prepare("DELETE FROM contents WHERE id = ?1")
        findReleased = try connection.prepare(
            "SELECT id, byte_count FROM released ORDER BY id LIMIT 1")
        insertReleased = try connection.prepare(
            "INSERT OR REPLACE INTO released (id, byte_count) VALUES (?1, ?2)")
        deleteReleased = try connection.prepare("DELETE FROM released WHERE id = ?1")
        let findNext = try connection.prepare(
            "SELECT 1 FROM contents WHERE id >= ?1 AND id < ?2 LIMIT 1")
        // Ascending from a random id that is far from all others, so that each is free.
        var (first, isUsed) = (Int64(0), true)
        while isUsed {
            first = .random(in: 1...Int64.max / 2)
            let end = first + Self.idSpace
            isUsed = try findNext.run { row throws(SQLiteFailure) in try row.step(first, end) }
        }
        nextID = first
    }

    /// Begins a transaction, which may delete ``maxDeletedBytes``.
    func begin() {
        rest = Self.maxDeletedBytes
        due = []
    }

    /// Notes that the transaction was rolled back.
    func rollBack() { mayHaveReleased = true }

    /// Stores bytes, in a row that the transaction has released if there is one, and returns their
    /// id.
    func insert(_ bytes: [UInt8]) throws(SQLiteFailure) -> Int64 {
        if let id = due.popLast() {
            try store(bytes, in: id, replaceBytes)
            // A row that a damaged file lacks cannot be replaced.
            if connection.changedRows == 1 { return id }
        }
        let id = takeID()
        try store(bytes, in: id, insertBytes)
        return id
    }

    private func store(
        _ bytes: [UInt8], in id: Int64, _ statement: SQLiteStatement
    ) throws(SQLiteFailure) {
        try statement.run { statement throws(SQLiteFailure) in
            try statement.bind(id, at: 1)
            try statement.bind(bytes, at: 2) { () throws(SQLiteFailure) in
                _ = try statement.step()
            }
        }
    }

    /// Copies the bytes from the row of a page that an earlier release stored, and returns their
    /// id.
    func moveOut(ofPage key: Int64) throws(SQLiteFailure) -> Int64 {
        let id = takeID()
        try moveOut.run { statement throws(SQLiteFailure) in _ = try statement.step(id, key) }
        return id
    }

    /// Deletes bytes that nothing refers to any more: at the end of the transaction, or later if
    /// that deletes enough.
    func release(_ id: Int64, byteCount: Int) throws(SQLiteFailure) {
        guard rest > 0 else {
            mayHaveReleased = true
            return try insertReleased.run { statement throws(SQLiteFailure) in
                _ = try statement.step(id, Int64(byteCount))
            }
        }
        use(byteCount)
        due.append(id)
    }

    /// Returns a Boolean value that indicates whether contents wait for their deletion.
    func hasReleased() throws(SQLiteFailure) -> Bool {
        if mayHaveReleased { mayHaveReleased = try released() != nil }
        return mayHaveReleased
    }

    /// Ends a transaction: deletes what it has released, and contents that have waited for it, as
    /// many as it may.
    func deleteSome() throws(SQLiteFailure) {
        // In the order of the table, so that neighbours are deleted one after the other.
        for id in due.sorted() { try delete(id) }
        due = []
        while rest > 0, mayHaveReleased {
            guard let (id, byteCount) = try released() else { return mayHaveReleased = false }
            try deleteReleased.run { statement throws(SQLiteFailure) in
                _ = try statement.step(id)
            }
            use(byteCount)
            try delete(id)
        }
    }

    /// Subtracts the bytes of a page, which are the numbers of a file, from the rest.
    private func use(_ byteCount: Int) { rest -= min(rest, max(0, byteCount)) }

    private func delete(_ id: Int64) throws(SQLiteFailure) {
        try deleteRow.run { statement throws(SQLiteFailure) in _ = try statement.step(id) }
    }

    private func released() throws(SQLiteFailure) -> (id: Int64, byteCount: Int)? {
        try findReleased.run { row throws(SQLiteFailure) in
            guard try row.step() else { return nil }
            return (row.integer(0), Int(row.integer(1)))
        }
    }

    private func takeID() -> Int64 {
        defer { nextID += 1 }
        return nextID
    }
}
