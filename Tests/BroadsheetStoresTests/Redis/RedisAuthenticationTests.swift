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
