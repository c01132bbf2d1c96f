/// Writes to the table of pages, in a transaction of the caller.
struct SQLitePages {
    /// The effect of a write of one page.
    struct Change {
        /// The change of the sum of the checksums in the folder.
        var sum: Int64
        /// The size of the page before; `nil` if there was none.
        var former: PageSize?
    }

    /// A page as it is stored.
    private struct Former {
        let checksum: Int64
        let size: PageSize
        let revision: UInt64
        /// The id of its bytes; `nil` if they are in its row.
        let place: Int64?
    }

    private let reader: SQLitePageReader
    private let contents: SQLiteContents
    private let insertWithPlace: SQLiteStatement
    private let findFormer: SQLiteStatement
    private let insert: SQLiteStatement
    private let delete: SQLiteStatement
    private let findAbove: SQLiteStatement
    private let revisions: SQLitePageRevisions
    private let findAny: SQLiteStatement
    private let discardFolder: SQLiteStatement

    /// Prepares the statements on a connection with the current schema, which `reader` uses too.
    init(
        on connection: SQLiteConnection, reader: SQLitePageReader, contents: SQLiteContents
    ) throws(SQLiteFailure) {
        self.reader = reader
        self.contents = contents
        findFormer = try connection.prepare(
            """
            SELECT p.checksum, \(PageSource.length), p.sections, p.items, p.revision,
                \(PageSource.id)
            FROM \(PageSource.tables) WHERE p.key = ?1
            """)
        let sql = """
            INSERT OR REPLACE INTO pages (key, revision, checksum, bytes, sections, items)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        (insert, insertWithPlace) = (try connection.prepare(sql), try connection.prepare(sql))
        delete = try connection.prepare("DELETE FROM pages WHERE key = ?1")
        findAbove = try connection.prepare(
            "SELECT key FROM pages WHERE key > ?1 AND key <= ?2 ORDER BY key LIMIT 1")
        revisions = try SQLitePageRevisions(on: connection)
        findAny = try connection.prepare("SELECT 1 FROM pages WHERE key BETWEEN ?1 AND ?2 LIMIT 1")
        discardFolder = try connection.prepare(
            "INSERT INTO discarded (folder, checksum) VALUES (?1, ?2)")
    }

    /// Stores or replaces the page with `key`.
    ///
    /// A new page above all others is a change of the highest of them (``TreeHistory``).
    ///
    /// - Parameters:
    ///   - lanes: The sums of its bytes, if they are known.
    ///   - draft: The state of the screen before the commit, to which the earlier page is added;
    ///     `nil` if that is not kept.
    func put(
        _ page: StoredPage, _ lanes: RowChecksum.Lanes?, key: Int64,
        keeping draft: inout FormerDraft?
    ) throws(SQLiteFailure) -> Change {
        let checksum = page.checksum(key: key, lanes)
        var change = Change(sum: checksum)
        if let former = try former(key) {
            change.sum &-= former.checksum
            change.former = former.size
            try keep(former, key, in: &draft)
        } else {
            draft?.note(page.number, nil)
            if let last = try reader.last(in: PageKey.folder(of: key)), last < key {
                try noteTree(of: last, in: &draft)
                change.sum &+= try revisions.record(page.revision, of: .next, at: last)
            }
        }
        let place = draft == nil ? nil : try contents.insert(page.bytes)
        let statement = place == nil ? insert : insertWithPlace
        try statement.run { statement throws(SQLiteFailure) in
            try statement.bind(key, at: 1)
            try statement.bind(Int64(bitPattern: page.revision), at: 2)
            try statement.bind(checksum, at: 3)
            try statement.bind((page.counts?.sections).map(Int64.init), at: 5)
            try statement.bind((page.counts?.items).map(Int64.init), at: 6)
            if let place {
                try statement.bind(place, at: 4)
                _ = try statement.step()
            } else {
                try statement.bind(page.bytes, at: 4) { () throws(SQLiteFailure) in
                    _ = try statement.step()
                }
            }
        }
        return change
    }

    /// Adds a page that is replaced or removed to the draft, or deletes its bytes.
    private func keep(
        _ former: Former, _ key: Int64, in draft: inout FormerDraft?
    ) throws(SQLiteFailure) {
        let number = PageKey.number(of: key)
        guard draft != nil else {
            if let place = former.place {
                try contents.release(place, byteCount: former.size.byteCount)
            }
            return
        }
        let place = if let place = former.place { place } else { try contents.moveOut(ofPage: key) }
        let tree = try reader.tree(
            of: number, storedAt: former.revision, in: PageKey.folder(of: key))
        draft?.note(
            number, tree,
            replaced: FormerPage.Content(
                size: former.size, place: place, checksum: former.checksum))
    }

    /// Adds the revisions of a page that stays to the draft, before they change.
    private func noteTree(of key: Int64, in draft: inout FormerDraft?) throws(SQLiteFailure) {
        let number = PageKey.number(of: key)
        guard let noted = draft?.hasNoted(number), !noted, let former = try former(key) else {
            return
        }
        draft?.note(
            number,
            try reader.tree(of: number, storedAt: former.revision, in: PageKey.folder(of: key)))
    }

    /// Removes the page with `key`; returns `nil` if there is no such page.
    ///
    /// The removal is a change of the page above it, or else of the highest page left
    /// (``TreeHistory``).
    ///
    /// - Parameter draft: That of ``put(_:_:key:keeping:)``.
    func remove(
        _ key: Int64, at revision: UInt64, keeping draft: inout FormerDraft?
    ) throws(SQLiteFailure) -> Change? {
        guard let former = try former(key) else { return nil }
        let folder = PageKey.folder(of: key)
        try keep(former, key, in: &draft)
        try delete.run { statement throws(SQLiteFailure) in _ = try statement.step(key) }
        var change = Change(
            sum: try revisions.remove(key) &- former.checksum, former: former.size)
        if let above = try above(key, in: folder) {
            try noteTree(of: above, in: &draft)
            change.sum &+= try revisions.record(revision, of: .removal, at: above)
        } else if let last = try reader.last(in: folder) {
            try noteTree(of: last, in: &draft)
            change.sum &+= try revisions.record(revision, of: .next, at: last)
        }
        return change
    }

    /// Returns a Boolean value that indicates whether `folder` has no pages.
    func isEmpty(_ folder: Int64) throws(SQLiteFailure) -> Bool {
        let keys = PageKey.keys(in: folder)
        return try findAny.run { row throws(SQLiteFailure) in
            try !row.step(keys.lowerBound, keys.upperBound)
        }
    }

    /// Discards a folder, whose pages are deleted later (``SQLiteSweeper``); 0 means no
    /// folder.
    ///
    /// - Complexity: O(1).
    func discard(_ folder: Int64) throws(SQLiteFailure) {
        guard folder != 0 else { return }
        try discardFolder.run { statement throws(SQLiteFailure) in
            _ = try statement.step(folder, RowChecksum.value(of: folder))
        }
    }

    private func above(_ key: Int64, in folder: Int64) throws(SQLiteFailure) -> Int64? {
        let end = PageKey.keys(in: folder).upperBound
        return try findAbove.run { row throws(SQLiteFailure) in
            try row.step(key, end) ? row.integer(0) : nil
        }
    }

    private func former(_ key: Int64) throws(SQLiteFailure) -> Former? {
        try findFormer.run { row throws(SQLiteFailure) in
            guard try row.step(key) else { return nil }
            let size = PageSize(
                byteCount: Int(row.integer(1)), counts: ContentCounts(row, from: 2))
            return Former(
                checksum: row.integer(0), size: size,
                revision: UInt64(bitPattern: row.integer(4)),
                place: row.isNull(5) ? nil : row.integer(5))
        }
    }
}

/// The key of a row of the table of pages: the folder and the number of a page in one integer.
///
/// The pages of a screen are adjacent and in order in the table, and need no index. The upper 32
/// bits (the sign is never set) are the *folder*, a number assigned to the screen with its first
/// page; the lower 31 bits are the number of the page.
enum PageKey {
    /// The valid folders; 0 is the folder of a screen without pages.
    static let folders: ClosedRange<Int64> = 1...0xFFFF_FFFF
    /// The valid page numbers.
    static let numbers: ClosedRange<Int64> = 0...0x7FFF_FFFF

    /// Returns the key of page `number` in `folder`, or `nil` if the number is invalid.
    static func key(_ number: Int, in folder: Int64) -> Int64? {
        guard let number = Int64(exactly: number), numbers.contains(number) else { return nil }
        return folder << 31 | number
    }

    /// Returns the range of the keys in `folder`.
    static func keys(in folder: Int64) -> ClosedRange<Int64> {
        (folder << 31 | numbers.lowerBound)...(folder << 31 | numbers.upperBound)
    }

    /// Returns the folder in a key.
    static func folder(of key: Int64) -> Int64 { key >> 31 }

    /// Returns the page number in a key.
    static func number(of key: Int64) -> Int { Int(key & numbers.upperBound) }
}

/// An allocator of folders for the pages of new screens.
///
/// Folders are assigned in ascending order from a random start, so that new pages are adjacent; a
/// folder that still has pages, used or discarded, is skipped. There are 2³² folders, more than any
/// disk has space for, so the search is short in a file of any age.
struct FolderAllocator {
    private var next: Int64

    /// The maximum number of folders that are tried; more used ones in a row indicate a problem.
    private static let maxTries = 1_000_000

    /// Creates an allocator that starts at `next`, by default at random.
    init(next: Int64 = Int64.random(in: PageKey.folders)) { self.next = next }

    /// Returns a folder without pages.
    mutating func allocate(in pages: SQLitePages) throws(SQLiteFailure) -> Int64 {
        for _ in 0..<Self.maxTries {
            let folder = next
            next = folder == PageKey.folders.upperBound ? PageKey.folders.lowerBound : folder + 1
            if try pages.isEmpty(folder) { return folder }
        }
        throw .outOfRange("no folder is free for the pages of a new screen")
    }
}
