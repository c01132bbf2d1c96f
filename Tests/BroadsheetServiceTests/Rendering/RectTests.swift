import Broadsheet
import BroadsheetHTTP
import Testing

@Suite("Parts of layouts (docs/api.md, Part of a layout; rules V1-V5)")
struct RectTests {
    private let path = "/v1/screens/home/layout"

    @Test(
        "A part equals the whole tree filtered by the rectangle, member for member",
        arguments: 0..<20)
    func filtered(seed: Int) async throws {
        var screens = RandomScreens(seed: UInt64(seed))
        let service = try await TestService(catalog: RandomScreens.catalog)
        for page in 0..<screens.number(in: 1...4) {
            let received = try await service.send(
                "PUT", "/v1/screens/home/pages/\(page)", screens.page())
            #expect(received.status == 201, "seed \(seed): \(received.text)")
        }
        let options = ["", "&coordinates=content", "&fields=frames", "&direction=rtl"][seed % 4]
        let query = "?pages=all&scale=2\(options)"
        let absolute = try await service.send("GET", "\(path)\(query)&coordinates=content".once)
        let whole = try await service.send("GET", path + query)
        for _ in 0..<8 {
            let text = screens.rectangle()
            let part = try await service.send("GET", "\(path)\(query)&rect=\(text)")
            #expect(part.status == 200, "seed \(seed), \(text): \(part.text)")
            let rectangle = try #require(Rectangle(text))
            #expect(
                try TreePart(part).sections
                    == TreePart(whole, where: rectangle, in: absolute).sections,
                "seed \(seed), \(text)")
            #expect(try part.value("/diagnostics")?.count == 0)
            for member in ["screen", "revision", "page", "hasNext", "viewport", "contentSize"] {
                #expect(
                    try part.value("/" + member)?.raw == whole.value("/" + member)?.raw, "\(text)")
            }
        }
    }

    @Test("A section of a part has its data, and all of its decorations in the rectangle")
    func sectionMembers() async throws {
        let service = try await TestService()
        let body = #"""
            {"sections": [{"data": {"theme" : 1}, "layout": {"decoration": [{"kind": "a"},
              {"kind": "b", "inset": {"top": 150}}, {"kind": "c", "mode": "section"}]},
              "units": [{"unitType": "LIST", "unitData": [{"id": 1}, {"id": 2}]}]}]}
            """#
        try await service.send("PUT", "/v1/screens/home/pages/0", body)
        let part = try await service.send("GET", "\(path)?rect=0,0,390,100")
        #expect(try part.value("/sections/0/data")?.raw == #"{"theme" : 1}"#)
        #expect(try part.value("/sections/0/decorations/0/kind")?.string == "a")
        #expect(try part.value("/sections/0/decorations/1/kind")?.string == "c")
        #expect(try part.value("/sections/0/decorations")?.count == 2)
        let frames = try await service.send("GET", "\(path)?rect=0,0,390,100&fields=frames")
        #expect(try frames.value("/sections/0/data") == nil)
    }

    @Test("Ids with their suffixes and indices do not depend on the rectangle")
    func suffixes() async throws {
        let service = try await TestService()
        try await service.send(
            "PUT", "/v1/screens/home/pages/0", Pages.list(["x"], section: "First"))
        try await service.send("PUT", "/v1/screens/home/pages/1", Pages.list(["a", "b", "a"]))
        try await service.send("PUT", "/v1/screens/home/pages/2", Pages.list(["b", "a", "c"]))
        let received = try await service.send("GET", "\(path)?pages=all&rect=0,350,390,200")
        #expect(try received.itemIds == [["a#2", "b#2", "a#3"]])
        #expect(try received.number("/sections/0/index") == 1)
        // The response has section coordinates, although the rectangle has the content's.
        #expect(try received.number("/sections/0/items/0/frame/y") == 200)
    }

    @Test("Sections without elements in the rectangle are omitted, also if edges touch (V1)")
    func edges() async throws {
        let service = try await TestService()
        try await service.send(
            "PUT", "/v1/screens/home/pages/0",
            #"""
            {"sections":[
              {"units":[{"unitType":"TITLED","unitData":{"title":1,"rows":[{"id":"a"}]}}]},
              {"units":[{"unitType":"TITLED","unitData":{"title":2,"rows":[{"id":"b"}]}}]}]}
            """#)
        let header = try await service.send("GET", "\(path)?rect=0,0,390,40")
        #expect(try header.itemIds == [[]])
        #expect(try header.value("/sections/0/header") != nil)
        let item = try await service.send("GET", "\(path)?rect=0,40,390,100")
        #expect(try item.itemIds == [["a"]])
        #expect(try item.value("/sections/0/header") == nil)
        for nothing in ["0,280,10,10", "-10,0,10,900", "0,50,0,10", "0,50,10,0"] {
            let received = try await service.send("GET", "\(path)?rect=\(nothing)")
            #expect(try received.value("/sections")?.count == 0, "\(nothing)")
        }
        // Negative lengths flip (V2).
        let flipped = try await service.send("GET", "\(path)?rect=390,140,-390,-100")
        #expect(flipped.response.body == item.response.body)
    }

    @Test(
        "A part has only those resting offsets at which one of its items is in view (C10)",
        arguments: ["ltr", "rtl"])
    func restingOffsets(direction: String) async throws {
        let service = try await TestService(
            catalog: #"""
                {"units":{"ROWS":{"cells":{"type":"Row"}},"HEAD":{"header":{"type":"Row"}}},
                 "cellTypes":{"Row":{"size":{"height":40}}},
                 "sections":{"*":{"kind":"compositional","scrolling":"groupPaging",
                  "itemSize":{"uniform":{"columns":1,"height":50}}}}}
                """#)
        let items = (0..<2000).map { "\($0)" }.joined(separator: ",")
        try await service.send(
            "PUT", "/v1/screens/home/pages/0",
            #"{"sections":[{"units":[{"unitType":"HEAD","unitData":1},{"unitType":"ROWS","unitData":[\#(items)]}]}]}"#
        )
        let query = "?fields=frames&direction=\(direction)"
        let whole = try await service.send("GET", "\(path)\(query)")
        #expect(try whole.value("/sections/0/scroll/snapOffsets")?.count == 2000)
        // Group 3 is at 1170, from the edge at which reading starts.
        let x = direction == "ltr" ? 1170 + 100 : 390 - 1170 - 110
        let part = try await service.send("GET", "\(path)\(query)&rect=\(x),50,10,10")
        #expect(try part.value("/sections/0/items")?.count == 1)
        #expect(try part.value("/sections/0/scroll/snapOffsets")?.raw == "[1170]")
        #expect(try part.value("/sections/0/scroll/firstSnapOffset")?.raw == "3")
        #expect(try whole.value("/sections/0/scroll/firstSnapOffset") == nil)
        // The edge between two items, or from the right the end of the first.
        let two = direction == "ltr" ? 380 : 0
        let both = try await service.send("GET", "\(path)\(query)&rect=\(two),50,20,10")
        #expect(
            try both.value("/sections/0/scroll/snapOffsets")?.raw
                == (direction == "ltr" ? "[0,390]" : "[0]"))
        let header = try await service.send("GET", "\(path)\(query)&rect=0,0,10,10")
        #expect(try header.value("/sections/0/header") != nil)
        #expect(try header.value("/sections/0/scroll/snapOffsets")?.raw == "[]")
        #expect(try header.value("/sections/0/scroll/firstSnapOffset") == nil)
    }

    @Test("A part has the cards in the rectangle, and all numbers of their paging (C17, P13)")
    func cards() async throws {
        let service = try await TestService(
            catalog: #"""
                {"units":{"CARDS":{"cells":{"type":"Card"}}},"cellTypes":{"Card":{"size":{"height":40}}},
                 "sections":{"A":{"kind":"compositional","scrolling":"groupPaging",
                  "itemSize":{"uniform":{"width":140,"height":180}},"lineSpacing":12,
                  "sectionInset":{"left":16,"right":16},"paging":{"isInfinitePage":true}}}}
                """#)
        try await service.send(
            "PUT", "/v1/screens/home/pages/0",
            #"""
            {"hasNext":true,"sections":[
              {"sectionId":"A","units":[{"unitType":"CARDS","unitData":[1,2,3,4]}]},
              {"units":[{"unitType":"CARDS","unitData":[5]}]}]}
            """#)
        let whole = try await service.send("GET", path)
        #expect(try whole.value("/sections/0/scroll/snapOffsets")?.raw == "[0,152,238,238]")
        // The third card is at 320, of which the screen at rest shows half.
        let part = try await service.send("GET", "\(path)?rect=330,0,60,100")
        #expect(try part.itemIds == [["p0.u0.e2"]])
        #expect(try part.value("/sections/0/scroll/snapOffsets")?.raw == "[0,152,238,238]")
        #expect(
            try part.value("/sections/0/paging")?.raw == whole.value("/sections/0/paging")?.raw)
        let last = try await service.send("GET", "\(path)?rect=600,0,10,100")
        #expect(try last.itemIds == [["p0.u0.e3"]])
        #expect(try last.value("/sections/0/scroll/snapOffsets")?.raw == "[152,238,238]")
        #expect(try last.value("/sections/0/scroll/firstSnapOffset")?.raw == "1")
        // A token has the viewport of its request.
        let narrow = try await service.send("GET", "\(path)?width=320&direction=rtl")
        let token = try narrow.string("/nextPageToken")
        try await service.send(
            "PUT", "/v1/screens/home/pages/1",
            #"{"sections":[{"sectionId":"A","units":[{"unitType":"CARDS","unitData":[6]}]}]}"#)
        let next = try await service.send("GET", "\(path)?pageToken=\(token)")
        // 320 - 16 - 4 * 152 - 140.
        #expect(try next.number("/sections/0/items/4/frame/x") == -444)
        #expect(try next.number("/sections/0/paging/pageCount") == 5)
        #expect(try next.number("/sections/0/scroll/contentSize/width") == 780)
        // C = 780 + 2 * 5 * 152 = 2300.
        #expect(try next.number("/sections/0/paging/maxOffset") == 1980)
    }

    @Test("A part is indented on request, also if it is empty")
    func pretty() async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        let some = try await service.send("GET", "\(path)?rect=0,0,9,9&pretty=true")
        let all = try await service.send("GET", "\(path)?pretty=true")
        #expect(some.response.body == all.response.body)
        let none = try await service.send("GET", "\(path)?rect=0,900,9,9&pretty=true")
        #expect(none.text.hasSuffix("\"sections\": [],\n  \"diagnostics\": []\n}"), "\(none.text)")
    }

    @Test(
        "A rectangle has four numbers of at most 1e9",
        arguments: [
            "", "1", "1,2,3", "1,2,3,4,5", "1,2,3,", ",1,2,3", "1,2,,3", "1,2,3,4,", "a,2,3,4",
            "nan,0,1,1", "inf,0,1,1", "0,0,1e999,1", "0,0,1000000001,1", "+1,0,1,1", " 1,0,1,1",
            "1;2;3;4", "0x1,0,1,1",
        ])
    func refused(rectangle: String) async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        let text = rectangle.replacing(" ", with: "%20").replacing("+", with: "%2B")
        let received = try await service.send("GET", "\(path)?rect=\(text)")
        #expect(received.status == 400)
        #expect(received.code == "INVALID_PARAMETER")
        #expect(try received.string("/detail").hasPrefix("rect must be"))
        let twice = try await service.send("GET", "\(path)?rect=0,0,1,1&rect=0,0,1,1")
        #expect(twice.code == "INVALID_PARAMETER")
    }

    @Test("A page token is not bound to rect, and a part has an entity tag of its own")
    func tokensAndTags() async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"], hasNext: true))
        let first = try await service.send("GET", "\(path)?rect=0,0,390,100")
        let token = try first.string("/nextPageToken")
        try await service.send("PUT", "/v1/screens/home/pages/1", Pages.list(["b"]))
        let next = try await service.send("GET", "\(path)?pageToken=\(token)&rect=0,100,390,100")
        #expect(try next.itemIds == [["b"]])
        let tags = [
            try await service.send("GET", path).etag,
            try await service.send("GET", "\(path)?rect=0,0,390,100").etag,
            try await service.send("GET", "\(path)?rect=0,0,390,101").etag,
            try await service.send("GET", "\(path).svg").etag,
        ]
        #expect(Set(tags.compactMap(\.self)).count == 4)
        let tag = try #require(tags[1])
        let again = try await service.send(
            "GET", "\(path)?rect=0,0,390,100", headers: [.ifNoneMatch: tag])
        #expect(again.status == 304)
    }

    @Test("A part of a screen without pages is empty")
    func noPages() async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        try await service.send("DELETE", "/v1/screens/home/pages")
        let received = try await service.send("GET", "\(path)?rect=0,0,390,100")
        #expect(received.status == 200)
        #expect(try received.value("/sections")?.count == 0)
    }
}

extension String {
    /// Returns a query without a second `coordinates`.
    fileprivate var once: String {
        replacing("&coordinates=content&coordinates=content", with: "&coordinates=content")
    }
}
