import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite(
    "The stored feed of a screen (docs/api.md, Events of clients)",
    .timeLimit(.minutes(hangMinutes)))
struct StoredFeedTests {
    private let path = "/v1/screens/home"

    private func store(_ bounds: FeedBounds = FeedBounds()) -> ScreenStore {
        ScreenStore.inMemory(feeds: (bounds, .max))
    }

    private func service(_ store: ScreenStore) async throws -> TestService {
        try await TestService(store: store, catalog: EventsTests.catalog)
    }

    private func screen(_ store: ScreenStore) async throws -> TestService {
        let service = try await service(store)
        try await service.send("PUT", "\(path)/pages/0", Pages.list(["a", "b"]))
        return service
    }

    private func notify(_ numbers: some Sequence<Int>, at service: TestService) async throws {
        for number in numbers {
            let response = try await service.report(
                Reports.action("notify", #""a""#, #","input":\#(number)"#))
            #expect(response.status == 202, "\(response.text)")
        }
    }

    private func feed(
        _ service: TestService, after id: String? = nil
    ) async throws -> StreamReader {
        let headers: HTTPHeaders = id.map { [.lastEventID: $0] } ?? [:]
        let response = try await service.send("GET", "\(path)/feed", headers: headers)
        try #require(response.status == 200, "\(response.text)")
        return try StreamReader(response.response)
    }

    /// Returns the inputs and the ids of the next events.
    private func read(
        _ count: Int, _ reader: StreamReader
    ) async throws -> [(input: Int, id: String)] {
        var found: [(input: Int, id: String)] = []
        for _ in 0..<count {
            let event = try #require(try await reader.next())
            #expect(event.type == "client")
            found.append(
                (try #require(try event.json["input"]?.int), try #require(event.id)))
        }
        return found
    }

    @Test("Every daemon has all events in one order, and goes on after a restart")
    func daemons() async throws {
        let store = store()
        let (one, two) = (try await screen(store), try await service(store))
        try await notify(0..<1, at: one)
        let reader = try await feed(one, after: "0")
        let first = try await read(1, reader)
        try await notify(1..<3, at: one)
        let next = try await read(2, reader)
        reader.close()
        #expect((first + next).map(\.input) == [0, 1, 2])
        try await notify(3..<5, at: two)
        let instance = try #require(first[0].id.split(separator: "-").first)
        #expect((first + next).map(\.id) == (1...3).map { "\(instance)-\($0)" })
        #expect((1...32).contains(instance.count))
        for daemon in [one, two, try await service(store)] {
            let rest = try await feed(daemon, after: next[0].id)
            #expect(try await read(3, rest).map(\.input) == [2, 3, 4])
            rest.close()
        }
    }

    @Test("An unknown id, and 0, begin with all that is stored; no id with what comes then")
    func unknown() async throws {
        let service = try await screen(store())
        try await notify(0..<3, at: service)
        let before = try await feed(service, after: "0")
        let known = try await read(3, before)[0].id
        before.close()
        let instance = try #require(known.split(separator: "-").first)
        for id in ["0", "x-1", "\(instance)-4", "\(instance)-01", "\(instance)-0", "\(instance)"] {
            let reader = try await feed(service, after: id)
            #expect(try await read(3, reader).map(\.input) == [0, 1, 2], "\(id)")
            reader.close()
        }
        let reader = try await feed(service)
        try await notify(3..<4, at: service)
        #expect(try await read(1, reader).map(\.input) == [3])
        reader.close()
    }

    @Test("Events that are gone are counted by an event without an id, before the others")
    func dropped() async throws {
        let service = try await screen(store(FeedBounds(maxEvents: 3)))
        try await notify(0..<1, at: service)
        let before = try await feed(service, after: "0")
        let id = try await read(1, before)[0].id
        before.close()
        try await notify(1..<8, at: service)
        let reader = try await feed(service, after: id)
        let event = try #require(try await reader.next())
        #expect(event.type == "dropped")
        #expect(event.id == nil)
        #expect(event.data == #"{"screen":"home","count":4}"#)
        #expect(try await read(3, reader).map(\.input) == [5, 6, 7])
        reader.close()
        let sent = #"broadsheet_stream_events_total{event="dropped"}"#
        #expect(try await service.metric(sent) == 1)
    }

    @Test("Dropped events are counted once, when they are dropped, whether they are read or not")
    func droppedCount() async throws {
        let service = try await screen(store(FeedBounds(maxEvents: 3)))
        try await notify(0..<5, at: service)
        #expect(try await service.metric("broadsheet_feed_events_total") == 5)
        #expect(try await service.metric("broadsheet_feed_dropped_total") == 2)
        let sent = #"broadsheet_stream_events_total{event="client"}"#
        #expect(try await service.metric(sent) == 0)
        for _ in 0..<2 {
            let reader = try await feed(service, after: "0")
            _ = try await read(3, reader)
            reader.close()
        }
        #expect(try await service.metric(sent) == 6)
        #expect(try await service.metric("broadsheet_feed_dropped_total") == 2)
        // With operations, an event is stored by the commit.
        let response = try await service.report(Reports.action("favourite", #""a""#))
        #expect(response.status == 202, "\(response.text)")
        #expect(try await service.metric("broadsheet_feed_dropped_total") == 3)
    }

    @Test("The backlog is the number of stored events that no stream has sent")
    func backlog() async throws {
        let service = try await screen(store())
        func backlog() async throws -> Double {
            try await service.metric("broadsheet_feed_backlog_events")
        }
        #expect(try await backlog() == 0)
        try await notify(0..<3, at: service)
        #expect(try await backlog() == 3)
        let reader = try await feed(service, after: "0")
        _ = try await read(3, reader)
        #expect(try await backlog() == 0)
        #expect(try await service.metric(#"broadsheet_key_streams_open{key="(none)"}"#) == 1)
        reader.close()
        #expect(try await service.metric(#"broadsheet_key_streams_open{key="(none)"}"#) == 0)
        try await notify(3..<5, at: service)
        #expect(try await backlog() == 2)
        try await service.send("DELETE", path)
        #expect(try await backlog() == 0)
    }

    @Test("The stream of a screen that expires ends at the next check")
    func expired() async throws {
        let clock = ManualClock()
        let sleep = ManualSleep()
        let service = try await TestService(
            store: ScreenStore.inMemory(clock: clock.time, feeds: (FeedBounds(), .max)),
            catalog: EventsTests.catalog, clock: clock.time, sleep: sleep.sleep)
        try await service.send(
            "PUT", "\(path)/pages/0", Pages.list(["a"]), headers: [.screenLifetime: "60"])
        try await notify(0..<1, at: service)
        let reader = try await feed(service, after: "0")
        _ = try await read(1, reader)
        clock.advance(by: .seconds(61))
        while !sleep.durations.contains(ScreenStreams.checkInterval) { await Task.yield() }
        sleep.end()
        #expect(try await reader.next() == nil)
    }

    @Test("A damaged event ends the stream with a problem; the id of it leads to those after it")
    func damaged() async throws {
        let sink = MemoryLogSink()
        let backend = InterceptingBackend()
        let store = ScreenStore(backend)
        _ = try await screen(store)
        backend.damage(.event(3, base: 1))
        let service = try await TestService(
            store: store, catalog: EventsTests.catalog, log: Log(format: .json, sink: sink))
        try await notify(0..<5, at: service)
        let reader = try await feed(service, after: "0")
        let before = try await read(2, reader)
        #expect(before.map(\.input) == [0, 1])
        let problem = try #require(try await reader.next())
        #expect(problem.type == "problem" && problem.id == nil)
        #expect(try problem.json["code"]?.string == "INTERNAL")
        #expect(try await reader.next() == nil)
        #expect(sink.lines.contains { $0.contains("event 3 of the feed of screen home") })
        let instance = try #require(before[0].id.split(separator: "-").first)
        let rest = try await feed(service, after: "\(instance)-3")
        #expect(try await read(2, rest).map(\.input) == [3, 4])
        rest.close()
    }

    @Test("An action with operations is stored with them, and one that fails is not")
    func transaction() async throws {
        let store = store()
        let service = try await screen(store)
        let failed = try await service.report(
            Reports.action("notify", #""a""#), Reports.action("name", #""b""#))
        #expect(failed.status == 409)
        let home = try #require(ScreenName("home"))
        #expect(try await store.feed(of: home, after: 0, byteCount: 99) == FeedPart())
    }

    @Test("If the store fails, nothing is taken: 503")
    func failing() async throws {
        let backend = InterceptingBackend { call, _ throws(StoreError) in
            guard case .apply(let batch) = call, batch.feed != nil else { return }
            throw .unavailable("the test")
        }
        let service = try await screen(ScreenStore(backend))
        let response = try await service.report(Reports.action("notify", #""a""#))
        #expect(response.status == 503)
        let journey = try await service.send("GET", "\(path)/journey").text
        #expect(journey == #"{"pages":[],"items":[]}"#)
    }

    @Test("It ends with the screen, and a later screen has another feed")
    func ending() async throws {
        let service = try await screen(store())
        try await notify(0..<2, at: service)
        let reader = try await feed(service, after: "0")
        let last = try await read(2, reader)[1].id
        try await service.send("DELETE", path)
        #expect(try await reader.next() == nil)
        try await service.send("PUT", "\(path)/pages/0", Pages.list(["a"]))
        try await notify(7..<8, at: service)
        let again = try await feed(service, after: last)
        let event = try await read(1, again)[0]
        #expect(event.input == 7)
        #expect(event.id.hasSuffix("-1"))
        #expect(event.id.split(separator: "-").first != last.split(separator: "-").first)
        again.close()
    }
}
