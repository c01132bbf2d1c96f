/// The return of free pages to the file system, in small steps.
struct SQLiteVacuum {
    /// The number of free pages that a step returns.
    static let pagesPerStep = 128
    /// The number of free pages that are kept for later writes, in any case.
    static let keptPages: Int64 = 1024
    /// The part of the file that is kept for later writes.
    static let keptPart: Int64 = 8

    private let connection: SQLiteConnection
    private let countFree: SQLiteStatement
    private let countAll: SQLiteStatement

    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        self.connection = connection
        countFree = try connection.prepare("PRAGMA freelist_count")
        countAll = try connection.prepare("PRAGMA page_count")
    }

    /// Returns a Boolean value that indicates whether there are more free pages than are kept.
    func hasWork() throws(SQLiteFailure) -> Bool {
        try count(countFree) > max(Self.keptPages, try count(countAll) / Self.keptPart)
    }

    /// Performs one step in a transaction of the caller; a checkpoint truncates the file later.
    func step() throws(SQLiteFailure) {
        try connection.execute("PRAGMA incremental_vacuum(\(Self.pagesPerStep))")
    }

    private func count(_ statement: SQLiteStatement) throws(SQLiteFailure) -> Int64 {
        try statement.run { row throws(SQLiteFailure) in try row.step() ? row.integer(0) : 0 }
    }
}
