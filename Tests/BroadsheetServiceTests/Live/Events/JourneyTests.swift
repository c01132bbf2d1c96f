import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("The journey of a screen (docs/api.md, Events of clients)")
struct JourneyTests {
    private func service(
        clock: TimeSource = .system, memory: MemoryBudget = .unlimited, journeyItems: Int = 10_000
    ) async throws -> TestService {
        let service = try await TestService(
            clock: clock, memory: memory, journeyItems: journeyItems)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a", "b", "c"]))
        return service
    }

    private func report(
        _ events: [String], to screen: String = "home", _ service: TestService
    ) async throws {
        let response = try await service.report(events, to: screen)
        #expect(response.status == 202, "\(response.text)")
    }

    private func seen(_ item: String, at time: Int? = nil) -> String {
        let time = time.map { #","at":\#($0)"# } ?? ""
        return #"{"type":"willDisplay","section":"List","item":"\#(item)"\#(time)}"#
    }

    private func items(_ service: TestService, of screen: String = "home") async throws -> [String]
    {
        let journey = try await service.send("GET", "/v1/screens/\(screen)/journey")
        return try #require(try journey.value("/items")).elements.compactMap { $0["item"]?.string }
    }

    @Test("It has the pages and items that came into view, with the times of the events")
    func content() async throws {
        let service = try await service()
        try await report(
            [
                seen("a", at: 100), #"{"type":"pageDidAppear","page":0,"at":101.5}"#,
                seen("b", at: 102), seen("a", at: 103), #"{"type":"pageDidDisappear","page":0}"#,
                seen("a", at: 99), #"{"type":"willDisplay","section":0,"item":2,"at":7}"#,
                #"{"type":"didEndDisplaying","section":"List","item":"a","at":200}"#,
            ], service)
        let journey = try await service.send("GET", "/v1/screens/home/journey")
        #expect(
            journey.text == #"""
                {"pages":[{"page":0,"count":1,"first":101.5,"last":101.5}],"items":[\#
                {"section":"List","item":"b","count":1,"first":102,"last":102},\#
                {"section":"List","item":"a","count":3,"first":99,"last":103},\#
                {"section":0,"item":2,"count":1,"first":7,"last":7}]}
                """#)
    }

    @Test("It has items only: headers and footers that come into view are not in it")
    func views() async throws {
        let service = try await service()
        try await report(
            [
                #"{"type":"willDisplay","section":"List","view":"header","at":5}"#,
                #"{"type":"willDisplay","section":0,"view":"footer","at":6}"#,
            ], service)
        let journey = try await service.send("GET", "/v1/screens/home/journey")
        #expect(journey.text == #"{"pages":[],"items":[]}"#)
        try await report([seen("a", at: 7)], service)
        #expect(try await items(service) == ["a"])
    }

    @Test("An event without a time has that of its arrival")
    func arrival() async throws {
        let clock = ManualClock()
        let service = try await service(clock: clock.time)
        try await report([seen("a")], service)
        let journey = try await service.send("GET", "/v1/screens/home/journey")
        let now = Double(clock.time.unixMilliseconds) / 1000
        #expect(try journey.number("/items/0/first") == now)
    }

    @Test("Beyond --journey-items, what was reported longest ago is dropped")
    func limit() async throws {
        let service = try await service(journeyItems: 2)
        try await report([seen("a"), seen("b"), seen("a"), seen("c")], service)
        #expect(try await items(service) == ["a", "c"])
        try await report(
            (1...5).map { #"{"type":"pageDidAppear","page":\#($0)}"# }, service)
        let journey = try await service.send("GET", "/v1/screens/home/journey")
        #expect(try journey.number("/pages/0/page") == 4)
    }

    @Test("It ends with the screen, and a screen that does not exist has none")
    func removal() async throws {
        let service = try await service()
        try await report([seen("a")], service)
        try await service.send("DELETE", "/v1/screens/home")
        #expect(try await service.send("GET", "/v1/screens/home/journey").status == 404)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        #expect(try await items(service).isEmpty)
        #expect(service.service.reports.byteCount == 0)
    }

    @Test("All journeys together stay within their share of the memory")
    func memory() async throws {
        let memory = MemoryBudget(limit: 8 << 20)
        let service = try await service(memory: memory)
        let limit = memory.cacheBytes(for: .events)
        let name = String(repeating: "n", count: 400)
        for screen in ["home", "next"] {
            try await service.send("PUT", "/v1/screens/\(screen)/pages/0", Pages.list(["a"]))
            for round in 0..<4 {
                try await report(
                    (0..<100).map { seen("\(name)\(round).\($0)") }, to: screen, service)
                #expect(service.service.reports.byteCount <= limit)
                #expect(memory.statistics.used(by: .events) <= limit + (64 << 10))
            }
        }
        // Both screens have half of it.
        for screen in ["home", "next"] {
            let last = try await items(service, of: screen)
            #expect(last.count > 100 && last.last == "\(name)3.99")
        }
    }
}
