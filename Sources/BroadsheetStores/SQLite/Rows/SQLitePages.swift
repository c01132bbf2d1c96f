/// Writes the rows of pages, inside a transaction that the caller opens and ends.
struct SQLitePages {
    private let findChecksum: SQLiteStatement
    private let insert: SQLiteStatement
    private let delete: SQLiteStatement
    private let findLast: SQLiteStatement
    private let findAny: SQLiteStatement
    private let discardFolder: SQLiteStatement

    /// Compiles the statements on a connection whose schema is up to date.
    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        findChecksum = try connection.prepare("SELECT checksum FROM pages WHERE key = ?1")
        insert = try connection.prepare(
            "INSERT OR REPLACE INTO pages (key, revision, checksum, bytes) VALUES (?1, ?2, ?3, ?4)")
        delete = try connection.prepare("DELETE FROM pages WHERE key = ?1")
        findLast = try connection.prepare(
            "SELECT key FROM pages WHERE key BETWEEN ?1 AND ?2 ORDER BY key DESC LIMIT 1")
        findAny = try connection.prepare("SELECT 1 FROM pages WHERE key BETWEEN ?1 AND ?2 LIMIT 1")
        discardFolder = try connection.prepare(
            "INSERT INTO discarded (folder, checksum) VALUES (?1, ?2)")
    }

    /// Stores a page under `key` or replaces it, and answers by how much that changes the sum of its
    /// folder's checksums.
    func put(_ page: StoredPage, key: Int64) throws(SQLiteFailure) -> Int64 {
        let former = try checksum(key) ?? 0
        let checksum = page.checksum(key: key)
        try insert.run { statement throws(SQLiteFailure) in
            try statement.bind(key, at: 1)
            try statement.bind(Int64(bitPattern: page.revision), at: 2)
            try statement.bind(checksum, at: 3)
            try statement.bind(page.bytes, at: 4) { () throws(SQLiteFailure) in
                _ = try statement.step()
            }
        }
        return checksum &- former
    }

    /// Removes the page under `key`, and answers what its checksum was; nil when there is none.
    func remove(_ key: Int64) throws(SQLiteFailure) -> Int64? {
        guard let former = try checksum(key) else { return nil }
        try delete.run { statement throws(SQLiteFailure) in _ = try statement.step(key) }
        return former
    }

    /// The key of the highest page in `folder`; nil when it is empty.
    func last(in folder: Int64) throws(SQLiteFailure) -> Int64? {
        let keys = PageKey.keys(in: folder)
        return try findLast.run { row throws(SQLiteFailure) in
            try row.step(keys.lowerBound, keys.upperBound) ? row.integer(0) : nil
        }
    }

    /// Whether `folder` holds no page.
    func isEmpty(_ folder: Int64) throws(SQLiteFailure) -> Bool {
        let keys = PageKey.keys(in: folder)
        return try findAny.run { row throws(SQLiteFailure) in
            try !row.step(keys.lowerBound, keys.upperBound)
        }
    }

    /// Gives up a folder with all its pages, which go later (``SQLiteSweeper``); 0 is none.
    ///
    /// O(1), however much is in it.
    func discard(_ folder: Int64) throws(SQLiteFailure) {
        guard folder != 0 else { return }
        try discardFolder.run { statement throws(SQLiteFailure) in
            _ = try statement.step(folder, RowChecksum.value(of: folder))
        }
    }

    private func checksum(_ key: Int64) throws(SQLiteFailure) -> Int64? {
        try findChecksum.run { row throws(SQLiteFailure) in
            try row.step(key) ? row.integer(0) : nil
        }
    }
}

/// The key of a page's row: which pages it belongs to, and its number, in one integer.
///
/// A screen's pages stand side by side in the table that way, in order, and are found without an
/// index beside it. The upper 32 bits (the sign is never set) are the screen's *folder*, a number
/// that it is given with its first page; the lower 31 are the page's number.
enum PageKey {
    /// The numbers that a folder may have; 0 is that of a screen without pages.
    static let folders: ClosedRange<Int64> = 1...0xFFFF_FFFF
    /// The numbers that a page may have.
    static let numbers: ClosedRange<Int64> = 0...0x7FFF_FFFF

    /// The key of page `number` in `folder`; nil when there is no such number.
    static func key(_ number: Int, in folder: Int64) -> Int64? {
        guard let number = Int64(exactly: number), numbers.contains(number) else { return nil }
        return folder << 31 | number
    }

    /// All keys in `folder`.
    static func keys(in folder: Int64) -> ClosedRange<Int64> {
        (folder << 31 | numbers.lowerBound)...(folder << 31 | numbers.upperBound)
    }

    /// The page's number out of its key.
    static func number(of key: Int64) -> Int { Int(key & numbers.upperBound) }
}

/// Hands out folders for the pages of new screens.
///
/// One after another from a random start, so that new pages stand near each other; a folder that
/// still holds pages, of a screen or given up, is passed over. There are 2³², more than
/// any disk has room for, so one is soon found however old the file is.
struct FolderAllocator {
    private var next: Int64

    /// How many folders may be tried: more that are taken in a row means that something is wrong.
    private static let maxTries = 1_000_000

    /// Starts at `next`, by default anywhere.
    init(next: Int64 = Int64.random(in: PageKey.folders)) { self.next = next }

    /// A folder without pages.
    mutating func allocate(in pages: SQLitePages) throws(SQLiteFailure) -> Int64 {
        for _ in 0..<Self.maxTries {
            let folder = next
            next = folder == PageKey.folders.upperBound ? PageKey.folders.lowerBound : folder + 1
            if try pages.isEmpty(folder) { return folder }
        }
        throw .outOfRange("no number is free for the pages of another screen")
    }
}
