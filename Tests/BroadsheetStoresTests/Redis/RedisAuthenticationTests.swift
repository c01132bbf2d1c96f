import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("The handshake with a Redis server", .timeLimit(.minutes(hangMinutes)))
struct RedisAuthenticationTests {
    @Test("A handshake with a password succeeds for the default user and for another")
    func authentication() async throws {
        try await withRedisServer(["--requirepass", "open sesame"]) { server in
            let right = try server.endpoint(password: "open sesame")
            try await withRedisStore(right) { store, _, probe in
                try await store.put(0, to: name("home"))
                try await probe.send(
                    "ACL", "SETUSER", "daemon", "on", ">d@emon", "~*", "&*", "+@all")
                let user = try server.endpoint(user: "daemon", password: "d@emon")
                try await withRedisStore(user) { other, _, _ in
                    let revision = try await other.revision(name("home"))
                    #expect(revision == 1)
                }
            }
        }
    }

    @Test("A handshake with a wrong password or none fails, and the store reports it")
    func wrongPassword() async throws {
        try await withRedisServer(["--requirepass", "open sesame"]) { server in
            let wrong = [
                try server.endpoint(password: "sesame"), try server.endpoint(),
                try server.endpoint(user: "unknown", password: "open sesame"),
            ]
            for endpoint in wrong {
                let log = EventLog()
                try await withRedisStore(endpoint, log: log) { store, _, _ in
                    await log.waitForLoss()
                    await #expect {
                        try await store.checkReadiness()
                    } throws: {
                        guard case StoreError.unavailable(let words) = $0 else { return false }
                        return words.contains("WRONGPASS") || words.contains("NOAUTH")
                    }
                }
            }
        }
    }

    @Test("The permissions in docs/operations.md are sufficient for a user")
    func rights() async throws {
        let rights = """
            ~{broadsheet}:* &{broadsheet}:* +eval +exists +get +set +del +hget +hgetall +hset +hdel \
            +hkeys +hstrlen +zadd +zrem +zrangebylex +expire +pexpire +persist +pttl +publish \
            +subscribe +select +info +role
            """
        try await withRedisServer { server in
            let probe = try RedisProbe(server.endpoint())
            try await probe.send(
                ["ACL", "SETUSER", "daemon", "on", ">pw"]
                    + rights.split(separator: " ").map(String.init))
            let log = EventLog()
            let endpoint = try server.endpoint(user: "daemon", password: "pw", database: 1)
            let store = try RedisStore(endpoint, options: RedisStoreOptions(onEvent: log.handler))
            _ = try await store.identity()
            let home = try name("home")
            for lifetime in [.unchanged, .seconds(100), .indefinite, .seconds(100)]
                as [ScreenLifetime]
            {
                let revision = try await store.put(1, to: home, lifetime: lifetime)
                #expect(try await store.load(home, unlessAt: revision) == .unchanged)
            }
            let pages = [0, 2].map { PutPage(number: $0, bytes: [1]) }
            try await store.write(.replacePages(pages, keeping: [1], totals: nil), to: home)
            try await store.write(.replacePages([], keeping: [1], totals: nil), to: home)
            try await store.write(.removePage(1), to: home)
            try await store.write(.removeAllPages, to: home)
            #expect(try await store.screens(after: nil, limit: 9).count == 1)
            try await store.write(.removeScreen, to: home)
            try await store.put(1, to: name("next"))
            try await store.put(1, to: name("last"))
            try await store.checkReadiness()
            await store.close()
            await probe.close()
            #expect(!log.events.contains { if case .subscriptionLost = $0 { true } else { false } })
        }
    }

    @Test("A handshake without HELLO uses RESP2, including messages")
    func oldServer() async throws {
        try await withRedisServer { server in
            let old = try FakeRedis(upstream: server.port) { command in
                command.first == "HELLO"
                    ? .reply("-ERR unknown command `HELLO`, with args beginning with: `3`\r\n")
                    : .pass
            }
            try await withRedisStore(old.endpoint) { store, _, _ in
                let home = try name("home")
                try await store.put(0, "text", to: home)
                #expect(try await store.stored(home).pages.map(\.bytes) == [Array("text".utf8)])
                #expect(try await store.screens(after: nil, limit: 9).count == 1)
                try await withRedisStore(server.endpoint()) { modern, _, _ in
                    try await modern.put(1, to: home)
                    let isReceived = try await eventually {
                        try await store.load(home, unlessAt: 1) != .unchanged
                    }
                    #expect(isReceived)
                }
            }
            old.stop()
        }
    }
}
