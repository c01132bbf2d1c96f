import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("Catalogs by name (docs/catalog.md, Several catalogs)")
struct NamedCatalogTests {
    private let path = "/v1/screens/home/layout"

    /// Returns a service with the catalog of rows of 100 points, and others by name: `flat` with
    /// rows of 50, `twin` and `other` with the bytes of `flat`, `renamed` with another contract.
    private func service(store: ScreenStore = ScreenStore.inMemory()) async throws -> TestService {
        let service = try await TestService(
            store: store,
            named: [
                "flat": Catalogs.flatter, "twin": Catalogs.flatter, "other": Catalogs.flatter,
                "renamed": Catalogs.renamed,
            ])
        for page in 0...1 {
            try await service.send(
                "PUT", "/v1/screens/home/pages/\(page)",
                Pages.list(["p\(page)"], hasNext: page == 0))
        }
        return service
    }

    private func height(_ response: ReceivedResponse) throws -> Double {
        try response.number("/contentSize/height")
    }

    @Test("A request has the layout, the changes and the picture of the catalog that it names")
    func selection() async throws {
        let service = try await service()
        for _ in 0..<2 {
            #expect(try height(await service.send("GET", path)) == 100)
            #expect(try height(await service.send("GET", "\(path)?catalog=flat")) == 50)
            let all = "\(path)?pages=all&catalog=flat"
            #expect(try height(await service.send("GET", all)) == 100)
        }
        let changes = "/v1/screens/home/changes?since=0&pages=all"
        for (query, height) in [("", 200.0), ("&catalog=flat", 100)] {
            let reset = try await service.send("GET", changes + query)
            #expect(try reset.number("/tree/contentSize/height") == height)
        }
        let pictures = [
            try await service.send("GET", "\(path).svg"),
            try await service.send("GET", "\(path).svg?catalog=flat"),
        ]
        #expect(pictures[0].text != pictures[1].text && pictures[0].etag != pictures[1].etag)
        let part = try await service.send("GET", "\(path)?catalog=flat&rect=0,0,10,10")
        #expect(try part.number("/sections/0/items/0/frame/height") == 50)
    }

    @Test(
        "A name of no catalog is 400 with the names that there are, for every operation with it",
        arguments: ["shop", "Flat", "default", "", "a%20b", "..", "flat&catalog=flat"])
    func unknown(name: String) async throws {
        let service = try await service()
        let query = "?catalog=\(name)"
        for (method, target) in [
            ("GET", path), ("GET", "\(path).svg"), ("GET", "/v1/screens/home/changes"),
            ("GET", "/v1/screens/home/stream"), ("POST", "/v1/layout"), ("POST", "/v1/changes"),
            ("PUT", "/v1/screens/home/pages/0"), ("POST", "/v1/screens/home/pages"),
            ("PATCH", "/v1/screens/home/pages/0"), ("POST", "/v1/screens/home/updates"),
            ("POST", "/v1/screens/home/events"), ("GET", "/v1/screens/home/pages"),
            ("GET", "/v1/screens/home"), ("DELETE", "/v1/screens/home/pages/0"),
            ("DELETE", "/v1/screens/home/pages"), ("DELETE", "/v1/screens/home"),
            ("GET", "/v1/catalog"), ("GET", "/v1/catalog/schema"),
        ] {
            let response = try await service.send(method, target + query, "{}")
            #expect(response.status == 400, "\(method) \(target)")
            #expect(response.code == "INVALID_PARAMETER", "\(method) \(target)")
            let detail = try response.string("/detail")
            #expect(detail.contains("catalog"), "\(detail)")
            guard !name.contains("&") else { continue }
            #expect(detail.contains("one of flat, other, renamed, twin;"), "\(detail)")
        }
        #expect(try await service.send("GET", "/v1/screens/home").number("/revision") == 2)
    }

    @Test("Without catalogs by name every name is 400, and probes take any query")
    func none() async throws {
        let service = try await TestService()
        let response = try await service.send("GET", "/v1/catalog?catalog=flat")
        #expect(response.code == "INVALID_PARAMETER")
        #expect(try response.string("/detail").contains("only the one without a name"))
        #expect(try await service.send("GET", "/livez?catalog=flat").status == 200)
        let listed = try await service.send("GET", "/v1/screens?catalog=flat")
        #expect(listed.code == "INVALID_PARAMETER")
    }

    @Test("GET of the catalog returns the bytes of the one that the query names")
    func content() async throws {
        let service = try await service()
        #expect(try await service.send("GET", "/v1/catalog").text == Catalogs.shop)
        let named = try await service.send("GET", "/v1/catalog?catalog=renamed")
        #expect(named.text == Catalogs.renamed)
        let schema = try await service.send("GET", "/v1/catalog/schema?catalog=renamed")
        #expect(schema.status == 200 && schema.text.contains("blocks"))
    }

    @Test("A page token carries the catalog, which later requests may only repeat")
    func tokens() async throws {
        let service = try await service()
        for rest in ["", "&client=ios/5&flags=a&expanded=x", "&flags=a", "&expanded=x"] {
            let first = try await service.send("GET", "\(path)?catalog=flat\(rest)")
            let token = try first.string("/nextPageToken")
            for query in ["", "&catalog=flat"] {
                let next = try await service.send("GET", "\(path)?pageToken=\(token)\(query)")
                #expect(try height(next) == 100, "\(rest) \(query)")
                #expect(try next.itemIds == [["p0", "p1"]])
            }
            let changes = "/v1/screens/home/changes?since=0&pageToken=\(token)"
            let reset = try await service.send("GET", changes)
            #expect(try reset.number("/tree/contentSize/height") == 100)
            let other = try await service.send("GET", "\(path)?pageToken=\(token)&catalog=twin")
            #expect(other.code == "PAGE_TOKEN_MISMATCH")
            #expect(try other.string("/detail").hasPrefix("catalog "))
        }
        let plain = try await service.send("GET", path).string("/nextPageToken")
        let other = try await service.send("GET", "\(path)?pageToken=\(plain)&catalog=flat")
        #expect(other.code == "PAGE_TOKEN_MISMATCH")
    }

    @Test("A token of a catalog that is gone is 400, and is valid when the catalog is back")
    func goneCatalog() async throws {
        let service = try await service()
        let token = try await service.send("GET", "\(path)?catalog=flat").string("/nextPageToken")
        service.service.reload(catalogs: try CatalogSet(Catalogs.shop, named: ["a": "{}"]))
        let gone = try await service.send("GET", "\(path)?pageToken=\(token)")
        #expect(gone.code == "INVALID_PARAMETER")
        #expect(try gone.string("/detail").contains("one of a;"))
        service.service.reload(
            catalogs: try CatalogSet(Catalogs.shop, named: ["flat": Catalogs.flatter]))
        let back = try await service.send("GET", "\(path)?pageToken=\(token)")
        #expect(try height(back) == 100)
    }

    @Test("The longest name of a catalog fits into a token beside the longest lists")
    func longestToken() async throws {
        let name = String(repeating: "n", count: ScreenName.maxLength)
        let service = try await TestService(named: [name: Catalogs.shop])
        let page = Pages.list(["a"], hasNext: true)
        try await service.send("PUT", "/v1/screens/\(name)/pages/0", page)
        let lists =
            "&collapsed=\(Array(repeating: "i", count: 1).joined())"
            + "&expanded=\((0..<800).map { String($0 + 1000) }.joined(separator: ","))"
            + "&flags=\((10..<74).map { "\($0)" + String(repeating: "f", count: 13) }.joined(separator: ","))"
        let version = Array(repeating: String(repeating: "9", count: 15), count: 4)
        let client = "\(String(repeating: "p", count: 32))/\(version.joined(separator: "."))"
        let path = "/v1/screens/\(name)/layout"
        let first = try await service.send(
            "GET", "\(path)?catalog=\(name)\(lists)&client=\(client)&textScale=1.1&scale=1.1")
        let target = "\(path)?pageToken=\(try first.string("/nextPageToken"))"
        #expect(target.utf8.count < HTTPLimits().maxTarget)
    }

    @Test("Trees of catalogs with the same bytes have tags and tokens of their own")
    func twins() async throws {
        let service = try await service()
        let trees = [
            try await service.send("GET", "\(path)?catalog=flat"),
            try await service.send("GET", "\(path)?catalog=twin"),
        ]
        #expect(trees[0].etag != trees[1].etag)
        let tokens = try trees.map { try $0.string("/nextPageToken") }
        #expect(tokens[0] != tokens[1])
        #expect(
            trees[0].text.replacing(tokens[0], with: "T")
                == trees[1].text.replacing(tokens[1], with: "T"))
        let tag = try #require(trees[0].etag)
        for (name, status) in [("flat", 304), ("twin", 200)] {
            let response = try await service.send(
                "GET", "\(path)?catalog=\(name)", headers: [.ifNoneMatch: tag])
            #expect(response.status == status)
        }
    }

    @Test("Compositions and comparisons use the catalog that the query names")
    func composing() async throws {
        let service = try await service()
        let page = Pages.list(["a"])
        for body in [page, #"{"pages":[\#(page)]}"#, #"{"pages":[\#(page)],"catalog":null}"#] {
            let tree = try await service.send("POST", "/v1/layout?catalog=flat", body)
            #expect(try height(tree) == 50)
        }
        let both = #"{"from":{"pages":[]},"to":{"pages":[\#(page)]}}"#
        let changes = try await service.send("POST", "/v1/changes?catalog=flat", both)
        #expect(changes.text.contains("\"height\":50"))
    }

    @Test("A name beside a catalog in the body is 400, whatever that catalog is")
    func besideBody() async throws {
        let service = try await service()
        let page = Pages.list(["a"])
        for catalog in [Catalogs.shop, "{}", "[]"] {
            for (target, body) in [
                ("/v1/layout", #"{"pages":[\#(page)],"catalog":\#(catalog)}"#),
                (
                    "/v1/changes",
                    #"{"from":{"pages":[]},"to":{"pages":[\#(page)]},"catalog":\#(catalog)}"#
                ),
            ] {
                let response = try await service.send("POST", "\(target)?catalog=flat", body)
                #expect(response.status == 400 && response.code == "INVALID_PARAMETER")
                #expect(try response.string("/detail").contains("in the body"))
                let plain = try await service.send("POST", target, body)
                #expect(plain.status == (catalog == "[]" ? 422 : 200))
            }
        }
        let member = page.replacing(#"{"sections""#, with: #"{"catalog":{},"sections""#)
        let tree = try await service.send("POST", "/v1/layout?catalog=flat", member)
        #expect(try height(tree) == 50)
    }

    @Test("A write is read, and reports its diagnostics, by the catalog that it names")
    func writes() async throws {
        let service = try await TestService(
            catalog: "{}", named: ["shop": Catalogs.shop, "renamed": Catalogs.renamed])
        let path = "/v1/screens/home/pages"
        let page = Pages.list(["a"])
        for (target, count) in [
            ("\(path)/0", "1"), ("\(path)/0?catalog=shop", "0"), ("\(path)/0?catalog=renamed", nil),
        ] {
            let put = try await service.send("PUT", target, page)
            #expect(put.response.headers[.diagnostics] == count, "\(target)")
            #expect((put.status == 422) == (count == nil))
        }
        let post = try await service.send("POST", "\(path)?catalog=shop", Pages.list(["c"]))
        #expect(try post.itemIds == [["a", "c"]])
        let patch = try await service.send(
            "PATCH", "\(path)/1?catalog=shop",
            #"[{"op":"add","path":"/sections/0/units/0/unitData/-","value":{"id":"b"}}]"#,
            headers: [.contentType: "application/json-patch+json"])
        #expect(try patch.itemIds == [["a", "c", "b"]])
        #expect(patch.response.headers[.diagnostics] == "0")
        let update = #"{"operations":[{"op":"deleteItems","section":"List","items":["b"]}]}"#
        let unknown = try await service.send("POST", "/v1/screens/home/updates", update)
        #expect(unknown.code == "UPDATE_FAILED")
        let edited = try await service.send(
            "POST", "/v1/screens/home/updates?catalog=shop", update)
        #expect(edited.status == 200, "\(edited.text)")
        let tree = try await service.send(
            "GET", "/v1/screens/home/layout?pages=all&catalog=shop")
        #expect(try tree.itemIds == [["a", "c"]])
    }

    @Test("The page state counts by the catalog of the request, and has a tag for each")
    func pageState() async throws {
        let service = try await service()
        let path = "/v1/screens/home/pages"
        let page =
            #"{"blocks":[{"sectionId":"S","units":[{"unitType":"LIST","unitData":[{"id":"x"}]}]}]}"#
        try await service.send("PUT", "\(path)/2?catalog=renamed", page)
        let states = [
            try await service.send("GET", path),
            try await service.send("GET", "\(path)?catalog=renamed"),
        ]
        #expect(try states.map { try $0.value("/pages/2/sections")?.count } == [0, 1])
        #expect(states[0].etag != states[1].etag)
        let screen = try await service.send("GET", "/v1/screens/home?catalog=renamed")
        #expect(screen.etag == states[1].etag)
        let tag = try #require(states[1].etag)
        for (query, status) in [("", 412), ("?catalog=renamed", 204)] {
            let removed = try await service.send(
                "DELETE", "\(path)/2\(query)", headers: [.ifMatch: tag])
            #expect(removed.status == status)
        }
    }
}
