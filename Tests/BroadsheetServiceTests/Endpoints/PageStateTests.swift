import Broadsheet
import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("GET of the page state (docs/api.md, Screens)")
struct PageStateTests {
    @Test("The page state has its members in order, pages ascending, sections as posted")
    func state() async throws {
        let service = try await TestService()
        let path = "/v1/screens/home/pages"
        try await service.send("PUT", "\(path)/2", Pages.list(["c"], section: nil, hasNext: true))
        try await service.send("PUT", "\(path)/0", Pages.list(["a", "b"]))
        let received = try await service.send("GET", path)
        #expect(received.status == 200)
        #expect(received.etag?.hasPrefix("\"r2.") == true)
        #expect(
            received.text == """
                {"screen":"home","revision":2,"page":0,"hasNext":true,"pageCount":2,\
                "hasPageData":true,"pages":[{"page":0,"hasNext":false,"sections":\
                [{"id":"List","items":2}]},{"page":2,"hasNext":true,"sections":\
                [{"id":null,"items":1}]}]}
                """)
    }

    @Test("The state of a screen without pages has page 0, hasNext false and no page data")
    func empty() async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/3", Pages.list(["a"], hasNext: true))
        try await service.send("DELETE", "/v1/screens/home/pages/3")
        let received = try await service.send("GET", "/v1/screens/home/pages")
        #expect(
            received.text == """
                {"screen":"home","revision":2,"page":0,"hasNext":false,"pageCount":0,\
                "hasPageData":false,"pages":[]}
                """)
    }

    @Test("`sectionId` limits the pages to those that have the section, highest first")
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

    @Test("Section ids are compared by their code points")
    func codePoints() async throws {
        let service = try await TestService()
        let path = "/v1/screens/home/pages"
        try await service.send("PUT", "\(path)/0", Pages.list(["x"], section: "caf\u{E9}"))
        let same = try await service.send("GET", "\(path)?sectionId=caf%C3%A9")
        #expect(try same.json["pages"]?.count == 1)
        let decomposed = try await service.send("GET", "\(path)?sectionId=cafe%CC%81")
        #expect(try decomposed.json["pages"]?.count == 0)
    }

    @Test("`page` is the page stored last, and the highest page after its removal")
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

    @Test("`hasNext` equals that of the tree of all pages")
    func hasNext() async throws {
        let service = try await TestService()
        let path = "/v1/screens/home/pages"
        try await service.send("PUT", "\(path)/0", Pages.list(["x"], hasNext: true))
        #expect(try await service.send("GET", path).value("/hasNext")?.bool == true)
        try await service.send("PUT", "\(path)/1", Pages.list(["x"], hasNext: false))
        #expect(try await service.send("GET", path).value("/hasNext")?.bool == false)
    }

    @Test("The state of a screen that does not exist is 404")
    func missing() async throws {
        let received = try await TestService().send("GET", "/v1/screens/home/pages")
        #expect(received.code == "SCREEN_NOT_FOUND")
    }
}
