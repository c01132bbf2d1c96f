import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Streams of windows (docs/api.md, Windows)", .timeLimit(.minutes(hangMinutes)))
struct WindowStreamTests {
    private let lengths = "before=250&after=250"

    private func open(
        _ query: String, _ chat: ChatScreen, lastID: String? = nil
    ) async throws -> StreamReader {
        try await chat.service.stream(
            "?changes=true&\(query)", headers: lastID.map { [.lastEventID: $0] } ?? [:])
    }

    @Test("The first event is the window, and then there are its changes, after the anchor is gone")
    func follows() async throws {
        let chat = try await ChatScreen()
        let reader = try await open("item=m25&\(lengths)", chat)
        let first = try #require(try await reader.next())
        #expect(first.type == "tree")
        let opened = try await chat.get("layout?item=m25&\(lengths)")
        #expect(first.id == "5.\(opened.tag)")
        var view = try CollectionView(try first.value)
        for (deleted, anchor) in [("m3", "m25"), ("m25", "m26"), ("m26", "m27")] {
            try await chat.update(#""op":"deleteItems","section":"Chat","items":["\#(deleted)"]"#)
            let event = try #require(try await reader.next())
            #expect(event.type == "changes")
            try view.apply(try event.value)
            let fresh = try await chat.get("layout?item=\(anchor)&\(lengths)")
            #expect(try view.tree == fresh.value)
            #expect(event.id?.hasSuffix(".\(fresh.tag)") == true)
        }
    }

    @Test("A revision that changes nothing in the window makes no event")
    func nothing() async throws {
        let chat = try await ChatScreen()
        let reader = try await open("item=m25&\(lengths)", chat)
        var view = try CollectionView(try #require(try await reader.next()).value)
        let patch = #""op":"patchItem","section":"Chat","item":"m2","patch":{"text":"other"}"#
        try await chat.update(patch)
        try await chat.update(#""op":"deleteItems","section":"Chat","items":["m24"]"#)
        let event = try #require(try await reader.next())
        #expect(try event.json["from"]?["revision"]?.int == 5)
        #expect(try event.json["to"]?["revision"]?.int == 7)
        try view.apply(try event.value)
        #expect(try view.tree == (await chat.get("layout?item=m25&\(lengths)")).value)
    }

    @Test("Last-Event-ID follows the window that it names, whatever the query says")
    func reconnects() async throws {
        let chat = try await ChatScreen()
        let first = try await open("item=m25&\(lengths)", chat)
        let id = try #require(try await first.next()?.id)
        first.close()
        // The anchor of the URL is gone: the tree that the client has is known.
        try await chat.update(#""op":"deleteItems","section":"Chat","items":["m25"]"#)
        for query in ["item=m25&\(lengths)", "item=m1&before=1&after=1", "edge=end", ""] {
            let again = try await open(query, chat, lastID: id)
            let event = try #require(try await again.next())
            #expect(event.type == "changes", "\(query)")
            #expect(try event.json["tree"]?["window"]?["item"]?.string == "m26")
            #expect(try event.json["tree"]?["window"]?["before"]?.double == 250)
            again.close()
        }
        // since in the query, with other parameters beside it, says what is wanted instead.
        let moved = try await open("since=\(id)&item=m40&after=90", chat)
        let event = try #require(try await moved.next())
        #expect(try event.json["tree"]?["window"]?["item"]?.string == "m40")
        #expect(try event.json["tree"]?["window"]?["before"]?.double == 250)
        #expect(try event.json["tree"]?["window"]?["after"]?.double == 90)
        try await chat.update(#""op":"deleteItems","section":"Chat","items":["m40"]"#)
        let next = try #require(try await moved.next())
        #expect(try next.json["tree"]?["window"]?["item"]?.string == "m41")
        let unreadable = try await open("item=m1&\(lengths)", chat, lastID: "5.x")
        #expect(try await unreadable.next()?.type == "tree")
    }

    @Test("The id of another store's window leads to the window of the query, and else to 400")
    func otherStore() async throws {
        let tag = try await ChatScreen().get("layout?item=m25&\(lengths)").tag
        let chat = try await ChatScreen()
        let id = "5.\(tag)"
        for query in ["since=\(id)", "since=\(id)&width=300", "since=\(id)&page=4"] {
            let response = try await chat.get("stream?changes=true&\(query)")
            #expect(response.code == "INVALID_PARAMETER", "\(query)")
        }
        let refused = try await chat.get("stream?changes=true", headers: [.lastEventID: id])
        #expect(refused.code == "INVALID_PARAMETER")
        let own = try await chat.get("layout?item=m7&\(lengths)").tag
        for (query, anchor) in [("item=m25&\(lengths)", "m25"), ("since=5.\(own)", "m7")] {
            let reader = try await open(query, chat, lastID: id)
            let event = try #require(try await reader.next())
            #expect(event.type == "tree")
            #expect(try event.json["window"]?["item"]?.string == anchor)
            reader.close()
        }
    }

    @Test("A window is known, however many revisions leave it as it is and are kept no more")
    func quiet() async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds(maxRevisions: 1))
        let chat = try await ChatScreen(
            pages: 0...4, try await TestService(store: store, historyBytes: 0))
        let service = chat.service.service
        let streamed = StreamedScreen(
            screen: try #require(ScreenName("home")), parameters: LayoutParameters(),
            source: service.source, catalogs: service.catalogs, catalog: nil,
            work: service.work(of: ClientKey(.unspecified)))
        let content = WindowStreamContent(
            streamed: streamed,
            opening: WindowOpening(
                target: .named(.item("m25", section: nil)), before: 250, after: 250))
        let opened = try await content.read().event(from: StreamState())
        var state = StreamState(known: opened.version)
        for text in 0..<4 {
            try await chat.update(
                #""op":"patchItem","section":"Chat","item":"m2","patch":{"text":"\#(text)"}"#)
            let advance = try await content.read().event(from: state)
            guard case .nothing = advance.output else {
                Issue.record("an event at revision \(text + 6)")
                return
            }
            state = StreamState(known: advance.version, base: advance.base)
        }
        try await chat.update(#""op":"deleteItems","section":"Chat","items":["m25"]"#)
        let last = try await content.read().event(from: state)
        guard case .event(let part, type: .changes) = last.output else {
            Issue.record("no changes")
            return
        }
        let text = String(decoding: part.bytes, as: UTF8.self)
        #expect(text.contains(#""from":{"revision":5,"#))
        #expect(text.contains(#""item":"m26""#))
        #expect(last.version?.revision == 10)
    }

    @Test("An anchor that is gone, of a tree that is not known, is a problem for its stream alone")
    func problem() async throws {
        let backend = InterceptingBackend()
        let chat = try await ChatScreen(pages: 0...4, try await TestService(store: backend.store))
        let tag = try await chat.get("layout?item=m25&\(lengths)").tag
        let other = try await chat.get("layout?item=m7&\(lengths)").tag
        try await chat.update(#""op":"deleteItems","section":"Chat","items":["m25"]"#)
        let restarted = ChatScreen(at: try await TestService(store: backend.store))
        let refused = try await restarted.get("stream?changes=true&since=5.\(tag)")
        #expect(refused.code == "ITEM_NOT_FOUND")
        let kept = try await open("since=5.\(other)", restarted)
        let event = try #require(try await kept.next())
        #expect(event.type == "tree")
        #expect(try event.json["window"]?["item"]?.string == "m7")
    }

    @Test("Equal windows share events, and windows around other items do not mix")
    func shared() async throws {
        let chat = try await ChatScreen()
        let queries = ["item=m5", "item=m25", "item=m25", "item=m45"]
        var readers: [(StreamReader, CollectionView)] = []
        for query in queries {
            let reader = try await open("\(query)&\(lengths)", chat)
            readers.append(
                (reader, try CollectionView(try #require(try await reader.next()).value)))
        }
        #expect(chat.service.streams.groupCount == 3)
        for deleted in ["m4", "m24", "m25", "m44", "m45"] {
            try await chat.update(#""op":"deleteItems","section":"Chat","items":["\#(deleted)"]"#)
            for index in readers.indices {
                let event = try #require(try await readers[index].0.next())
                try readers[index].1.apply(try event.value)
                let tree = readers[index].1.tree
                let anchor = tree["window"]?["item"]?.text ?? ""
                let fresh = try await chat.get("layout?item=\(anchor)&\(lengths)")
                #expect(try tree == fresh.value)
            }
        }
        #expect(readers[1].1.tree == readers[2].1.tree)
        try await chat.service.send("DELETE", ChatScreen.path)
        for (reader, _) in readers { #expect(try await reader.next()?.type == "removed") }
    }

    @Test("Streams without an anchor are 400")
    func invalid() async throws {
        let chat = try await ChatScreen(pages: 0...0)
        for query in ["before=3", "since=1&after=3", "since=1.x&after=3", "item=m1&pages=all"] {
            let response = try await chat.get("stream?changes=true&\(query)")
            #expect(response.code == "INVALID_PARAMETER", "\(query)")
        }
    }
}
