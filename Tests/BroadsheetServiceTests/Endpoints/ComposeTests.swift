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

    @Test("takes a page and answers its tree, without screen, revision, token or ETag")
    func page() async throws {
        let answer = try await compose(Pages.list(["a", "b"], page: 4, hasNext: true))
        #expect(answer.status == 200)
        #expect(answer.response.headers[.contentType] == "application/json")
        #expect(answer.etag == nil)
        #expect(answer.text.hasPrefix(#"{"page":4,"pageCount":1,"hasNext":true,"viewport":"#))
        #expect(try answer.itemIds == [["a", "b"]])
    }

    @Test("keeps nothing")
    func keepsNothing() async throws {
        let service = try await TestService()
        try await service.send("POST", "/v1/layout", Pages.list(["a"]))
        #expect(try await service.send("GET", "/v1/screens").text == #"{"screens":[]}"#)
    }

    @Test("takes pages and answers the tree of all, merged in ascending order")
    func pages() async throws {
        let first = Pages.list(["b"], page: 5, hasNext: false)
        let second = Pages.list(["a"], page: 2, hasNext: true)
        let answer = try await compose("{\"pages\": [\(first), \(second)]}")
        #expect(try answer.itemIds == [["a", "b"]])
        #expect(try answer.number("/page") == 5)
        #expect(try answer.number("/pageCount") == 2)
        #expect(try answer.value("/hasNext")?.bool == false)
        #expect(try answer.value("/nextPageToken") == nil)
    }

    @Test("a page without a number takes the next above the highest so far")
    func numbers() async throws {
        let bodies = [
            Pages.list(["a"]), Pages.list(["b"], page: 7), Pages.list(["c"]),
            Pages.list(["d"], page: 3),
        ]
        let answer = try await compose("{\"pages\": [\(bodies.joined(separator: ","))]}")
        #expect(try answer.itemIds == [["a", "d", "b", "c"]])
        #expect(try answer.number("/page") == 8)
    }

    @Test("no pages make an empty tree")
    func noPages() async throws {
        let answer = try await compose(#"{"pages":[]}"#)
        #expect(answer.status == 200)
        #expect(try answer.number("/pageCount") == 0)
        #expect(try answer.value("/hasNext")?.bool == false)
    }

    @Test("the same number twice is an error at the second")
    func sameNumber() async throws {
        let page = Pages.list(["a"], page: 1)
        let answer = try await compose("{\"pages\": [\(page), \(page)]}")
        #expect(answer.status == 422)
        #expect(answer.code == "INVALID_CONTRACT")
        #expect(try answer.errors == ["/pages/1/page is 1, as is an earlier page's"])
    }

    @Test("a catalog in the body counts instead of the active one, its contract's names included")
    func catalog() async throws {
        let pages = #"[{"blocks":[{"units":[{"unitType":"LIST","unitData":[{"id":"a"}]}]}]}]"#
        let answer = try await compose("{\"pages\":\(pages),\"catalog\":\(Catalogs.renamed)}")
        #expect(answer.status == 200)
        #expect(try answer.itemIds == [["a"]])
        let none = try await compose("{\"pages\":[\(Pages.list(["a"]))],\"catalog\":null}")
        #expect(none.status == 200)
    }

    @Test("a faulty catalog is INVALID_CATALOG with pointers into the body")
    func faultyCatalog() async throws {
        let answer = try await compose(
            #"{"pages":[],"catalog":{"units":{"X":{"cell":{"type":"Nowhere"}}},"cellTypes":7}}"#)
        #expect(answer.status == 422)
        #expect(answer.code == "INVALID_CATALOG")
        let errors = try answer.errors
        #expect(errors.count >= 1)
        #expect(errors.allSatisfy { $0.hasPrefix("/catalog/") })
    }

    @Test("the body's viewport counts unless the query says otherwise")
    func viewport() async throws {
        let body = """
            {"pages":[\(Pages.list(["a"]))],
             "viewport":{"width":500,"height":600,"scale":2,"direction":"rtl","x":1}}
            """
        let answer = try await compose(body)
        #expect(
            answer.text.contains(
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
        "a viewport that cannot be is INVALID_CONTRACT and points at its members",
        arguments: [
            (#"{"width":0}"#, ["/viewport/width"]), (#"{"height":100000.5}"#, ["/viewport/height"]),
            (#"{"width":"390"}"#, ["/viewport/width"]), (#"{"scale":2.5}"#, ["/viewport/scale"]),
            (#"{"direction":"up"}"#, ["/viewport/direction"]), (#"[]"#, ["/viewport"]),
            (#"{"width":1e999,"height":-1}"#, ["/viewport/width", "/viewport/height"]),
            (#"{"height":false,"width":[]}"#, ["/viewport/height", "/viewport/width"]),
        ])
    func badViewport(viewport: String, pointers: [String]) async throws {
        let answer = try await compose("{\"pages\":[],\"viewport\":\(viewport)}")
        #expect(answer.code == "INVALID_CONTRACT")
        #expect(try answer.errors.map { $0.prefix { $0 != " " } } == pointers.map { $0[...] })
    }

    @Test("every fault of every page is told, in the body's order, by pointers into the body")
    func faults() async throws {
        let answer = try await compose(
            """
            {"pages":[{"sections":7},{"sections":[{"units":[{"unitType":1}]}]},{"page":-1,"sections":[]}],
             "viewport":{"width":0}}
            """)
        #expect(answer.code == "INVALID_CONTRACT")
        #expect(
            try answer.errors.map { String($0.prefix { $0 != " " }) } == [
                "/pages/0/sections", "/pages/1/sections/0/units/0/unitType", "/pages/2/page",
                "/viewport/width",
            ])
    }

    @Test("at most 100 faults are listed, and all are counted")
    func manyFaults() async throws {
        let units = Array(repeating: "{}", count: 250).joined(separator: ",")
        let answer = try await compose("{\"sections\":[{\"units\":[\(units)]}]}")
        #expect(try answer.errors.count == 100)
        #expect(try answer.string("/detail").contains("250"))
        let pages = Array(repeating: "7", count: 300).joined(separator: ",")
        let many = try await compose("{\"pages\":[\(pages)]}")
        #expect(try many.errors.count == 100)
        #expect(try many.errors.first?.hasPrefix("/pages/0 ") == true)
    }

    @Test("pages that are no array, or no pages", arguments: ["7", "{}", "null", "\"x\"", "true"])
    func noArray(pages: String) async throws {
        let answer = try await compose("{\"pages\":\(pages)}")
        #expect(try answer.errors == ["/pages must be an array of pages"])
    }

    @Test("a body with the contract's sections is a page, whatever else it has")
    func pageWithPages() async throws {
        let answer = try await compose(#"{"sections":[],"pages":[7],"catalog":7}"#)
        #expect(answer.status == 200)
        let renamed = Catalogs.shop.replacing(
            "{\n  \"sections\": {\"*\"",
            with: "{\n  \"contract\": {\"sections\": \"pages\"}, \"sections\": {\"*\"")
        let page = try await compose(
            #"{"pages":[{"units":[{"unitType":"LIST","unitData":[{"id":"a"}]}]}]}"#,
            catalog: renamed)
        #expect(try page.itemIds == [["a"]])
    }

    @Test("limits hold across the pages, and say which and the flag that moves it")
    func limits() async throws {
        let pages = (0..<3).map { Pages.list(["a", "b"], page: $0) }.joined(separator: ",")
        let body = "{\"pages\":[\(pages)]}"
        for (limits, flag) in [
            (ScreenLimits(maxPages: 2), "--max-pages"), (ScreenLimits(maxItems: 5), "--max-items"),
            (ScreenLimits(maxSections: 2), "--max-sections"),
        ] {
            let answer = try await compose(body, limits: limits)
            #expect(answer.code == "INVALID_CONTRACT")
            #expect(try answer.errors.count == 1)
            #expect(try answer.errors[0].hasPrefix("/pages/2 "))
            #expect(try answer.errors[0].contains(flag))
        }
        let enough = ScreenLimits(maxSections: 3, maxItems: 6, maxPages: 3)
        #expect(try await compose(body, limits: enough).status == 200)
    }

    @Test("takes every parameter of the query")
    func query() async throws {
        let answer = try await compose(
            Pages.list(["a"]),
            query: "?fields=frames&coordinates=content&collapsed=List&pretty=true")
        #expect(answer.text.contains("\n"))
        #expect(try answer.itemIds == [[]])
    }

    @Test("GET of /v1/layout is 405")
    func get() async throws {
        let answer = try await TestService().send("GET", "/v1/layout")
        #expect(answer.status == 405)
        #expect(answer.response.headers[.allow] == "OPTIONS, POST")
    }
}
