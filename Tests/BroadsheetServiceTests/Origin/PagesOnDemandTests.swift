import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Pages on demand (docs/operations.md, Pages on demand)")
struct PagesOnDemandTests {
    private let layout = "/v1/screens/home/layout"
    private let path = "/v1/screens/home/pages"

    /// Returns the target of the page after that of a response.
    private func next(after received: ReceivedResponse) throws -> String {
        "\(layout)?pageToken=\(try received.string("/nextPageToken"))"
    }

    @Test("The lowest page of a screen that is not stored is fetched, and stored byte for byte")
    func lowest() async throws {
        let page = "  " + Pages.list(["a"]) + "\n"
        let origin = FakeOrigin(page: page)
        let service = try await TestService(origin: origin)
        let received = try await service.send(
            "GET", layout, headers: ["X-Request-Id": "abc", "Authorization": "Bearer secret"])
        #expect(received.status == 200)
        #expect(try received.itemIds == [["a"]])
        #expect(try await service.send("GET", "\(path)/0").text == page)
        #expect(origin.pages == ["home/0"])
        #expect(origin.requests[0].requestID == "abc")
        #expect(try await service.send("GET", layout).body == received.body)
        #expect(origin.requests.count == 1)
    }

    @Test("A page on demand is a revision with the operation `origin`")
    func listed() async throws {
        let service = try await TestService(
            store: ScreenStore.inMemory(history: HistoryBounds()), origin: FakeOrigin())
        try await service.send("GET", layout)
        let list = try await service.send("GET", "/v1/screens/home/revisions")
        #expect(try list.string("/revisions/0/operation") == "origin")
        #expect(try list.number("/revisions/0/pages/0/page") == 0)
        #expect(try list.value("/revisions/0/key")?.isNull == true)
    }

    @Test(
        "Layouts, pictures and changes ask for pages; what reads pages themselves does not",
        arguments: [
            ("GET", "/layout", true), ("HEAD", "/layout", true), ("GET", "/layout?pages=all", true),
            ("GET", "/layout?rect=0,0,9,9", true), ("GET", "/layout.svg", true),
            ("GET", "/changes?since=0", true), ("GET", "/changes?since=0&page=7", true),
            ("GET", "/stream", true), ("GET", "/stream?changes=true", true),
            ("GET", "", false), ("GET", "/pages", false), ("GET", "/pages/0", false),
            ("DELETE", "", false), ("DELETE", "/pages/0", false),
        ])
    func requests(method: String, target: String, asks: Bool) async throws {
        let origin = FakeOrigin()
        let service = try await TestService(origin: origin)
        let received = try await service.send(method, "/v1/screens/home\(target)")
        #expect(received.status == (asks ? 200 : 404))
        #expect(origin.pages == (asks ? ["home/0"] : []))
    }

    @Test(
        "A token whose page is not stored fetches the page after the highest, if that has a next one"
    )
    func tokens() async throws {
        let origin = FakeOrigin()
        let service = try await TestService(origin: origin)
        var received = try await service.send("GET", layout)
        for number in 1...3 {
            received = try await service.send("GET", next(after: received))
            #expect(try received.number("/page") == Double(number))
        }
        #expect(try received.value("/nextPageToken") == nil)
        #expect(origin.pages == ["home/0", "home/1", "home/2", "home/3"])
    }

    @Test("After the last page nothing is fetched: 404 PAGE_NOT_LOADED")
    func last() async throws {
        let origin = FakeOrigin()
        let service = try await TestService(origin: origin)
        try await service.send("PUT", "\(path)/0", Pages.list(["a"], hasNext: true))
        let first = try await service.send("GET", layout)
        try await service.send("PUT", "\(path)/0", Pages.list(["a"], hasNext: false))
        let received = try await service.send("GET", next(after: first))
        #expect(received.code == "PAGE_NOT_LOADED")
        #expect(origin.requests.isEmpty)
    }

    @Test("A number in a query fetches no page; only the token of a page fetches the next one")
    func numbers() async throws {
        let origin = FakeOrigin()
        let service = try await TestService(origin: origin)
        let first = try await service.send("GET", layout)
        let changes = try await service.send(
            "GET", "/v1/screens/home/changes?since=1&page=100000")
        #expect(changes.status == 200)
        #expect(origin.pages == ["home/0"])
        let token = try first.string("/nextPageToken")
        let delta = try await service.send(
            "GET", "/v1/screens/home/changes?since=1&page=0&pageToken=\(token)")
        #expect(try delta.number("/to/page") == 1)
        #expect(origin.pages == ["home/0", "home/1"])
    }

    @Test("With Cache-Control: no-cache the pages of a response are fetched again, and replaced")
    func refresh() async throws {
        let clock = ManualClock()
        let origin = FakeOrigin()
        let service = try await TestService(
            store: ScreenStore.inMemory(clock: clock.time), clock: clock.time, origin: origin)
        let first = try await service.send("GET", layout)
        let since = try first.number("/revision")
        _ = try await service.send("GET", next(after: first))
        origin.respond { request in
            OriginPage(bytes: Array(Pages.list(["new\(request.page)"], hasNext: true).utf8))
        }
        #expect(try await service.send("GET", layout).itemIds == [["p0"]])
        let fresh: HTTPHeaders = [.cacheControl: "max-age=0, no-cache"]
        let both = "/v1/screens/home/changes?since=\(Int(since))&page=1"
        let changes = try await service.send("GET", both, headers: fresh)
        #expect(changes.status == 200)
        #expect(changes.text.contains("new0") && changes.text.contains("new1"))
        #expect(origin.pages == ["home/0", "home/1", "home/0", "home/1"])
        // For half a second it is not fetched again, nor for a request that waits.
        #expect(try await service.send("GET", layout, headers: fresh).itemIds == [["new0"]])
        clock.advance(seconds: 1)
        let waits: HTTPHeaders = ["Cache-Control": "no-cache", "Prefer": "wait=1"]
        _ = try await service.send("GET", both, headers: waits)
        #expect(origin.requests.count == 4)
        for _ in 0..<3 {
            #expect(try await service.send("GET", layout, headers: fresh).status == 200)
            clock.advance(seconds: 1)
        }
        #expect(origin.pages.dropFirst(4) == ["home/0", "home/0", "home/0"])
    }

    @Test("A page that the origin does not have, or fails to send, stays stored")
    func refreshFailures() async throws {
        let clock = ManualClock()
        let origin = FakeOrigin(failing: .notFound)
        let service = try await TestService(
            store: ScreenStore.inMemory(clock: clock.time), clock: clock.time, origin: origin)
        try await service.send("PUT", "\(path)/0", Pages.list(["a"]))
        let fresh: HTTPHeaders = [.cacheControl: "no-cache"]
        #expect(try await service.send("GET", layout, headers: fresh).itemIds == [["a"]])
        #expect(origin.pages == ["home/0"])
        clock.advance(seconds: 6)
        origin.respond { _ throws(OriginError) in throw .timeout }
        let received = try await service.send("GET", layout, headers: fresh)
        #expect(received.code == "ORIGIN_TIMEOUT")
        #expect(try await service.send("GET", layout).itemIds == [["a"]])
        #expect(
            try await TestService().send("GET", layout, headers: fresh).code == "SCREEN_NOT_FOUND")
    }

    @Test("A token fetches all pages of a screen that has expired since")
    func expired() async throws {
        let clock = ManualClock()
        let origin = FakeOrigin()
        let service = try await TestService(
            store: ScreenStore.inMemory(clock: clock.time), lifetime: .seconds(60),
            clock: clock.time,
            origin: origin)
        let first = try await service.send("GET", layout)
        let second = try await service.send("GET", next(after: first))
        clock.advance(seconds: 61)
        let third = try await service.send("GET", next(after: second))
        #expect(try third.itemIds == [["p0", "p1", "p2"]])
        #expect(origin.pages == ["home/0", "home/1", "home/0", "home/1", "home/2"])
    }

    @Test("A screen without pages asks for the lowest; if there is none, it is 404 PAGE_NOT_FOUND")
    func empty() async throws {
        let origin = FakeOrigin(failing: .notFound)
        let service = try await TestService(origin: origin)
        #expect(try await service.send("GET", layout).code == "SCREEN_NOT_FOUND")
        try await service.send("PUT", "/v1/screens/other/pages/0", Pages.list(["a"]))
        try await service.send("DELETE", "/v1/screens/other/pages")
        let received = try await service.send("GET", "/v1/screens/other/layout")
        #expect(received.code == "PAGE_NOT_FOUND")
    }

    @Test("Pages that are stored are served, whatever the origin does")
    func stored() async throws {
        let origin = FakeOrigin(failing: .timeout)
        let service = try await TestService(origin: origin)
        try await service.send("PUT", "\(path)/4", Pages.list(["a"], hasNext: true))
        let received = try await service.send("GET", layout)
        #expect(received.status == 200)
        #expect(origin.requests.isEmpty)
        #expect(try await service.send("GET", next(after: received)).code == "ORIGIN_TIMEOUT")
        #expect(origin.pages == ["home/5"])
    }

    @Test(
        "The lifetime is that of Broadsheet-TTL, or max-age of Cache-Control, or the daemon's",
        arguments: [
            (["Broadsheet-TTL": "20", "Cache-Control": "max-age=40"], 20),
            (["Cache-Control": "public, Max-Age=\"40\", s-maxage=9"], 40),
            (["Cache-Control": "private", "cache-control": "max-age=40"], 40),
            (["Cache-Control": "max-age=0"], 1),
            (["Cache-Control": "max-age=99999999999999999999"], 315_360_000),
            (["Cache-Control": "no-cache"], 60), (["Cache-Control": "max-age=-1"], 60), ([:], 60),
        ] as [(HTTPHeaders, Int)])
    func lifetime(headers: HTTPHeaders, seconds: Int) async throws {
        let clock = ManualClock()
        let service = try await TestService(
            store: ScreenStore.inMemory(clock: clock.time), lifetime: .seconds(60),
            clock: clock.time,
            origin: FakeOrigin(page: Pages.list(["a"]), headers: headers))
        #expect(try await service.send("GET", layout).status == 200)
        clock.advance(milliseconds: Int64(seconds) * 1000 - 1)
        #expect(try await service.send("GET", path).status == 200)
        clock.advance(milliseconds: 1)
        #expect(try await service.send("GET", path).status == 404)
    }

    @Test("Diagnostics of fetched pages are counted, and unknown unit types logged")
    func diagnostics() async throws {
        let sink = MemoryLogSink()
        let page = #"{"sections":[{"units":[{"unitType":"NEW"}]}]}"#
        let service = try await TestService(
            log: Log(format: .json, sink: sink), origin: FakeOrigin(page: page))
        #expect(try await service.send("GET", layout).status == 200)
        let metrics = try await service.send("GET", "/metrics").text
        #expect(metrics.contains(#"broadsheet_diagnostics_total{code="UNKNOWN_UNIT_TYPE"} 1"#))
        #expect(sink.lines.contains { $0.contains("page 0 of screen home has units without") })
    }

    @Test("With --prefetch the page after the highest is fetched when the highest is asked for")
    func prefetch() async throws {
        let origin = FakeOrigin()
        var onDemand = OriginConfiguration.patient
        onDemand.prefetches = true
        let service = try await TestService(origin: origin, onDemand: onDemand)
        let first = try await service.send("GET", layout)
        await until { origin.requests.count == 2 }
        await service.service.waitForFetches()
        #expect(try await service.send("GET", "\(path)/1").status == 200)
        // The first page is not the highest any more.
        #expect(try await service.send("GET", "\(layout)?width=391").status == 200)
        await service.service.waitForFetches()
        #expect(origin.pages == ["home/0", "home/1"])
        let second = try await service.send("GET", next(after: first))
        #expect(try second.itemIds == [["p0", "p1"]])
        await until { origin.requests.count == 3 }
        #expect(origin.pages.last == "home/2")
    }

    @Test("A key that may not read a screen fetches nothing of it")
    func access() async throws {
        let origin = FakeOrigin()
        let access = AccessConfiguration(keys: try KeyRing(of: "app read shop-* never"))
        let service = try await TestService(access: access, origin: origin)
        let headers = HTTPHeaders.key("app")
        #expect(try await service.send("GET", layout, headers: headers).status == 403)
        #expect(origin.requests.isEmpty)
        let received = try await service.send(
            "GET", "/v1/screens/shop-1/layout", headers: headers)
        #expect(received.status == 200)
    }
}

extension BroadsheetService {
    /// Returns once no page is fetched.
    func waitForFetches() async { await until { origin?.count == 0 } }
}
