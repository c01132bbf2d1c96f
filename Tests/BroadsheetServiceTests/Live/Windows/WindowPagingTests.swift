import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Windows before and after (docs/api.md)", .timeLimit(.minutes(hangMinutes)))
struct WindowPagingTests {
    @Test("From window to window each item is seen, in both directions")
    func walk() async throws {
        let chat = try await ChatScreen()
        for (edge, name) in [("start", "nextPageToken"), ("end", "previousPageToken")] {
            var seen: Set<String> = []
            var response = try await chat.get("layout?edge=\(edge)&before=350&after=350")
            for _ in 0..<30 {
                seen.formUnion(try response.itemIds.joined())
                guard let token = try response.value("/\(name)")?.string else { break }
                response = try await chat.get("layout?pageToken=\(token)")
                #expect(response.status == 200, "\(response.text)")
            }
            #expect(seen.count == 50)
            #expect(try response.value("/\(name)") == nil)
        }
    }

    @Test("A token at the end of the stored pages is 404 until the page above the highest is there")
    func above() async throws {
        let chat = try await ChatScreen(pages: 0...0)
        try await chat.put(1, members: #""hasNext":true,"#)
        let response = try await chat.get("layout?edge=end&before=0&after=50")
        let token = try response.string("/nextPageToken")
        let absent = try await chat.get("layout?pageToken=\(token)")
        #expect(absent.code == "PAGE_NOT_LOADED")
        #expect(absent.response.headers[.retryAfter] != nil)
        let changes = try await chat.get("changes?since=2.\(response.tag)&pageToken=\(token)")
        #expect(changes.code == "PAGE_NOT_LOADED")
        try await chat.put(2)
        let next = try await chat.get("layout?pageToken=\(token)")
        #expect(try next.itemIds == [["m19", "m20"]])
        #expect(try next.string("/window/item") == "m19")
        // Before the end of the pages, no page is required.
        let middle = try await chat.get("layout?item=m3&after=0").string("/nextPageToken")
        #expect(try await chat.get("layout?pageToken=\(middle)").status == 200)
    }

    @Test("A lowest page with hasPrevious has pages before it, which come first when posted")
    func below() async throws {
        let chat = try await ChatScreen(pages: 6...7)
        try await chat.put(5, members: #""hasPrevious":true,"#)
        let whole = try await chat.get("layout?pages=all")
        #expect(try whole.value("/hasPrevious")?.raw == "true")
        let response = try await chat.get("layout?edge=start&after=250")
        #expect(try response.value("/hasPrevious")?.raw == "true")
        #expect(try response.itemIds == [["m50", "m51", "m52", "m53"]])
        let token = try response.string("/previousPageToken")
        #expect(try await chat.get("layout?pageToken=\(token)").code == "PAGE_NOT_LOADED")
        try await chat.put(4)
        let changes = try await chat.get("changes?since=3.\(response.tag)&pageToken=\(token)")
        var view = try CollectionView(try response.value)
        try view.apply(try changes.value)
        let fresh = try await chat.get("layout?item=m50&after=250")
        #expect(try view.tree == fresh.value)
        #expect(view.tree["window"]?["origin"]?.number == 1000)
        #expect(view.tree["window"]?["item"]?.text == "m50")
        // It has no effect on page 0, and none on a page that is not the lowest.
        try await chat.put(0, members: #""hasPrevious":true,"#)
        try await chat.put(3, members: #""hasPrevious":true,"#)
        let first = try await chat.get("layout?edge=start")
        #expect(try first.value("/hasPrevious")?.raw == "false")
        #expect(try first.value("/previousPageToken") == nil)
        #expect(try await chat.get("layout?pages=all").value("/hasPrevious") == nil)
    }

    @Test("A page can have hasPrevious, which must be true or false")
    func contract() async throws {
        let service = try await TestService()
        let refused = try await service.send(
            "PUT", "/v1/screens/home/pages/1", #"{"hasPrevious":1,"sections":[]}"#)
        #expect(try refused.errors == ["/hasPrevious must be true or false"])
        let stored = try await service.send(
            "PUT", "/v1/screens/home/pages/1", #"{"hasPrevious":true,"sections":[]}"#)
        #expect(stored.response.headers["Broadsheet-Diagnostics"] == "0")
        #expect(try stored.value("/hasPrevious")?.raw == "true")
        let composed = try await service.send(
            "POST", "/v1/layout", #"{"page":2,"hasPrevious":true,"sections":[]}"#)
        #expect(try composed.value("/hasPrevious")?.raw == "true")
    }

    @Test("In a screen that scrolls sideways from right to left, before is at the right")
    func rightToLeft() async throws {
        let catalog = #"""
            {"screen":{"direction":"horizontal"},"units":{"LIST":{"cells":{"type":"Row"}}},
             "sections":{"*":{"inset":0,"minimumLineSpacing":0,"minimumInteritemSpacing":0}},
             "cellTypes":{"Row":{"id":"/id","size":{"width":100,"height":800}}}}
            """#
        let service = try await TestService(catalog: catalog)
        let chat = try await ChatScreen(pages: 0...2, service)
        for direction in ["ltr", "rtl"] {
            var model = try await chat.model("direction=\(direction)")
            model.isHorizontal = true
            for (item, before, after) in [(0, 0, 0), (12, 150, 40), (29, 330, 330), (7, 20, 480)] {
                let query = "item=m\(item)&before=\(before)&after=\(after)&direction=\(direction)"
                let response = try await chat.get("layout?\(query)")
                let expected = model.window(
                    around: WindowModel.Place(section: 0, item: item), before: Double(before),
                    after: Double(after))
                #expect(try response.value.withoutTokens == expected, "\(query)")
            }
        }
        let response = try await chat.get("layout?item=m12&before=150&after=40&direction=rtl")
        #expect(try response.itemIds == [["m10", "m11", "m12", "m13"]])
        #expect(try response.number("/window/origin") == 3000 - 1300)
        #expect(try response.number("/sections/0/items/0/frame/x") == 200)
        #expect(try response.number("/sections/0/items/3/frame/x") == -100)
    }

    @Test("A window of a screen without pages fetches the first page; none below the lowest")
    func onDemand() async throws {
        let service = try await TestService(origin: FakeOrigin())
        let first = try await service.send("GET", "\(ChatScreen.path)/layout?edge=end")
        #expect(try first.string("/window/item") == "p0", "\(first.text)")
        let token = try first.string("/nextPageToken")
        let next = try await service.send("GET", "\(ChatScreen.path)/layout?pageToken=\(token)")
        #expect(try next.string("/window/item") == "p0")
        #expect(try next.itemIds == [["p0", "p1"]])
        #expect(try next.number("/page") == 1)
    }
}
