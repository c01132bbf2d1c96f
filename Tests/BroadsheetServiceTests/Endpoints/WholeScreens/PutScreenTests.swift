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
