import Broadsheet
import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("POST of /v1/layout (docs/api.md, Composing without storing)")
struct ComposeTests {
    private func compose(
        _ body: String, query: String = "", catalog: String = Catalogs.shop,
        limits: ScreenLimits = ScreenLimits()
    ) async throws -> ReceivedResponse {
        let service = try await TestService(catalog: catalog, limits: limits)
        return try await service.send("POST", "/v1/layout\(query)", body)
    }

    @Test("A page is returned as its tree, without screen, revision, token and ETag")
    func page() async throws {
        let received = try await compose(Pages.list(["a", "b"], page: 4, hasNext: true))
        #expect(received.status == 200)
        #expect(received.response.headers[.contentType] == "application/json")
        #expect(received.etag == nil)
        #expect(received.text.hasPrefix(#"{"page":4,"pageCount":1,"hasNext":true,"viewport":"#))
        #expect(try received.itemIds == [["a", "b"]])
    }

    @Test("Nothing is stored")
    func keepsNothing() async throws {
        let service = try await TestService()
        try await service.send("POST", "/v1/layout", Pages.list(["a"]))
        #expect(try await service.send("GET", "/v1/screens").text == #"{"screens":[]}"#)
    }

    @Test("Several pages are returned as one tree, merged in ascending order")
    func pages() async throws {
        let first = Pages.list(["b"], page: 5, hasNext: false)
        let second = Pages.list(["a"], page: 2, hasNext: true)
        let received = try await compose("{\"pages\": [\(first), \(second)]}")
        #expect(try received.itemIds == [["a", "b"]])
        #expect(try received.number("/page") == 5)
        #expect(try received.number("/pageCount") == 2)
        #expect(try received.value("/hasNext")?.bool == false)
        #expect(try received.value("/nextPageToken") == nil)
    }

    @Test("A page without a number takes the number above the highest so far")
    func numbers() async throws {
        let bodies = [
            Pages.list(["a"]), Pages.list(["b"], page: 7), Pages.list(["c"]),
            Pages.list(["d"], page: 3),
        ]
        let received = try await compose("{\"pages\": [\(bodies.joined(separator: ","))]}")
        #expect(try received.itemIds == [["a", "d", "b", "c"]])
        #expect(try received.number("/page") == 8)
    }

    @Test("No pages result in an empty tree")
    func noPages() async throws {
        let received = try await compose(#"{"pages":[]}"#)
        #expect(received.status == 200)
        #expect(try received.number("/pageCount") == 0)
        #expect(try received.value("/hasNext")?.bool == false)
    }

    @Test("A repeated page number is a violation by the second page")
    func sameNumber() async throws {
        let page = Pages.list(["a"], page: 1)
        let received = try await compose("{\"pages\": [\(page), \(page)]}")
        #expect(received.status == 422)
        #expect(received.code == "INVALID_CONTRACT")
        #expect(try received.errors == ["/pages/1/page is 1, as is an earlier page's"])
    }

    @Test("A catalog in the body replaces the active one, including its names of members")
    func catalog() async throws {
        let pages = #"[{"blocks":[{"units":[{"unitType":"LIST","unitData":[{"id":"a"}]}]}]}]"#
        let received = try await compose("{\"pages\":\(pages),\"catalog\":\(Catalogs.renamed)}")
        #expect(received.status == 200)
        #expect(try received.itemIds == [["a"]])
        let none = try await compose("{\"pages\":[\(Pages.list(["a"]))],\"catalog\":null}")
        #expect(none.status == 200)
    }

    @Test("An invalid catalog is INVALID_CATALOG with pointers into the body")
    func invalidCatalog() async throws {
        let received = try await compose(
            #"{"pages":[],"catalog":{"units":{"X":{"cell":{"type":"Nowhere"}}},"cellTypes":7}}"#)
        #expect(received.status == 422)
        #expect(received.code == "INVALID_CATALOG")
        let errors = try received.errors
        #expect(errors.count >= 1)
        #expect(errors.allSatisfy { $0.hasPrefix("/catalog/") })
    }

    @Test("The query takes precedence over the body's viewport, and that over the defaults")
    func viewport() async throws {
        let body = """
            {"pages":[\(Pages.list(["a"]))],
             "viewport":{"width":500,"height":600,"scale":2,"direction":"rtl","x":1}}
            """
        let received = try await compose(body)
        #expect(
            received.text.contains(
                #""viewport":{"width":500,"height":600,"scale":2,"direction":"rtl"}"#))
        let query = try await compose(body, query: "?width=700&direction=ltr")
        #expect(
            query.text.contains(
                #""viewport":{"width":700,"height":600,"scale":2,"direction":"ltr"}"#))
        let none = try await compose(#"{"pages":[],"viewport":{"width":null,"scale":1}}"#)
        #expect(try none.number("/viewport/width") == 390)
        #expect(try none.number("/viewport/scale") == 1)
        #expect(try await compose(#"{"pages":[],"viewport":null}"#).status == 200)
    }

    @Test(
        "A safe area in a body is a number, or an object of sides, and the last of the viewport",
        arguments: [
            ("20", "20,20,20,20"), (#"{"left":40,"top":59.5}"#, "59.5,40,0,0"), ("{}", "0,0,0,0"),
            (#"{"right":1e5,"bottom":null}"#, "0,0,0,100000"), ("null", nil),
        ])
    func safeArea(sides: String, text: String?) async throws {
        let body = #"{"pages":[],"viewport":{"safeArea":\#(sides)}}"#
        let received = try await compose(body)
        let plain = try await compose(#"{"pages":[]}"#, query: text.map { "?safeArea=\($0)" } ?? "")
        #expect(received.text == plain.text)
        let names = ["top", "left", "bottom", "right"]
        let numbers = (text ?? "").split(separator: ",")
        let shown = zip(names, numbers).map { #""\#($0)":\#($1)"# }.joined(separator: ",")
        let member = text == nil ? "" : #","safeArea":{\#(shown)}"#
        #expect(received.text.contains(#""direction":"ltr"\#(member)},"contentSize""#))
        let query = try await compose(body, query: "?safeArea=1,2,3,4")
        #expect(query.text.contains(#""safeArea":{"top":1,"left":2,"bottom":3,"right":4}}"#))
    }

    @Test(
        "An invalid viewport is INVALID_CONTRACT with pointers to its members",
        arguments: [
            (#"{"width":0}"#, ["/viewport/width"]), (#"{"height":100000.5}"#, ["/viewport/height"]),
            (#"{"width":"390"}"#, ["/viewport/width"]), (#"{"scale":8.5}"#, ["/viewport/scale"]),
            (#"{"direction":"up"}"#, ["/viewport/direction"]), (#"[]"#, ["/viewport"]),
            (#"{"width":1e999,"height":-1}"#, ["/viewport/width", "/viewport/height"]),
            (#"{"height":false,"width":[]}"#, ["/viewport/height", "/viewport/width"]),
            (#"{"safeArea":-1}"#, ["/viewport/safeArea"]),
            (#"{"safeArea":"1,2,3,4"}"#, ["/viewport/safeArea"]),
            (#"{"safeArea":[1,2,3,4]}"#, ["/viewport/safeArea"]),
            (#"{"safeArea":{"left":100000.5}}"#, ["/viewport/safeArea"]),
            (#"{"safeArea":{"top":"1"}}"#, ["/viewport/safeArea"]),
        ])
    func badViewport(viewport: String, pointers: [String]) async throws {
        let received = try await compose("{\"pages\":[],\"viewport\":\(viewport)}")
        #expect(received.code == "INVALID_CONTRACT")
        #expect(try received.errors.map { $0.prefix { $0 != " " } } == pointers.map { $0[...] })
    }

    @Test(
        "Every violation of every page is listed in the body's order, with pointers into the body")
    func violations() async throws {
        let received = try await compose(
            """
            {"pages":[{"sections":7},{"sections":[{"units":[{"unitType":1}]}]},{"page":-1,"sections":[]}],
             "viewport":{"width":0}}
            """)
        #expect(received.code == "INVALID_CONTRACT")
        #expect(
            try received.errors.map { String($0.prefix { $0 != " " }) } == [
                "/pages/0/sections", "/pages/1/sections/0/units/0/unitType", "/pages/2/page",
                "/viewport/width",
            ])
    }

    @Test("At most 100 violations are listed, and all are counted")
    func manyViolations() async throws {
        let units = Array(repeating: "{}", count: 250).joined(separator: ",")
        let received = try await compose("{\"sections\":[{\"units\":[\(units)]}]}")
        #expect(try received.errors.count == 100)
        #expect(try received.string("/detail").contains("250"))
        let pages = Array(repeating: "7", count: 300).joined(separator: ",")
        let many = try await compose("{\"pages\":[\(pages)]}")
        #expect(try many.errors.count == 100)
        #expect(try many.errors.first?.hasPrefix("/pages/0 ") == true)
    }

    @Test(
        "Pages that are not an array, or not pages, violate the contract",
        arguments: ["7", "{}", "null", "\"x\"", "true"])
    func noArray(pages: String) async throws {
        let received = try await compose("{\"pages\":\(pages)}")
        #expect(try received.errors == ["/pages must be an array of pages"])
    }

    @Test("A body with the contract's sections is a page, regardless of its other members")
    func pageWithPages() async throws {
        let received = try await compose(#"{"sections":[],"pages":[7],"catalog":7}"#)
        #expect(received.status == 200)
        let renamed = Catalogs.shop.replacing(
            "{\n  \"sections\": {\"*\"",
            with: "{\n  \"contract\": {\"sections\": \"pages\"}, \"sections\": {\"*\"")
        let page = try await compose(
            #"{"pages":[{"units":[{"unitType":"LIST","unitData":[{"id":"a"}]}]}]}"#,
            catalog: renamed)
        #expect(try page.itemIds == [["a"]])
    }

    @Test("Limits apply to all pages together, and a violation names the limit and its flag")
    func limits() async throws {
        let pages = (0..<3).map { Pages.list(["a", "b"], page: $0) }.joined(separator: ",")
        let body = "{\"pages\":[\(pages)]}"
        for (limits, flag) in [
            (ScreenLimits(maxPages: 2), "--max-pages"), (ScreenLimits(maxItems: 5), "--max-items"),
            (ScreenLimits(maxSections: 2), "--max-sections"),
        ] {
            let received = try await compose(body, limits: limits)
            #expect(received.code == "INVALID_CONTRACT")
            #expect(try received.errors.count == 1)
            #expect(try received.errors[0].hasPrefix("/pages/2 "))
            #expect(try received.errors[0].contains(flag))
        }
        let enough = ScreenLimits(maxSections: 3, maxItems: 6, maxPages: 3)
        #expect(try await compose(body, limits: enough).status == 200)
    }

    @Test("Every parameter of the query applies")
    func query() async throws {
        let received = try await compose(
            Pages.list(["a"]),
            query: "?fields=frames&coordinates=content&collapsed=List&pretty=true")
        #expect(received.text.contains("\n"))
        #expect(try received.itemIds == [[]])
    }

    @Test("GET of /v1/layout is 405")
    func get() async throws {
        let received = try await TestService().send("GET", "/v1/layout")
        #expect(received.status == 405)
        #expect(received.response.headers[.allow] == "OPTIONS, POST")
    }
}
