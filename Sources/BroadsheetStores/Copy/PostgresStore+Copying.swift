extension PostgresStore: CopyableStore {
    private static let findExpiries = """
        SELECT s.name, (extract(epoch FROM s.expires_at - clock_timestamp()) * 1000)::bigint
        FROM broadsheet.screens s WHERE s.name = ANY ($1) AND s.expires_at IS NOT NULL
        """

    /// Returns a revision above which new screens begin.
    package func floor() async throws(StoreError) -> UInt64 {
        try await pool.run(.other) { connection, _ throws(PostgresFailure) in
            var floor: UInt64 = 0
            try connection.run("SELECT floor FROM broadsheet.store") {
                floor = $0.revision(0) ?? 0
            }
            return floor
        }
    }

    /// Returns the times that are left until screens expire, in milliseconds.
    package func millisecondsLeft(
        of screens: [ScreenName]
    ) async throws(StoreError) -> [ScreenName: Int64] {
        try await pool.run(.other) { connection, _ throws(PostgresFailure) in
            var parameters = PostgresParameters()
            parameters.add(screens.map(\.text))
            var left: [ScreenName: Int64] = [:]
            try connection.run(Self.findExpiries, parameters) { row in
                guard let name = row.text(0).flatMap({ ScreenName($0) }) else { return }
                left[name] = row.integer(1).map { Int64($0) }
            }
            return left
        }
    }

    /// Returns whether the database has the mark of a store that is not filled.
    package func isIncomplete() async throws(StoreError) -> Bool {
        try await pool.run(.other) { connection, _ throws(PostgresFailure) in
            var name: String?
            try connection.run("SELECT name FROM broadsheet.store") { name = $0.text(0) }
            return name == StoreIdentity.incompleteName
        }
    }

    /// Replaces the identity by the mark.
    package func markIncomplete() async throws(StoreError) {
        try await set(name: StoreIdentity.incompleteName, [])
    }

    /// Makes new screens begin above a revision.
    package func raiseFloor(to revision: UInt64) async throws(StoreError) {
        guard let floor = Int64(exactly: revision) else {
            throw .corrupt("\(revision) is not a revision")
        }
        var parameters = PostgresParameters()
        parameters.add(floor)
        try await updateStore("floor = greatest(s.floor, $1)", parameters)
    }

    /// Replaces the mark by an identity.
    package func markComplete(as identity: StoreIdentity) async throws(StoreError) {
        try await set(name: identity.name, identity.sealingKey)
    }

    private func set(name: String, _ sealingKey: [UInt8]) async throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.add(name)
        parameters.add(sealingKey)
        try await updateStore("name = $1, sealing_key = $2", parameters)
    }
}
