import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("The Redis store", .serialized, .timeLimit(.minutes(hangMinutes)))
struct RedisStoreTests {
    @Test("The Redis store has one identity for each database")
    func identities() async throws {
        let server = try RedisServer()
        defer { withExtendedLifetime(server) {} }
        try await withRedisStore(server.endpoint()) { one, _, _ in
            try await withRedisStore(server.endpoint()) { two, _, _ in
                let (first, second) = (try await one.identity(), try await two.identity())
                #expect(first == second)
            }
            try await withRedisStore(server.endpoint(database: 3)) { other, _, _ in
                let (first, second) = (try await one.identity(), try await other.identity())
                #expect(first != second)
                try await one.put(0, to: name("home"))
                #expect(try await other.load(name("home"), unlessAt: nil) == .absent)
            }
        }
    }

    @Test("The Redis store sets and removes the time to live of a screen's key")
    func nativeExpiry() async throws {
        try await withRedisStore { store, _, probe in
            let home = try name("home")
            let key = "{broadsheet}:screen:home"
            try await store.put(0, to: home)
            #expect(try await probe.send("PTTL", key).integer == -1)
            try await store.put(0, to: home, lifetime: .seconds(100_000))
            let left = try #require(try await probe.send("PTTL", key).integer)
            #expect((90_000_000...100_000_000).contains(left))
            try await store.put(1, to: home)
            #expect(try #require(try await probe.send("PTTL", key).integer) <= left)
            try await store.write(.removeAllPages, to: home)
            #expect(try #require(try await probe.send("PTTL", key).integer) <= left)
            try await store.put(0, to: home, lifetime: .indefinite)
            #expect(try await probe.send("PTTL", key).integer == -1)
        }
    }

    @Test("Lists and new screens remove the names of expired screens from the index")
    func ghosts() async throws {
        try await withRedisStore { store, clock, probe in
            func indexed() async throws -> Int64? {
                try await probe.send("ZCARD", "{broadsheet}:screens").integer
            }
            for index in 0..<20 {
                try await store.put(0, to: name("ghost-\(index)"), lifetime: .seconds(1_000))
            }
            try await store.put(0, to: name("home"))
            clock.advance(seconds: 1_001)
            try await probe.letPass(seconds: 1_001)
            #expect(try await indexed() == 21)
            for index in 0..<10 { try await store.put(0, to: name("new-\(index)")) }
            let left = try #require(try await indexed())
            #expect(left < 20)
            #expect(try await store.screens(after: nil, limit: 1).map(\.name.text) == ["home"])
            #expect(try await indexed() == 11)
            #expect(try await store.screens(after: nil, limit: 99).count == 11)
        }
    }

    @Test(
        "The Redis store reports foreign data under its keys, and does not return or overwrite it")
    func foreignKeys() async throws {
        try await withRedisStore { store, clock, probe in
            let home = try name("home")
            let key = "{broadsheet}:screen:home"
            for (field, value) in [("other", "1"), ("revision", "x")] {
                try await store.put(0, to: home)
                if field == "other" { try await probe.send("DEL", key) }
                try await probe.send("HSET", key, field, value)
                // What no message is about is read after half a second at most.
                clock.advance(seconds: 1)
                await expectCorrupt { _ = try await store.load(home, unlessAt: nil) }
                await expectCorrupt { try await store.put(0, to: home) }
                try await probe.send("DEL", key)
                #expect(try await store.load(home, unlessAt: nil) == .absent)
            }
            try await probe.send("SET", key, "text")
            await expectCorrupt {
                _ = try await store.commit(.removeAllPages, to: home, expecting: 1)
            }
            #expect(try await probe.send("GET", key).text == "text")
            for set in [RedisKeys.index, RedisKeys.floor] {
                try await probe.send("SET", set, "text")
                await expectCorrupt { try await store.put(0, to: name("new")) }
                try await probe.send("DEL", set)
                #expect(try await store.load(name("new"), unlessAt: nil) == .absent)
            }
            // What a version of another format wrote is not an identity.
            for text in ["text", "0a:0123456789abcdef", "2:0a:0123456789abcdef"] {
                try await probe.send("SET", RedisKeys.identity, text)
                await expectCorrupt { _ = try await store.identity() }
            }
        }
    }

    @Test("The Redis store completes earlier calls before it closes, and refuses later ones")
    func closing() async throws {
        let server = try RedisServer()
        defer { withExtendedLifetime(server) {} }
        let store = try ScreenStore(server.endpoint())
        let home = try name("home")
        try await store.put(0, to: home)
        async let last = store.commit(.put(page: 1, bytes: [1]), to: home, expecting: 1)
        _ = try? await last
        await store.close()
        await #expect(throws: StoreError.self) { try await store.load(home, unlessAt: nil) }
        await #expect(throws: StoreError.self) { try await store.checkReadiness() }
        await store.close()
    }

    @Test("The Redis store closes its connections when it is released")
    func forgotten() async throws {
        let server = try RedisServer()
        defer { withExtendedLifetime(server) {} }
        let probe = try RedisProbe(server.endpoint())
        func clients() async throws -> Int? {
            try await probe.send("CLIENT", "LIST").text?.split(separator: "\n").count
        }
        var store: ScreenStore? = try ScreenStore(server.endpoint())
        try await store?.checkReadiness()
        #expect(try #require(try await clients()) >= 2)
        store = nil
        #expect(try await eventually { try await clients() == 1 })
        await probe.close()
    }
}

/// Expects that a store reports damaged data.
func expectCorrupt(
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record(comment ?? "nothing was thrown", sourceLocation: sourceLocation)
    } catch StoreError.corrupt {
    } catch {
        Issue.record(error, comment, sourceLocation: sourceLocation)
    }
}
