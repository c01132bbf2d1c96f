import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("Conditional reads (RFC 9110 §13; docs/api.md, Conditional requests)")
struct ConditionalReadTests {
    private func service() async throws -> TestService {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"], hasNext: true))
        return service
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
