import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("Conditional reads (RFC 9110 §13; docs/api.md, Conditional requests)")
struct ConditionalReadTests {
    private static let paths = [
        "/v1/screens/home/layout", "/v1/screens/home/layout?pages=all&width=768",
        "/v1/screens/home/pages/0", "/v1/screens/home/pages",
    ]

    private func service() async throws -> TestService {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"], hasNext: true))
        return service
    }

    @Test(
        "Every read has a strong entity tag, and returns 304 to a client that has it",
        arguments: paths)
    func notModified(path: String) async throws {
        let service = try await service()
        let tag = try #require(try await service.send("GET", path).etag)
        #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count > 3)
        for method in ["GET", "HEAD"] {
            for value in [tag, "W/\(tag)", "\"x\", \(tag)", "*", ", \(tag) ,"] {
                let received = try await service.send(method, path, headers: [.ifNoneMatch: value])
                #expect(received.status == 304, "\(value)")
                #expect(received.etag == tag)
                #expect(received.response.body.isEmpty)
                #expect(received.response.headers[.contentType] == nil)
                #expect(received.response.headers[.requestID] != nil)
            }
            for value in ["\"x\"", "\"\"", "W/\"x\""] {
                let received = try await service.send(method, path, headers: [.ifNoneMatch: value])
                #expect(received.status == 200)
                #expect(received.etag == tag)
            }
        }
    }

    @Test("If-Match on a read compares strongly with the representation's tag", arguments: paths)
    func ifMatch(path: String) async throws {
        let service = try await service()
        let tag = try #require(try await service.send("GET", path).etag)
        for (value, status) in [(tag, 200), ("*", 200), ("W/\(tag)", 412), ("\"x\"", 412)] {
            let received = try await service.send("GET", path, headers: [.ifMatch: value])
            #expect(received.status == status, "\(value)")
        }
        let both = try await service.send(
            "GET", path, headers: [.ifMatch: "\"x\"", .ifNoneMatch: tag])
        #expect(both.status == 412, "If-Match comes first (§13.2.2)")
    }

    @Test(
        "A header that is not a list of entity tags is 400, and the problem names it",
        arguments: paths)
    func malformed(path: String) async throws {
        let service = try await service()
        for name in ["If-Match", "If-None-Match"] {
            for value in ["r1", "\"r1", "r1\"", "*, \"a\"", "w/\"a\"", "\"a\" \"b\"", ""] {
                var headers = HTTPHeaders()
                headers.append(try #require(HTTPFieldName(token: name)), value)
                let received = try await service.send("GET", path, headers: headers)
                #expect(received.code == "INVALID_PARAMETER", "\(name): \(value)")
                #expect(try received.string("/detail").contains(name))
            }
        }
    }

    @Test("A layout's tag changes with everything that its bytes depend on")
    func layoutTag() async throws {
        let service = try await service()
        let path = "/v1/screens/home/layout"
        var tags: Set<String> = []
        let queries = [
            "", "?width=391", "?height=845", "?scale=2", "?direction=rtl", "?coordinates=content",
            "?collapsed=a", "?collapsed=b", "?collapsed=a,b", "?fields=frames", "?rounding=none",
            "?pretty=true", "?textScale=1.5", "?textScale=2", "?safeArea=0,0,0,0",
            "?safeArea=0,1,0,0", "?safeArea=0,0,0,1",
        ]
        for query in queries {
            tags.insert(try #require(try await service.send("GET", path + query).etag))
        }
        #expect(tags.count == queries.count)
        try await service.send("PUT", "/v1/screens/home/pages/1", Pages.list(["b"]))
        let unchanged = try #require(try await service.send("GET", path).etag)
        #expect(!tags.insert(unchanged).inserted)
        tags.insert(try #require(try await service.send("GET", "\(path)?pages=all").etag))
        service.service.reload(catalogs: try CatalogSet(.init(Array(Catalogs.flatter.utf8))))
        tags.insert(try #require(try await service.send("GET", path).etag))
        #expect(tags.count == queries.count + 2)
    }

    @Test("A layout's tag is the same for the same tree, regardless of the spelling of the query")
    func sameTag() async throws {
        let service = try await service()
        let path = "/v1/screens/home/layout"
        let tag = try await service.send("GET", path).etag
        for query in ["?width=390", "?pages=all", "?scale=3.0&x-unknown=1", "?pretty=false"] {
            #expect(try await service.send("GET", path + query).etag == tag)
        }
    }

    @Test("A page's tag changes only when the page is written")
    func pageTag() async throws {
        let service = try await service()
        let path = "/v1/screens/home/pages/0"
        let first = try await service.send("GET", path).etag
        try await service.send("PUT", "/v1/screens/home/pages/1", Pages.list(["b"]))
        #expect(try await service.send("GET", path).etag == first)
        #expect(try await service.send("GET", "/v1/screens/home/pages/1").etag != first)
        try await service.send("PUT", path, Pages.list(["a"], hasNext: true))
        #expect(try await service.send("GET", path).etag != first)
    }

    @Test("Tags are bound to the store: all its daemons use the same ones")
    func stores() async throws {
        let store = ScreenStore.inMemory()
        let one = try await TestService(store: store)
        let two = try await TestService(store: store)
        let other = try await TestService()
        for service in [one, other] {
            try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        }
        for path in ["/v1/screens/home/layout", "/v1/screens/home/pages/0"] {
            let tag = try await one.send("GET", path).etag
            #expect(try await two.send("GET", path).etag == tag)
            #expect(try await other.send("GET", path).etag != tag)
        }
    }
}
