import Broadsheet
import Testing

@Suite("lint=true (docs/api.md, Parameters of every layout)")
struct LintTests {
    /// A grid of two columns whose last row has one item, of items without ids, and a section
    /// without items.
    private static let page = """
        {"sections":[
          {"sectionId":"Grid","layout":{"gridColumnCount":2},"units":[{"unitType":"LIST","unitData":[{},{},{}]}]},
          {"sectionId":"Empty","units":[]},
          {"sectionId":"Closed","collapsed":true,"units":[{"unitType":"LIST","unitData":[{}]}]}]}
        """
    private static let lint = [
        "RAGGED_LAST_ROW /sections/0", "ITEMS_WITHOUT_IDS /sections/0", "EMPTY_SECTION /sections/1",
        "POINTER_FINDS_NOTHING /cellTypes/Row/id",
    ]

    private func diagnostics(_ received: ReceivedResponse) throws -> [String] {
        try #require(try received.value("/diagnostics")).elements.map {
            "\($0["code"]?.string ?? "?") \($0["pointer"]?.string ?? "?")"
        }
    }

    @Test("Lint is added to the diagnostics of every tree")
    func everywhere() async throws {
        let service = try await TestService()
        let put = try await service.send("PUT", "/v1/screens/a/pages/0?lint=true", Self.page)
        #expect(try diagnostics(put) == Self.lint)
        let get = try await service.send("GET", "/v1/screens/a/layout?lint=true")
        #expect(try diagnostics(get) == Self.lint)
        let post = try await service.send("POST", "/v1/layout?lint=true", Self.page)
        #expect(try diagnostics(post) == Self.lint)
        for plain in ["", "?lint=false"] {
            let received = try await service.send("GET", "/v1/screens/a/layout\(plain)")
            #expect(try diagnostics(received).isEmpty)
        }
        let wrong = try await service.send("GET", "/v1/screens/a/layout?lint=yes")
        #expect(wrong.code == "INVALID_PARAMETER")
        let part = try await service.send("GET", "/v1/screens/a/layout?lint=true&rect=0,0,9,9")
        #expect(try diagnostics(part).isEmpty)
    }

    @Test("UNKNOWN_SECTION: A section of the request is not in the tree")
    func unknownSections() async throws {
        let service = try await TestService()
        let query = "collapsed=Grid,x,z&expanded=Closed,y"
        let put = try await service.send("PUT", "/v1/screens/a/pages/3?\(query)", Self.page)
        #expect(try diagnostics(put).isEmpty)
        let get = try await service.send("GET", "/v1/screens/a/layout?lint=true&\(query)")
        #expect(
            try diagnostics(get) == ["EMPTY_SECTION /sections/1"]
                + Array(repeating: "UNKNOWN_SECTION ", count: 3)
                + ["POINTER_FINDS_NOTHING /cellTypes/Row/id"])
        #expect(try get.number("/diagnostics/3/page") == 3)
        #expect(
            try get.string("/diagnostics/3/detail")
                == "no section of this tree has the id 'y', which expanded names")
        let body = #"{"pages":[\#(Self.page)],"viewports":[{},{"width":320}]}"#
        let post = try await service.send("POST", "/v1/layout?lint=true&expanded=y", body)
        #expect(try post.string("/layouts/1/diagnostics/3/code") == "UNKNOWN_SECTION")
        let part = try await service.send(
            "GET", "/v1/screens/a/layout?lint=true&rect=0,0,9,9&\(query)")
        #expect(try diagnostics(part).isEmpty)
    }

    @Test("The catalog is compared with the pages of the tree, and its diagnostics have no page")
    func catalog() async throws {
        let service = try await TestService(
            catalog: Catalogs.shop.replacing(#""*": {"#, with: #""Late": {}, "*": {"#))
        try await service.send(
            "PUT", "/v1/screens/a/pages/0",
            #"{"hasNext":true,"sections":[[{"unitType":"LIST","unitData":[{"key":1}]}]]}"#)
        try await service.send(
            "PUT", "/v1/screens/a/pages/1",
            #"{"sections":[{"sectionId":"Late","units":[{"unitType":"LIST","unitData":[{"id":1}]}]}]}"#
        )
        let first = try await service.send("GET", "/v1/screens/a/layout?lint=true")
        #expect(
            try diagnostics(first) == [
                "POINTER_FINDS_NOTHING /cellTypes/Row/id", "UNKNOWN_SECTION /sections/Late",
            ])
        #expect(try first.value("/diagnostics/0/page")?.isNull == true)
        let all = try await service.send("GET", "/v1/screens/a/layout?lint=true&pages=all")
        #expect(try diagnostics(all).isEmpty)
        let token = try first.string("/nextPageToken")
        let next = try await service.send(
            "GET", "/v1/screens/a/layout?lint=true&pageToken=\(token)")
        #expect(try diagnostics(next).isEmpty)
        let changes = try await service.send(
            "GET", "/v1/screens/a/changes?lint=true&since=1&pages=all")
        #expect(changes.status == 200)
    }

    @Test("A catalog of a request is compared with the pages in it, wherever they are in the body")
    func catalogOfRequest() async throws {
        let catalog = #"{"units":{"U":{"cell":{"type":"C"}}},"cellTypes":{"C":{"id":"/identity"}}}"#
        let page = #"{"sections":[[{"unitType":"U","unitData":{"identify":1}}]]}"#
        let service = try await TestService()
        let received = try await service.send(
            "POST", "/v1/layout?lint=true", #"{"catalog":\#(catalog),"pages":[\#(page)]}"#)
        #expect(try diagnostics(received) == ["POINTER_FINDS_NOTHING /cellTypes/C/id"])
        #expect(
            try received.string("/diagnostics/0/detail")
                == "finds a value in no item of the cell type \"C\"; did you mean \"/identify\"?")
        let metrics = try await service.send("GET", "/metrics").text
        #expect(metrics.contains(#"broadsheet_diagnostics_total{code="POINTER_FINDS_NOTHING"} 1"#))
    }

    @Test("Lint is part of the entity tag, and page tokens are not bound to it")
    func tagsAndTokens() async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/a/pages/0", Self.page)
        try await service.send("PUT", "/v1/screens/a/pages/1", Self.page)
        let plain = try await service.send("GET", "/v1/screens/a/layout")
        let linted = try await service.send("GET", "/v1/screens/a/layout?lint=true")
        #expect(plain.etag != linted.etag)
        #expect(try plain.string("/nextPageToken") == linted.string("/nextPageToken"))
        let token = try linted.string("/nextPageToken")
        let next = try await service.send("GET", "/v1/screens/a/layout?pageToken=\(token)")
        #expect(try diagnostics(next).isEmpty)
        let both = try await service.send(
            "GET", "/v1/screens/a/layout?pageToken=\(token)&lint=true")
        #expect(both.status == 200)
        #expect(try !diagnostics(both).isEmpty)
    }
}
