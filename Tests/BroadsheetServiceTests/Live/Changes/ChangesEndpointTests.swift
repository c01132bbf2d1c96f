import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("GET /v1/screens/{screen}/changes (docs/api.md, Changes)")
struct ChangesEndpointTests {
    private let path = "/v1/screens/home"

    /// Returns a page whose items have these ids, with a text each that makes changes short in
    /// proportion to the tree.
    static func page(_ ids: [Int], text: String = "a", hasNext: Bool = false) -> String {
        TranscriptPages.rows(ids, text: text, hasNext: hasNext)
    }

    /// Applies the changes of a response to the tree of another.
    static func applied(_ changes: ReceivedResponse, to tree: ReceivedResponse) throws -> Tree {
        var result = try #require(Tree(TreeValue(try tree.json)))
        let changes = try #require(Changes(TreeValue(try changes.json)), "\(changes.text)")
        try changes.apply(to: &result)
        return result
    }

    static func tree(_ response: ReceivedResponse) throws -> Tree {
        try #require(Tree(TreeValue(try response.json)))
    }

    @Test("A tree under another catalog is a reset with its tag, and as before without it")
    func otherCatalog() async throws {
        let service = try await TestService()
        try await service.send("PUT", "\(path)/pages/0", Self.page([1, 2, 3]))
        let tree = try await service.send("GET", "\(path)/layout")
        let tag = try #require(tree.etag).filter { $0 != "\"" }
        let other = Catalogs.shop.replacing("\"cellTypes\"", with: "\"x-note\": 1, \"cellTypes\"")
        service.service.reload(catalogs: try CatalogSet(Catalog(Array(other.utf8))))
        let changes = try await service.send("GET", "\(path)/changes?since=1.\(tag)")
        #expect(try changes.value("/reset")?.bool == true)
    }

    @Test("Changes longer than 110 % of the tree are a reset")
    func tooLong() async throws {
        let service = try await TestService()
        try await service.send("PUT", "\(path)/pages/0", Self.page(Array(1...40)))
        try await service.send("PUT", "\(path)/pages/0", Self.page([1], text: "b"))
        let tree = try await service.send("GET", "\(path)/layout")
        let changes = try await service.send("GET", "\(path)/changes?since=1")
        #expect(try changes.value("/reset")?.bool == true)
        #expect(changes.body.count < tree.body.count + 300)
    }

    @Test("A removed page is not mistaken for one that was never there when no revision is kept")
    func removedWithoutHistory() async throws {
        let service = try await TestService(historyBytes: 0)
        for page in 0..<2 {
            try await service.send(
                "PUT", "\(path)/pages/\(page)", Self.page([page], hasNext: true))
        }
        try await service.send("DELETE", "\(path)/pages/1")
        for query in ["since=2&pages=all", "since=2&page=1"] {
            let changes = try await service.send("GET", "\(path)/changes?\(query)")
            #expect(try changes.value("/reset")?.bool == true, "\(query)")
        }
        let first = try await service.send("GET", "\(path)/changes?since=2&page=0")
        #expect(try first.value("/reset")?.bool == false)
    }

    @Test("--history-bytes bounds what is kept; older revisions are a reset")
    func bounded() async throws {
        let limit = 64 * 1024
        let service = try await TestService(historyBytes: limit)
        for revision in 1...60 {
            try await service.send("PUT", "\(path)/pages/0", Self.page([1, 2, revision + 2]))
            let history = service.service.screens.history
            #expect(history.byteCount <= limit)
        }
        let old = try await service.send("GET", "\(path)/changes?since=1")
        #expect(try old.value("/reset")?.bool == true)
        let new = try await service.send("GET", "\(path)/changes?since=59")
        #expect(try new.value("/reset")?.bool == false)
        #expect(service.service.screens.history.count < 30)
        try await service.send("DELETE", path)
        #expect(service.service.screens.history.byteCount == 0)
    }

    @Test("A large document is written while it is sent, with its length, or is 422")
    func large() async throws {
        let service = try await TestService(maxResponseBytes: 900_000)
        try await service.send("PUT", "\(path)/pages/0", Self.page(Array(0..<3000)))
        try await service.send("PUT", "\(path)/pages/0", Self.page(Array(0..<6000)))
        let tooLarge = try await service.send("GET", "\(path)/changes?since=0")
        #expect(tooLarge.code == "ANSWER_TOO_LARGE")
        let changes = try await service.send("GET", "\(path)/changes?since=1")
        #expect(changes.response.source?.byteCount == changes.body.count)
        #expect(try changes.value("/stages/0/insertItems")?.count == 3000)
    }

    @Test("Of a large screen only the pages up to the one that is wanted are read")
    func partialReads() async throws {
        let store = ScreenStore.inMemory()
        let writer = try await TestService(store: store)
        let headers: HTTPHeaders = [.prefer: "return=minimal"]
        func put(_ page: Int, _ first: Int, _ count: Int) async throws {
            let ids = Array(first..<first + count)
            try await writer.send(
                "PUT", "\(path)/pages/\(page)", Self.page(ids, hasNext: true), headers: headers)
        }
        for (page, count) in [8, 8, 6000, 6000].enumerated() {
            try await put(page, page * 10_000, count)
        }
        let reader = try await TestService(store: store)
        var loaded: Int? { reader.service.screens.cache.first().first?.model.pageCount }
        func changes(_ query: String) async throws -> ReceivedResponse {
            try await reader.send("GET", "\(path)/changes?\(query)")
        }
        let first = try await reader.send("GET", "\(path)/layout")
        let token = try first.string("/nextPageToken")
        #expect(try await changes("since=4&page=0").value("/reset")?.bool == false)
        #expect(loaded == 1)
        let second = try await changes("since=4&page=0&pageToken=\(token)")
        #expect(try second.value("/reset")?.bool == false)
        #expect(loaded == 2)
        // The revision is known with the pages that were read, whichever daemon writes.
        try await put(0, 1, 8)
        let next = try await changes("since=4&page=1")
        #expect(loaded == 2)
        #expect(try next.value("/stages/0/deleteItems")?.count == 1)
        let tree = try Self.applied(second, to: first)
        let new = try await reader.send("GET", "\(path)/layout?pageToken=\(token)")
        var result = tree
        try #require(Changes(TreeValue(try next.json))).apply(to: &result)
        #expect(try result == Self.tree(new))
        // Pages that were not read are not known.
        #expect(try await changes("since=4&page=2").value("/reset")?.bool == true)
        #expect(loaded == 3)
        #expect(try await changes("since=5&page=0").value("/reset")?.bool == false)
        #expect(try await changes("since=5&pages=all").value("/reset")?.bool == false)
        #expect(loaded == 4)
    }

    @Test("The pages that a request needs are those that it has and those that it wants")
    func ends() {
        let parameters = LayoutParameters()
        for (has, wants, end) in [
            (.lowest, .lowest, .lowest), (.upTo(0), .upTo(0), .lowest),
            (.upTo(3), .upTo(3), .after(2)), (.upTo(0), .after(0), .after(0)),
            (.upTo(5), .after(0), .after(4)), (.upTo(0), .all, .highest), (.all, .all, .highest),
            (.upTo(2), .after(2), .after(2)),
        ] as [(PageExtent, PageExtent, ScreenPart.End)] {
            let request = ChangesRequest(
                since: TreeVersion(revision: 1), has: has, wants: wants, parameters: parameters)
            #expect(request.end == end, "\(has) \(wants)")
        }
    }

    @Test("A compressed document is kept, so that many clients after one write share it")
    func compressed() async throws {
        let service = try await TestService()
        let ids = Array(1...40)
        try await service.send("PUT", "\(path)/pages/0", Self.page(ids))
        try await service.send("PUT", "\(path)/pages/0", Self.page(ids + Array(50...60)))
        let cache = service.service.renderer.cache
        let target = "\(path)/changes?since=1"
        let plain = try await service.send("GET", target)
        let headers: HTTPHeaders = [.acceptEncoding: "gzip"]
        let first = try await service.send("GET", target, headers: headers)
        let count = cache.count
        let second = try await service.send("GET", target, headers: headers)
        for response in [first, second] {
            #expect(response.response.headers[.contentEncoding] == "gzip")
            #expect(response.response.headers[.vary] == "Accept-Encoding")
            #expect(try gunzip(response.body) == plain.body)
        }
        #expect(cache.count == count)
        // A new revision has another document.
        try await service.send("PUT", "\(path)/pages/0", Self.page(ids))
        let third = try await service.send("GET", target, headers: headers)
        #expect(third.body != first.body)
    }
}
