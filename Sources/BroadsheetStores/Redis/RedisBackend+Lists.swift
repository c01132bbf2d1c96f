import BroadsheetIO
import Synchronization

/// Lists, sums, and the identity.
extension RedisBackend {
    /// The number of names of the index that one round of a listing reads.
    private static let namesPerRound = 1000

    /// Returns up to `limit` screens in name order; names of expired screens are skipped, and
    /// removed from the index.
    package func names(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        var found: [ScreenListing] = []
        var after = name
        while found.count < limit {
            let names = RedisIndex.names(
                try await client.call(
                    RedisIndex.names(after: after, prefix: prefix, limit: Self.namesPerRound)))
            guard let last = names.last else { break }
            after = last
            found += try await fields(["revision", "bytes"], of: names).compactMap { entry in
                entry.values[0].map {
                    ScreenListing(
                        name: entry.name, revision: UInt64(clamping: $0),
                        byteCount: entry.values[1].map { Int(clamping: $0) })
                }
            }
        }
        return Array(found.prefix(max(0, limit)))
    }

    /// Returns the numbers in fields of screens that are there; the names of others are removed
    /// from the sets.
    private func fields(
        _ fields: [String], of names: [ScreenName]
    ) async throws(StoreError) -> [(name: ScreenName, values: [Int64?])] {
        let replies = try await client.call(
            names.map { name in
                RESPCommand(
                    (["HMGET", RedisKeys.screen(name)] + fields).map { Array($0.utf8) })
            })
        let found = zip(names, replies).map { name, reply in
            (name: name, values: reply.elements?.map(\.integer) ?? fields.map { _ in nil })
        }
        let gone = found.filter { $0.values.first == .some(nil) }.map(\.name)
        if !gone.isEmpty { _ = try await client.call(RedisIndexSweep.prune(gone)) }
        return found.filter { $0.values.first != .some(nil) }
    }

    /// Returns screens that are due; those that have expired have gone.
    package func due(before time: Int64, limit: Int) async throws(StoreError) -> [ScreenName] {
        var found: [ScreenName] = []
        while found.count < limit {
            let names = RedisIndex.names(
                try await client.call(
                    RESPCommand(
                        "ZRANGEBYSCORE", RedisKeys.dues, "-inf", "(\(time)", "LIMIT",
                        "\(found.count)", "\(limit - found.count)")))
            let there = try await fields(["revision"], of: names).map(\.name)
            found += there
            if there.count == names.count { break }
        }
        return found
    }

    package func weight() async throws(StoreError) -> Int {
        var (sum, after) = (0, ScreenName?.none)
        while true {
            let names = RedisIndex.names(
                try await client.call(
                    RedisIndex.names(after: after, limit: Self.namesPerRound)))
            guard let last = names.last else { return sum }
            after = last
            for (_, values) in try await fields(["revision", "weight"], of: names) {
                sum += values[1].map { Int(clamping: $0) } ?? 0
            }
        }
    }

    /// Returns the identity of the store, which the first daemon creates.
    package func identity() async throws(StoreError) -> StoreIdentity {
        let get = RESPCommand("GET", RedisKeys.identity)
        // A server that accepts no writes may still be read from.
        var reply = try await client.call(get)
        if reply == .null {
            let set = RESPCommand(
                ["SET", RedisKeys.identity].map { Array($0.utf8) }
                    + [RedisEmptiedServer.value(of: .random()), Array("NX".utf8)])
            reply = try await client.call([set, get])[1]
        }
        guard reply.text != StoreIdentity.incompleteName else {
            throw .corrupt(StoreIdentity.incompleteReason)
        }
        guard let value = reply.bytes, let identity = RedisEmptiedServer.identity(in: value) else {
            throw .corrupt("the key \(RedisKeys.identity) is not an identity of this version")
        }
        emptied.record(identity: value)
        return identity
    }

    package func isIncomplete() async throws(StoreError) -> Bool {
        try await client.call(RESPCommand("GET", RedisKeys.identity)).text
            == StoreIdentity.incompleteName
    }

    package func setIdentity(_ identity: StoreIdentity?) async throws(StoreError) {
        let value =
            identity.map(RedisEmptiedServer.value) ?? Array(StoreIdentity.incompleteName.utf8)
        _ = try await reply(
            of: .identify, keys: Self.stateKeys, [Array(server.text.utf8), value])
        server.reset()
        emptied.record(identity: identity == nil ? nil : value)
    }
}
