import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Windows of earlier revisions (docs/api.md, History)")
struct EarlierWindowTests {
    private let lengths = "before=250&after=250"

    private func chat(_ store: ScreenStore) async throws -> ChatScreen {
        try await ChatScreen(pages: 0...4, try await TestService(store: store))
    }

    private func restarted(_ store: ScreenStore) async throws -> ChatScreen {
        ChatScreen(at: try await TestService(store: store))
    }

    @Test("A daemon that was restarted replaces a deleted anchor, of a tag, a query and a token")
    func resumes() async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds())
        let chat = try await chat(store)
        let tree = try await chat.get("layout?item=m25&\(lengths)")
        let token = try tree.string("/nextPageToken")
        try await chat.update(#""op":"deleteItems","section":"Chat","items":["m25","m28"]"#)
        let other = try await restarted(store)
        for query in ["since=5.\(tree.tag)", "since=5&item=m25&\(lengths)"] {
            let changes = try await other.get("changes?\(query)")
            #expect(try changes.value("/reset")?.bool == false, "\(changes.text)")
            #expect(try changes.string("/tree/window/item") == "m26")
            var view = try CollectionView(try tree.value)
            try view.apply(try changes.value)
            let fresh = try await other.get("layout?item=m26&\(lengths)")
            #expect(try view.tree == fresh.value)
        }
        let led = try await other.get("layout?pageToken=\(token)")
        #expect(led.status == 200, "\(led.text)")
        #expect(try led.string("/window/item") == "m29")
    }

    @Test("A revision that is not kept leaves no replacement: 404")
    func notKept() async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds(maxRevisions: 1))
        let chat = try await chat(store)
        let tag = try await chat.get("layout?item=m25&\(lengths)").tag
        try await chat.update(#""op":"deleteItems","section":"Chat","items":["m25"]"#)
        try await chat.put(9)
        let gone = try await restarted(store).get("changes?since=5.\(tag)")
        #expect(gone.code == "ITEM_NOT_FOUND")
    }

    @Test("A window at a revision is the one of then but for its tokens, which stay in it")
    func pinned() async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds())
        let chat = try await chat(store)
        let then = try await chat.get("layout?item=m25&\(lengths)")
        let later = try await chat.get("layout?pageToken=\(try then.string("/nextPageToken"))")
        try await chat.update(#""op":"deleteItems","section":"Chat","items":["m24","m25"]"#)
        let pinned = try await chat.get("layout?item=m25&\(lengths)&revision=5")
        #expect(try pinned.value.withoutTokens == then.value.withoutTokens)
        #expect(pinned.tag != then.tag)
        let token = try pinned.string("/nextPageToken")
        let next = try await chat.get("layout?pageToken=\(token)")
        #expect(try next.value.withoutTokens == later.value.withoutTokens)
        let mismatch = try await chat.get("layout?pageToken=\(token)&revision=4")
        #expect(mismatch.code == "PAGE_TOKEN_MISMATCH")
        let absent = try await chat.get("layout?item=m25&revision=99")
        #expect(absent.code == "REVISION_NOT_FOUND")
        // A client of the earlier window follows it to the current one.
        let changes = try await chat.get("changes?since=5.\(pinned.tag)")
        #expect(try changes.value("/reset")?.bool == false)
        #expect(try changes.string("/tree/window/item") == "m26")
    }

    @Test("Changes to a window of an earlier revision lead back to it")
    func back() async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds())
        let chat = try await chat(store)
        let then = try await chat.get("layout?item=m26&\(lengths)&revision=5")
        try await chat.update(#""op":"deleteItems","section":"Chat","items":["m24","m25"]"#)
        let now = try await chat.get("layout?item=m26&\(lengths)")
        let changes = try await chat.get("changes?since=6.\(now.tag)&revision=5")
        #expect(changes.status == 200, "\(changes.text)")
        var view = try CollectionView(try now.value)
        try view.apply(try changes.value)
        #expect(try view.tree == then.value)
    }
}
