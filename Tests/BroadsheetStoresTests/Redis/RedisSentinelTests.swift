import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("A Redis server that Sentinels name", .serialized, .timeLimit(.minutes(hangMinutes)))
struct RedisSentinelTests {
    @Test(
        "The Redis store behind Sentinels conforms to every requirement of stores",
        arguments: StoreConformance.requirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        try await withRedisStore(SharedSentinels.endpoint()) { store, clock, probe in
            try await requirement.check(store) { seconds in
                clock.advance(seconds: seconds)
                try await probe.letPass(seconds: seconds)
            }
        }
    }

    @Test(
        "After a failover the store recovers alone, with the replica that was promoted",
        arguments: [nil, ServerTLS()] as [ServerTLS?])
    func failover(tls: ServerTLS?) async throws {
        for _ in FailureRounds.all { try await Self.failOver(tls) }
    }

    private static func failOver(_ tls: ServerTLS?) async throws {
        let cluster = try SentinelCluster(tls: tls)
        #expect(try await cluster.waitUntilComplete())
        let log = EventLog()
        let store = try ScreenStore(
            cluster.endpoint(), options: RedisStoreOptions(onEvent: log.handler))
        let home = try name("home")
        await log.waitForConnection(1)
        for _ in 0..<20 { try await store.put(0, to: home) }
        #expect(log.events.contains(.connected("127.0.0.1:\(cluster.primary.port)")))
        cluster.primary.kill()
        let promoted = "127.0.0.1:\(cluster.replica.port)"
        await log.wait { $0 == .connected(promoted) }
        let isStored = await eventually { (try? await store.put(0, to: home)) != nil }
        #expect(isStored)
        // The former primary comes back, as a primary at first, and is not used.
        try cluster.primary.restart()
        let before = try #require(try await store.revision(home))
        for number in 1...20 {
            #expect(try await store.put(0, to: home) == before + UInt64(number))
        }
        let last = log.events.last { if case .connected = $0 { true } else { false } }
        #expect(last == .connected(promoted))
        await store.close()
        withExtendedLifetime(cluster) {}
    }

    /// A Sentinel that a test controls.
    private static func sentinel(naming port: UInt16) -> FakeRedis.Script {
        { command in
            guard command.first == "SENTINEL" else { return .reply("+OK\r\n") }
            return .reply("*2\r\n$9\r\n127.0.0.1\r\n$\("\(port)".utf8.count)\r\n\(port)\r\n")
        }
    }

    private static let question = ["SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main"]

    /// Returns the address of Sentinels at some ports.
    private func endpoint(_ ports: [UInt16], _ query: String = "") throws -> RedisEndpoint {
        let hosts = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        return try RedisEndpoint(url: "redis+sentinel://\(hosts)/main\(query)")
    }

    @Test("Sentinels are asked in order until one replies, and that one is asked again each second")
    func order() async throws {
        try await withRedisServer { server in
            let closed = try FreePort.any()
            let unknowing = try FakeRedis { _ in .reply("*-1\r\n") }
            let silent = try FakeRedis { _ in .silence }
            let knowing = try FakeRedis(Self.sentinel(naming: server.port))
            let unasked = try FakeRedis(Self.sentinel(naming: server.port))
            let fakes = [unknowing, silent, knowing, unasked]
            let endpoint = try self.endpoint([closed] + fakes.map(\.port))
            let store = try ScreenStore(endpoint)
            let isReady = await eventually { (try? await store.checkReadiness()) != nil }
            #expect(isReady)
            #expect(unknowing.commands == [Self.question])
            #expect(silent.commands == [Self.question])
            #expect(await eventually { knowing.commands.count >= 3 })
            #expect(unasked.commands.isEmpty)
            #expect(unknowing.commands.count == 1)
            await store.close()
            for fake in fakes { fake.stop() }
        }
    }

    @Test("A Sentinel that names a replica is asked last")
    func replica() async throws {
        try await withRedisServer { primary in
            try await withRedisServer(["--replicaof", "127.0.0.1 \(primary.port)"]) { replica in
                let wrong = try FakeRedis(Self.sentinel(naming: replica.port))
                let right = try FakeRedis(Self.sentinel(naming: primary.port))
                let log = EventLog()
                let endpoint = try self.endpoint([wrong.port, right.port])
                try await withRedisStore(endpoint, log: log) { store, _, _ in
                    // The first request waits, so that a daemon starts.
                    try await store.put(0, to: name("home"))
                    let count = wrong.commands.count
                    #expect(await eventually { right.commands.count >= 3 })
                    // The probe beside the store has its own order.
                    #expect(wrong.commands.count <= count + 1)
                }
                let reasons = log.events.compactMap { event -> String? in
                    if case .unreachable(let reason) = event { reason } else { nil }
                }
                #expect(reasons.allSatisfy { $0.contains("a Sentinel names this server") })
                #expect(log.events.contains(.connected("127.0.0.1:\(primary.port)")))
                #expect(!log.events.contains(.connected("127.0.0.1:\(replica.port)")))
                wrong.stop()
                right.stop()
            }
        }
    }

    @Test("Another address closes all connections to the former primary within seconds")
    func moved() async throws {
        try await withRedisServer { former in
            try await withRedisServer { next in
                let sentinel = try FakeRedis(Self.sentinel(naming: former.port))
                let log = EventLog()
                let store = try ScreenStore(
                    endpoint([sentinel.port]), options: RedisStoreOptions(onEvent: log.handler))
                let probe = try RedisProbe(former.endpoint())
                #expect(try await probe.hasSubscribers(1))
                await log.waitForConnection(1)
                sentinel.change(Self.sentinel(naming: next.port))
                let address = "127.0.0.1:\(next.port)"
                await log.wait { $0 == .connected(address) }
                let hasReason = log.events.contains { event in
                    guard case .unreachable(let reason) = event else { return false }
                    return reason.contains("the Sentinels name another primary")
                }
                #expect(hasReason)
                #expect(try await probe.hasSubscribers(0))
                let isAlone = try await eventually {
                    try await probe.send("CLIENT", "LIST").text?.split(separator: "\n").count == 1
                }
                #expect(isAlone)
                let isReady = await eventually { (try? await store.checkReadiness()) != nil }
                #expect(isReady)
                await probe.close()
                await store.close()
                sentinel.stop()
            }
        }
    }

    @Test("Without Sentinels that reply a store is unreachable, and one that is connected stays")
    func silence() async throws {
        try await withRedisServer { server in
            let sentinels = try (0..<2).map { _ in
                try FakeRedis(Self.sentinel(naming: server.port))
            }
            let log = EventLog()
            let endpoint = try self.endpoint(sentinels.map(\.port))
            let store = try ScreenStore(endpoint, options: RedisStoreOptions(onEvent: log.handler))
            await log.waitForConnection(1)
            for sentinel in sentinels { sentinel.stop() }
            await log.wait { if case .sentinelsSilent = $0 { true } else { false } }
            for _ in 0..<5 { try await store.put(0, to: name("home")) }
            let late = EventLog()
            let other = try ScreenStore(endpoint, options: RedisStoreOptions(onEvent: late.handler))
            await late.waitForLoss()
            await #expect {
                _ = try await other.identity()
            } throws: {
                guard case StoreError.unavailable(let reason) = $0 else { return false }
                return reason.contains("no Sentinel names main")
                    && sentinels.allSatisfy { reason.contains("127.0.0.1:\($0.port)") }
            }
            let warnings = log.events.filter {
                if case .sentinelsSilent = $0 { true } else { false }
            }
            #expect(warnings.count == 1)
            #expect(!log.events.contains { if case .unreachable = $0 { true } else { false } })
            await other.close()
            await store.close()
        }
    }

    @Test("The credentials of Sentinels are not those of the server, and in no message")
    func credentials() async throws {
        try await withRedisServer(["--requirepass", "hidden"]) { server in
            let secret = "s3cret"
            let strict = try FakeRedis { command in
                guard command.first == "AUTH" else {
                    return Self.sentinel(naming: server.port)(command)
                }
                return command == ["AUTH", "me", secret]
                    ? .reply("+OK\r\n") : .reply("-WRONGPASS \(command.joined(separator: " "))\r\n")
            }
            var right = try endpoint(
                [strict.port], "?sentinel-user=me&sentinel-password=\(secret)")
            right.password = "hidden"
            try await withRedisStore(right) { store, _, _ in
                try await store.put(0, to: name("home"))
            }
            #expect(strict.commands.first == ["AUTH", "me", secret])
            #expect(!strict.commands.contains { $0.contains("hidden") })
            let log = EventLog()
            let wrong = try ScreenStore(
                endpoint([strict.port], "?sentinel-password=wr0ng"),
                options: RedisStoreOptions(onEvent: log.handler))
            await log.waitForLoss()
            #expect(log.events.allSatisfy { !$0.description.contains("wr0ng") })
            #expect(log.events.contains { $0.description.contains("WRONGPASS") })
            await wrong.close()
            strict.stop()
        }
    }

    @Test(
        "A Sentinel whose reply is not an address is skipped",
        arguments: [
            "+OK\r\n", ":1\r\n", "*0\r\n", "*1\r\n$1\r\na\r\n", "-ERR no\r\n", "-\r\n",
            "*2\r\n$0\r\n\r\n$4\r\n6379\r\n", "*2\r\n$1\r\na\r\n$1\r\n0\r\n",
            "*2\r\n$1\r\na\r\n$5\r\n65536\r\n", "*2\r\n$1\r\na\r\n$2\r\n-1\r\n",
            "*2\r\n_\r\n_\r\n", "*3\r\n$1\r\na\r\n$1\r\n1\r\n$1\r\n1\r\n",
            "$99999999\r\n", "*99999999\r\n", "*1\r\n*1\r\n*1\r\n*1\r\n", "?\r\n",
            "HTTP/1.1 400 Bad Request\r\n\r\n",
        ])
    func hostile(reply: String) async throws {
        try await withRedisServer { server in
            let hostile = try FakeRedis { _ in .reply(reply) }
            let closing = try FakeRedis { _ in .hangUp }
            let right = try FakeRedis(Self.sentinel(naming: server.port))
            let fakes = [hostile, closing, right]
            let store = try ScreenStore(endpoint(fakes.map(\.port)))
            let isReady = await eventually { (try? await store.checkReadiness()) != nil }
            #expect(isReady)
            #expect(hostile.commands == [Self.question])
            await store.close()
            for fake in fakes { fake.stop() }
        }
    }

    @Test("A server that a Sentinel names has to say that it is the primary")
    func role() throws {
        let endpoint = try RedisEndpoint(url: "redis+sentinel://h/main")
        let master = RESPValue.bulk(Array("master".utf8))
        var named = RedisHandshake(endpoint)
        let hello = named.receive(.map([.bulk(Array("role".utf8)), master]))
        #expect(hello == .send(RESPCommand("EXISTS", RedisKeys.identity)))
        func isRejected(_ replies: RESPValue...) -> Bool {
            var handshake = RedisHandshake(endpoint)
            var step = RedisGreetingStep.done
            for reply in replies { step = handshake.receive(reply) }
            guard case .rejected(let error) = step else { return false }
            return error.endsConnection
        }
        #expect(isRejected(.map([])))
        #expect(isRejected(.map([.bulk(Array("role".utf8)), .bulk(Array("replica".utf8))])))
        #expect(isRejected(.error("NOPROTO"), .error("NOPERM no right to ROLE")))
        #expect(isRejected(.error("NOPROTO"), .array([.bulk(Array("slave".utf8))])))
        #expect(!isRejected(.error("NOPROTO"), .array([master])))
    }
}
