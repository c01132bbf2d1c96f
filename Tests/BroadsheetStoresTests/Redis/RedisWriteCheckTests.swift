import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Servers that serve reads and refuse writes.
@Suite("Checks of writes to a Redis server", .timeLimit(.minutes(hangMinutes)))
struct RedisWriteCheckTests {
    private func isFull(_ error: any Error) -> Bool {
        if case StoreError.full = error { true } else { false }
    }

    private func isUnavailable(_ error: any Error) -> Bool {
        if case StoreError.unavailable = error { true } else { false }
    }

    @Test("A check leaves nothing behind, also after one that failed in the middle")
    func undone() async throws {
        try await withRedisStore { store, _, probe in
            _ = try await store.identity()
            let home = try name("home")
            try await store.put(0, to: home)
            let before = try await probe.send("KEYS", "*").elements?.count
            for bytes in [0, 1, 100_000] { try await store.checkWrites(ofBytes: bytes) }
            try await probe.send("HSET", RedisKeys.probe, "record", "1")
            try await store.checkWrites(ofBytes: 1)
            #expect(try await probe.send("KEYS", "*").elements?.count == before)
            #expect(try await store.screens(after: nil, limit: 10).map(\.name) == [home])
            #expect(try await store.put(1, to: home) == 2)
        }
    }

    @Test("A server without memory refuses writes and checks, and serves reads")
    func outOfMemory() async throws {
        try await withRedisServer { server in
            try await withRedisStore(server.endpoint()) { store, _, probe in
                _ = try await store.identity()
                let home = try name("home")
                try await store.put(0, to: home)
                try await store.checkWrites(ofBytes: 1)
                try await probe.send("CONFIG", "SET", "maxmemory-policy", "noeviction")
                try await probe.send("CONFIG", "SET", "maxmemory", "1")
                await #expect { try await store.checkWrites(ofBytes: 1) } throws: { isFull($0) }
                await #expect { try await store.put(1, to: home) } throws: { isFull($0) }
                let page = PutPage(number: 1, bytes: [1])
                await #expect {
                    try await store.write(
                        .replacePages([page], keeping: [], totals: nil), to: home)
                } throws: {
                    isFull($0)
                }
                try await store.checkReadiness()
                #expect(try await store.stored(home).revision == 1)
                // A daemon that starts now serves reads, too.
                try await withRedisStore(server.endpoint()) { other, _, _ in
                    let identity = try await other.identity()
                    let stored = try await other.stored(home)
                    let own = try await store.identity()
                    #expect(identity == own)
                    #expect(stored.revision == 1)
                }
                // What frees memory is not refused.
                #expect(try await store.write(.removePage(0), to: home) == 2)
                try await probe.send("CONFIG", "SET", "maxmemory", "0")
                try await store.checkWrites(ofBytes: 1)
                #expect(try await store.put(1, to: home) == 3)
                try await probe.send("CONFIG", "SET", "maxmemory", "1")
                #expect(try await store.write(.removeScreen, to: home) == 3)
            }
        }
    }

    @Test(
        "A user whose rights to write are withdrawn can read",
        arguments: ["-hset", "-zadd", "-publish", "resetchannels"])
    func rightsWithdrawn(rule: String) async throws {
        try await withRedisServer { server in
            let admin = try RedisProbe(server.endpoint())
            try await admin.send(
                "ACL", "SETUSER", "shop", "on", ">secret", "~{broadsheet}:*", "&{broadsheet}:*",
                "+@all")
            let endpoint = try server.endpoint(user: "shop", password: "secret")
            try await withRedisStore(endpoint) { store, _, _ in
                _ = try await store.identity()
                let home = try name("home")
                try await store.put(0, to: home)
                try await store.checkWrites(ofBytes: 1)
                try await admin.send("ACL", "SETUSER", "shop", rule)
                await #expect { try await store.checkWrites(ofBytes: 1) } throws: {
                    isUnavailable($0)
                }
                #expect(
                    await eventually { (try? await store.checkReadiness()) != nil },
                    "the server closes the subscription of such a user")
                #expect(try await store.stored(home).revision == 1)
                try await admin.send("ACL", "SETUSER", "shop", "+@all", "&{broadsheet}:*")
                #expect(await eventually { (try? await store.checkWrites(ofBytes: 1)) != nil })
            }
            await admin.close()
        }
    }

    @Test("A server that becomes a replica refuses the check, and then the connection")
    func replica() async throws {
        try await withRedisServer { server in
            try await withRedisStore(server.endpoint()) { store, _, probe in
                _ = try await store.identity()
                try await store.put(0, to: name("home"))
                // A primary that does not exist: the replica keeps its data.
                try await probe.send("REPLICAOF", "127.0.0.1", "1")
                await #expect { try await store.checkWrites(ofBytes: 1) } throws: {
                    isUnavailable($0)
                }
                // A replica may lack acknowledged writes, so it is not read from either.
                #expect(await eventually { (try? await store.checkReadiness()) == nil })
                try await probe.send("REPLICAOF", "NO", "ONE")
                #expect(await eventually { (try? await store.checkWrites(ofBytes: 1)) != nil })
                try await store.checkReadiness()
            }
        }
    }
}
