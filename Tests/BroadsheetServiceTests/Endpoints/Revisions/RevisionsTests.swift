import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Earlier revisions of a screen (docs/api.md, History)")
struct RevisionsTests {
    static let path = "/v1/screens/home"

    /// Creates a service over a store in memory with a history.
    static func service(
        _ store: ScreenStore = ScreenStore.inMemory(history: HistoryBounds()),
        access: AccessConfiguration = AccessConfiguration()
    ) async throws -> TestService {
        try await TestService(store: store, access: access)
    }

    @Test("The list has the revisions, the newest first, with who wrote what")
    func list() async throws {
        let service = try await Self.service(
            access: AccessConfiguration(keys: KeyRing(ofLines: ["backend read,write * never"])))
        let headers: HTTPHeaders = .key("backend").with(.requestID, "abc.1")
        for page in [0, 3] {
            try await service.send(
                "PUT", "\(Self.path)/pages/\(page)", Pages.list(["a", "b"]), headers: headers)
        }
        try await service.send(
            "POST", "\(Self.path)/updates",
            #"{"operations":[{"op":"toggleSection","section":"List"}]}"#,
            headers: headers)
        try await service.send("DELETE", "\(Self.path)/pages/3", headers: headers)
        let list = try await service.send("GET", "\(Self.path)/revisions", headers: headers)
        #expect(list.status == 200)
        #expect(try list.string("/screen") == "home")
        #expect(try list.number("/revision") == list.number("/revisions/0/revision"))
        #expect(try list.number("/first") == 1)
        #expect(try list.value("/nextPageToken") == nil)
        #expect(try list.string("/revisions/0/operation") == "deletePage")
        #expect(try list.string("/revisions/0/key") == "backend")
        #expect(try list.string("/revisions/0/request") == "abc.1")
        #expect(try list.number("/revisions/0/at") > 0)
        #expect(try list.value("/revisions/0/pages/0/bytes")?.isNull == true)
        #expect(try list.number("/revisions/0/pages/0/page") == 3)
        #expect(try list.number("/revisions/0/pageCount") == 1)
        #expect(try list.string("/revisions/1/operation") == "updateScreen")
        #expect(try list.number("/revisions/1/operations/toggleSection") == 1)
        let bytes = Double(Pages.list(["a", "b"]).utf8.count)
        let count = try #require(try list.value("/revisions")?.count)
        #expect(try list.number("/revisions/\(count - 1)/pages/0/bytes") == bytes)
        #expect(try list.value("/revisions/\(count - 1)/operations") == nil)
    }

    @Test("A list is read page by page; a token of another screen is 400")
    func paging() async throws {
        let service = try await Self.service()
        for _ in 0..<5 { try await service.send("PUT", "\(Self.path)/pages/0", Pages.list(["a"])) }
        var found: [Int] = []
        var query = "?pageSize=2"
        var token: String?
        repeat {
            let list = try await service.send("GET", "\(Self.path)/revisions\(query)")
            found += try #require(try list.value("/revisions")).elements
                .compactMap { $0["revision"]?.int }
            token = try list.value("/nextPageToken")?.string
            if let token { query = "?pageSize=2&pageToken=\(token)" }
        } while token != nil
        #expect(found == [5, 4, 3, 2, 1])
        try await service.send("PUT", "/v1/screens/other/pages/0", Pages.list(["a"]))
        let other = try await service.send("GET", "/v1/screens/other/revisions\(query)")
        #expect(other.code == "INVALID_PAGE_TOKEN")
        let size = try await service.send("GET", "\(Self.path)/revisions?pageSize=1001")
        #expect(size.code == "INVALID_PARAMETER")
        let none = try await service.send("GET", "/v1/screens/none/revisions")
        #expect(none.code == "SCREEN_NOT_FOUND")
    }

    /// The targets whose responses depend on nothing but the screen, without a next page.
    private static let targets = [
        "layout?pages=all", "layout?width=300", "layout?rect=0,0,400,300&pages=all",
        "layout?fields=frames&lint=true&pages=all", "layout.svg?pages=all", "pages", "pages/0",
        "pages/2", "pages?sectionId=S",
    ]

    @Test("Every response with revision= is what it was then, with its tag")
    func sameAsThen() async throws {
        let service = try await Self.service()
        var responses: [[ReceivedResponse]] = []
        func write(_ method: String, _ target: String, _ body: String = "") async throws {
            try await service.send(method, "\(Self.path)/\(target)", body)
            var all: [ReceivedResponse] = []
            for target in Self.targets {
                all.append(try await service.send("GET", "\(Self.path)/\(target)"))
            }
            responses.append(all)
        }
        try await write("PUT", "pages/0", ChangesEndpointTests.page([1, 2, 3]))
        try await write("PUT", "pages/2", ChangesEndpointTests.page([4, 5]))
        try await write("PUT", "pages/0", ChangesEndpointTests.page([3, 1, 9]))
        try await write("DELETE", "pages/2")
        try await write("DELETE", "pages")
        try await write("PUT", "pages/0", ChangesEndpointTests.page([7]))
        for (index, then) in responses.enumerated() {
            for (target, expected) in zip(Self.targets, then) {
                let join = target.contains("?") ? "&" : "?"
                let found = try await service.send(
                    "GET", "\(Self.path)/\(target)\(join)revision=\(index + 1)")
                #expect(found.status == expected.status, "\(target) at \(index + 1)")
                guard expected.status == 200, expected.body != found.body else { continue }
                let isPaged = try expected.value("/nextPageToken") != nil
                #expect(isPaged, "\(target) at \(index + 1): \(found.text)")
            }
        }
        // Nothing of it is in the place of the current tree.
        let now = try await service.send("GET", "\(Self.path)/layout?pages=all")
        #expect(now.body == responses.last?.first?.body)
    }

    @Test("A conditional request for an earlier revision is 304 for its own tag alone")
    func conditional() async throws {
        let service = try await Self.service()
        var tags: [String] = []
        for ids in [[1], [2]] {
            try await service.send(
                "PUT", "\(Self.path)/pages/0", ChangesEndpointTests.page(ids))
            for target in ["layout", "pages", "pages/0", "layout.svg"] {
                tags.append(
                    try #require(try await service.send("GET", "\(Self.path)/\(target)").etag))
            }
        }
        for (index, target) in ["layout", "pages", "pages/0", "layout.svg"].enumerated() {
            for (tag, status) in [(tags[index], 304), (tags[index + 4], 200)] {
                let response = try await service.send(
                    "GET", "\(Self.path)/\(target)?revision=1",
                    headers: [.ifNoneMatch: tag])
                #expect(response.status == status, "\(target)")
            }
        }
    }

    @Test("A page token of an earlier revision stays in it, and another revision beside it is 400")
    func tokens() async throws {
        let service = try await Self.service()
        for page in 0..<3 {
            try await service.send(
                "PUT", "\(Self.path)/pages/\(page)", ChangesEndpointTests.page([page]))
        }
        let then = try await service.send("GET", "\(Self.path)/layout?pages=all")
        for page in 0..<3 {
            try await service.send(
                "PUT", "\(Self.path)/pages/\(page)", ChangesEndpointTests.page([page + 10]))
        }
        var tree = try await service.send("GET", "\(Self.path)/layout?revision=3")
        let plain = try await service.send("GET", "\(Self.path)/layout")
        #expect(tree.etag != plain.etag)
        var token = try tree.string("/nextPageToken")
        let other = try await service.send(
            "GET", "\(Self.path)/layout?pageToken=\(token)&revision=4")
        #expect(other.code == "PAGE_TOKEN_MISMATCH")
        let same = try await service.send(
            "GET", "\(Self.path)/layout?pageToken=\(token)&revision=3")
        #expect(same.status == 200)
        let current = try plain.string("/nextPageToken")
        let mixed = try await service.send(
            "GET", "\(Self.path)/layout?pageToken=\(current)&revision=3")
        #expect(mixed.code == "PAGE_TOKEN_MISMATCH")
        for _ in 0..<2 {
            tree = try await service.send("GET", "\(Self.path)/layout?pageToken=\(token)")
            token = try tree.value("/nextPageToken")?.string ?? ""
        }
        #expect(try tree.itemIds == then.itemIds)
        #expect(tree.body == then.body)
    }

    @Test("Changes to an earlier revision lead back to its tree", arguments: [4, 3, 1])
    func changesBack(since: Int) async throws {
        let service = try await Self.service()
        var trees: [ReceivedResponse] = []
        // Small changes of long lists, which are shorter than the trees.
        for ids in [[1, 2, 3, 4, 5, 6], [3, 1, 2, 4, 6], [3, 1, 2, 4, 6, 7], [1, 2, 4, 6, 7]] {
            try await service.send("PUT", "\(Self.path)/pages/0", ChangesEndpointTests.page(ids))
            trees.append(try await service.send("GET", "\(Self.path)/layout?pages=all"))
        }
        for wanted in 1...4 {
            let changes = try await service.send(
                "GET", "\(Self.path)/changes?since=\(since)&revision=\(wanted)&pages=all",
                headers: [.prefer: "wait=60"])
            #expect(try changes.value("/reset")?.bool == false, "\(wanted)")
            let tree = try ChangesEndpointTests.applied(changes, to: trees[since - 1])
            #expect(try tree == ChangesEndpointTests.tree(trees[wanted - 1]), "\(wanted)")
        }
    }

    @Test(
        "A revision of another form is 400, and one that is not kept, or of the future, 404",
        arguments: [
            "layout", "layout.svg", "pages", "pages/0", "changes?since=1",
        ])
    func unknown(target: String) async throws {
        let service = try await Self.service(
            ScreenStore.inMemory(history: HistoryBounds(maxRevisions: 1)))
        for ids in [[1], [2], [3]] {
            try await service.send("PUT", "\(Self.path)/pages/0", ChangesEndpointTests.page(ids))
        }
        let join = target.contains("?") ? "&" : "?"
        for text in ["0", "-1", "x", "", "01", "1.5", "1000000000000000"] {
            let response = try await service.send(
                "GET", "\(Self.path)/\(target)\(join)revision=\(text)")
            #expect(response.code == "INVALID_PARAMETER", "\(text)")
        }
        for revision in [1, 4, 999_999_999_999_999] {
            let response = try await service.send(
                "GET", "\(Self.path)/\(target)\(join)revision=\(revision)")
            #expect(response.code == "REVISION_NOT_FOUND", "\(revision)")
        }
        for revision in [2, 3] {
            let response = try await service.send(
                "GET", "\(Self.path)/\(target)\(join)revision=\(revision)")
            #expect(response.status == 200, "\(revision)")
        }
        let none = try await service.send(
            "GET", "/v1/screens/none/\(target)\(join)revision=1")
        #expect(none.code == "SCREEN_NOT_FOUND")
    }

    @Test("A store without a history knows the current revision")
    func withoutHistory() async throws {
        let service = try await Self.service(InterceptingBackend().store)
        for ids in [[1], [2]] {
            try await service.send("PUT", "\(Self.path)/pages/0", ChangesEndpointTests.page(ids))
        }
        let list = try await service.send("GET", "\(Self.path)/revisions")
        #expect(try list.number("/first") == 2)
        #expect(try list.value("/revisions")?.count == 1)
        #expect(try list.value("/revisions/0/at")?.isNull == false)
        let current = try await service.send("GET", "\(Self.path)/layout?revision=2")
        #expect(current.status == 200)
        let earlier = try await service.send("GET", "\(Self.path)/layout?revision=1")
        #expect(earlier.code == "REVISION_NOT_FOUND")
        #expect(try await service.send("DELETE", "\(Self.path)/revisions").status == 204)
        #expect(
            try await service.send("DELETE", "/v1/screens/none/revisions").code
                == "SCREEN_NOT_FOUND")
    }

    @Test("After DELETE of the revisions only the current one is known, also in memory")
    func delete() async throws {
        let service = try await Self.service()
        for ids in [[1, 2], [2, 3], [3, 4]] {
            try await service.send("PUT", "\(Self.path)/pages/0", ChangesEndpointTests.page(ids))
            try await service.send("GET", "\(Self.path)/layout")
        }
        let before = try await service.send("GET", "\(Self.path)/changes?since=2")
        #expect(try before.value("/reset")?.bool == false)
        #expect(try await service.metric("broadsheet_store_history_bytes") > 0)
        #expect(try await service.send("DELETE", "\(Self.path)/revisions").status == 204)
        let after = try await service.send("GET", "\(Self.path)/changes?since=2")
        #expect(try after.value("/reset")?.bool == true)
        let gone = try await service.send("GET", "\(Self.path)/pages/0?revision=2")
        #expect(gone.code == "REVISION_NOT_FOUND")
        #expect(try await service.metric("broadsheet_store_history_bytes") == 0)
    }

    @Test("Earlier revisions need read and write, whatever names them; the list needs write")
    func keys() async throws {
        let scopes = ["read", "write", "read,write"]
        let service = try await Self.service(
            access: AccessConfiguration(
                keys: KeyRing(ofLines: scopes.enumerated().map { "k\($0) \($1) * never" })))
        for page in [0, 1, 0] {
            try await service.send(
                "PUT", "\(Self.path)/pages/\(page)", ChangesEndpointTests.page([page]),
                headers: .key("k2"))
        }
        let tree = try await service.send(
            "GET", "\(Self.path)/layout?revision=2", headers: .key("k2"))
        let token = try tree.string("/nextPageToken")
        let statuses = [
            "layout?revision=2": [403, 403, 200], "layout.svg?revision=2": [403, 403, 200],
            "pages?revision=2": [403, 403, 200], "pages/0?revision=2": [403, 403, 200],
            "changes?since=1&revision=2": [403, 403, 200],
            "layout?pageToken=\(token)": [403, 403, 200],
            "revisions": [403, 200, 200], "changes?since=1": [200, 403, 200],
        ]
        for (target, expected) in statuses {
            for (index, status) in expected.enumerated() {
                let response = try await service.send(
                    "GET", "\(Self.path)/\(target)", headers: .key("k\(index)"))
                #expect(response.status == status, "\(target) with \(scopes[index])")
            }
        }
    }
}

extension HTTPHeaders {
    /// Returns the fields with another one.
    fileprivate func with(_ name: HTTPFieldName, _ value: String) -> HTTPHeaders {
        var headers = self
        headers.append(name, value)
        return headers
    }
}
