import Broadsheet
import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("PUT, POST, GET and DELETE of pages (docs/api.md, Screens)")
struct PagesTests {
    @Test("PUT returns the tree, with 201 for a new page and 200 for a replaced one")
    func put() async throws {
        let service = try await TestService()
        let made = try await service.send(
            "PUT", "/v1/screens/home/pages/0", Pages.list(["a", "b"]))
        #expect(made.status == 201)
        #expect(made.response.headers[.contentType] == "application/json")
        #expect(made.etag == "\"r1\"")
        #expect(try made.string("/screen") == "home")
        #expect(try made.number("/revision") == 1)
        #expect(try made.number("/contentSize/height") == 200)
        #expect(try made.itemIds == [["a", "b"]])
        let replaced = try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["c"]))
        #expect(replaced.status == 200)
        #expect(replaced.etag == "\"r2\"")
        #expect(try replaced.itemIds == [["c"]])
    }

    @Test("PUT returns the tree up to the stored page, with a token if more pages follow")
    func putTree() async throws {
        let service = try await TestService()
        for page in [0, 2, 1] {
            try await service.send(
                "PUT", "/v1/screens/home/pages/\(page)", Pages.list(["p\(page)"]))
        }
        let middle = try await service.send("PUT", "/v1/screens/home/pages/1", Pages.list(["q1"]))
        #expect(try middle.itemIds == [["p0", "q1"]])
        #expect(try middle.number("/page") == 1)
        #expect(try middle.number("/pageCount") == 2)
        #expect(try middle.value("/hasNext")?.bool == true)
        let token = try middle.string("/nextPageToken")
        let next = try await service.send("GET", "/v1/screens/home/layout?pageToken=\(token)")
        #expect(try next.itemIds == [["p0", "q1", "p2"]])
    }

    @Test("PUT lays out for the viewport in the query")
    func putViewport() async throws {
        let service = try await TestService()
        let received = try await service.send(
            "PUT", "/v1/screens/home/pages/0?width=768&scale=2", Pages.list(["a"]))
        #expect(try received.number("/viewport/width") == 768)
        #expect(try received.number("/sections/0/items/0/frame/width") == 768)
    }

    @Test("PUT accepts a page with the number of the path, or without a number")
    func putOwnNumber() async throws {
        let service = try await TestService()
        let same = try await service.send(
            "PUT", "/v1/screens/home/pages/7", Pages.list(["a"], page: 7))
        #expect(same.status == 201)
        let other = try await service.send(
            "PUT", "/v1/screens/home/pages/7", Pages.list(["a"], page: 8))
        #expect(other.status == 400)
        #expect(other.code == "PAGE_MISMATCH")
        #expect(try await service.send("GET", "/v1/screens/home/pages").number("/revision") == 1)
    }

    @Test("POST stores under the page's number or the next free one, which Location names")
    func post() async throws {
        let service = try await TestService()
        let path = "/v1/screens/home/pages"
        let first = try await service.send("POST", path, Pages.list(["a"]))
        #expect(first.status == 201)
        #expect(first.response.headers[.location] == "\(path)/0")
        let seventh = try await service.send("POST", path, Pages.list(["b"], page: 7))
        #expect(seventh.response.headers[.location] == "\(path)/7")
        let next = try await service.send("POST", path, Pages.list(["c"]))
        #expect(next.status == 201)
        #expect(next.response.headers[.location] == "\(path)/8")
        let again = try await service.send("POST", path, Pages.list(["d"], page: 7))
        #expect(again.status == 200)
        #expect(again.response.headers[.location] == "\(path)/7")
        #expect(try again.itemIds == [["a", "d"]])
        #expect(again.etag == "\"r4\"")
    }

    @Test("POST without a number is refused when no number above the highest page is left")
    func postBeyondLast() async throws {
        let service = try await TestService()
        let path = "/v1/screens/home/pages"
        let last = try await service.send("POST", path, Pages.list(["a"], page: 2_147_483_647))
        #expect(last.status == 201)
        let beyond = try await service.send("POST", path, Pages.list(["b"]))
        #expect(beyond.status == 422)
        #expect(try beyond.errors == ["/page is needed: no number above 2147483647 is left"])
    }

    @Test("GET of a page returns the posted bytes, including a byte order mark")
    func getPage() async throws {
        let service = try await TestService()
        let posted = [0xEF, 0xBB, 0xBF] + Array(#" { "sections" : [ ] , "x":1e2 } "#.utf8)
        let put = try await service.send("PUT", "/v1/screens/home/pages/3", bytes: posted)
        #expect(put.status == 201)
        let page = try await service.send("GET", "/v1/screens/home/pages/3")
        #expect(page.status == 200)
        #expect(page.response.body == posted)
        #expect(page.response.headers[.contentType] == "application/json")
        #expect(page.etag != nil && page.etag != "\"r1\"")
    }

    @Test("GET and DELETE return 404 with the code of the missing screen or page")
    func missing() async throws {
        let service = try await TestService()
        for method in ["GET", "DELETE"] {
            let received = try await service.send(method, "/v1/screens/home/pages/0")
            #expect(received.status == 404)
            #expect(received.code == "SCREEN_NOT_FOUND")
        }
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list([]))
        for method in ["GET", "DELETE"] {
            let received = try await service.send(method, "/v1/screens/home/pages/1")
            #expect(received.status == 404)
            #expect(received.code == "PAGE_NOT_FOUND")
        }
    }

    @Test("DELETE of a page returns 204 with the new revision")
    func deletePage() async throws {
        let service = try await TestService()
        for page in 0...1 {
            try await service.send(
                "PUT", "/v1/screens/home/pages/\(page)", Pages.list(["p\(page)"]))
        }
        let received = try await service.send("DELETE", "/v1/screens/home/pages/0")
        #expect(received.status == 204)
        #expect(received.response.body.isEmpty)
        #expect(received.etag == "\"r3\"")
        #expect(try await service.send("GET", "/v1/screens/home/layout").itemIds == [["p1"]])
    }

    @Test("DELETE of all pages leaves page 0 and hasNext false, and is 204 without pages too")
    func deletePages() async throws {
        let service = try await TestService()
        let path = "/v1/screens/home/pages"
        #expect(try await service.send("DELETE", path).code == "SCREEN_NOT_FOUND")
        try await service.send("PUT", "\(path)/4", Pages.list(["a"], hasNext: true))
        let removed = try await service.send("DELETE", path)
        #expect(removed.status == 204)
        #expect(removed.etag == "\"r2\"")
        let state = try await service.send("GET", path)
        #expect(try state.number("/page") == 0)
        #expect(try state.value("/hasNext")?.bool == false)
        let again = try await service.send("DELETE", path)
        #expect(again.status == 204)
        #expect(again.etag == "\"r2\"")
    }

    @Test("Prefer: return=minimal returns the same status and headers without a body")
    func minimal() async throws {
        let service = try await TestService()
        let prefer: HTTPHeaders = [.prefer: "respond-async, return=minimal; foo"]
        let put = try await service.send(
            "PUT", "/v1/screens/home/pages/0", Pages.list(["a"]), headers: prefer)
        #expect(put.status == 201)
        #expect(put.response.body.isEmpty)
        #expect(put.etag == "\"r1\"")
        #expect(put.response.headers[.preferenceApplied] == "return=minimal")
        #expect(put.response.headers[.contentType] == nil)
        let post = try await service.send(
            "POST", "/v1/screens/home/pages", Pages.list(["a"], page: 0), headers: prefer)
        #expect(post.status == 200)
        #expect(post.response.body.isEmpty)
        #expect(post.response.headers[.location] == "/v1/screens/home/pages/0")
        let whole = try await service.send(
            "PUT", "/v1/screens/home/pages/0", Pages.list(["a"]),
            headers: [.prefer: "return=representation"])
        #expect(!whole.response.body.isEmpty)
        #expect(whole.response.headers[.preferenceApplied] == nil)
    }

    @Test(
        "A page number in the path is 0 to 2147483647 in decimal digits",
        arguments: [
            "-1", "00", "01", "1.0", "1e2", "+1", "x", "2147483648", "99999999999999999999", "%20",
        ])
    func pageNumbers(text: String) async throws {
        let service = try await TestService()
        for method in ["GET", "PUT", "DELETE"] {
            let received = try await service.send(
                method, "/v1/screens/home/pages/\(text)", Pages.list([]))
            #expect(received.status == 400)
            #expect(received.code == "INVALID_PARAMETER")
            #expect(try received.string("/detail").hasPrefix("page must be"))
        }
    }

    @Test(
        "A screen's name is 1 to 128 of A-Z a-z 0-9 . _ ~ -, but not . or ..",
        arguments: ["a%20b", "%2e", "%2E%2E", "a%2Fb", "%ED%99%88", "a:b"])
    func screenNames(text: String) async throws {
        let service = try await TestService()
        let calls = [
            ("GET", "/layout"), ("GET", "/pages"), ("POST", "/pages"), ("DELETE", "/pages"),
            ("GET", "/pages/0"), ("PUT", "/pages/0"), ("DELETE", "/pages/0"), ("DELETE", ""),
        ]
        for (method, rest) in calls {
            let received = try await service.send(
                method, "/v1/screens/\(text)\(rest)", Pages.list([]))
            #expect(received.code == "INVALID_PARAMETER", "\(method) \(rest)")
            #expect(try received.string("/detail").hasPrefix("screen must be"))
        }
    }
}
