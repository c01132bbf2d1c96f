import BroadsheetIO

extension SQLiteStore: CopyableStore {
    /// Returns a revision above which new screens begin.
    package func floor() async throws(StoreError) -> UInt64 {
        try using { connection throws(SQLiteFailure) in
            let meta = try SQLiteMeta(on: connection)
            return max(try meta.number(.floor), try meta.number(.base))
        }
    }

    /// Returns the times that are left until screens expire, in milliseconds.
    package func millisecondsLeft(
        of screens: [ScreenName]
    ) async throws(StoreError) -> [ScreenName: Int64] {
        try using { connection throws(SQLiteFailure) in
            let rows = try SQLiteRowReader(on: connection)
            var left: [ScreenName: Int64] = [:]
            let now = context.options.clock.unixMilliseconds
            for screen in screens {
                left[screen] = try rows.row(of: screen)?.expiry.map { $0 &- now }
            }
            return left
        }
    }

    /// Returns whether the file has the mark of a store that is not filled.
    package func isIncomplete() async throws(StoreError) -> Bool {
        try using { connection throws(SQLiteFailure) in
            try SQLiteIdentity.isIncomplete(on: connection)
        }
    }

    /// Replaces the identity by the mark.
    package func markIncomplete() async throws(StoreError) {
        try changing { meta throws(SQLiteFailure) in
            try meta.set(.name, to: Array(StoreIdentity.incompleteName.utf8))
            // Releases that do not know the mark refuse a store without a key.
            try meta.set(.sealingKey, to: [])
        }
    }

    /// Makes new screens begin above a revision.
    package func raiseFloor(to revision: UInt64) async throws(StoreError) {
        try changing { meta throws(SQLiteFailure) in
            try meta.set(.floor, to: max(revision, try meta.number(.floor)))
        }
    }

    /// Replaces the mark by an identity.
    package func markComplete(as identity: StoreIdentity) async throws(StoreError) {
        try changing { meta throws(SQLiteFailure) in
            try meta.set(.name, to: Array(identity.name.utf8))
            try meta.set(.sealingKey, to: identity.sealingKey)
        }
    }

    /// Changes values of the store in one transaction.
    private func changing(
        _ body: (SQLiteMeta) throws(SQLiteFailure) -> Void
    ) throws(StoreError) {
        try using { connection throws(SQLiteFailure) in
            try connection.execute("PRAGMA synchronous = FULL")
            try connection.transaction { () throws(SQLiteFailure) in
                try body(try SQLiteMeta(on: connection))
            }
        }
    }

    /// Runs `body` with a connection beside those of the store's threads.
    private func using<Value>(
        _ body: (SQLiteConnection) throws(SQLiteFailure) -> Value
    ) throws(StoreError) -> Value {
        do throws(SQLiteFailure) {
            return try body(try SQLiteConnection(path: context.path, mode: .readWrite))
        } catch {
            throw error.storeError
        }
    }
}
