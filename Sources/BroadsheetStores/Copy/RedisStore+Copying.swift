extension RedisStore: CopyableStore {
    /// Returns a revision above which new screens begin.
    package func floor() async throws(StoreError) -> UInt64 {
        let reply = try await client.call(RESPCommand("GET", RedisKeys.floor))
        guard reply != .null else { return 0 }
        guard let floor = reply.text.flatMap({ UInt64($0) }) else {
            throw .corrupt("the key \(RedisKeys.floor) is not a number")
        }
        return floor
    }

    /// Returns the times that are left until screens expire, in milliseconds.
    package func millisecondsLeft(
        of screens: [ScreenName]
    ) async throws(StoreError) -> [ScreenName: Int64] {
        let replies = try await client.call(
            screens.map { RESPCommand("PTTL", RedisKeys.screen($0)) })
        var left: [ScreenName: Int64] = [:]
        for (screen, reply) in zip(screens, replies) {
            // Negative for a screen that does not expire, and for none.
            if let milliseconds = reply.integer, milliseconds >= 0 {
                left[screen] = Int64(milliseconds)
            }
        }
        return left
    }

    /// Returns whether the server has the mark of a store that is not filled.
    package func isIncomplete() async throws(StoreError) -> Bool {
        try await client.call(RESPCommand("GET", RedisKeys.identity)).text
            == StoreIdentity.incompleteName
    }

    /// Replaces the identity by the mark.
    package func markIncomplete() async throws(StoreError) {
        // Without a key, so that releases that do not know the mark refuse the store.
        try await set(RedisKeys.identity, to: Array(StoreIdentity.incompleteName.utf8))
    }

    /// Makes new screens begin above a revision.
    package func raiseFloor(to revision: UInt64) async throws(StoreError) {
        let floor = try await floor()
        try await set(RedisKeys.floor, to: Array(String(max(revision, floor)).utf8))
    }

    /// Replaces the mark by an identity.
    package func markComplete(as identity: StoreIdentity) async throws(StoreError) {
        try await set(
            RedisKeys.identity, to: Array("\(identity.name):".utf8) + identity.sealingKey)
    }

    private func set(_ key: String, to value: [UInt8]) async throws(StoreError) {
        _ = try await client.call(RESPCommand(["SET", key].map { Array($0.utf8) } + [value]))
    }
}
