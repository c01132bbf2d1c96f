import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

/// A client of a window, which keeps it by changes.
struct WindowClient {
    let chat: ChatScreen
    private(set) var view: CollectionView
    private(set) var version: String

    /// Opens a window.
    init(_ query: String, _ chat: ChatScreen) async throws {
        self.chat = chat
        let response = try await chat.get("layout?\(query)")
        try #require(response.status == 200, "\(response.text)")
        view = try CollectionView(try response.value)
        version = "\(view.tree["revision"]?.integer ?? 0).\(response.tag)"
    }

    var anchor: String? { view.tree["window"]?["item"]?.text }
    var ids: [String] {
        (view.tree["sections"]?.elements ?? []).flatMap { $0["items"]?.elements ?? [] }
            .compactMap { $0["id"]?.text }
    }

    /// Asks for the changes, and applies them.
    @discardableResult
    mutating func follow(
        _ query: String = "", headers: HTTPHeaders = [:]
    ) async throws -> TreeValue {
        let more = query.isEmpty ? "" : "&\(query)"
        let response = try await chat.get("changes?since=\(version)\(more)", headers: headers)
        try #require(response.status == 200, "\(response.text)")
        let document = try response.value
        try view.apply(document)
        version = "\(document["to"]?["revision"]?.integer ?? 0).\(try response.string("/to/tag"))"
        return document
    }

    /// Checks that the window is that of a fresh request for its anchor.
    func check(_ query: String) async throws {
        let fresh = try await chat.get("layout?item=\(anchor ?? "")&\(query)")
        #expect(try view.tree == fresh.value)
        #expect(version.hasSuffix(".\(fresh.tag)"))
    }
}

@Suite("Changes of windows (docs/api.md, Windows)", .timeLimit(.minutes(hangMinutes)))
struct WindowChangesTests {
    private let lengths = "before=250&after=250"

    @Test("An edit above moves the anchor, and lists a few numbers only")
    func above() async throws {
        let chat = try await ChatScreen()
        var client = try await WindowClient("item=m25&\(lengths)", chat)
        try await chat.update(#""op":"deleteItems","section":"Chat","items":["m3","m4"]"#)
        let document = try await client.follow()
        #expect(document["reset"] == .bool(false))
        #expect(document["stages"] == .array([]) && document["frames"] == .array([]))
        #expect(
            document["sections"]
                == .array([
                    .object([
                        "index": .number(0), "firstItem": .number(20), "itemCount": .number(48),
                        "frame": .object([
                            "x": .number(0), "y": .number(-2300), "width": .number(390),
                            "height": .number(4800),
                        ]),
                    ])
                ]))
        #expect(client.view.tree["window"]?["origin"]?.number == 2300)
        try await client.check(lengths)
    }

    @Test(
        "Edits inside and across the border insert and delete what enters and leaves",
        arguments: [
            #""op":"deleteItems","section":"Chat","items":["m24"]"#,
            #""op":"deleteItems","section":"Chat","items":["m22","m23","m24"]"#,
            #""op":"insertItems","section":"Chat","data":[{"id":"new"}],"after":"m26""#,
            #""op":"moveItems","section":"Chat","items":["m24"],"after":"m40""#,
            #""op":"moveItems","section":"Chat","items":["m2"],"after":"m25""#,
            #""op":"patchItem","section":"Chat","item":"m26","patch":{"text":"edited"}"#,
            #""op":"patchItem","section":"Chat","item":"m46","patch":{"text":"edited"}"#,
            #""op":"moveItems","section":"Chat","items":["m25"],"after":"m40""#,
        ])
    func edits(operation: String) async throws {
        let chat = try await ChatScreen()
        var client = try await WindowClient("item=m25&\(lengths)", chat)
        let response = try await chat.service.send(
            "POST", "\(ChatScreen.path)/updates", "{\"operations\":[{\(operation)}]}")
        try #require(response.status == 200, "\(response.text)")
        try await client.follow()
        #expect(client.anchor == "m25")
        try await client.check(lengths)
    }

    @Test("Without a tag, since has the window of the query, and wants the same anchor")
    func withoutTag() async throws {
        let chat = try await ChatScreen()
        var client = try await WindowClient("edge=end&\(lengths)", chat)
        try await chat.put(5)
        let response = try await chat.get("changes?since=5&edge=end&\(lengths)")
        try client.apply(try response.value)
        #expect(client.anchor == "m49")
        #expect(try response.value("/reset")?.raw == "false")
        try await client.check(lengths)
        // An unreadable tag is a reset to the anchor of the query, and without one 400.
        let unreadable = try await chat.get("changes?since=5.x&edge=end&\(lengths)")
        #expect(try unreadable.value("/reset")?.raw == "true")
        #expect(try unreadable.string("/tree/window/item") == "m59")
        let future = try await chat.get("changes?since=99&edge=end&\(lengths)")
        #expect(try future.value("/reset")?.raw == "true")
        let invalid = try await chat.get("changes?since=5.x&before=3")
        #expect(invalid.code == "INVALID_PARAMETER")
        #expect(try await chat.get("changes?since=5&before=3").code == "INVALID_PARAMETER")
    }

    @Test("The tag of a window of another store is a reset with an anchor in the query, else 400")
    func otherStore() async throws {
        let other = try await ChatScreen()
        let tag = try await other.get("layout?item=m25&\(lengths)").tag
        let chat = try await ChatScreen()
        for query in ["", "&width=300", "&page=4", "&pages=all", "&after=3", "&coordinates=window"]
        {
            let response = try await chat.get("changes?since=5.\(tag)\(query)")
            #expect(response.code == "INVALID_PARAMETER", "\(query)")
        }
        let opened = try await chat.get("changes?since=5.\(tag)&item=m25&\(lengths)")
        #expect(try opened.value("/reset")?.raw == "true")
        #expect(try opened.string("/tree/window/item") == "m25")
        // A tree that is not a window is the same at every store but for its tag.
        let treeTag = try await other.get("layout").tag
        let tree = try await chat.get("changes?since=5.\(treeTag)")
        #expect(try tree.value("/reset")?.raw == "true")
        #expect(try tree.value("/tree/window")?.raw == nil)
    }

    @Test("Parameters beside since say what is wanted; what is absent is as in the tag")
    func moves() async throws {
        let chat = try await ChatScreen()
        var client = try await WindowClient("item=m25&\(lengths)", chat)
        let document = try await client.follow("item=m28", headers: [.prefer: "wait=20"])
        #expect(document["reset"] == .bool(false))
        #expect(client.anchor == "m28")
        try await client.check(lengths)
        try await client.follow("after=950")
        try await client.check("before=250&after=950")
        try await client.follow("edge=start&before=0&after=0")
        #expect(client.ids == ["m0"])
        let token = try #require(client.view.tree["nextPageToken"]?.text)
        try await client.follow("pageToken=\(token)", headers: [.prefer: "wait=20"])
        #expect(client.anchor == "m0")
        let both = try await chat.get("changes?since=\(client.version)&pageToken=\(token)&item=m1")
        #expect(both.code == "PAGE_TOKEN_MISMATCH")
    }

    @Test("Other parameters of the layout than those of the tag are a reset around its anchor")
    func otherParameters() async throws {
        let chat = try await ChatScreen()
        var client = try await WindowClient("item=m25&\(lengths)", chat)
        let document = try await client.follow("width=300")
        #expect(document["reset"] == .bool(true))
        #expect(client.anchor == "m25")
        try await client.check("\(lengths)&width=300")
    }

    @Test(
        "A deleted anchor is replaced by the nearest item after it that exists, or else before it",
        arguments: [
            (["m25"], "m26"), (["m25", "m26", "m28"], "m27"),
            ((25..<50).map { "m\($0)" }, "m24"), ((0..<50).map { "m\($0)" }, nil),
            ((1..<50).map { "m\($0)" }, "m0"),
        ] as [([String], String?)])
    func deleted(items: [String], replacement: String?) async throws {
        let chat = try await ChatScreen()
        var client = try await WindowClient("item=m25&\(lengths)", chat)
        let token = try #require(client.view.tree["nextPageToken"]?.text)
        let list = items.map { "\"\($0)\"" }.joined(separator: ",")
        try await chat.update(#""op":"deleteItems","section":"Chat","items":[\#(list)]"#)
        try await client.follow()
        #expect(client.anchor == replacement)
        #expect(client.view.tree["window"]?["item"] == replacement.map(TreeValue.string) ?? .null)
        if replacement != nil { try await client.check(lengths) }
        // The token's anchor is m28, which is replaced alike; a restarted daemon does not know it.
        let led = try await chat.get("layout?pageToken=\(token)")
        let gone = items.contains("m28")
        #expect(led.status == 200)
        let restarted = ChatScreen(at: try await TestService(store: chat.service.store))
        let unknown = try await restarted.get("layout?pageToken=\(token)")
        #expect(unknown.code == (gone ? "ITEM_NOT_FOUND" : nil))
        let changes = try await restarted.get("changes?since=\(client.version)")
        #expect(changes.status == 200)
        let query = try await restarted.get("changes?since=5&item=m25")
        #expect(query.code == "ITEM_NOT_FOUND")
        // Null stays null.
        guard replacement == nil else { return }
        try await chat.put(9, ["n0"])
        try await client.follow()
        #expect(client.view.tree["window"]?["item"] == .null)
    }

    @Test("An anchor of an id of its own is the same in another section; a collapsed one is gone")
    func sections() async throws {
        let chat = try await ChatScreen()
        var client = try await WindowClient("item=m25&\(lengths)", chat)
        try await chat.service.send(
            "PUT", "\(ChatScreen.path)/pages/7",
            ChatScreen.page(["z1", "m25", "z2"], section: "Other"))
        try await chat.update(#""op":"deleteItems","section":"Chat","items":["m25"]"#)
        try await client.follow()
        #expect(client.anchor == "m25")
        #expect(client.view.tree["window"]?["section"]?.text == "Other")
        try await chat.update(#""op":"toggleSection","section":"Other""#)
        try await client.follow()
        #expect(client.anchor == "m49")
        try await client.check(lengths)
    }

    @Test("A revision that changes nothing in the window is nothing new, and ends no waiting")
    func nothing() async throws {
        let sleep = ManualSleep()
        let service = try await TestService(clock: ManualClock().time, sleep: sleep.sleep)
        let chat = try await ChatScreen(pages: 0...4, service)
        var client = try await WindowClient("item=m25&\(lengths)", chat)
        let version = client.version
        async let waiting = chat.get("changes?since=\(version)", headers: [.prefer: "wait=20"])
        while sleep.durations.isEmpty { await Task.yield() }
        try await chat.update(
            #""op":"patchItem","section":"Chat","item":"m2","patch":{"text":"other"}"#)
        while sleep.durations.count < 2 { await Task.yield() }
        let document = try await client.follow()
        #expect(document["reset"] == .bool(false))
        for list in ["stages", "sections", "frames"] { #expect(document[list] == .array([])) }
        try await client.check(lengths)
        try await chat.update(#""op":"deleteItems","section":"Chat","items":["m2"]"#)
        let response = try await waiting
        #expect(response.status == 200)
        #expect(try response.number("/to/revision") == 7)
    }

    @Test("A request that waits knows its window, however many revisions leave that as it is")
    func quiet() async throws {
        let sleep = ManualSleep()
        let service = try await TestService(
            store: ScreenStore.inMemory(history: HistoryBounds(maxRevisions: 1)),
            clock: ManualClock().time, historyBytes: 0, sleep: sleep.sleep)
        let chat = try await ChatScreen(pages: 0...4, service)
        let version = try await WindowClient("item=m25&\(lengths)", chat).version
        async let waiting = chat.get("changes?since=\(version)", headers: [.prefer: "wait=20"])
        for count in 1...4 {
            while sleep.durations.count < count { await Task.yield() }
            let operation =
                count < 4
                ? #""op":"patchItem","section":"Chat","item":"m2","patch":{"text":"\#(count)"}"#
                : #""op":"deleteItems","section":"Chat","items":["m25"]"#
            try await chat.update(operation)
        }
        let response = try await waiting
        #expect(try response.value("/reset")?.raw == "false")
        #expect(try response.number("/from/revision") == 5)
        #expect(try response.string("/tree/window/item") == "m26")
    }

    @Test("A reset is decided against the tree of the window")
    func reset() async throws {
        let chat = try await ChatScreen()
        var client = try await WindowClient("item=m25&before=0&after=0", chat)
        let document = try await client.follow("item=m45")
        #expect(document["reset"] == .bool(true) || client.ids == ["m45"])
        try await client.check("before=0&after=0")
        var wide = try await WindowClient("item=m25&before=2000&after=2000", chat)
        try await chat.update(
            #""op":"patchItem","section":"Chat","item":"m25","patch":{"text":"other"}"#)
        #expect(try await wide.follow()["reset"] == .bool(false))
    }

    @Test("Suffixes that change because of items before the window are changes in it")
    func suffixes() async throws {
        let chat = try await ChatScreen(pages: 0...0)
        try await chat.put(1, ["x"] + ChatScreen.ids(1) + ["x", "y"])
        try await chat.put(2, ["y", "z"])
        var client = try await WindowClient("item=x%232&before=100&after=300", chat)
        #expect(client.ids == ["m19", "x#2", "y", "y#2", "z"])
        try await chat.put(1, ["w"] + ChatScreen.ids(1) + ["x", "y"])
        try await client.follow()
        #expect(client.ids.contains("x") && !client.ids.contains("x#2"))
        let fresh = try await chat.get(
            "layout?item=\(try #require(client.anchor))&before=100&after=300")
        #expect(try client.view.tree == fresh.value)
    }
}

extension ChatScreen {
    /// The screen at another daemon.
    init(at service: TestService) { self.service = service }
}

extension WindowClient {
    /// Applies a document that the client has not asked for by itself.
    mutating func apply(_ document: TreeValue) throws {
        try view.apply(document)
        version =
            "\(document["to"]?["revision"]?.integer ?? 0).\(document["to"]?["tag"]?.text ?? "")"
    }
}
