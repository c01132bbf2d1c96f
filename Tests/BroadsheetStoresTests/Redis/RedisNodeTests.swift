import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// The server that owns the keys of a store, and changes of it.
@Suite("The node of a Redis server", .timeLimit(.minutes(hangMinutes)))
struct RedisNodeTests {
    @Test("A node is replaced by the one that owns the keys, if a cluster redirects to it")
    func moved() async throws {
        try await withRedisServer { server in
            let node = try FakeRedis { command in
                switch command.first {
                case "HELLO": .reply("%1\r\n+role\r\n+master\r\n")
                default: .reply("-MOVED 1234 127.0.0.1:\(server.port)\r\n")
                }
            }
            try await withRedisStore(node.endpoint) { store, _, _ in
                try await store.put(0, to: name("home"))
                #expect(try await store.screens(after: nil, limit: 9).count == 1)
            }
            node.stop()
        }
    }

    @Test("Too many redirections in a circle are a failure")
    func movedInCircles() async throws {
        let ports = Mutex<[UInt16]>([])
        let script: @Sendable (Int) -> FakeRedis.Script = { other in
            { command in
                guard command.first != "HELLO" else { return .reply("%0\r\n") }
                return .reply("-MOVED 1 127.0.0.1:\(ports.withLock { $0[other] })\r\n")
            }
        }
        let (one, two) = try (FakeRedis(script(1)), FakeRedis(script(0)))
        ports.withLock { $0 = [one.port, two.port] }
        let log = EventLog()
        let store = try ScreenStore(one.endpoint, options: RedisStoreOptions(onEvent: log.handler))
        await log.waitForLoss()
        await #expect {
            try await store.checkReadiness()
        } throws: {
            isUnavailable($0)
        }
        one.stop()
        two.stop()
        await store.close()
    }

    @Test("If a node becomes a replica, the store connects to the new primary at its address")
    func failover() async throws {
        let isReplica = Mutex(false)
        let server = try FakeRedis { command in
            let demoted = isReplica.withLock { $0 }
            switch command.first {
            case "HELLO":
                return .reply("%1\r\n+role\r\n+\(demoted ? "replica" : "master")\r\n")
            case "EVAL", "EVALSHA":
                return .reply("-READONLY You can't write against a replica.\r\n")
            default: return .reply(":1\r\n")
            }
        }
        let log = EventLog()
        let store = try ScreenStore(
            server.endpoint, options: RedisStoreOptions(onEvent: log.handler))
        await log.waitForConnection(1)
        isReplica.withLock { $0 = true }
        let home = try name("home")
        await #expect {
            try await store.commit(.removeScreen, to: home, expecting: 1)
        } throws: {
            isUnavailable($0)
        }
        await log.wait { event in
            guard case .unreachable(let reason) = event else { return false }
            return reason.contains("replica")
        }
        isReplica.withLock { $0 = false }
        await log.waitForConnection(2)
        server.stop()
        await store.close()
    }

    @Test("A node is unavailable if its name cannot be resolved")
    func unknownHost() async throws {
        let endpoint = try RedisEndpoint(url: "redis://broadsheet.invalid")
        let log = EventLog()
        let store = try ScreenStore(endpoint, options: RedisStoreOptions(onEvent: log.handler))
        await log.waitForLoss()
        await #expect {
            try await store.checkReadiness()
        } throws: {
            isUnavailable($0)
        }
        await store.close()
    }

    @Test("A node is unavailable only after every address of its name was tried")
    func addresses() async throws {
        try await withRedisServer { server in
            // The server listens on IPv4 only; the name of this machine may resolve to IPv6 first.
            var endpoint = try server.endpoint()
            endpoint.host = "localhost"
            try await withRedisStore(endpoint) { store, _, _ in try await store.checkReadiness() }
        }
    }
}
