import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("The body of PUT of a screen, and its limits (docs/api.md, Whole screens)")
struct PutScreenBodyTests {
    private let path = PutScreenTests.path
    private static let empty = #"{"sections":[]}"#

    @Test(
        "A body without a set of pages is 422, and the detail names the forms",
        arguments: [
            (#"{"sections":[]}"#, "/pages is missing: PUT /v1/screens/home takes"),
            (#"{}"#, "/pages is missing: PUT /v1/screens/home takes"),
            (#"[]"#, " must be an object: PUT /v1/screens/home takes"),
            (#"{"pages":[]}"#, "/pages must be an array of at least one page; DELETE"),
            (#"{"pages":{}}"#, "/pages must be an array of at least one page; DELETE"),
            (#"{"pages":null}"#, "/pages must be an array of at least one page; DELETE"),
        ])
    func forms(body: String, error: String) async throws {
        let service = try await TestService()
        let refused = try await service.send("PUT", path, body)
        #expect(refused.status == 422 && refused.code == "INVALID_CONTRACT")
        let errors = try refused.errors
        #expect(errors.count == 1 && errors.first?.hasPrefix(error) == true, "\(errors)")
        if error.contains("takes") {
            #expect(errors.first?.contains(#"{"pages": [page, …]}"#) == true)
            #expect(errors.first?.contains("PUT /v1/screens/home/pages/0 one page") == true)
            #expect(errors.first?.contains(#"{"sections": […]}"#) == true)
        }
        let renamed = try await TestService(catalog: Catalogs.renamed)
        let page = try await renamed.send("PUT", path, #"{"blocks":[]}"#)
        #expect(try page.errors.first?.contains(#"{"blocks": […]}"#) == true)
    }

    @Test("Pages without a number have the one after the page before them, the first one 0")
    func numbers() async throws {
        let service = try await TestService()
        let sets: [([Int?], [Int])] = [
            ([nil, nil, nil], [0, 1, 2]), ([3, nil, 9, nil], [3, 4, 9, 10]),
            ([nil, 2_147_483_646, nil], [0, 2_147_483_646, 2_147_483_647]),
        ]
        for (given, expected) in sets {
            let pages = given.map { Pages.list(["a"], page: $0) }
            #expect(try await service.send("PUT", path, PutScreenTests.body(pages)).status < 300)
            let state = try await service.send("GET", "\(path)/pages")
            #expect(try state.value("/pages")?.elements.map { $0["page"]?.int } == expected)
        }
    }

    @Test(
        "All violations of all pages are reported in their order, and nothing is stored",
        arguments: [
            (
                [#"{"page":1,"sections":[]}"#, #"{"page":1,"sections":[]}"#],
                ["/pages/1/page is 1, but the page before it has the number 1; they must ascend"]
            ),
            (
                [#"{"page":4,"sections":[]}"#, #"{"page":3,"sections":[]}"#, empty, empty],
                ["/pages/1/page is 3, but the page before it has the number 4; they must ascend"]
            ),
            (
                [#"{"page":2147483647,"sections":[]}"#, empty],
                ["/pages/1/page is needed: no number above 2147483647 is left"]
            ),
            (
                ["7", empty, #"{"page":-1,"sections":[{},{"units":[]}]}"#, "null", #"{"page":1}"#],
                [
                    "/pages/0 must be an object", "/pages/2/page must be",
                    "/pages/2/sections/0/units is missing", "/pages/3 must be an object",
                    "/pages/4/sections is missing",
                ]
            ),
        ])
    func violations(pages: [String], errors: [String]) async throws {
        let service = try await TestService()
        try await service.send("PUT", "\(path)/pages/0", Pages.list(["old"]))
        let refused = try await service.send("PUT", path, PutScreenTests.body(pages))
        #expect(refused.status == 422 && refused.code == "INVALID_CONTRACT")
        let found = try refused.errors
        #expect(found.count == errors.count)
        for (found, expected) in zip(found, errors) { #expect(found.hasPrefix(expected)) }
        let state = try await service.send("GET", "\(path)/pages")
        #expect(try state.number("/revision") == 1 && state.number("/pageCount") == 1)
    }

    @Test("A violation that many pages share is reported a hundred times")
    func manyViolations() async throws {
        let service = try await TestService(limits: ScreenLimits(maxPages: 1000))
        let pages = Array(repeating: "[]", count: 1000)
        let refused = try await service.send("PUT", path, PutScreenTests.body(pages))
        #expect(try refused.errors.count == 100)
        #expect(try refused.errors.last?.hasPrefix("/pages/99 ") == true)
    }

    @Test("What is not JSON has its position in the body")
    func syntax() async throws {
        let service = try await TestService()
        let refused = try await service.send("PUT", path, #"{"pages":[{"sections":[]},{"a":}]}"#)
        #expect(refused.status == 400 && refused.code == "INVALID_JSON")
        #expect(try refused.number("/offset") == 31)
        let plain = try await service.send(
            "PUT", path, PutScreenTests.body(Self.empty), headers: [.contentType: "text/plain"])
        #expect(plain.code == "UNSUPPORTED_MEDIA_TYPE")
    }

    @Test("A page may be as deep as in its own PUT, and no deeper")
    func depth() async throws {
        let service = try await TestService(limits: ScreenLimits(maxDepth: 6))
        // The page, and the arrays in a member of it.
        func page(depth: Int) -> String {
            let arrays = depth - 1
            let value =
                String(repeating: "[", count: arrays) + String(repeating: "]", count: arrays)
            return #"{"x":\#(value),"sections":[]}"#
        }
        for (depth, status) in [(6, 200), (7, 400)] {
            let alone = try await service.send("PUT", "\(path)/pages/0", page(depth: depth))
            #expect(alone.status == (depth == 6 ? 201 : 400))
            let put = try await service.send(
                "PUT", path, PutScreenTests.body(Self.empty, page(depth: depth)))
            #expect(put.status == status, "\(put.text)")
            #expect(status == 200 || put.code == "INVALID_JSON")
        }
    }

    @Test("In strict mode the violations of all pages lead into the body")
    func strict() async throws {
        let service = try await TestService()
        let unknown = #"{"sections":[[{"unitType":"NEW"}]]}"#
        let body = PutScreenTests.body(Pages.list(["a"]), unknown, Self.empty, unknown)
        let refused = try await service.send("PUT", "\(path)?strict=true", body)
        #expect(refused.code == "INVALID_CONTRACT")
        let pointers = try refused.errors.map { $0.prefix { $0 != " " } }
        #expect(
            pointers == ["/pages/1/sections/0/0/unitType", "/pages/3/sections/0/0/unitType"])
        let daemon = try await TestService(isStrict: true)
        #expect(try await daemon.send("PUT", path, body).status == 422)
        #expect(try await daemon.send("PUT", "\(path)?strict=false", body).status == 201)
    }

    @Test(
        "The pages together may not exceed a limit of the screen, and nothing is stored",
        arguments: [
            ("--max-pages", 4, Array(repeating: empty, count: 5)),
            ("--max-sections", 3, [#"{"sections":[[],[]]}"#, #"{"sections":[[],[]]}"#]),
            ("--max-items", 5, [Pages.list(["a", "b", "c"]), Pages.list(["d", "e", "f"])]),
            ("--max-items", 5, [Pages.list(["a", "b", "c", "d", "e", "f"])]),
        ])
    func limits(flag: String, limit: Int, pages: [String]) async throws {
        let service = try await TestService(
            limits: ScreenLimits(maxSections: 3, maxItems: 5, maxPages: 4))
        for query in ["", "?validateOnly=true"] {
            let refused = try await service.send("PUT", path + query, PutScreenTests.body(pages))
            #expect(refused.status == 422 && refused.code == "INVALID_CONTRACT")
            #expect(try refused.string("/detail").contains(flag), "\(refused.text)")
            #expect(try refused.string("/detail").contains("\(limit)"))
        }
        #expect(try await service.send("GET", path).code == "SCREEN_NOT_FOUND")
        // The pages that are replaced do not count.
        for _ in 0..<2 {
            let fits = try await service.send(
                "PUT", path,
                PutScreenTests.body(Pages.list(["a", "b"]), Pages.list(["c", "d", "e"])))
            #expect(fits.status < 300)
            try await service.send("PUT", path, PutScreenTests.body(Pages.list(["x"], page: 9)))
        }
    }

    @Test("Pages of more than --max-screen-bytes together are refused")
    func bytes() async throws {
        let page = Pages.list(["a"])
        let service = try await TestService(maxScreenBytes: 2 * page.utf8.count)
        #expect(try await service.send("PUT", path, PutScreenTests.body(page, page)).status == 201)
        let refused = try await service.send("PUT", path, PutScreenTests.body(page, page, page))
        #expect(refused.status == 422 && refused.code == "SCREEN_TOO_LARGE")
        #expect(try await service.send("GET", path).number("/revision") == 1)
        let other = Pages.list(["b"], page: 5)
        let replaced = try await service.send("PUT", path, PutScreenTests.body(page, other))
        #expect(replaced.code == "SCREEN_TOO_LARGE", "the other page is longer")
        let shorter = try await service.send(
            "PUT", path, PutScreenTests.body(Pages.list([]), Pages.list([], page: 5)))
        #expect(shorter.status == 200)
    }

    @Test("A stored screen above a limit can be replaced by one that is not larger")
    func aboveLimits() async throws {
        let pages = (0..<6).map { Pages.list(["p\($0)-a", "p\($0)-b"]) }
        let limits = [
            ScreenLimits(maxPages: 4), ScreenLimits(maxItems: 7), ScreenLimits(maxSections: 3),
        ]
        for limit in limits + [ScreenLimits()] {
            let store = ScreenStore.inMemory()
            let first = try await TestService(store: store)
            try await first.send("PUT", path, PutScreenTests.body(pages))
            let small = pages[0].utf8.count * 5
            let service = try await TestService(
                store: store, limits: limit,
                maxScreenBytes: limit == ScreenLimits() ? small : 1 << 20)
            let layout = try await service.send("GET", "\(path)/layout?pages=all")
            #expect(layout.code == "STORED_SCREEN_TOO_LARGE")
            let larger = try await service.send(
                "PUT", path, PutScreenTests.body(pages + [Pages.list(["more"])]))
            #expect(larger.status == 422)
            let same = try await service.send("PUT", path, PutScreenTests.body(pages))
            #expect(same.status == 200 && same.body.isEmpty)
            #expect(same.response.headers[.preferenceApplied] == "return=minimal")
            let fewer = try await service.send(
                "PUT", path, PutScreenTests.body(Array(pages[1...3])))
            #expect(fewer.status == 200)
            #expect(try fewer.itemIds.joined().count == 6, "\(fewer.text)")
            let tree = try await service.send("GET", "\(path)/layout?pages=all")
            #expect(tree.text == fewer.text)
            let other = try await TestService(store: store, limits: limit)
            #expect(try await other.send("GET", "\(path)/layout?pages=all").etag == tree.etag)
        }
    }
}
