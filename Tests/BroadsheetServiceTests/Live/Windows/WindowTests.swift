import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import TestSupport
import Testing

@testable import BroadsheetService

/// A screen of chat messages, 100 points each, in pages of ten: `m0`, `m1` and so on.
struct ChatScreen {
    static let path = "/v1/screens/home"

    let service: TestService

    init(pages: ClosedRange<Int> = 0...4, _ service: TestService? = nil) async throws {
        if let service { self.service = service } else { self.service = try await TestService() }
        for page in pages { try await put(page) }
    }

    /// The ids of a page.
    static func ids(_ page: Int) -> [String] { (page * 10..<page * 10 + 10).map { "m\($0)" } }

    /// Returns a page of one section.
    static func page(_ ids: [String], section: String = "Chat", members: String = "") -> String {
        let rows = ids.map { #"{"id":"\#($0)","text":"\#($0)"}"# }.joined(separator: ",")
        return
            #"{\#(members)"sections":[{"sectionId":"\#(section)","units":[{"unitType":"LIST","unitData":[\#(rows)]}]}]}"#
    }

    func put(_ page: Int, _ ids: [String]? = nil, members: String = "") async throws {
        let body = Self.page(ids ?? Self.ids(page), members: members)
        let response = try await service.send("PUT", "\(Self.path)/pages/\(page)", body)
        try #require(response.status < 300, "\(response.text)")
    }

    /// Sends an update.
    func update(_ operation: String) async throws {
        let response = try await service.send(
            "POST", "\(Self.path)/updates", "{\"operations\":[{\(operation)}]}")
        try #require(response.status < 300, "\(response.text)")
    }

    func get(_ query: String, headers: HTTPHeaders = [:]) async throws -> ReceivedResponse {
        try await service.send("GET", "\(Self.path)/\(query)", headers: headers)
    }

    /// Returns the model of the current tree.
    func model(_ query: String = "") async throws -> WindowModel {
        let separator = query.isEmpty ? "" : "&"
        let response = try await get("layout?pages=all&coordinates=content\(separator)\(query)")
        return WindowModel(whole: TreeValue(try response.json))
    }
}

extension ReceivedResponse {
    /// The entity tag without quotes.
    var tag: String { etag?.filter { $0 != "\"" } ?? "" }

    /// The tree or document as a value.
    var value: TreeValue { get throws { TreeValue(try json) } }
}

@Suite("Windows (docs/api.md)", .timeLimit(.minutes(hangMinutes)))
struct WindowTests {
    @Test(
        "Everything is as in the whole tree, but for coordinates, in each of these",
        arguments: ["window", "content", "section"])
    func coordinates(name: String) async throws {
        let chat = try await ChatScreen()
        var model = try await chat.model()
        model.coordinates = name
        for (item, before, after) in [(0, 0, 0), (17, 250, 90), (49, 5000, 5000), (30, 0, 101)] {
            let query = "item=m\(item)&before=\(before)&after=\(after)"
            let response = try await chat.get("layout?\(query)&coordinates=\(name)")
            let place = WindowModel.Place(section: 0, item: item)
            let expected = model.window(
                around: place, before: Double(before), after: Double(after))
            #expect(try response.value.withoutTokens == expected, "\(query)")
            #expect(
                try (response.value("/nextPageToken") != nil)
                    == (response.value("/hasNext")?.raw == "true"))
            #expect(
                try (response.value("/previousPageToken") != nil)
                    == (response.value("/hasPrevious")?.raw == "true"))
        }
    }

    @Test("An id made of a place, and one of a section without id, are anchors too")
    func places() async throws {
        let service = try await TestService(
            catalog: Catalogs.shop.replacing(#""id": "/id", "#, with: ""))
        let page =
            #"{"sections":[{"units":[{"unitType":"LIST","unitData":[1,2,3]}]},{"units":[{"unitType":"LIST","unitData":[4,5]}]}]}"#
        for number in 0...11 {
            try await service.send("PUT", "/v1/screens/home/pages/\(number)", page)
        }
        let response = try await service.send(
            "GET", "/v1/screens/home/layout?item=p3.u0.e4&before=100&after=100")
        #expect(response.status == 404)
        let found = try await service.send(
            "GET", "/v1/screens/home/layout?item=p3.u0.e2&before=100&after=100")
        #expect(try found.itemIds == [["p3.u0.e1", "p3.u0.e2"], ["p3.u0.e0"]])
        #expect(try found.value("/window/section")?.raw == "null")
        #expect(try found.number("/window/origin") == 1700)
        #expect(try found.number("/window/firstSection") == 6)
        let tag = found.tag
        try await service.send("PUT", "/v1/screens/home/pages/0", page)
        let changes = try await service.send(
            "GET", "/v1/screens/home/changes?since=12.\(tag)&before=100&after=100")
        #expect(try changes.value("/reset")?.raw == "false", "\(changes.text)")
        #expect(try changes.value("/stages")?.raw == "[]")
    }

    @Test("Empty sections between are there, with all their members; their firstItem says where")
    func between() async throws {
        let service = try await TestService()
        let rows = (0..<5).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        let titled = #"{"unitType":"TITLED","unitData":{"title":1,"rows":[\#(rows)]}}"#
        let page = """
            {"sections":[{"sectionId":"A","units":[\(titled)]},
             {"sectionId":"Hidden","collapsed":true,"data":{"a":1},"units":[\(titled)]},
             {"sectionId":"Empty","units":[]},{"sectionId":"B","units":[\(titled)]}]}
            """
        try await service.send("PUT", "/v1/screens/home/pages/0", page)
        // A: 0 to 540, Hidden: 540 to 580, B: 580 to 1120.
        let whole = WindowModel(
            whole: try await service.send(
                "GET", "/v1/screens/home/layout?pages=all&coordinates=content"
            ).value)
        for place in whole.places {
            for (before, after) in [(0, 0), (90, 130), (550, 10), (10, 700)] {
                let identity = whole.identity(of: place)
                let response = try await service.send(
                    "GET",
                    "/v1/screens/home/layout?item=\(identity.item)&section=\(identity.section ?? "")"
                        + "&before=\(before)&after=\(after)")
                let expected = whole.window(
                    around: place, before: Double(before), after: Double(after))
                #expect(try response.value.withoutTokens == expected, "\(place) \(before) \(after)")
            }
        }
        let header = try await service.send(
            "GET", "/v1/screens/home/layout?item=4&section=A&before=0&after=60")
        #expect(try header.value("/sections/3/header") != nil)
        #expect(try header.value("/sections/3/items")?.raw == "[]")
        #expect(try header.number("/sections/3/firstItem") == 0)
        #expect(try header.number("/sections/3/itemCount") == 5)
        #expect(try header.value("/sections/1/data")?.raw == #"{"a":1}"#)
    }

    @Test("In a tree without items an edge has the null anchor, the content's start")
    func nullAnchor() async throws {
        let service = try await TestService()
        try await service.send(
            "PUT", "/v1/screens/home/pages/0", #"{"sections":[{"sectionId":"A","units":[]}]}"#)
        let response = try await service.send(
            "GET", "/v1/screens/home/layout?edge=end&before=10&after=500")
        #expect(
            try response.value("/window")?.raw
                == #"{"section":null,"item":null,"origin":0,"firstSection":0,"before":10,"after":500}"#
        )
        #expect(try response.value("/hasPrevious")?.raw == "false")
        try await service.send("PUT", "/v1/screens/home/pages/1", ChatScreen.page(["a", "b"]))
        let changes = try await service.send(
            "GET", "/v1/screens/home/changes?since=1.\(response.tag)")
        #expect(try changes.value("/tree/window/item")?.raw == "null", "\(changes.text)")
        let reset = try changes.value("/reset")?.raw == "true"
        #expect(reset || changes.text.contains(#""id":"a""#))
        try await service.send("DELETE", "/v1/screens/home/pages")
        let empty = try await service.send("GET", "/v1/screens/home/layout?edge=start")
        #expect(try empty.value("/sections")?.raw == "[]")
    }

    @Test("A window has an entity tag of at most 2048 bytes, which 304 compares")
    func tags() async throws {
        let chat = try await ChatScreen()
        let first = try await chat.get("layout?item=m23")
        #expect(first.tag.utf8.count <= 2048)
        let again = try await chat.get(
            "layout?item=m23", headers: [.ifNoneMatch: "\"\(first.tag)\""])
        #expect(again.status == 304)
        #expect(again.response.headers[.cacheControl] == "no-cache")
        let tags = try await [
            chat.get("layout?item=m24"), chat.get("layout?item=m23&before=1"),
            chat.get("layout?item=m23&width=391"), chat.get("layout?item=m23&client=ios/5"),
            chat.get("layout?item=m23&coordinates=content"), chat.get("layout?pages=all"), first,
        ].map(\.tag)
        #expect(Set(tags).count == tags.count)
        let gzip = try await chat.get("layout?item=m23", headers: [.acceptEncoding: "gzip"])
        #expect(gzip.tag == "\(first.tag)-gzip")
        let since = try await chat.get("changes?since=5.\(gzip.tag)")
        #expect(try since.value("/reset")?.raw == "false", "\(since.text)")
        let long = String(repeating: "é", count: 128)
        try await chat.service.send(
            "PUT", "\(ChatScreen.path)/pages/9", ChatScreen.page([long], section: long))
        let longest = try await chat.get("layout?edge=end")
        #expect(try longest.string("/window/item") == long)
        #expect(longest.tag.utf8.count <= 2048)
    }

    @Test("A screen that is gone, or too large a window, is a problem as for any tree")
    func problems() async throws {
        let service = try await TestService(maxResponseBytes: 2000)
        let chat = try await ChatScreen(pages: 0...2, service)
        #expect(try await chat.get("layout?item=m11&before=0&after=0").status == 200)
        #expect(try await chat.get("layout?item=m11").code == "ANSWER_TOO_LARGE")
        let gone = try await service.send("GET", "/v1/screens/gone/layout?edge=end")
        #expect(gone.code == "SCREEN_NOT_FOUND")
    }
}
