import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("PUT of a screen (docs/api.md, Whole screens)")
struct PutScreenTests {
    static let path = "/v1/screens/home"

    /// Returns the body with these pages.
    static func body(_ pages: String...) -> String { body(pages) }

    static func body(_ pages: [String]) -> String {
        #"{"pages":[\#(pages.joined(separator: ","))]}"#
    }

    private let path = Self.path

    /// Returns the entity tag of a page.
    private func tag(_ page: Int, _ service: TestService) async throws -> String? {
        try await service.send("GET", "\(path)/pages/\(page)").etag
    }

    @Test("PUT creates a screen with 201, and replaces all its pages in one revision with 200")
    func put() async throws {
        let service = try await TestService()
        let made = try await service.send(
            "PUT", path, Self.body(Pages.list(["a"]), Pages.list(["b"])))
        #expect(made.status == 201 && made.etag == "\"r1\"")
        #expect(made.response.headers[.contentType] == "application/json")
        #expect(try made.itemIds == [["a", "b"]])
        #expect(try made.number("/revision") == 1)
        let replaced = try await service.send(
            "PUT", path,
            Self.body(Pages.list(["c"]), Pages.list(["d"], page: 4), Pages.list(["e"])))
        #expect(replaced.status == 200 && replaced.etag == "\"r2\"")
        #expect(try replaced.itemIds == [["c", "d", "e"]])
        #expect(try replaced.number("/page") == 5)
        #expect(try replaced.number("/pageCount") == 3)
        let state = try await service.send("GET", "\(path)/pages")
        #expect(try state.value("/pages")?.elements.map { $0["page"]?.int } == [0, 4, 5])
        #expect(try state.number("/revision") == 2)
    }

    @Test("The response is the tree of all pages, for the parameters in the query")
    func tree() async throws {
        let service = try await TestService()
        let query = "width=768&scale=2&coordinates=content"
        for pages in [["a", "b", "c"], ["a", "x"]] {
            let written = try await service.send(
                "PUT", "\(path)?\(query)",
                Self.body(pages.map { Pages.list([$0], hasNext: true) }))
            let layout = try await service.send("GET", "\(path)/layout?pages=all&\(query)")
            #expect(written.text == layout.text)
            #expect(try written.value("/hasNext")?.bool == true)
        }
    }

    @Test("Each page has the bytes of its element, byte for byte, whatever is around them")
    func bytes() async throws {
        let service = try await TestService()
        let pages = [
            #"{ "sections" : [ ] , "x":1e2 }"#, "{\"sections\":[\n],\"note\":\"é\\u00e9\"}",
            #"{"page":7,"page":9,"sections":[]}"#,
        ]
        let posted =
            [0xEF, 0xBB, 0xBF]
            + Array(" {\"x\":[1], \"pages\" :\n[ \(pages.joined(separator: " , "))\t] } ".utf8)
        let put = try await service.send("PUT", path, bytes: posted)
        #expect(put.status == 201)
        for (number, page) in zip([0, 1, 9], pages) {
            let found = try await service.send("GET", "\(path)/pages/\(number)")
            #expect(found.text == page)
        }
    }

    @Test("Pages with equal bytes keep their tags; others get new ones, or are removed")
    func equalPages() async throws {
        let service = try await TestService()
        let pages = (0...3).map { Pages.list(["p\($0)"]) }
        try await service.send("PUT", path, Self.body(pages))
        var tags: [String?] = []
        for page in 0...3 { tags.append(try await tag(page, service)) }
        let layout = try await service.send("GET", "\(path)/layout")
        let replaced = try await service.send(
            "PUT", path, Self.body(pages[0], pages[1] + " ", pages[2]))
        #expect(replaced.status == 200)
        #expect(try await tag(0, service) == tags[0])
        // White space after a page is not a part of it.
        #expect(try await tag(1, service) == tags[1])
        #expect(try await tag(2, service) == tags[2])
        #expect(try await service.send("GET", "\(path)/pages/3").code == "PAGE_NOT_FOUND")
        let changed = try await service.send(
            "PUT", path, Self.body(pages[0], Pages.list(["new"]), pages[2]))
        #expect(changed.etag == "\"r3\"")
        #expect(try await tag(0, service) == tags[0])
        #expect(try await tag(1, service) != tags[1])
        #expect(try await tag(2, service) == tags[2])
        // The tree of the first page is as old as it was.
        let same = try await service.send(
            "GET", "\(path)/layout", headers: [.ifNoneMatch: try #require(layout.etag)])
        #expect(same.status == 304)
    }

    @Test("If nothing changes the revision stays, and the response is that of the write")
    func unchanged() async throws {
        let service = try await TestService()
        let body = Self.body(Pages.list(["a"]), Pages.list(["b"]))
        let made = try await service.send("PUT", path, body)
        for query in ["", "?validateOnly=true"] {
            let again = try await service.send("PUT", path + query, body)
            #expect(again.status == 200 && again.etag == "\"r1\"")
            #expect(again.text == made.text)
        }
        // A service that has not read the screen compares with the stored pages.
        let other = try await TestService(store: service.store)
        let again = try await other.send("PUT", path, body)
        #expect(again.etag == "\"r1\"" && again.text == made.text)
        let fewer = try await other.send("PUT", path, Self.body(Pages.list(["a"])))
        #expect(fewer.etag == "\"r2\"")
        #expect(try fewer.itemIds == [["a"]])
    }

    @Test("With Broadsheet-TTL an unchanged screen has a new revision, and its pages their tags")
    func lifetime() async throws {
        let clock = ManualClock()
        let service = try await TestService(store: ScreenStore.inMemory(clock: clock.time))
        let body = Self.body(Pages.list(["a"]), Pages.list(["b"]))
        let made = try await service.send("PUT", path, body, headers: [.screenLifetime: "60"])
        let tags = [try await tag(0, service), try await tag(1, service)]
        clock.advance(seconds: 50)
        let renewed = try await service.send("PUT", path, body, headers: [.screenLifetime: "60"])
        #expect(renewed.status == 200 && renewed.etag == "\"r2\"")
        #expect(renewed.text == made.text)
        #expect(try await [tag(0, service), tag(1, service)] == tags)
        clock.advance(seconds: 50)
        #expect(try await service.send("PUT", path, body).etag == "\"r2\"")
        clock.advance(seconds: 10)
        #expect(try await service.send("GET", path).code == "SCREEN_NOT_FOUND")
        #expect(try await service.send("PUT", path, body).status == 201)
    }

    @Test("The page of the page state is the highest one after a PUT of the screen")
    func latestPage() async throws {
        let service = try await TestService()
        for page in [0, 5, 2] {
            try await service.send("PUT", "\(path)/pages/\(page)", Pages.list(["p\(page)"]))
        }
        #expect(try await service.send("GET", path).number("/page") == 2)
        try await service.send(
            "PUT", path,
            Self.body(Pages.list(["new"]), Pages.list(["p2"], page: 2), Pages.list([], page: 4)))
        for service in [service, try await TestService(store: service.store)] {
            let state = try await service.send("GET", path)
            #expect(try state.number("/page") == 4)
            #expect(try state.number("/pageCount") == 3)
        }
        try await service.send("PUT", path, Self.body(Pages.list(["new"])))
        #expect(try await service.send("GET", path).number("/page") == 0)
    }

    @Test("Prefer: return=minimal, and a key that may not read, receive no tree")
    func minimal() async throws {
        let service = try await TestService(
            access: AccessConfiguration(
                keys: KeyRing(of: "w write * never", "rw read,write * never")))
        let body = Self.body(Pages.list(["a"]))
        let written = try await service.send("PUT", path, body, headers: .key("w"))
        var headers = HTTPHeaders.key("rw")
        headers.append(.prefer, "return=minimal")
        let preferred = try await service.send(
            "PUT", path, Self.body(Pages.list(["b"])), headers: headers)
        for (response, status, tag) in [(written, 201, "\"r1\""), (preferred, 200, "\"r2\"")] {
            #expect(response.status == status && response.etag == tag && response.body.isEmpty)
            #expect(response.response.headers[.preferenceApplied] == "return=minimal")
        }
        let read = try await service.send("PUT", path, body, headers: .key("rw"))
        #expect(try read.itemIds == [["a"]])
    }

    @Test("A tree that would be too large is left out, and the screen is stored")
    func largeTree() async throws {
        let service = try await TestService(maxResponseBytes: 300)
        let written = try await service.send("PUT", path, Self.body(Pages.list(["a", "b", "c"])))
        #expect(written.status == 201 && written.body.isEmpty)
        #expect(written.response.headers[.preferenceApplied] == "return=minimal")
        #expect(try await service.send("GET", path).number("/pageCount") == 1)
    }

    @Test("With validateOnly the response is that of the write, and nothing is stored")
    func validateOnly() async throws {
        let service = try await TestService()
        let body = Self.body(Pages.list(["a"]), Pages.list(["b"]))
        let new = try await service.send("PUT", "\(path)?validateOnly=true", body)
        #expect(new.status == 200 && new.etag == nil)
        #expect(try new.number("/revision") == 0)
        #expect(try new.itemIds == [["a", "b"]])
        #expect(try await service.send("GET", path).code == "SCREEN_NOT_FOUND")
        try await service.send("PUT", "\(path)/pages/0", Pages.list(["old"]))
        let before = try await service.send("GET", "\(path)/layout?pages=all")
        let validated = try await service.send("PUT", "\(path)?validateOnly=true", body)
        #expect(validated.status == 200 && validated.etag == "\"r1\"")
        #expect(try validated.itemIds == [["a", "b"]])
        let after = try await service.send("GET", "\(path)/layout?pages=all")
        #expect(after.text == before.text)
    }

    @Test("Broadsheet-Diagnostics, the metric and the log have the diagnostics of all pages")
    func diagnostics() async throws {
        let log = MemoryLogSink()
        let service = try await TestService(log: Log(format: .text, sink: log))
        let pages = (0..<15).map { #"{"sections":[[{"unitType":"NEW\#($0)"}]]}"# }
        let headers: HTTPHeaders = [.prefer: "return=minimal"]
        let validated = try await service.send(
            "PUT", "\(path)?validateOnly=true", Self.body(pages), headers: headers)
        #expect(validated.response.headers[.diagnostics] == "15")
        #expect(log.lines.filter { $0.contains("unknown unit types") }.isEmpty)
        for _ in 0..<2 {
            // Also if nothing is stored, as for a PATCH.
            let written = try await service.send("PUT", path, Self.body(pages), headers: headers)
            #expect(written.response.headers[.diagnostics] == "15")
        }
        let counted = try await service.metric(
            #"broadsheet_diagnostics_total{code="UNKNOWN_UNIT_TYPE"}"#)
        #expect(counted == 45)
        let lines = log.lines.filter { $0.contains("unknown unit types") }
        #expect(lines.count == 2 * WriteOptions.maxLoggedPages)
        #expect(lines.first?.contains("page 0 of screen home") == true)
    }

    @Test("A PUT during writes of other daemons replaces what they left, or gives up")
    func contested() async throws {
        let body = Self.body(Pages.list(["a"]), Pages.list(["b"]))
        let backend = InterceptingBackend.contested(times: 5)
        let service = try await TestService(store: backend.store)
        let written = try await service.send("PUT", path, body)
        #expect(written.status == 200)
        #expect(try written.itemIds == [["a", "b"]])
        let state = try await service.send("GET", "\(path)/pages")
        #expect(try state.value("/pages")?.elements.map { $0["page"]?.int } == [0, 1])
        #expect(try state.number("/revision") == 6)
        let busy = try await TestService(store: InterceptingBackend.contested(times: 100).store)
        #expect(try await busy.send("PUT", path, body).code == "OVERLOADED")
    }

    @Test("If-None-Match: * of several daemons creates a screen once")
    func createdOnce() async throws {
        let store = ScreenStore.inMemory()
        let services = [try await TestService(store: store), try await TestService(store: store)]
        async let one = services[0].send(
            "PUT", path, Self.body(Pages.list(["a"])), headers: [.ifNoneMatch: "*"])
        async let other = services[1].send(
            "PUT", path, Self.body(Pages.list(["b"])), headers: [.ifNoneMatch: "*"])
        #expect(try await [one.status, other.status].sorted() == [201, 412])
        #expect(try await services[0].send("GET", path).number("/revision") == 1)
    }

    @Test("A write that the store refuses changes nothing")
    func storeFailure() async throws {
        let backend = InterceptingBackend()
        let service = try await TestService(store: backend.store)
        try await service.send("PUT", path, Self.body(Pages.list(["a"]), Pages.list(["b"])))
        let before = try await service.send("GET", "\(path)/layout?pages=all")
        backend.fail(with: .full("disk"))
        let refused = try await service.send("PUT", path, Self.body(Pages.list(["c"])))
        #expect(refused.code == "STORE_UNAVAILABLE")
        backend.fail(with: nil)
        let after = try await service.send("GET", "\(path)/layout?pages=all")
        #expect(after.text == before.text && after.etag == before.etag)
    }

    @Test("With an origin nothing is fetched, and the pages that were put are served")
    func onDemand() async throws {
        let origin = FakeOrigin()
        let service = try await TestService(origin: origin)
        let written = try await service.send(
            "PUT", path, Self.body(Pages.list(["a"]), Pages.list(["b"], hasNext: true)))
        #expect(origin.requests.isEmpty)
        let first = try await service.send("GET", "\(path)/layout?pages=all")
        #expect(first.text == written.text)
        let token = try written.string("/nextPageToken")
        let next = try await service.send("GET", "\(path)/layout?pageToken=\(token)")
        #expect(origin.pages == ["home/2"])
        #expect(try next.number("/page") == 2)
        // The page that was fetched is not in the next set.
        let again = try await service.send(
            "PUT", path, Self.body(Pages.list(["a"]), Pages.list(["b"], hasNext: true)))
        #expect(again.etag == "\"r3\"")
        #expect(try again.itemIds == [["a", "b"]])
    }
}
