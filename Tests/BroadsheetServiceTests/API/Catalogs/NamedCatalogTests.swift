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
}
