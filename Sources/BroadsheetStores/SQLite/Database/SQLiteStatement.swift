import CSQLite

/// A prepared statement, run any number of times on the thread of its connection.
final class SQLiteStatement {
    private let handle: OpaquePointer

    /// Takes ownership of a statement from `sqlite3_prepare_v3`.
    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }

    /// Passes the statement to `body` and resets it afterwards in any case.
    func run<Value>(
        _ body: (SQLiteStatement) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        return try body(self)
    }

    /// Moves to the next row; returns `false` if there is none.
    @discardableResult
    func step() throws(SQLiteFailure) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// Binds an integer to the parameter at `index`, beginning with 1.
    func bind(_ value: Int64, at index: Int32) throws(SQLiteFailure) {
        try check(sqlite3_bind_int64(handle, index, value))
    }

    func bind(_ value: Int64?, at index: Int32) throws(SQLiteFailure) {
        guard let value else { return try check(sqlite3_bind_null(handle, index)) }
        try bind(value, at: index)
    }

    /// Binds integers to the parameters from 1 on and moves to the first row; returns `false` if
    /// there is none.
    @discardableResult
    func step(_ values: Int64...) throws(SQLiteFailure) -> Bool {
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        return try step()
    }

    /// Binds a text, which is copied, to the parameter at `index`, beginning with 1.
    func bind(_ value: String, at index: Int32) throws(SQLiteFailure) {
        // `SQLITE_TRANSIENT`, whose macro is a cast that Swift does not import.
        let copy = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        try check(sqlite3_bind_text(handle, index, value, -1, copy))
    }

    /// Binds bytes to the parameter at `index`, beginning with 1, during `body` and without a copy.
    func bind<Value>(
        _ bytes: [UInt8], at index: Int32, during body: () throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        try bytes.span.withUnsafeBytes { buffer throws(SQLiteFailure) in
            // An empty array has no address, and SQLite treats a null address as NULL.
            let code =
                if let base = buffer.baseAddress, !buffer.isEmpty {
                    // The array outlives `body`, after which the binding is cleared.
                    sqlite3_bind_blob64(handle, index, base, UInt64(buffer.count), nil)
                } else {
                    sqlite3_bind_zeroblob(handle, index, 0)
                }
            try check(code)
            // No binding may refer to the array after this function, in any case.
            defer {
                sqlite3_reset(handle)
                sqlite3_clear_bindings(handle)
            }
            return try body()
        }
    }

    func bind<Value>(
        _ bytes: [UInt8]?, at index: Int32, during body: () throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        guard let bytes else { return try body() }
        return try bind(bytes, at: index, during: body)
    }

    /// Returns the integer in the column at `index`, beginning with 0, of the current row.
    func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

    func isNull(_ index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }

    func text(_ index: Int32) -> String {
        sqlite3_column_text(handle, index).map { String(cString: $0) } ?? ""
    }

    func bytes(_ index: Int32) -> [UInt8] {
        // The order matters: reading the blob first determines its type, and with it its length.
        let start = sqlite3_column_blob(handle, index)
        let count = Int(sqlite3_column_bytes(handle, index))
        guard let start, count > 0 else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    private func check(_ code: Int32) throws(SQLiteFailure) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> SQLiteFailure {
        let message = sqlite3_db_handle(handle).flatMap(sqlite3_errmsg)
        return SQLiteFailure(
            code: code, message: message.map { String(cString: $0) } ?? "no message")
    }
}
