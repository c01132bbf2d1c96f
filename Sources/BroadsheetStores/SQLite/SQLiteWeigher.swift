import Dispatch

/// The sum of the weights of all records at the start, on a thread and a connection of its own.
///
/// It reads one state of the file, that before the first batch, to which the writer adds what its
/// batches change.
struct SQLiteWeigher {
    private static let rowsPerStep = 4096

    private let connection: SQLiteConnection
    private let sum: SQLiteStatement

    /// Opens a connection and begins to read the present state.
    init(_ context: SQLiteContext) throws(SQLiteFailure) {
        connection = try SQLiteConnection(
            path: context.path, mode: .readOnly, busyTimeout: context.options.busyTimeout)
        sum = try connection.prepare(
            """
            SELECT count(*), total(weight), max(id) FROM
                (SELECT id, weight FROM records WHERE id > ?1 ORDER BY id LIMIT \(Self.rowsPerStep))
            """)
        try connection.execute("BEGIN")
        _ = try connection.integer("SELECT 1 FROM records LIMIT 1")
    }

    /// Returns the sum; `nil` if it was stopped.
    func weigh(until stop: DispatchSemaphore) throws(SQLiteFailure) -> Int? {
        var total = 0
        var last = Int64.min
        while stop.wait(timeout: .now()) == .timedOut {
            let isLast = try sum.run { row throws(SQLiteFailure) in
                guard try row.step(last) else { return true }
                total &+= Int(row.integer(1))
                last = row.integer(2)
                return row.integer(0) < Self.rowsPerStep
            }
            if isLast { return total }
        }
        return nil
    }
}
