/// The values that concern the whole store, each with a checksum.
struct StoreTable {
    /// The keys of the values.
    private enum Key: String {
        /// The name of the store (``StoreIdentity/name``), or the mark of a copy that is not
        /// complete.
        case name
        case sealingKey
        /// The line, which a restore raises.
        case line
        /// The number of restores.
        case epoch
        /// The revision of the floor, and the line in which it was recorded.
        case floor
        /// The number of screens, including expired ones, and the sum of their names.
        case names
        /// Bytes that are written to find out whether writes succeed; usually empty.
        case probe
    }

    private let find: SQLiteStatement
    private let save: SQLiteStatement

    init(on connection: SQLiteConnection) throws(SQLiteFailure) {
        find = try connection.prepare("SELECT value, checksum FROM store WHERE key = ?1")
        save = try connection.prepare(
            """
            INSERT INTO store (key, value, checksum) VALUES (?1, ?2, ?3)
            ON CONFLICT (key) DO UPDATE SET value = excluded.value, checksum = excluded.checksum
            """)
    }

    /// Returns the line and the floor.
    func server() throws(SQLiteFailure) -> PlanContext.ServerState {
        let line = try numbers(.line, count: 1)?[0] ?? 1
        let floor = try numbers(.floor, count: 2) ?? [0, 1]
        return PlanContext.ServerState(
            line: line, floor: RevisionFloor(revision: floor[0], line: floor[1]))
    }

    func set(_ floor: RevisionFloor) throws(SQLiteFailure) {
        try set(.floor, to: [floor.revision, floor.line])
    }

    func epoch() throws(SQLiteFailure) -> UInt64 { try numbers(.epoch, count: 1)?[0] ?? 0 }

    /// Begins a new line after a restore, and a new epoch.
    func beginLine() throws(SQLiteFailure) {
        try set(.line, to: [try server().line + 1])
        try set(.epoch, to: [try epoch() + 1])
    }

    func names() throws(SQLiteFailure) -> RecordTable.Names {
        let stored = try numbers(.names, count: 2) ?? [0, 0]
        return RecordTable.Names(count: stored[0], sum: stored[1])
    }

    func set(_ names: RecordTable.Names) throws(SQLiteFailure) {
        try set(.names, to: [names.count, names.sum])
    }

    func setProbe(to bytes: [UInt8]) throws(SQLiteFailure) { try set(.probe, to: bytes) }

    private func bytes(_ key: Key) throws(SQLiteFailure) -> [UInt8]? {
        try find.run { statement throws(SQLiteFailure) in
            try statement.bind(key.rawValue, at: 1)
            guard try statement.step() else { return nil }
            let bytes = statement.bytes(0)
            guard statement.integer(1) == Self.checksum(key, bytes) else {
                throw .damaged("the store's \(key.rawValue)")
            }
            return bytes
        }
    }

    private func set(_ key: Key, to bytes: [UInt8]) throws(SQLiteFailure) {
        try save.run { statement throws(SQLiteFailure) in
            try statement.bind(key.rawValue, at: 1)
            try statement.bind(Self.checksum(key, bytes), at: 3)
            try statement.bind(bytes, at: 2) { () throws(SQLiteFailure) in
                _ = try statement.step()
            }
        }
    }

    private static func checksum(_ key: Key, _ bytes: [UInt8]) -> Int64 {
        RowChecksum.value { sum in
            sum.combine(key.rawValue)
            sum.combine(bytes)
        }
    }

    /// Returns numbers, which are stored in decimal digits; `nil` if there are none.
    private func numbers(_ key: Key, count: Int) throws(SQLiteFailure) -> [UInt64]? {
        guard let bytes = try bytes(key) else { return nil }
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap {
            UInt64($0)
        }
        guard numbers.count == count else { throw .damaged("the store's \(key.rawValue)") }
        return numbers
    }

    private func set(_ key: Key, to numbers: [UInt64]) throws(SQLiteFailure) {
        try set(key, to: Array(numbers.map { "\($0)" }.joined(separator: " ").utf8))
    }
}

extension StoreTable {
    /// `nil` if the file has none; throws for the file of a copy that is not complete.
    func identity() throws(SQLiteFailure) -> StoreIdentity? {
        guard try !isIncomplete() else { throw .unsupported(StoreIdentity.incompleteReason) }
        guard let name = try bytes(.name), let key = try bytes(.sealingKey) else { return nil }
        guard
            let identity = StoreIdentity(
                name: String(decoding: name, as: UTF8.self), sealingKey: key)
        else { throw .damaged("the store's identity") }
        return identity
    }

    /// Returns the identity, and creates it in a new file.
    ///
    /// - Parameter allowsIncomplete: A Boolean value that indicates whether the file of a copy that
    ///   is not complete is permitted.
    /// - Returns: The identity; `nil` for such a file.
    func identityOrNew(
        allowingIncomplete allowsIncomplete: Bool
    ) throws(SQLiteFailure) -> StoreIdentity? {
        if allowsIncomplete, try isIncomplete() { return nil }
        if let kept = try identity() { return kept }
        // A file with screens had an identity; a new one would invalidate all tokens.
        guard try names().count == 0 else { throw .damaged("the store's identity") }
        let made = StoreIdentity.random()
        try set(made)
        return made
    }

    /// Stores an identity, or with `nil` the mark of a copy that is not complete.
    func set(_ identity: StoreIdentity?) throws(SQLiteFailure) {
        try set(.name, to: Array((identity?.name ?? StoreIdentity.incompleteName).utf8))
        try set(.sealingKey, to: identity?.sealingKey ?? [])
    }

    private func isIncomplete() throws(SQLiteFailure) -> Bool {
        try bytes(.name) == Array(StoreIdentity.incompleteName.utf8)
    }
}
