import TestSupport
import Testing

@testable import BroadsheetClient

@Suite("A client that follows a screen (docs/client.md)", .timeLimit(.minutes(hangMinutes)))
struct ScreenClientTests {
    private let daemon = FakeDaemon()

    private static func tree(_ revision: UInt64, page: Int = 0, next: String? = nil) -> String {
        let token = next.map { #","nextPageToken":"\#($0)""# } ?? ""
        return #"{"screen":"home","revision":\#(revision),"page":\#(page)\#(token),"sections":[]}"#
    }

    private static func changes(_ from: UInt64, _ to: UInt64, page: (Int, Int) = (0, 0)) -> String {
        #"{"screen":"home","from":{"revision":\#(from),"page":\#(page.0)},"#
            + #""to":{"revision":\#(to),"page":\#(page.1),"tag":"t\#(to)"},"reset":false,"#
            + #""tree":{"screen":"home","revision":\#(to),"page":\#(page.1)},"#
            + #""stages":[],"sections":[],"frames":[]}"#
    }

    private func client(_ query: ScreenQuery = ScreenQuery()) -> ScreenClient {
        ScreenClient("home", query: query, transport: daemon) { _ in await Task.yield() }
    }

    @Test("Requests have the parameters that are not the defaults, in their order")
    func parameters() async throws {
        var query = ScreenQuery(width: 320.5, height: 844, scale: 2)
        query.isRightToLeft = true
        query.textScale = 1.5
        query.safeArea = SafeArea(top: 20, bottom: 34.5, right: .nan)
        query.client = "ios/5.2"
        query.flags = ["a", "b"]
        query.catalog = "c"
        query.collapsed = ["x y"]
        query.expanded = ["a,b"]
        await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(3, next: "T"), tag: "q1-gzip"))
        await daemon.respond(to: "changes", FakeDaemon.ok(Self.changes(3, 3, page: (0, 1))))
        let client = client(query)
        try await client.load()
        let isLoaded = try await client.loadNextPage()
        let isLast = try await client.loadNextPage()
        #expect(isLoaded && !isLast)
        let all =
            "width=320.5&scale=2&textScale=1.5&safeArea=20%2C0%2C34.5%2C0&direction=rtl"
            + "&client=ios%2F5.2&flags=a%2Cb&catalog=c&collapsed=x%20y&expanded=a%2Cb&expanded=a%2Cb"
        #expect(
            await daemon.targets == [
                "/v1/screens/home/layout?\(all)",
                "/v1/screens/home/changes?\(all)&since=3.q1&page=0&pageToken=T",
            ])
        #expect(await client.tree?.page == 1)
    }

    @Test("Events are sent in requests of 1000, and a problem is an error")
    func events() async throws {
        let client = client()
        for revision in [4, 5] {
            await daemon.respond(
                to: "events", FakeDaemon.ok(#"{"accepted":1,"revision":\#(revision)}"#))
        }
        let event = ClientEvent(action: "a", section: "S", item: 0, input: ["n": 1])
        let revision = try await client.send(Array(repeating: event, count: 1001))
        #expect(revision == 5)
        let bodies = await daemon.bodies
        #expect(bodies.count == 2)
        let last = try TreeValue(json: try #require(bodies.last))
        #expect(
            last == [
                "events": [
                    ["type": "action", "name": "a", "section": "S", "item": 0, "input": ["n": 1]]
                ]
            ])
        #expect(try await client.send([]) == nil)
        await daemon.respond(to: "events", FakeDaemon.problem(409, "UPDATE_FAILED"))
        do throws(ClientError) {
            try await client.send([event])
            Issue.record("no error")
        } catch {
            #expect(error.description == "409 UPDATE_FAILED: why")
        }
    }

    @Test("Updates are the tree, and each later one with the changes from the one before")
    func updates() async throws {
        await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(1, next: "T"), tag: "q"))
        await daemon.respond(to: "stream") { _ in
            let text =
                "retry: 10\n\nevent: changes\nid: 2.t2\ndata: \(Self.changes(1, 2))\n\n"
                + "event: changes\nid: 3.t3\ndata: \(Self.changes(2, 3))\n\n"
            return ClientResponse(status: 200, bytes: Array(text.utf8))
        }
        // Changes that do not fit load the tree.
        await daemon.respond(to: "stream") { _ in
            let text = "event: changes\nid: 9.t9\ndata: \(Self.changes(8, 9))\n\n"
            return ClientResponse(status: 200, bytes: Array(text.utf8))
        }
        await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(9), tag: "q9"))
        await daemon.respond(to: "stream") { _ in
            let text = "event: removed\ndata: {}\n\n"
            return ClientResponse(status: 200, bytes: Array(text.utf8))
        }
        let client = client()
        var revisions: [UInt64?] = []
        var hasChanges: [Bool] = []
        do {
            for try await update in client.updates {
                revisions.append(update.tree.revision)
                hasChanges.append(update.changes != nil)
            }
            Issue.record("the updates end without an error")
        } catch ClientError.removed {}
        #expect(revisions == [1, 2, 3, 9])
        #expect(hasChanges == [false, true, true, false])
        let streams = await zip(daemon.targets, daemon.headers).filter { $0.0.contains("/stream") }
        #expect(
            streams.map(\.0) == [
                "/v1/screens/home/stream?changes=true&since=1.q&page=0",
                "/v1/screens/home/stream?changes=true&since=3.t3&page=0",
                "/v1/screens/home/stream?changes=true&since=9.q9&page=0",
            ])
        #expect(streams.map { $0.1["Last-Event-ID"] } == [nil, "3.t3", nil])
    }

    @Test(
        "A problem that is the client's own ends the updates, and another one does not",
        arguments: [(400, true), (403, true), (408, false), (429, false), (500, false)])
    func problems(_ status: Int, _ isFinal: Bool) async throws {
        await daemon.respond(to: "layout", FakeDaemon.problem(status, "CODE"))
        await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(1)))
        var iterator = client().updates.makeAsyncIterator()
        if isFinal {
            await #expect(throws: ClientError.self) { try await iterator.next() }
        } else {
            #expect(try await iterator.next()?.tree.revision == 1)
        }
    }

    @Test("The time before another connection is doubled up to 60 s, less a random half")
    func reconnecting() async throws {
        let refused = FakeDaemon.problem(500, "INTERNAL")
        await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(1), tag: "t1"))
        for _ in 0..<8 { await daemon.respond(to: "stream", refused) }
        for text in [
            "event: changes\nid: 2.t2\ndata: \(Self.changes(1, 2))\n\n", "retry: 10000\n\n",
            "retry: 100000\nevent: changes\nid: 3.t3\ndata: \(Self.changes(2, 3))\n\n",
        ] {
            await daemon.respond(to: "stream", FakeDaemon.ok(text))
        }
        // The delays are random: enough of them are not all the longest.
        for _ in 0..<40 { await daemon.respond(to: "stream", refused) }
        await daemon.respond(to: "stream", FakeDaemon.ok("event: removed\ndata: {}\n\n"))
        let delays = Recorder<Duration>()
        let client = ScreenClient("home", query: ScreenQuery(), transport: daemon) {
            delays.record($0)
        }
        do {
            for try await _ in client.updates {}
            Issue.record("the updates end without an error")
        } catch ClientError.removed {}
        // Without an event, then after one, and by the time that the daemon names.
        let seconds = [3, 6, 12, 24, 48, 60, 60, 60, 3, 20] + Array(repeating: 60, count: 41)
        #expect(delays.count == seconds.count)
        for (delay, longest) in zip(delays.values, seconds) {
            let half = Duration.milliseconds(500 * longest)
            #expect(half - .milliseconds(1) <= delay && delay <= half * 2)
        }
        let last = delays.values.suffix(40)
        #expect(last.contains { $0 < .seconds(45) } && last.contains { $0 > .seconds(45) })
    }

    @Test("A stream that its transport wants to open again goes on at once from the last event")
    func reopenedByTransport() async throws {
        await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(1), tag: "t1"))
        await daemon.respond(to: "stream") { _ in
            ClientResponse(
                status: 200, headers: [:],
                body: AsyncThrowingStream { continuation in
                    let event = "event: changes\nid: 2.t2\ndata: \(Self.changes(1, 2))\n\n"
                    continuation.yield(Array(event.utf8))
                    continuation.finish(throwing: StreamReopening())
                })
        }
        await daemon.respond(to: "stream", FakeDaemon.ok("event: removed\ndata: {}\n\n"))
        let delays = Recorder<Duration>()
        let client = ScreenClient("home", query: ScreenQuery(), transport: daemon) {
            delays.record($0)
        }
        var revisions: [UInt64?] = []
        do {
            for try await update in client.updates { revisions.append(update.tree.revision) }
        } catch ClientError.removed {}
        #expect(revisions == [1, 2])
        #expect(delays.count == 0)
        #expect(await daemon.headers.last?["Last-Event-ID"] == "2.t2")
    }

    private static func reset(_ revision: UInt64) -> String {
        "event: changes\nid: \(revision).r\ndata: "
            + #"{"screen":"home","from":{"revision":9,"page":0},"#
            + #""to":{"revision":\#(revision),"page":0,"tag":"r"},"reset":true,"#
            + #""tree":\#(tree(revision))}"# + "\n\n"
    }

    @Test(
        "The time before another connection grows while resets and trees follow each other",
        arguments: [
            reset(1), "event: tree\nid: 1.r\ndata: \(tree(1))\n\n",
            "event: changes\nid: 9.t\ndata: \(changes(8, 9))\n\n",
        ])
    func resets(_ event: String) async throws {
        let isMisfit = event.hasPrefix("event: changes\nid: 9")
        await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(1), tag: "t1"))
        for text in Array(repeating: event, count: 6) + [
            "event: changes\nid: 2.t2\ndata: \(Self.changes(1, 2))\n\n",
            "event: removed\ndata: {}\n\n",
        ] {
            await daemon.respond(to: "stream", FakeDaemon.ok(text))
            guard isMisfit else { continue }
            await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(1), tag: "t1"))
        }
        let delays = Recorder<Duration>()
        let client = ScreenClient("home", query: ScreenQuery(), transport: daemon) {
            delays.record($0)
        }
        do {
            for try await _ in client.updates {}
            Issue.record("the updates end without an error")
        } catch ClientError.removed {}
        let seconds = [3, 6, 12, 24, 48, 60, 3]
        #expect(delays.count == seconds.count)
        for (delay, longest) in zip(delays.values, seconds) {
            let half = Duration.milliseconds(500 * longest)
            #expect(half - .milliseconds(1) <= delay && delay <= half * 2)
        }
    }

    @Test("A reader that falls 64 updates behind receives the last tree as a whole")
    func pending() async throws {
        func update(_ revision: UInt64) throws -> TreeUpdate {
            TreeUpdate(
                tree: try Tree(json: Self.tree(revision).utf8),
                changes: try Changes(json: Self.changes(revision - 1, revision).utf8))
        }
        let updates = TreeUpdates()
        for revision in 1...64 { updates.append(try update(UInt64(revision))) }
        #expect(try await updates.next()?.tree.revision == 1)
        for revision in 65...66 { updates.append(try update(UInt64(revision))) }
        let last = try #require(try await updates.next())
        #expect(last.tree.revision == 66 && last.changes == nil)
        updates.append(try update(67))
        let next = try #require(try await updates.next())
        #expect(next.tree.revision == 67 && next.changes != nil)
        updates.finish()
        #expect(try await updates.next() == nil)
    }

    @Test("A response and an event have at most 256 MiB, and a larger one is an error")
    func sizes() async throws {
        #expect(ScreenClient.maxBodyBytes == 256 << 20)
        let tree = Self.tree(1)
        let client = ScreenClient(
            "home", query: ScreenQuery(), transport: daemon, maxBodyBytes: tree.utf8.count
        ) { _ in await Task.yield() }
        await daemon.respond(to: "layout", FakeDaemon.ok(tree))
        try await client.load()
        await daemon.respond(to: "layout", FakeDaemon.ok(tree + " "))
        do throws(ClientError) {
            try await client.load()
            Issue.record("no error")
        } catch {
            #expect(error.description == "the response has more than \(tree.utf8.count) bytes")
        }
        // The stream is opened again, and has then only what fits.
        await daemon.respond(
            to: "stream", FakeDaemon.ok("event: tree\ndata: \(Self.tree(1))  \n\n"))
        await daemon.respond(to: "stream", FakeDaemon.ok("event: removed\ndata: {}\n\n"))
        var revisions: [UInt64?] = []
        do {
            for try await update in client.updates { revisions.append(update.tree.revision) }
            Issue.record("the updates end without an error")
        } catch ClientError.removed {}
        #expect(revisions == [1])
        #expect(await daemon.targets.filter { $0.contains("/stream") }.count == 2)
    }

    @Test("A next page opens the stream again, and a second iteration ends the first")
    func reopening() async throws {
        await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(1, next: "T"), tag: "q"))
        await daemon.respond(to: "changes", FakeDaemon.ok(Self.changes(1, 1, page: (0, 1))))
        let client = client()
        var first = client.updates.makeAsyncIterator()
        #expect(try await first.next()?.tree.page == 0)
        try await client.loadNextPage()
        #expect(try await first.next()?.tree.page == 1)
        while await !daemon.targets.contains(where: { $0.hasSuffix("since=1.t1&page=1") }) {
            await Task.yield()
        }
        var second = client.updates.makeAsyncIterator()
        #expect(try await second.next()?.tree.page == 1)
        #expect(try await first.next() == nil)
    }
}
