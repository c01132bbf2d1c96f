import Testing

extension EndToEnd {
    /// Tests of the other forms of a layout than the whole tree (docs/api.md, "Part of a layout").
    @Suite struct PartsOfLayouts {
        private struct Layouts: Decodable { let layouts: [Tree] }

        @Test("A rectangle selects the elements that intersect it")
        func rectangle() throws {
            let daemon = try TestDaemon()
            try Storefront.store(Storefront.pages, as: "home", in: daemon)
            let layout = "/v1/screens/home/layout?pages=all&coordinates=content"
            let whole = try daemon.request("GET", layout).tree()
            let part = try daemon.request("GET", layout + "&rect=0,1000,390,844").tree()
            #expect(part.contentSize == whole.contentSize)
            let shown = whole.sections.flatMap(\.items).filter {
                $0.frame.y < 1844 && $0.frame.y + $0.frame.height > 1000
            }
            #expect(!shown.isEmpty)
            #expect(part.sections.flatMap(\.items).map(\.id) == shown.map(\.id))
            #expect(try daemon.request("GET", layout + "&rect=0,0,1").problem().status == 400)
        }

        @Test("A picture is SVG, with an entity tag for conditional requests")
        func picture() throws {
            let daemon = try TestDaemon()
            try Storefront.store(0..<1, as: "home", in: daemon)
            let picture = try daemon.request("GET", "/v1/screens/home/layout.svg?width=768")
            #expect(picture.status == 200)
            #expect(picture["Content-Type"] == "image/svg+xml")
            #expect(picture.text.hasPrefix("<svg ") && picture.text.hasSuffix("</svg>\n"))
            let tag = try #require(picture["ETag"])
            let again = try daemon.request(
                "GET", "/v1/screens/home/layout.svg?width=768", headers: [("If-None-Match", tag)])
            #expect(again.status == 304)
        }

        @Test("The trees for several viewports are equal to the trees for each viewport")
        func viewports() throws {
            let daemon = try TestDaemon()
            let page = String(decoding: try Storefront.page(0), as: UTF8.self)
            let body = #"{"pages":[\#(page)],"viewports":[{"width":390},{"width":768,"scale":2}]}"#
            let both = try daemon.request("POST", "/v1/layout", body: Array(body.utf8))
                .decode(Layouts.self)
            #expect(both.layouts.map(\.contentSize.width) == [390, 768])
            for (tree, query) in zip(both.layouts, ["width=390", "width=768&scale=2"]) {
                let alone = try daemon.request(
                    "POST", "/v1/layout?\(query)", body: Array(page.utf8)
                ).tree()
                #expect(tree.contentSize == alone.contentSize)
                #expect(
                    tree.sections.flatMap(\.items).map(\.frame)
                        == alone.sections.flatMap(\.items).map(\.frame))
            }
        }

        @Test("Lint diagnostics are in the tree if the request specifies lint=true")
        func lint() throws {
            let daemon = try TestDaemon()
            try Storefront.store(Storefront.pages, as: "home", in: daemon)
            let layout = "/v1/screens/home/layout?pages=all"
            #expect(try daemon.request("GET", layout).tree().diagnostics.isEmpty)
            let codes = try daemon.request("GET", layout + "&lint=true").tree().diagnostics
                .map(\.code)
            #expect(codes == ["RAGGED_LAST_ROW"])
        }
    }
}
