/// The few values that belong to the store itself, each with a checksum.
struct SQLiteMeta {
    /// What the values are called.
    enum Key: String {
        /// The store's name (``StoreIdentity/name``).
        case name
        /// The store's sealing key (``StoreIdentity/sealingKey``).
        case sealingKey
        /// The highest revision of any screen that is gone: new screens start above it.
        case floor
        /// What the next revision of every screen is above, whatever it has: set when the store is
        /// restored from a backup, since what was written after that is not in it.
        case base
        /// How many screens there are, those included that are over and not swept: a table that has
        /// lost a part may be sound in itself.
        case screens
    }

    private let find: SQLiteStatement
    private let save: SQLiteStatement

    /// Compiles the statements on a connection whose schema is up to date.
    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        find = try connection.prepare("SELECT value, checksum FROM meta WHERE key = ?1")
        save = try connection.prepare(
            """
            INSERT INTO meta (key, value, checksum) VALUES (?1, ?2, ?3)
            ON CONFLICT (key) DO UPDATE SET value = excluded.value, checksum = excluded.checksum
            """)
    }

    /// The bytes under `key`; nil when there are none.
    func bytes(_ key: Key) throws(SQLiteFailure) -> [UInt8]? {
        try find.run { statement throws(SQLiteFailure) in
            try statement.bind(key.rawValue, at: 1)
            guard try statement.step() else { return nil }
            let bytes = statement.bytes(0)
            guard RowChecksum.matches(statement.integer(1), { $0.combine(key, bytes) }) else {
                throw .damaged("the store's \(key.rawValue)")
            }
            return bytes
        }
    }

    /// Puts bytes under `key`.
    func set(_ key: Key, to bytes: [UInt8]) throws(SQLiteFailure) {
        try save.run { statement throws(SQLiteFailure) in
            try statement.bind(key.rawValue, at: 1)
            try statement.bind(RowChecksum.value { $0.combine(key, bytes) }, at: 3)
            try statement.bind(bytes, at: 2) { () throws(SQLiteFailure) in
                _ = try statement.step()
            }
        }
    }

    /// The number under `key`, in decimal digits; 0 when there is none.
    func number(_ key: Key) throws(SQLiteFailure) -> UInt64 {
        guard let bytes = try bytes(key) else { return 0 }
        guard let number = UInt64(String(decoding: bytes, as: UTF8.self)) else {
            throw .damaged("the store's \(key.rawValue)")
        }
        return number
    }

    /// Puts a number under `key`.
    func set(_ key: Key, to number: UInt64) throws(SQLiteFailure) {
        try set(key, to: Array(String(number).utf8))
    }
}

extension RowChecksum {
    fileprivate mutating func combine(_ key: SQLiteMeta.Key, _ bytes: [UInt8]) {
        combine(key.rawValue)
        combine(bytes)
    }
}

/// The store's identity as the database keeps it: made at random once, with the file.
enum SQLiteIdentity {
    /// Reads the identity, or makes it in a new file.
    static func loadOrMake(
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> StoreIdentity {
        try connection.transaction { () throws(SQLiteFailure) in
            if let kept = try load(on: connection) { return kept }
            // A file that holds screens had one: a new one would make every token worthless.
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

    /// Reads the identity; nil when the file has none.
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
