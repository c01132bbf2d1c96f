/// The identity of the store in the database, created at random with the file.
enum SQLiteIdentity {
    /// Reads the identity, or creates it in a new file.
    static func loadOrMake(
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> StoreIdentity {
        try connection.transaction { () throws(SQLiteFailure) in
            if let kept = try load(on: connection) { return kept }
            // A file with screens had an identity; a new one would invalidate all tokens.
            guard try connection.integer("SELECT 1 FROM screens LIMIT 1") == nil else {
                throw .damaged("the store's identity")
            }
            let made = StoreIdentity.random()
            let meta = try SQLiteMeta(on: connection)
            try meta.set(.name, to: Array(made.name.utf8))
            try meta.set(.sealingKey, to: made.sealingKey)
            return made
        }
    }

    /// Reads the identity; `nil` if the file has none.
    static func load(
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> StoreIdentity? {
        let meta = try SQLiteMeta(on: connection)
        guard let name = try meta.bytes(.name), let key = try meta.bytes(.sealingKey) else {
            return nil
        }
        guard
            let identity = StoreIdentity(
                name: String(decoding: name, as: UTF8.self), sealingKey: key)
        else { throw .damaged("the store's identity") }
        return identity
    }
}
