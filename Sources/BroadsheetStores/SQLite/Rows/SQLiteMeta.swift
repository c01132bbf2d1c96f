/// The values that concern the whole store, each with a checksum.
struct SQLiteMeta {
    /// The keys of the values.
    enum Key: String {
        /// The name of the store (``StoreIdentity/name``).
        case name
        /// The sealing key of the store (``StoreIdentity/sealingKey``).
        case sealingKey
        /// The highest revision of any removed screen; new screens start above it.
        case floor
        /// The lower bound of the next revision of every screen. It is set when the store is
        /// restored from a backup, which lacks the revisions written after it.
        case base
        /// The number of screens, including expired ones that are not swept yet. With it a table
        /// is detected that lost rows but is valid otherwise.
        case screens
        /// Bytes that are written to find out whether writes succeed; usually empty.
        case probe
    }

    private let find: SQLiteStatement
    private let save: SQLiteStatement

    /// Prepares the statements on a connection with the current schema.
    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        find = try connection.prepare("SELECT value, checksum FROM meta WHERE key = ?1")
        save = try connection.prepare(
            """
            INSERT INTO meta (key, value, checksum) VALUES (?1, ?2, ?3)
            ON CONFLICT (key) DO UPDATE SET value = excluded.value, checksum = excluded.checksum
            """)
    }

    /// Returns the bytes for `key`, or `nil` if there are none.
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

    /// Stores bytes for `key`.
    func set(_ key: Key, to bytes: [UInt8]) throws(SQLiteFailure) {
        try save.run { statement throws(SQLiteFailure) in
            try statement.bind(key.rawValue, at: 1)
            try statement.bind(RowChecksum.value { $0.combine(key, bytes) }, at: 3)
            try statement.bind(bytes, at: 2) { () throws(SQLiteFailure) in
                _ = try statement.step()
            }
        }
    }

    /// Returns the number for `key`, stored in decimal digits; 0 if there is none.
    func number(_ key: Key) throws(SQLiteFailure) -> UInt64 {
        guard let bytes = try bytes(key) else { return 0 }
        guard let number = UInt64(String(decoding: bytes, as: UTF8.self)) else {
            throw .damaged("the store's \(key.rawValue)")
        }
        return number
    }

    /// Stores a number for `key`.
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

/// The identity of the store in the database, created at random with the file.
enum SQLiteIdentity {
    /// Reads the identity, or creates it in a new file.
    ///
    /// - Parameter allowsIncomplete: A Boolean value that indicates whether a file that a copy has
    ///   not filled has an identity, which is then another one each time.
    static func loadOrMake(
        on connection: SQLiteConnection, allowingIncomplete allowsIncomplete: Bool
    ) throws(SQLiteFailure) -> StoreIdentity {
        try connection.transaction { () throws(SQLiteFailure) in
            if allowsIncomplete, try isIncomplete(on: connection) { return .random() }
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

    /// Returns whether the file is one that a copy has not filled.
    static func isIncomplete(on connection: SQLiteConnection) throws(SQLiteFailure) -> Bool {
        try SQLiteMeta(on: connection).bytes(.name) == Array(StoreIdentity.incompleteName.utf8)
    }

    /// Reads the identity; `nil` if the file has none.
    static func load(
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> StoreIdentity? {
        guard try !isIncomplete(on: connection) else {
            throw .unsupported(StoreIdentity.incompleteReason)
        }
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
