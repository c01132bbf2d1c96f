import Broadsheet
import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("GET of the page state (docs/api.md, Screens)")
struct PageStateTests {
    @Test("says every member in its order, pages ascending, sections as they were posted")
    func state() async throws {
        let service = try await TestService()
        let path = "/v1/screens/home/pages"
        try await service.send("PUT", "\(path)/2", Pages.list(["c"], section: nil, hasNext: true))
        try await service.send("PUT", "\(path)/0", Pages.list(["a", "b"]))
        let answer = try await service.send("GET", path)
        #expect(answer.status == 200)
        #expect(answer.etag?.hasPrefix("\"r2.") == true)
        #expect(
            answer.text == """
                {"screen":"home","revision":2,"page":0,"hasNext":true,"pageCount":2,\
                "hasPageData":true,"pages":[{"page":0,"hasNext":false,"sections":\
                [{"id":"List","items":2}]},{"page":2,"hasNext":true,"sections":\
                [{"id":null,"items":1}]}]}
                """)
    }

    @Test("of a screen without pages has page 0, hasNext false and no page data")
    func empty() async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/3", Pages.list(["a"], hasNext: true))
        try await service.send("DELETE", "/v1/screens/home/pages/3")
        let answer = try await service.send("GET", "/v1/screens/home/pages")
        #expect(
            answer.text == """
                {"screen":"home","revision":2,"page":0,"hasNext":false,"pageCount":0,\
                "hasPageData":false,"pages":[]}
                """)
    }

    @Test("keeps with sectionId the pages that hold it, highest first")
    func sectionId() async throws {
        let service = try await TestService()
        let path = "/v1/screens/home/pages"
        for (page, section) in [(0, "A"), (1, "B"), (2, "A"), (3, "A,B c")] {
            try await service.send(
                "PUT", "\(path)/\(page)", Pages.list(["x"], section: section))
        }
        func pages(_ query: String) async throws -> [Int] {
            let pages = try await service.send("GET", "\(path)?\(query)").json["pages"]
            return pages?.elements.compactMap { $0["page"]?.int } ?? []
        }
        #expect(try await pages("sectionId=A") == [2, 0])
        #expect(try await pages("sectionId=B") == [1])
        #expect(try await pages("sectionId=A%2CB%20c") == [3])
        #expect(try await pages("sectionId=none") == [])
        #expect(try await pages("") == [0, 1, 2, 3])
        #expect(
            try await service.send("GET", "\(path)?sectionId=A").number("/pageCount") == 4)
    }

    @Test("compares section ids by their code points")
    func codePoints() async throws {
        let service = try await TestService()
        let path = "/v1/screens/home/pages"
        try await service.send("PUT", "\(path)/0", Pages.list(["x"], section: "caf\u{E9}"))
        let same = try await service.send("GET", "\(path)?sectionId=caf%C3%A9")
        #expect(try same.json["pages"]?.count == 1)
        let decomposed = try await service.send("GET", "\(path)?sectionId=cafe%CC%81")
        #expect(try decomposed.json["pages"]?.count == 0)
    }

    @Test("says which page was loaded last, and the highest once that is removed")
    func loadedLast() async throws {
        let service = try await TestService()
        let path = "/v1/screens/home/pages"
        for page in [4, 9, 6] {
            try await service.send("PUT", "\(path)/\(page)", Pages.list(["x"]))
        }
        #expect(try await service.send("GET", path).number("/page") == 6)
        try await service.send("DELETE", "\(path)/6")
        #expect(try await service.send("GET", path).number("/page") == 9)
    }

    @Test("has the hasNext of the tree of all pages")
    func hasNext() async throws {
        let service = try await TestService()
        let path = "/v1/screens/home/pages"
        try await service.send("PUT", "\(path)/0", Pages.list(["x"], hasNext: true))
        #expect(try await service.send("GET", path).value("/hasNext")?.bool == true)
        try await service.send("PUT", "\(path)/1", Pages.list(["x"], hasNext: false))
        #expect(try await service.send("GET", path).value("/hasNext")?.bool == false)
    }

    @Test("of a screen that is not there is 404")
    func missing() async throws {
        let answer = try await TestService().send("GET", "/v1/screens/home/pages")
        #expect(answer.code == "SCREEN_NOT_FOUND")
    }
}
