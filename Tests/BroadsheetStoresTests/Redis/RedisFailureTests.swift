import BroadsheetIO
import Synchronization
import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

/// Servers that reject connections, stop replying, or send invalid data.
@Suite("A failing Redis server", .serialized, .timeLimit(.minutes(hangMinutes)))
struct RedisFailureTests {
    // The time is not measured, because the tests of other suites delay the resumption. A call that
    // never failed would exceed the suite's limit.
    @Test("Calls to a server that accepts connections and never replies fail")
    func silentFromTheStart() async throws {
        let silent = try FakeRedis { _ in .silence }
        let log = EventLog()
        let store = try ScreenStore(
            silent.endpoint, options: RedisStoreOptions(onEvent: log.handler))
        await #expect {
            try await store.load(name("home"), unlessAt: nil)
        } throws: {
            isUnavailable($0)
        }
        silent.stop()
        await store.close()
    }

    @Test("A server that is down at the start is reported as unreachable, and not as open before")
    func downAtTheStart() async throws {
        let server = try FakeRedis(FakeRedis.greeting { _ in .silence })
        let endpoint = try server.endpoint
        server.stop()
        let log = EventLog()
        let store = try ScreenStore(endpoint, options: RedisStoreOptions(onEvent: log.handler))
        await log.waitForLoss()
        await store.close()
        for event in log.events {
            switch event {
            case .opened, .connected: Issue.record("\(event)")
            default: break
            }
        }
    }

    @Test("Calls to a server that stops replying fail at their deadline, and the store reconnects")
    func silentLater() async throws {
        let server = try FakeRedis(FakeRedis.greeting { _ in .silence })
        let log = EventLog()
        let store = try ScreenStore(
            server.endpoint,
            options: RedisStoreOptions(timeout: .seconds(5), onEvent: log.handler))
        await log.waitForConnection(1)
        let node = RedisNode(try server.endpoint)
        await #expect {
            try await store.load(name("home"), unlessAt: nil)
        } throws: {
            $0 as? StoreError == .unavailable("Redis does not reply in time (\(node))")
        }
        server.change(
            FakeRedis.greeting { command in
                command.first == "EVALSHA"
                    ? .reply(
                        "*5\r\n+- - 1\r\n+0\r\n+1\r\n*1\r\n_\r\n\(FakeRedis.marker)\r\n")
                    : .reply("%0\r\n")
            })
        await log.waitForConnection(2)
        let home = try name("home")
        #expect(await eventually { (try? await store.load(home, unlessAt: nil)) == .absent })
        server.stop()
        await store.close()
    }

    @Test("Calls fail at the deadline of their task, if that is before the timeout of the store")
    func deadlineOfTask() async throws {
        let server = try FakeRedis(FakeRedis.greeting { _ in .silence })
        let log = EventLog()
        let store = try ScreenStore(
            server.endpoint, options: RedisStoreOptions(timeout: .seconds(5), onEvent: log.handler))
        await log.waitForConnection(1)
        // A fifth of the timeout is left to each call, which is less than a connection has.
        await #expect(throws: StoreError.unavailable("no reply in time")) {
            try await StoreDeadline.binding(.init(nanoseconds: 0)) {
                () async throws(StoreError) in
                _ = try await store.identity()
            }
        }
        server.stop()
        await store.close()
    }

    @Test("A server that stops replying does not prevent the store from closing, even repeatedly")
    func closedTwice() async throws {
        let isRequested = Atomic(false)
        let server = try FakeRedis(
            FakeRedis.greeting { _ in
                isRequested.store(true, ordering: .releasing)
                return .silence
            })
        let store = try ScreenStore(server.endpoint)
        let home = try name("home")
        let unanswered = Task { try await store.load(home, unlessAt: nil) }
        #expect(await eventually { isRequested.load(ordering: .acquiring) })
        async let one: Void = store.close()
        async let other: Void = store.close()
        _ = await (one, other)
        await #expect(throws: StoreError.self) { try await unanswered.value }
        server.stop()
    }

    @Test(
        "A server that sends invalid data makes the store unavailable",
        arguments: [
            "HTTP/1.1 400 Bad Request\r\n\r\n", "\r\n\r\n", "$-7\r\n", "*99999999999\r\n",
            "\u{1}\u{2}\u{3}\r\n", "$5\r\nabcdefgh\r\n", "%1\r\n+a\r\n", "+",
        ])
    func nonsense(text: String) async throws {
        for isGreeted in [false, true] {
            let script: FakeRedis.Script = { _ in .reply(text) }
            let server = try FakeRedis(isGreeted ? FakeRedis.greeting(script) : script)
            let store = try ScreenStore(
                server.endpoint, options: RedisStoreOptions(timeout: .milliseconds(100)))
            let home = try name("home")
            await #expect(throws: StoreError.self) {
                try await store.commit(.put(page: 0, bytes: []), to: home, expecting: 1)
            }
            server.stop()
            await store.close()
        }
    }

    /// Replies after which the store does not wait for others.
    static let replies: [(String, @Sendable (StoreError) -> Bool)] = [
        ("-OOM command not allowed when used memory > 'maxmemory'.", isFull),
        ("-WRONGTYPE Operation against a key", isDamaged),
        ("*1\r\n<marker>", isDamaged), ("<marker>", isDamaged),
        ("*5\r\n+x\r\n+0\r\n+1\r\n*1\r\n_\r\n<marker>", isDamaged),
        ("*5\r\n+- - 1\r\n+x\r\n+1\r\n*1\r\n_\r\n<marker>", isDamaged),
        ("*5\r\n+- - 1\r\n+0\r\n+1\r\n*0\r\n<marker>", isDamaged),
        ("*5\r\n+- - 1\r\n+0\r\n+1\r\n*1\r\n*1\r\n+1\r\n<marker>", isDamaged),
    ]

    @Test(
        "An unexpected reply to a write causes the matching error",
        arguments: 0..<replies.count)
    func refusals(index: Int) async throws {
        let (reply, isMeant) = Self.replies[index]
        try await Self.expectFailure(after: reply, within: .seconds(60 * hangMinutes), isMeant)
    }

    @Test(
        "A write whose reply asks for another attempt, or is not its own, fails in time",
        arguments: [
            "-MISCONF Redis is configured to save RDB snapshots",
            "-LOADING Redis is loading the dataset in memory",
            "-READONLY You can't write against a read only replica.",
            "-NOREPLICAS Not enough good replicas to write.",
            // Without the marker of the write it is another reply.
            ":1", "*3\r\n:1\r\n+5\r\n:-1", "*1\r\n:1", "_",
        ])
    func noReply(text: String) async throws {
        try await Self.expectFailure(after: text, within: .milliseconds(100), isAway)
    }

    private static func expectFailure(
        after reply: String, within timeout: Duration, _ isMeant: (StoreError) -> Bool
    ) async throws {
        let server = try FakeRedis(FakeRedis.greeting { _ in .reply(reply + "\r\n") })
        let store = try ScreenStore(
            server.endpoint, options: RedisStoreOptions(timeout: timeout))
        let home = try name("home")
        await #expect {
            try await store.commit(.put(page: 0, bytes: []), to: home, expecting: 1)
        } throws: {
            ($0 as? StoreError).map(isMeant) ?? false
        }
        server.stop()
        await store.close()
    }

    @Test("A failure is reported once for each reason, however often the attempt fails")
    func reports() async throws {
        let port = try FreePort.any()
        let log = EventLog()
        let endpoint = try RedisEndpoint(url: "redis://127.0.0.1:\(port)")
        let store = try ScreenStore(endpoint, options: RedisStoreOptions(onEvent: log.handler))
        for _ in 0..<3 {
            _ = await eventually { (try? await store.checkReadiness()) == nil }
        }
        await log.waitForLoss()
        await store.close()
        #expect(log.events.filter { if case .unreachable = $0 { true } else { false } }.count == 1)
        #expect(log.events.last == .closed)
    }
}

@Suite("The address of a Redis server in errors", .timeLimit(.minutes(hangMinutes)))
struct RedisAddressTests {
    private static let password = "hidden-7f3a"

    /// Expects errors and events of a store to have the address of the server, and no password.
    private func expectAddress(_ endpoint: RedisEndpoint) async throws {
        var endpoint = endpoint
        endpoint.password = Self.password
        let log = EventLog()
        let store = try ScreenStore(endpoint, options: RedisStoreOptions(onEvent: log.handler))
        await log.waitForLoss()
        var reasons = log.events.map(\.description)
        do throws(StoreError) {
            _ = try await store.identity()
            Issue.record("no error")
        } catch {
            reasons.append(error.reason)
        }
        await store.close()
        for reason in reasons where reason != StoreEvent.closed.description {
            #expect(reason.contains("(127.0.0.1:\(endpoint.port))"), "\(reason)")
            #expect(!reason.contains(Self.password), "\(reason)")
        }
    }

    @Test("It is in the errors of a server that is down")
    func down() async throws {
        try await expectAddress(RedisEndpoint(url: "redis://127.0.0.1:\(try FreePort.any())"))
    }

    @Test(
        "It is in the errors of a server that rejects, closes or ignores the connection",
        arguments: ["-WRONGPASS hidden-7f3a is invalid\r\n", "HTTP/1.1 400 Bad Request\r\n", ""])
    func failing(reply: String) async throws {
        let server = try FakeRedis { _ in reply.isEmpty ? .hangUp : .reply(reply) }
        try await expectAddress(server.endpoint)
        server.stop()
    }

    @Test("An IPv6 address is in brackets")
    func brackets() {
        #expect(RedisNode(host: "::1", port: 7).description == "[::1]:7")
        #expect(RedisNode(host: "cache", port: 7).description == "cache:7")
    }
}

/// Returns a Boolean value that indicates whether an error is `unavailable`.
func isUnavailable(_ error: any Error) -> Bool {
    if case StoreError.unavailable = error { true } else { false }
}

private let isFull: @Sendable (StoreError) -> Bool = { if case .full = $0 { true } else { false } }
private let isAway: @Sendable (StoreError) -> Bool = {
    if case .unavailable = $0 { true } else { false }
}
private let isDamaged: @Sendable (StoreError) -> Bool = {
    if case .corrupt = $0 { true } else { false }
}
