import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Reads and writes of a part of a stored screen")
struct ScreenPartTests {
    private static let path = "/v1/screens/home/pages"
    private static let minimal: HTTPHeaders = [.prefer: "return=minimal"]

    private static func page(_ number: Int) -> String {
        Pages.list((0..<50).map { "p\(number)-\($0)" }, section: number < 4 ? "One" : "Two")
    }

    /// Returns a store of 20 pages, and a service that has read none of them.
    private func restarted() async throws -> (InterceptingBackend, TestService) {
        let backend = InterceptingBackend()
        let writer = try await TestService(store: backend.store)
        for number in 0..<20 {
            try await writer.send("PUT", "\(Self.path)/\(number)", Self.page(number))
        }
        return (backend, try await TestService(store: backend.store))
    }

    @Test("A page is read without the others, and not at all for 304 and 404")
    func onePage() async throws {
        let (backend, service) = try await restarted()
        let before = backend.bytesRead
        let found = try await service.send("GET", "\(Self.path)/7")
        #expect(found.text == Self.page(7))
        #expect(backend.bytesRead - before == Self.page(7).utf8.count)
        let tag = try #require(found.etag)
        let unchanged = try await service.send(
            "GET", "\(Self.path)/7", headers: [.ifNoneMatch: tag])
        #expect(unchanged.status == 304)
        let other = try await service.send("GET", "\(Self.path)/7", headers: [.ifMatch: "\"x\""])
        #expect(other.code == "PRECONDITION_FAILED")
        #expect(try await service.send("GET", "\(Self.path)/77").code == "PAGE_NOT_FOUND")
        #expect(backend.bytesRead - before == Self.page(7).utf8.count)
        let head = try await service.send("HEAD", "\(Self.path)/7")
        #expect(head.etag == tag)
        #expect(backend.bytesRead - before == 2 * Self.page(7).utf8.count)
    }

    @Test("The state of a screen reads its highest page, and an unchanged page state none")
    func states() async throws {
        let (backend, service) = try await restarted()
        let before = backend.bytesRead
        let screen = try await service.send("GET", "/v1/screens/home")
        #expect(
            screen.text
                == #"{"screen":"home","revision":20,"page":19,"pageCount":20,"hasNext":false}"#)
        #expect(backend.bytesRead - before == Self.page(19).utf8.count)
        let tag = try #require(screen.etag)
        for target in [Self.path, "/v1/screens/home"] {
            let found = try await service.send("GET", target, headers: [.ifNoneMatch: tag])
            #expect(found.status == 304)
        }
        #expect(backend.bytesRead - before == Self.page(19).utf8.count)
        #expect(try await service.send("GET", Self.path).etag == tag)
    }

    @Test("The tree up to a page reads the pages up to it, each once")
    func trees() async throws {
        let (backend, service) = try await restarted()
        let whole = try await TestService(store: backend.store)
        _ = try await whole.send("GET", Self.path)
        var query = ""
        for number in 0..<6 {
            let before = backend.bytesRead
            let target = "/v1/screens/home/layout\(query)"
            let tree = try await service.send("GET", target)
            #expect(backend.bytesRead - before == Self.page(number).utf8.count, "page \(number)")
            let expected = try await whole.send("GET", target)
            #expect(tree.text == expected.text)
            #expect(tree.etag == expected.etag)
            query = "?pageToken=\(try tree.string("/nextPageToken"))"
        }
        let before = backend.bytesRead
        #expect(try await service.send("GET", "/v1/screens/home/layout").status == 200)
        #expect(backend.bytesRead == before)
    }

    @Test("A write without its tree reads no stored page")
    func writes() async throws {
        let (backend, service) = try await restarted()
        let before = backend.bytesRead
        for (method, target, body, status) in [
            ("PUT", "\(Self.path)/3", Self.page(30), 200),
            ("PUT", "\(Self.path)/40", Self.page(40), 201),
            ("POST", Self.path, Self.page(41), 201), ("DELETE", "\(Self.path)/5", "", 204),
        ] {
            let written = try await service.send(
                method, target, body, headers: Self.minimal)
            #expect(written.status == status, "\(method) \(target)")
        }
        #expect(backend.bytesRead == before)
        #expect(try await service.send("GET", "\(Self.path)/41").text == Self.page(41))
        #expect(try await service.send("GET", Self.path).number("/pageCount") == 21)
        #expect(try await service.send("DELETE", "/v1/screens/home").status == 204)
    }

    @Test("A PATCH without its tree reads its page alone, also if it changes nothing")
    func patches() async throws {
        let (backend, service) = try await restarted()
        var patched = Self.minimal
        patched.append(.contentType, "application/merge-patch+json")
        let whole = try await service.send("GET", "\(Self.path)/7")
        let size = whole.text.utf8.count
        for (patch, revision) in [("{}", 20), (#"{"x-a": 1}"#, 21), (#"{"x-a": null}"#, 22)] {
            let before = backend.bytesRead
            let written = try await service.send(
                "PATCH", "\(Self.path)/7", patch, headers: patched)
            #expect(written.status == 200, "\(written.text)")
            #expect(written.etag == "\"r\(revision)\"")
            #expect(written.response.headers[.diagnostics] == "0")
            #expect(backend.bytesRead - before <= size + 10, "\(patch)")
        }
        #expect(try await service.send("GET", "\(Self.path)/7").text == whole.text)
        let missing = try await service.send(
            "PATCH", "\(Self.path)/77", "{}", headers: patched)
        #expect(missing.code == "PAGE_NOT_FOUND")
    }

    @Test("A service that has read nothing responds as one that has everything in memory")
    func equalResponses() async throws {
        // The last one: the page written last was read before the rest of its screen.
        for seed in [UInt64.random(in: 0 ... .max), 1, 2, 8_265_236_375_682_098_648] {
            var random = SeededGenerator(seed: seed)
            let reference = ScreenStore.inMemory()
            let whole = try await TestService(store: reference)
            // Tokens and tags are authenticated by the store's key.
            let own = ScreenStore.inMemory(identity: try await reference.identity())
            var service = try await TestService(store: own)
            for step in 0..<60 {
                if Int.random(in: 0..<3, using: &random) == 0 {
                    service = try await TestService(store: own)
                }
                let (method, target, body) = Self.request(&random)
                let headers = Bool.random(using: &random) ? Self.minimal : [:]
                let expected = try await whole.send(method, target, body, headers: headers)
                let found = try await service.send(method, target, body, headers: headers)
                let place: Comment = "seed \(seed), step \(step): \(method) \(target)"
                #expect(found.status == expected.status, place)
                #expect(found.etag == expected.etag, place)
                #expect(found.code == expected.code, place)
                if found.code == nil { #expect(found.text == expected.text, place) }
                let list = try await service.send("GET", "/v1/screens").text
                #expect(try await whole.send("GET", "/v1/screens").text == list, place)
            }
        }
    }

    private static func request(
        _ random: inout SeededGenerator
    ) -> (method: String, target: String, body: String) {
        let number = Int.random(in: 0...5, using: &random)
        let target = "\(path)/\(number)"
        let layout = "/v1/screens/home/layout"
        return switch Int.random(in: 0...19, using: &random) {
        case 0: ("DELETE", path, "")
        case 1: ("DELETE", "/v1/screens/home", "")
        case 2...3: ("DELETE", target, "")
        case 4...5: ("POST", path, page(number))
        case 6...9: ("PUT", target, page(Int.random(in: 0...9, using: &random)))
        case 10...11: ("GET", target, "")
        case 12: ("GET", path, "")
        case 13: ("GET", "/v1/screens/home", "")
        case 14...17: ("GET", layout, "")
        default: ("GET", "\(layout)?pages=all", "")
        }
    }
}

@Suite("Stored screens that exceed a limit of the daemon")
struct StoredLimitTests {
    private static let path = "/v1/screens/home/pages"

    /// Returns a store of three pages with two items each, and the length of a page.
    private func filled() async throws -> (backend: InterceptingBackend, length: Int) {
        let backend = InterceptingBackend()
        let service = try await TestService(store: backend.store)
        for number in 0..<3 {
            try await service.send("PUT", "\(Self.path)/\(number)", Pages.list(["a", "b"]))
        }
        return (backend, Pages.list(["a", "b"]).utf8.count)
    }

    private func expectRefusal(
        _ service: TestService, naming flag: String, _ limit: Int
    ) async throws {
        for target in [
            "/v1/screens/home/layout?pages=all", "/v1/screens/home/layout.svg", Self.path,
        ] {
            let refused = try await service.send("GET", target)
            #expect(refused.status == 503, "\(target)")
            #expect(refused.code == "STORED_SCREEN_TOO_LARGE", "\(target)")
            #expect(try refused.string("/detail").contains("\(limit) (\(flag))"))
            #expect(try refused.string("/detail").contains("raise the limit"))
        }
    }

    private static let limits: [(flag: String, ScreenLimits, bytes: Int?, limit: Int)] = [
        ("--max-screen-bytes", ScreenLimits(), 100, 100),
        ("--max-pages", ScreenLimits(maxPages: 2), nil, 2),
        ("--max-sections", ScreenLimits(maxSections: 2), nil, 2),
        ("--max-items", ScreenLimits(maxItems: 5), nil, 5),
    ]

    @Test(
        "It is not read: 503 names the limit; its pages are read one by one, and it is removed",
        arguments: 0..<4)
    func size(index: Int) async throws {
        let (flag, limits, bytes, limit) = Self.limits[index]
        let (backend, _) = try await filled()
        let service = try await TestService(
            store: backend.store, limits: limits,
            maxScreenBytes: bytes ?? ServiceConfiguration().maxScreenBytes)
        let before = backend.bytesRead
        try await expectRefusal(service, naming: flag, limit)
        #expect(backend.bytesRead == before, "its pages were read")
        for number in 0..<3 {
            let page = try await service.send("GET", "\(Self.path)/\(number)")
            #expect(page.text == Pages.list(["a", "b"]))
        }
        #expect(try await service.send("GET", "/v1/screens").text.contains("home"))
        #expect(try await service.send("GET", "/v1/screens/home").number("/pageCount") == 3)
        // Other screens are not affected.
        #expect(
            try await service.send("PUT", "/v1/screens/a/pages/0", "{\"sections\":[]}").status
                == 201)
        #expect(try await service.send("GET", "/v1/screens/a/layout").status == 200)
        #expect(try await service.send("DELETE", "/v1/screens/home").status == 204)
        #expect(try await service.send("GET", Self.path).code == "SCREEN_NOT_FOUND")
    }

    @Test("It accepts what does not make it grow, and is served again once it is small enough")
    func shrinking() async throws {
        let (backend, length) = try await filled()
        let service = try await TestService(store: backend.store, maxScreenBytes: 2 * length)
        let longer = try await service.send("PUT", "\(Self.path)/0", Pages.list(["a", "b", "c"]))
        #expect(longer.code == "SCREEN_TOO_LARGE")
        let new = try await service.send("PUT", "\(Self.path)/9", "{\"sections\":[]}")
        #expect(new.code == "SCREEN_TOO_LARGE")
        let same = try await service.send("PUT", "\(Self.path)/0", Pages.list(["c", "d"]))
        #expect(same.status == 200)
        #expect(same.response.headers[.preferenceApplied] == "return=minimal")
        #expect(same.text.isEmpty)
        #expect(try await service.send("GET", "/v1/screens/home/layout").status == 503)
        #expect(try await service.send("DELETE", "\(Self.path)/2").status == 204)
        #expect(try await service.send("GET", "/v1/screens/home/layout").status == 200)
    }

    @Test("A page that exceeds --max-body is not read, and can be replaced and removed")
    func pageBytes() async throws {
        let (backend, length) = try await filled()
        let service = try await TestService(store: backend.store, maxPageBytes: length - 1)
        try await expectRefusal(service, naming: "--max-body", length - 1)
        let page = try await service.send("GET", "\(Self.path)/1")
        #expect(page.status == 503)
        #expect(page.code == "STORED_SCREEN_TOO_LARGE")
        #expect(try await service.send("PUT", "\(Self.path)/0", Pages.list(["a"])).status == 200)
        #expect(try await service.send("GET", "\(Self.path)/0").status == 200)
        for number in 1..<3 {
            #expect(try await service.send("DELETE", "\(Self.path)/\(number)").status == 204)
        }
        #expect(try await service.send("GET", "/v1/screens/home/layout").status == 200)
    }

    @Test("A page nested deeper than --max-depth, or with more items by another catalog, is 503")
    func contents() async throws {
        let (backend, _) = try await filled()
        let shallow = try await TestService(store: backend.store, limits: ScreenLimits(maxDepth: 3))
        try await expectRefusal(shallow, naming: "--max-depth", 3)
        #expect(try await shallow.send("GET", "\(Self.path)/0").status == 200)
        // Its items were counted by no writer.
        let old = ScreenStore.inMemory()
        let home = try #require(ScreenName("home"))
        _ = try await old.commit(
            .put(page: 0, bytes: Array(Pages.list(["a", "b", "c"]).utf8)), to: home,
            expecting: nil)
        let narrow = try await TestService(store: old, limits: ScreenLimits(maxItems: 2))
        try await expectRefusal(narrow, naming: "--max-items", 2)
        #expect(try await narrow.send("GET", "\(Self.path)/0").status == 200)
        let grown = try await narrow.send("PUT", "\(Self.path)/1", Pages.list(["d"]))
        #expect(grown.code == "INVALID_CONTRACT")
        #expect(grown.text.contains("--max-items"))
        #expect(try await narrow.send("PUT", "\(Self.path)/0", Pages.list(["d"])).status == 200)
    }

    @Test("Items beyond --max-items are refused whether or not the pages are in memory")
    func itemsOfUnreadPages() async throws {
        let (backend, _) = try await filled()
        let service = try await TestService(store: backend.store, limits: ScreenLimits(maxItems: 7))
        let minimal: HTTPHeaders = [.prefer: "return=minimal"]
        let refused = try await service.send(
            "PUT", "\(Self.path)/3", Pages.list(["c", "d"]), headers: minimal)
        #expect(refused.code == "INVALID_CONTRACT")
        #expect(refused.text.contains("--max-items"))
        let other = try await TestService(store: backend.store, limits: ScreenLimits(maxItems: 7))
        let one = try await other.send(
            "PUT", "\(Self.path)/3", Pages.list(["c"]), headers: minimal)
        #expect(one.status == 201)
    }
}
