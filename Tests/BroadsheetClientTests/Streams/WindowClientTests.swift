import TestSupport
import Testing

@testable import BroadsheetClient

@Suite("A client that follows a window (docs/client.md)", .timeLimit(.minutes(hangMinutes)))
struct WindowClientTests {
    private let daemon = FakeDaemon()

    /// The members of a window at a revision.
    private static func members(_ revision: Int) -> String {
        #""screen":"home","revision":\#(revision),"page":9,"hasNext":true,"hasPrevious":true,"#
            + #""nextPageToken":"N\#(revision)","previousPageToken":"P\#(revision)","#
            + #""window":{"section":"S","item":"m5","origin":500,"firstSection":0,"before":500,"#
            + #""after":900.5}"#
    }

    private static func tree(_ revision: Int) -> String {
        #"{\#(members(revision)),"sections":[]}"#
    }

    private static func changes(_ from: Int, _ to: Int) -> String {
        #"{"screen":"home","from":{"revision":\#(from),"page":9},"#
            + #""to":{"revision":\#(to),"page":9,"tag":"t\#(to)"},"reset":false,"#
            + #""tree":{\#(members(to))},"stages":[],"sections":[],"frames":[]}"#
    }

    /// The tree of a first page, which is not a window.
    private static let firstPage =
        #"{"screen":"home","revision":9,"page":0,"hasNext":true,"nextPageToken":"N","sections":[]}"#

    private static func events(_ text: String) -> FakeDaemon.Response {
        { _ in ClientResponse(status: 200, bytes: Array(text.utf8)) }
    }

    private func client(
        around anchor: ScreenQuery.Window.Anchor = .item("m5"), before: Double? = 500,
        after: Double? = 900.5
    ) -> ScreenClient {
        var query = ScreenQuery()
        query.window = .init(around: anchor, before: before, after: after)
        return ScreenClient("home", query: query, transport: daemon) { _ in await Task.yield() }
    }

    /// Waits until a request has been sent whose target ends with a text.
    private func wait(forTarget end: String) async {
        while await !daemon.targets.contains(where: { $0.hasSuffix(end) }) { await Task.yield() }
    }

    @Test(
        "The anchor and the lengths are requested once, and then the window's tag without a page",
        arguments: [
            (ScreenQuery.Window.Anchor.item("m 5"), "item=m%205"),
            (.item("m5", section: "a&b"), "item=m5&section=a%26b"),
            (.section("S"), "section=S"), (.start, "edge=start"), (.end, "edge=end"),
        ])
    func requests(_ anchor: ScreenQuery.Window.Anchor, _ parameters: String) async throws {
        await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(3), tag: "q3"))
        await daemon.respond(to: "changes", FakeDaemon.ok(Self.changes(3, 4)))
        await daemon.respond(to: "changes", FakeDaemon.ok(Self.changes(4, 5)))
        let client = client(around: anchor)
        try await client.load()
        #expect(try await client.loadNextPage())
        #expect(try await client.loadPreviousPage())
        var updates = client.updates.makeAsyncIterator()
        #expect(try await updates.next()?.tree.window?.item == "m5")
        let end = "/stream?coordinates=section&changes=true&since=5.t5"
        await wait(forTarget: end)
        let home = "/v1/screens/home"
        #expect(
            await daemon.targets == [
                "\(home)/layout?coordinates=section&\(parameters)&before=500&after=900.5",
                "\(home)/changes?coordinates=section&since=3.q3&pageToken=N3",
                "\(home)/changes?coordinates=section&since=4.t4&pageToken=P4",
                "\(home)\(end)",
            ])
    }

    @Test("A window without a tag is followed by its anchor, and without lengths by the daemon's")
    func untagged() async throws {
        await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(3)))
        await daemon.respond(to: "changes", FakeDaemon.ok(Self.changes(3, 3)))
        let client = client(before: nil, after: .nan)
        try await client.load()
        #expect(try await client.loadPreviousPage())
        #expect(
            await daemon.targets.map { $0.split(separator: "/").last } == [
                "layout?coordinates=section&item=m5",
                "changes?coordinates=section&since=3&item=m5&pageToken=P3",
            ])
    }

    @Test("While the page on one side is requested, none is requested on either side")
    func onePage() async throws {
        let (body, rest) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(3), tag: "q3"))
        await daemon.respond(to: "changes") { _ in
            ClientResponse(status: 200, headers: [:], body: body)
        }
        let client = client()
        try await client.load()
        async let isLoaded = client.loadPreviousPage()
        await wait(forTarget: "pageToken=P3")
        #expect(try await !client.loadNextPage())
        #expect(try await !client.loadPreviousPage())
        rest.yield(Array(Self.changes(3, 4).utf8))
        rest.finish()
        #expect(try await isLoaded)
        #expect(await client.tree?.previousPageToken == "P4")
        #expect(await daemon.targets.count == 2)
    }

    @Test("A page that is not stored yet is an error, and the client keeps its window")
    func notLoaded() async throws {
        await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(3), tag: "q3"))
        await daemon.respond(to: "changes", FakeDaemon.problem(404, "PAGE_NOT_LOADED"))
        await daemon.respond(to: "changes", FakeDaemon.ok(Self.changes(3, 4)))
        let client = client()
        try await client.load()
        await #expect(throws: ClientError.self) { try await client.loadPreviousPage() }
        #expect(await client.tree?.revision == 3)
        #expect(try await client.loadPreviousPage())
    }

    @Test(
        "A window that the daemon does not know any more, and changes that do not fit, open it again",
        arguments: [
            FakeDaemon.problem(404, "ITEM_NOT_FOUND"),
            // Another store cannot read the tag; an earlier daemon takes it for that of a page.
            FakeDaemon.problem(400, "INVALID_PARAMETER"),
            events("event: tree\nid: 9.t9\ndata: \(firstPage)\n\n"),
            events(
                "event: changes\nid: 9.t9\ndata: {\"screen\":\"home\","
                    + "\"from\":{\"revision\":3,\"page\":9},"
                    + "\"to\":{\"revision\":9,\"page\":0,\"tag\":\"t9\"},\"reset\":true,"
                    + "\"tree\":\(firstPage)}\n\n"),
            events(
                "event: problem\ndata: {\"status\":404,\"code\":\"ITEM_NOT_FOUND\"}\n\n"),
            events("event: changes\nid: 9.t9\ndata: \(changes(8, 9))\n\n"),
        ])
    func gone(_ response: @escaping FakeDaemon.Response) async throws {
        await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(3), tag: "q3"))
        await daemon.respond(to: "stream", response)
        await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(7), tag: "q7"))
        var updates = client().updates.makeAsyncIterator()
        #expect(try await updates.next()?.tree.revision == 3)
        let again = try await updates.next()
        #expect(again?.tree.revision == 7 && again?.changes == nil)
        await wait(forTarget: "since=7.q7")
        let opened = await daemon.targets.filter { $0.contains("/layout") }
        #expect(opened.count == 2 && opened[0] == opened[1])
    }

    @Test("A window that each connection opens again is opened after times that grow")
    func openedAgain() async throws {
        await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(3), tag: "q3"))
        for revision in 4..<9 {
            await daemon.respond(to: "stream", FakeDaemon.problem(400, "INVALID_PARAMETER"))
            await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(revision), tag: "q"))
        }
        await daemon.respond(to: "stream", Self.events("event: removed\ndata: {}\n\n"))
        var query = ScreenQuery()
        query.window = .init(around: .item("m5"), before: 500, after: 500)
        let delays = Recorder<Duration>()
        let client = ScreenClient("home", query: query, transport: daemon) { delays.record($0) }
        do {
            for try await _ in client.updates {}
            Issue.record("the updates end without an error")
        } catch ClientError.removed {}
        #expect(delays.count == 5)
        for (delay, longest) in zip(delays.values, [3, 6, 12, 24, 48]) {
            let half = Duration.milliseconds(500 * longest)
            #expect(half - .milliseconds(1) <= delay && delay <= half * 2)
        }
    }

    @Test("An anchor that the screen does not have ends the updates", arguments: [false, true])
    func absent(hasWindow: Bool) async throws {
        if hasWindow {
            await daemon.respond(to: "layout", FakeDaemon.ok(Self.tree(3), tag: "q3"))
            await daemon.respond(to: "stream", FakeDaemon.problem(404, "ITEM_NOT_FOUND"))
        }
        await daemon.respond(to: "layout", FakeDaemon.problem(404, "ITEM_NOT_FOUND"))
        var updates = client().updates.makeAsyncIterator()
        if hasWindow { #expect(try await updates.next()?.tree.revision == 3) }
        do {
            _ = try await updates.next()
            Issue.record("no error")
        } catch ClientError.problem(status: 404, let code, detail: _) {
            #expect(code == "ITEM_NOT_FOUND")
        }
    }
}
