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
}

extension String {
    /// Returns a query without a second `coordinates`.
    fileprivate var once: String {
        replacing("&coordinates=content&coordinates=content", with: "&coordinates=content")
    }
}
