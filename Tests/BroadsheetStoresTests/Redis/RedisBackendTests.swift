import BroadsheetIO
import BroadsheetTesting
import Synchronization
import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("The backend on a Redis server", .timeLimit(.minutes(hangMinutes)))
struct RedisBackendTests {
    @Test(
        "The backend on a Redis server conforms to every requirement of backends",
        arguments: BackendConformance.requirements + BackendConformance.lineRequirements
            + BackendConformance.copyRequirements)
    func conforms(to requirement: BackendConformance.Requirement) async throws {
        try await withRedisBackend { try await requirement.check($0.tested()) }
    }

    @Test(
        "Backends of two daemons on a Redis server conform to every requirement of shared backends",
        arguments: BackendConformance.sharingRequirements)
    func shares(by requirement: BackendConformance.Requirement) async throws {
        try await withRedisBackend { world in
            let other = try RedisBackend(world.endpoint, options: .testing)
            var tested = world.tested()
            tested.other = other
            do {
                try await requirement.check(tested)
            } catch {
                await other.close()
                throw error
            }
            await other.close()
        }
    }

    @Test(
        "A store on a Redis server conforms to every requirement of stores",
        arguments: StoreConformance.requirements)
    func store(conformsTo requirement: StoreConformance.Requirement) async throws {
        try await check(requirement, StoreBounds())
    }

    @Test(
        "A store on a Redis server with a history and feeds conforms to every requirement of stores",
        arguments: StoreConformance.requirements + StoreConformance.historyRequirements
            + StoreConformance.feedRequirements)
    func keepingStore(conformsTo requirement: StoreConformance.Requirement) async throws {
        try await check(
            requirement, StoreBounds(history: HistoryBounds(), feeds: FeedBounds()))
    }

    private func check(
        _ requirement: StoreConformance.Requirement, _ bounds: StoreBounds
    ) async throws {
        try await withRedisBackend { world in
            let store = ScreenStore(
                world.backend, bounds: bounds, clock: world.clock.time, timeout: .seconds(60))
            try await requirement.check(store) { try await world.letPass(seconds: $0) }
        }
    }

    @Test("A call is one request, and one that creates a screen reads names of the index with it")
    func requests() async throws {
        try await withRedisServer { server in
            let proxy = try FakeRedis(upstream: server.port) { _ in .pass }
            let backend = try RedisBackend(proxy.endpoint, options: .testing)
            func scripts(of call: () async throws -> Void) async throws -> [String] {
                let before = proxy.commands.count
                try await call()
                return proxy.commands[before...].map { String($0[0]) }.filter { $0 != "PING" }
            }
            for (round, screen) in ["a", "b"].enumerated() {
                let screen = try name(screen)
                var creation = StoreBatch(screen: screen, line: 1, expecting: .absent)
                creation.change = .write(Self.record(at: 1))
                let key = ObjectKey(kind: 0, number: 0, revision: 1)
                creation.puts = [StoreBatch.Put(key: key, bytes: [1])]
                var batch = StoreBatch(screen: screen, line: 1, expecting: .alive)
                batch.change = .write(Self.record(at: 2))
                let sent = [
                    try await scripts { _ = try await backend.records([.init(screen: screen)]) },
                    try await scripts {
                        let outcome = try await backend.apply(creation)
                        #expect(outcome == .applied)
                    },
                    try await scripts {
                        let outcome = try await backend.apply(batch)
                        #expect(outcome == .applied)
                    },
                    try await scripts {
                        _ = try await backend.objects([key], of: screen, within: 9)
                    },
                ]
                // At first the server does not have the scripts.
                guard round == 1 else { continue }
                #expect(
                    sent == [
                        ["EVALSHA"], ["ZRANGEBYLEX", "EVAL", "EVALSHA"], ["EVALSHA"], ["EVALSHA"],
                    ])
            }
            await backend.close()
            proxy.stop()
        }
    }

    private static func record(at revision: UInt64) -> StoreBatch.RecordWrite {
        StoreBatch.RecordWrite(
            version: RecordVersion(revision: revision, edit: 0), bytes: [1], due: nil, weight: 0,
            listedBytes: 0, lifetime: .unchanged)
    }

    @Test("A server that has lost its scripts gets them again")
    func lostScripts() async throws {
        try await withRedisServer { server in
            try await withRedisStore(server.endpoint()) { store, _, probe in
                let home = try name("home")
                for revision in 1...3 as ClosedRange<UInt64> {
                    #expect(try await store.put(0, to: home) == revision)
                    try await probe.send("SCRIPT", "FLUSH")
                }
            }
        }
    }

    @Test(
        "A message is read as it was written, with the state that the server adds",
        arguments: [.written(.any, lowest: 7), .revisionsRemoved(.any), nil]
            as [StoreInvalidation?])
    func message(event: StoreInvalidation?) {
        var message = RedisMessage(
            screen: .any, version: RecordVersion(revision: 7, edit: 3), event: event)
        let text = "\(message.text) a0 b1 5"
        message.state = "a0 b1 5"
        #expect(RedisMessage(text) == message)
        for other in ["", "*", "any 7", "any 7 3 written", "any x 3 written a0 b1 5"] {
            #expect(RedisMessage(other) == nil)
        }
    }

    @Test(
        "The digest of a script is the SHA-1 of its text",
        arguments: [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (String(repeating: "a", count: 119), "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56"),
        ])
    func digest(text: String, digest: String) { #expect(LuaScript(text).digest == digest) }
}

/// A backend in a database of its own on a shared server.
struct RedisWorld: Sendable {
    let backend: RedisBackend
    /// The clock of the backend, which does not advance by itself.
    let clock: ManualClock
    let probe: RedisProbe
    let endpoint: RedisEndpoint

    /// Advances the time of the backend and of the server.
    func letPass(seconds: Int) async throws {
        clock.advance(seconds: seconds)
        try await probe.letPass(seconds: seconds)
    }

    /// Returns the description of the backend.
    func tested() -> TestedBackend {
        var tested = TestedBackend(backend, letPass: letPass)
        tested.beginLine = {
            let line = try await backend.records([]).line
            try await probe.send("SET", RedisKeys.line, "00000000 - \(line)")
        }
        return tested
    }
}

/// Passes a backend in a database of its own to `body`.
func withRedisBackend(_ body: (RedisWorld) async throws -> Void) async throws {
    let database = databases.withLock { $0.popLast() }
    let server = try sharedServer.get()
    let endpoint = try server.endpoint(database: try #require(database))
    let (clock, probe) = (ManualClock(), try RedisProbe(endpoint))
    try await probe.send("FLUSHDB")
    var options = RedisStoreOptions.testing
    options.clock = clock.time
    let backend = try RedisBackend(endpoint, options: options)
    let world = RedisWorld(backend: backend, clock: clock, probe: probe, endpoint: endpoint)
    var failure: (any Error)?
    do { try await body(world) } catch { failure = error }
    await backend.close()
    await probe.close()
    databases.withLock { $0.append(endpoint.database) }
    if let failure { throw failure }
}

private let sharedServer = Result { try RedisServer(["--databases", "256"]) }
private let databases = Mutex(Array(0..<256))

extension RedisStoreOptions {
    /// The options for a busy machine.
    static var testing: RedisStoreOptions { RedisStoreOptions(timeout: .seconds(60)) }
}
