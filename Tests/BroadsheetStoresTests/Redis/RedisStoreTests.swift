import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("The Redis store", .serialized, .timeLimit(.minutes(hangMinutes)))
struct RedisStoreTests {
    @Test(
        "The Redis store conforms to every requirement of stores",
        arguments: StoreConformance.requirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        try await withRedisStore { store, clock, probe in
            try await requirement.check(store) { seconds in
                clock.advance(seconds: seconds)
                try await probe.letPass(seconds: seconds)
            }
        }
    }

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
        "A write that exceeds the maximum size of a screen changes nothing")
    func screenLimit() async throws {
        let server = try RedisServer()
        defer { withExtendedLifetime(server) {} }
        let store = try RedisStore(
            server.endpoint(), options: RedisStoreOptions(maxScreenBytes: 1000))
        let home = try name("home")
        let text = String(repeating: "x", count: 400)
        try await store.put(0, text, to: home)
        try await store.put(1, text, to: home)
        await #expect {
            try await store.put(2, text, to: home)
        } throws: {
            guard case StoreError.tooLarge(byteCount: _, limit: 1000) = $0 else { return false }
            return true
        }
        #expect(try await store.revision(home) == 2)
        // Replacing or removing a page frees space.
        try await store.put(1, "small", to: home)
        try await store.put(2, text, to: home)
        try await store.write(.removePage(0), to: home)
        try await store.put(3, text, to: home)
        try await store.write(.removeAllPages, to: home)
        try await store.put(4, text + text, to: home)
        // So does a write of all pages, which is refused for its own size only.
        let pages = [PutPage(number: 5, bytes: Array((text + text).utf8))]
        try await store.write(.replacePages(pages, keeping: [], totals: nil), to: home)
        let before = try await store.stored(home)
        await #expect {
            try await store.write(
                .replacePages(
                    [PutPage(number: 6, bytes: Array(text.utf8))], keeping: [5], totals: nil),
                to: home)
        } throws: {
            guard case StoreError.tooLarge(byteCount: _, limit: 1000) = $0 else { return false }
            return true
        }
        #expect(try await store.stored(home) == before)
        await store.close()
    }

    @Test(
        "The Redis store reports foreign data under its keys, and does not return or overwrite it")
    func foreignKeys() async throws {
        try await withRedisStore { store, _, probe in
            let home = try name("home")
            let key = "{broadsheet}:screen:home"
            for (command, field, value) in [
                ("SET", "text", ""), ("HSET", "other", "1"), ("HSET", "revision", "x"),
                ("HSET", "p:1", "no colon"), ("HSET", "p:x", "1:{}"),
                // Values of another screen or page.
                ("HSET", "p:1", "1 other 1:{}"), ("HSET", "p:1", "1 home 2:{}"),
                ("HSET", "c:1", "1 1 other 1"), ("HSET", "c:1", "1 1 home 2"),
                ("HSET", "c:1", "1 1 home 1 5"), ("HSET", "c:1", "1 1 home 1 5 - - x"),
                ("HSET", "sizes", "1 5 1 1 other"), ("HSET", "sizes", "1 5 1 home"),
                ("HSET", "sizes", "-1 5 1 1 home"), ("HSET", "sizes", "1 5 1 x home"),
                ("HSET", "trees", "0 other"), ("HSET", "trees", "x home"),
            ] {
                try await probe.send("DEL", key)
                try await probe.send("HSET", key, "revision", "1", "latest", "1")
                if command == "SET" {
                    try await probe.send("DEL", key)
                    try await probe.send("SET", key, field)
                } else {
                    try await probe.send("HSET", key, field, value)
                }
                await expectCorrupt { _ = try await store.load(home, unlessAt: nil) }
            }
            try await probe.send("SET", key, "text")
            await expectCorrupt {
                _ = try await store.commit(.removeAllPages, to: home, expecting: 1)
            }
            #expect(try await probe.send("GET", key).text == "text")
            try await probe.send("SET", "{broadsheet}:screens", "text")
            await expectCorrupt {
                _ = try await store.commit(
                    .put(page: 0, bytes: [1]), to: name("new"), expecting: nil)
            }
            #expect(try await store.load(name("new"), unlessAt: nil) == .absent)
            try await probe.send("SET", "{broadsheet}:identity", "text")
            await expectCorrupt { _ = try await store.identity() }
        }
    }

    @Test("Screens of a version without histories are read, and keep the revisions of their trees")
    func upgrade() async throws {
        try await withTwoRedisStores { one, two, probe in
            let home = try name("home")
            let key = "{broadsheet}:screen:home"
            try await probe.send("ZADD", "{broadsheet}:screens", "0", "home")
            try await probe.send(
                "HSET", key, "revision", "5", "latest", "3", "bytes", "12", "p:0", "1:{}", "p:2",
                "3:{}", "p:3", "4:{}")
            for store in [one, two] {
                #expect(try await store.stored(home).pages.map(\.revision) == [1, 3, 4])
                #expect(try await store.treeRevisions(of: home) == [0: 5, 2: 5, 3: 5])
            }
            // The screen has no line, which is another one than the server's.
            let first: UInt64 = 1_000_006
            #expect(try await one.put(3, "{\"a\":1}", to: home) == first)
            #expect(try await two.put(4, to: home) == first + 1)
            let last = first + 2
            #expect(try await one.write(.removePage(2), to: home) == last)
            for store in [one, two] {
                #expect(try await store.treeRevisions(of: home) == [0: 5, 3: last, 4: last])
                #expect(try await store.stored(home).latestPage == 4)
            }
            #expect(try await probe.send("HGET", key, "p:0").text == "1:{}")
            #expect(try await probe.send("HGET", key, "p:3").text == "\(first) home 3:{\"a\":1}")
            #expect(
                try await probe.send("HGET", key, "c:3").text
                    == "\(last) \(first + 1) home 3 7 - - \(first)")
            #expect(try await probe.send("HGET", key, "trees").text == "5 home")
            #expect(try await probe.send("HGET", key, "bytes").text == "\(4 + 22 + 17)")
        }
    }

    @Test("Pages of a version without histories are kept, and removed, by a write of all pages")
    func replacingOldPages() async throws {
        try await withTwoRedisStores { one, two, probe in
            let home = try name("home")
            let key = "{broadsheet}:screen:home"
            try await probe.send("ZADD", "{broadsheet}:screens", "0", "home")
            try await probe.send(
                "HSET", key, "revision", "5", "latest", "2", "bytes", "12", "p:0", "1:{}", "p:2",
                "3:{}", "p:3", "4:{}")
            let page = PutPage(number: 3, bytes: [1, 2, 3], counts: .zero)
            let change = ScreenCommit.replacePages(
                [page], keeping: [0], totals: .init(sections: 1, items: 2))
            #expect(try await one.write(change, to: home) == 1_000_006)
            for store in [one, two] {
                let stored = try await store.stored(home)
                #expect(stored.pages.map(\.head.number) == [0, 3])
                #expect(stored.pages.map(\.revision) == [1, 1_000_006])
                #expect(stored.head.latestPage == 3 && stored.head.highestPage == 3)
                #expect(stored.head.size.counts == ContentCounts(sections: 1, items: 2))
                #expect(try await store.treeRevisions(of: home) == [0: 5, 3: 1_000_006])
            }
            #expect(try await probe.send("HEXISTS", key, "p:2").integer == 0)
        }
    }

    @Test("Screens of a version without sizes are read in parts, and counted once")
    func upgradeOfSizes() async throws {
        try await withTwoRedisStores { one, two, probe in
            let home = try name("home")
            let key = "{broadsheet}:screen:home"
            try await probe.send("ZADD", "{broadsheet}:screens", "0", "home")
            try await probe.send(
                "HSET", key, "revision", "5", "latest", "3", "bytes", "38", "highest", "3", "trees",
                "0 home", "p:0", "1 home 0:{}", "p:1", "2 home 1:{}", "p:3", "4 home 3:[1,2]",
                "c:0", "0 2 home 0", "c:3", "5 0 home 3")
            for store in [one, two] {
                let head = try #require(try await store.page(nil, of: home, atMost: nil)).screen
                #expect(head.size.pageCount == 3)
                #expect((9...38).contains(head.size.byteCount))
                #expect(head.size.counts == nil)
                #expect(head.highestPage == 3)
                let page = try #require(try await store.page(3, of: home, atMost: 5))
                #expect(page.page == PageHead(number: 3, revision: 4, byteCount: 5))
                #expect(page.bytes == Array("[1,2]".utf8))
                let part = try await store.part(ScreenPart(upTo: .after(0)), of: home)
                #expect(part.pages.map(\.number) == [0, 1])
                #expect(part.history.treeRevision(upTo: 0, declaresNext: false) == 2)
            }
            let put = PutPage(number: 3, bytes: [1], counts: .init(sections: 1, items: 2))
            try await one.write(.putPages([put], totals: .init(sections: 3, items: 4)), to: home)
            try await two.write(.putPages([put], totals: nil), to: home)
            let size = try await one.stored(home).head.size
            #expect(size.pageCount == 3)
            #expect(size.counts == ContentCounts(sections: 3, items: 4))
        }
    }

    @Test("The Redis store completes earlier calls before it closes, and refuses later ones")
    func closing() async throws {
        let server = try RedisServer()
        defer { withExtendedLifetime(server) {} }
        let store = try RedisStore(server.endpoint())
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
        var store: RedisStore? = try RedisStore(server.endpoint())
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
