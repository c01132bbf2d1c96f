import BroadsheetIO
import CSQLite
import Glibc

/// The disk space that a database has before a checkpoint needs it.
///
/// A transaction is written to the log, and its pages reach the database at a checkpoint. If the
/// disk were full then, the log could never restart from its beginning, and not even a removal
/// could be written; and a checkpoint that fails uses up the space that an operator has freed. So
/// the database gets the space of a transaction before it is committed, and the log a part of its
/// space when the store is opened: on a full disk every checkpoint succeeds, and small writes as
/// well. A file system without allocation gives no such guarantee.
///
/// Used on the thread of the writer.
final class DatabaseSpace {
    /// The size of the steps in which the database is allocated, in bytes.
    static let stepBytes = 1024 * 1024
    /// The space of the log from the start on, in bytes: enough for any removal, and for a step of
    /// the sweep.
    static let logBytes = 2 * 1024 * 1024
    /// The maximum size of what a file system needs for itself and counts as blocks of the file.
    private static let ownBytes = 128 * 1024

    private let connection: SQLiteConnection
    private let descriptor: Int32
    private let pageSize: Int
    private let countPages: SQLiteStatement
    private var isSupported: Bool

    /// `descriptor` is not closed here: that would release the locks of the connection.
    init(
        of connection: SQLiteConnection, _ descriptor: Int32, path: String
    ) throws(SQLiteFailure) {
        self.connection = connection
        self.descriptor = descriptor
        pageSize = Int(try connection.integer("PRAGMA page_size") ?? 4096)
        countPages = try connection.prepare("PRAGMA page_count")
        isSupported = descriptor >= 0
        // Locks are not on the log, so it may be closed. On a full disk the log has the space that
        // it has.
        let log = open(path + "-wal", O_RDWR | O_CLOEXEC)
        guard log >= 0 else { return }
        _ = DiskAllocation.allocate(0..<Self.logBytes, of: log)
        close(log)
    }

    /// Runs `body` in a transaction, which is committed if the database has the space for its pages
    /// too.
    func transaction<Value>(
        _ body: () throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        try connection.transaction { () throws(SQLiteFailure) in
            let value = try body()
            try allocate()
            return value
        }
    }

    /// The size of the database after the next checkpoint, or of the transaction in progress, in
    /// bytes.
    private func neededBytes() throws(SQLiteFailure) -> Int {
        try countPages.run { row throws(SQLiteFailure) in
            try row.step() ? Int(row.integer(0)) * pageSize : 0
        }
    }

    /// Returns a Boolean value that indicates whether a checkpoint would truncate the database.
    func isTooLong() throws(SQLiteFailure) -> Bool {
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return false }
        return Int(status.st_size) > (try neededBytes())
    }

    private func allocate() throws(SQLiteFailure) {
        guard isSupported else { return }
        let needed = try neededBytes()
        var status = stat()
        guard fstat(descriptor, &status) == 0, needed > Int(status.st_size),
            needed + Self.ownBytes > Int(status.st_blocks) * 512
        else { return }
        let (start, end) = (Int(status.st_size), needed + Self.ownBytes)
        let roundedEnd = (end / Self.stepBytes + 1) * Self.stepBytes
        var outcome = DiskAllocation.allocate(start..<roundedEnd, of: descriptor)
        if outcome == .full { outcome = DiskAllocation.allocate(start..<end, of: descriptor) }
        switch outcome {
        case .allocated: break
        case .full: throw SQLiteFailure(code: SQLITE_FULL, message: "the disk is full")
        case .unsupported: isSupported = false
        }
    }
}
