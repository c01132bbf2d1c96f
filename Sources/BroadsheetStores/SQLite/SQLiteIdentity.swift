/// The store's identity as the database keeps it: made at random once, with the file.
enum SQLiteIdentity {
    /// Reads the identity, or makes it in a new file.
    static func loadOrMake(
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> StoreIdentity {
        try connection.execute("BEGIN IMMEDIATE")
        do throws(SQLiteFailure) {
            let identity =
                if let kept = try load(on: connection) { kept } else {
                    try make(on: connection)
                }
            try connection.execute("COMMIT")
            return identity
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    private static func load(
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> StoreIdentity? {
        guard let name = try connection.text("SELECT value FROM meta WHERE key = 'name'") else {
            return nil
        }
        let statement = try connection.prepare("SELECT value FROM meta WHERE key = 'key'")
        let key = try statement.run { row throws(SQLiteFailure) in
            try row.step() ? row.bytes(0) : []
        }
        guard let identity = StoreIdentity(name: name, sealingKey: key) else {
            throw .damaged("the sealing key")
        }
        return identity
    }

    private static func make(
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> StoreIdentity {
        let identity = StoreIdentity.random()
        let insert = try connection.prepare(
            "INSERT INTO meta (key, value) VALUES ('name', ?1), ('key', ?2)")
        try insert.run { statement throws(SQLiteFailure) in
            try statement.bind(identity.name, at: 1)
            try statement.bind(identity.sealingKey, at: 2) { () throws(SQLiteFailure) in
                _ = try statement.step()
            }
        }
        return identity
    }
}
