import Broadsheet
import BroadsheetHTTP
import Testing

@Suite("GET of the part of a layout that lies in a rectangle (docs/api.md; rules V1-V5)")
struct RectTests {
    private let path = "/v1/screens/home/layout"

    @Test(
        "answers what a filter over the whole tree leaves, member for member", arguments: 0..<40)
    func filtered(seed: Int) async throws {
        var screens = RandomScreens(seed: UInt64(seed))
        let service = try await TestService(catalog: RandomScreens.catalog)
        for page in 0..<screens.number(in: 1...4) {
            let answer = try await service.send(
                "PUT", "/v1/screens/home/pages/\(page)", screens.page())
            #expect(answer.status == 201, "seed \(seed): \(answer.text)")
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

    @Test("keeps ids with their suffixes, and indices, wherever the rectangle lies")
    func suffixes() async throws {
        let service = try await TestService()
        try await service.send(
            "PUT", "/v1/screens/home/pages/0", Pages.list(["x"], section: "First"))
        try await service.send("PUT", "/v1/screens/home/pages/1", Pages.list(["a", "b", "a"]))
        try await service.send("PUT", "/v1/screens/home/pages/2", Pages.list(["b", "a", "c"]))
        let answer = try await service.send("GET", "\(path)?pages=all&rect=0,350,390,200")
        #expect(try answer.itemIds == [["a#2", "b#2", "a#3"]])
        #expect(try answer.number("/sections/0/index") == 1)
        // In section coordinates, though the rectangle is in the content's.
        #expect(try answer.number("/sections/0/items/0/frame/y") == 200)
    }

    @Test("leaves out sections without anything in it, and touching edges do not count (V1)")
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
            let answer = try await service.send("GET", "\(path)?rect=\(nothing)")
            #expect(try answer.value("/sections")?.count == 0, "\(nothing)")
        }
        // Negative lengths flip (V2).
        let flipped = try await service.send("GET", "\(path)?rect=390,140,-390,-100")
        #expect(flipped.response.body == item.response.body)
    }

    @Test("is indented when asked, also when nothing is found")
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
        "takes four numbers of at most 1e9",
        arguments: [
            "", "1", "1,2,3", "1,2,3,4,5", "1,2,3,", ",1,2,3", "1,2,,3", "1,2,3,4,", "a,2,3,4",
            "nan,0,1,1", "inf,0,1,1", "0,0,1e999,1", "0,0,1000000001,1", "+1,0,1,1", " 1,0,1,1",
            "1;2;3;4", "0x1,0,1,1",
        ])
    func refused(rectangle: String) async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        let text = rectangle.replacing(" ", with: "%20").replacing("+", with: "%2B")
        let answer = try await service.send("GET", "\(path)?rect=\(text)")
        #expect(answer.status == 400)
        #expect(answer.code == "INVALID_PARAMETER")
        #expect(try answer.string("/detail").hasPrefix("rect must be"))
        let twice = try await service.send("GET", "\(path)?rect=0,0,1,1&rect=0,0,1,1")
        #expect(twice.code == "INVALID_PARAMETER")
    }

    @Test("goes with a page token, which it is not bound to, and has an entity tag of its own")
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

    @Test("of a screen without pages is empty")
    func noPages() async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        try await service.send("DELETE", "/v1/screens/home/pages")
        let answer = try await service.send("GET", "\(path)?rect=0,0,390,100")
        #expect(answer.status == 200)
        #expect(try answer.value("/sections")?.count == 0)
    }
}

extension String {
    /// The query without a second `coordinates`.
    fileprivate var once: String {
        replacing("&coordinates=content&coordinates=content", with: "&coordinates=content")
    }
}
