import Broadsheet
import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("GET of a screen's layout (docs/api.md, Screens and Page tokens)")
struct LayoutTests {
    private let path = "/v1/screens/home/layout"

    private func service(pages: [(Int, String)]) async throws -> TestService {
        let service = try await TestService()
        for (number, body) in pages {
            try await service.send("PUT", "/v1/screens/home/pages/\(number)", body)
        }
        return service
    }

    @Test(
        "The tree reaches up to the lowest page without a token, and up to the highest with pages=all"
    )
    func extent() async throws {
        let service = try await service(pages: [
            (5, Pages.list(["c"])), (2, Pages.list(["a"])), (3, Pages.list(["b"], hasNext: true)),
        ])
        let first = try await service.send("GET", path)
        #expect(first.status == 200)
        #expect(first.response.headers[.contentType] == "application/json")
        #expect(try first.itemIds == [["a"]])
        #expect(try first.number("/page") == 2)
        #expect(try first.value("/hasNext")?.bool == true)
        let all = try await service.send("GET", "\(path)?pages=all")
        #expect(try all.itemIds == [["a", "b", "c"]])
        #expect(try all.number("/page") == 5)
        #expect(try all.number("/pageCount") == 3)
        #expect(try all.value("/hasNext")?.bool == false)
        #expect(try all.value("/nextPageToken") == nil)
    }

    @Test("Tokens lead from page to page, for any page numbers, until no page follows")
    func tokens() async throws {
        let service = try await service(pages: [
            (9, Pages.list(["c"])), (0, Pages.list(["a"], hasNext: true)), (4, Pages.list(["b"])),
        ])
        var received = try await service.send("GET", path)
        var reached = [try received.number("/page")]
        while let token = try received.value("/nextPageToken")?.string {
            received = try await service.send("GET", "\(path)?pageToken=\(token)")
            #expect(received.status == 200)
            reached.append(try received.number("/page"))
        }
        #expect(reached == [0, 4, 9])
        #expect(try received.itemIds == [["a", "b", "c"]])
    }

    @Test("`hasNext` is true if a higher page is stored, or the highest in the tree has it")
    func hasNext() async throws {
        let service = try await service(pages: [(0, Pages.list(["a"], hasNext: false))])
        #expect(try await service.send("GET", path).value("/hasNext")?.bool == false)
        try await service.send("PUT", "/v1/screens/home/pages/1", Pages.list(["b"], hasNext: true))
        #expect(try await service.send("GET", path).value("/hasNext")?.bool == true)
        let all = try await service.send("GET", "\(path)?pages=all")
        #expect(try all.value("/hasNext")?.bool == true)
        #expect(try all.value("/nextPageToken")?.string != nil)
    }

    @Test("A token whose page is not stored yet is 404 PAGE_NOT_LOADED until the page is stored")
    func notLoaded() async throws {
        let service = try await service(pages: [(0, Pages.list(["a"], hasNext: true))])
        let token = try await service.send("GET", path).string("/nextPageToken")
        let early = try await service.send("GET", "\(path)?pageToken=\(token)")
        #expect(early.status == 404)
        #expect(early.code == "PAGE_NOT_LOADED")
        #expect(early.response.headers[.retryAfter] == "1")
        try await service.send("PUT", "/v1/screens/home/pages/17", Pages.list(["b"]))
        let late = try await service.send("GET", "\(path)?pageToken=\(token)")
        #expect(try late.itemIds == [["a", "b"]])
    }

    @Test("A screen without pages has an empty tree")
    func noPages() async throws {
        let service = try await service(pages: [(3, Pages.list(["a"], hasNext: true))])
        try await service.send("DELETE", "/v1/screens/home/pages/3")
        for query in ["", "?pages=all"] {
            let received = try await service.send("GET", path + query)
            #expect(received.status == 200)
            #expect(
                received.text == """
                    {"screen":"home","revision":2,"page":0,"pageCount":0,"hasNext":false,\
                    "viewport":{"width":390,"height":844,"scale":3,"direction":"ltr"},\
                    "contentSize":{"width":390,"height":0},"sections":[],"diagnostics":[]}
                    """)
        }
    }

    @Test("A screen that does not exist is 404")
    func missing() async throws {
        let received = try await TestService().send("GET", path)
        #expect(received.code == "SCREEN_NOT_FOUND")
    }

    @Test(
        "Pages merge in ascending order, regardless of the order in which they were stored",
        arguments: 0..<6)
    func merging(order: Int) async throws {
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        let bodies = [
            #"{"sections":[{"sectionId":"A","units":[{"unitType":"LIST","unitData":[{"id":"a0"}]}]},{"sectionId":null,"units":[{"unitType":"LIST","unitData":[{"id":"u0"}]}]}]}"#,
            #"{"sections":[{"sectionId":"B","units":[{"unitType":"LIST","unitData":[{"id":"b1"}]}]},{"sectionId":"A","header":{"unitType":"TITLED","unitData":{"title":{"n":1}}},"units":[]},{"units":[{"unitType":"LIST","unitData":[{"id":"u1"}]}]}]}"#,
            #"{"sections":[{"sectionId":"A","collapsed":false,"header":{"unitType":"TITLED","unitData":{"title":{"n":2}}},"units":[{"unitType":"LIST","unitData":[{"id":"a2"}]}]}]}"#,
        ]
        let service = try await service(pages: orders[order].map { ($0, bodies[$0]) })
        let tree = try await service.send("GET", "\(path)?pages=all")
        #expect(try tree.itemIds == [["a0", "a2"], ["u0"], ["b1"], ["u1"]])
        #expect(try tree.number("/sections/0/header/data/n") == 2)
    }

    @Test("Every parameter of the query applies")
    func parameters() async throws {
        let service = try await service(pages: [
            (0, Pages.list(["a", "b"])), (1, Pages.list(["c"], section: "Other")),
        ])
        func tree(_ query: String) async throws -> ReceivedResponse {
            try await service.send("GET", "\(path)?pages=all&\(query)")
        }
        let sized = try await tree("width=100.5&height=1e2&scale=1.5&direction=rtl")
        #expect(
            sized.text.contains(
                #""viewport":{"width":100.5,"height":100,"scale":1.5,"direction":"rtl"}"#))
        let absolute = try await tree("coordinates=content")
        #expect(try absolute.number("/sections/1/items/0/frame/y") == 200)
        let relative = try await tree("coordinates=section")
        #expect(try relative.number("/sections/1/items/0/frame/y") == 0)
        let collapsed = try await tree("collapsed=List,unknown")
        #expect(try collapsed.itemIds == [[], ["c"]])
        #expect(try collapsed.value("/sections/0/collapsed")?.bool == true)
        let bare = try await tree("fields=frames")
        #expect(try bare.value("/sections/0/items/0/data") == nil)
        #expect(try bare.value("/sections/0/items/0/frame") != nil)
        let pretty = try await tree("pretty=true")
        #expect(pretty.text.contains("\n"))
        #expect(try await !tree("pretty=false").text.contains("\n"))
        let unrounded = try await tree("rounding=none&width=100.1")
        #expect(try unrounded.number("/contentSize/width") == 100.1)
        #expect(try await tree("x-unknown=1&x-unknown=2&utm_id=%zz").status == 200)
    }

    @Test("Equal requests have equal bytes")
    func repeatable() async throws {
        let service = try await service(pages: [(0, Pages.list(["a", "a", "b"], hasNext: true))])
        let first = try await service.send("GET", "\(path)?collapsed=x,y")
        let second = try await service.send("GET", "\(path)?collapsed=y,x")
        #expect(first.response == second.response || first.response.body == second.response.body)
    }

    @Test("The parameter pages accepts only all, and not together with a token")
    func pagesParameter() async throws {
        let service = try await service(pages: [(0, Pages.list(["a"], hasNext: true))])
        for value in ["", "ALL", "1", "true"] {
            let received = try await service.send("GET", "\(path)?pages=\(value)")
            #expect(received.code == "INVALID_PARAMETER")
            #expect(try received.string("/detail").hasPrefix("pages must be"))
        }
        let token = try await service.send("GET", path).string("/nextPageToken")
        let both = try await service.send("GET", "\(path)?pages=all&pageToken=\(token)")
        #expect(both.code == "INVALID_PARAMETER")
        #expect(try both.string("/detail").hasPrefix("pages "))
    }
}
