import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("The ends of streams (docs/api.md, Streams)", .timeLimit(.minutes(hangMinutes)))
struct StreamEndTests {
    private let path = "/v1/screens/home"

    private func page(_ ids: [Int]) -> String { ChangesEndpointTests.page(ids) }

    @Test("A screen that is removed is the last event", arguments: ["", "?changes=true"])
    func removed(query: String) async throws {
        let service = try await TestService()
        try await service.send("PUT", "\(path)/pages/0", page([1]))
        let reader = try await service.stream(query)
        _ = try await reader.next()
        try await service.send("DELETE", path)
        let event = try #require(try await reader.next())
        #expect(event == StreamReader.Event(type: "removed", data: #"{"screen":"home"}"#))
        #expect(try await reader.next() == nil)
        // A screen of the same name is another one.
        try await service.send("PUT", "\(path)/pages/0", page([1]))
        let other = try await service.stream(query)
        #expect(try await other.next()?.type == (query.isEmpty ? "revision" : "tree"))
    }

    @Test("A screen that expires is noticed at the next check", arguments: ["", "?changes=true"])
    func expired(query: String) async throws {
        let clock = ManualClock()
        let sleep = ManualSleep()
        let service = try await TestService(
            store: ScreenStore.inMemory(clock: clock.time), clock: clock.time, sleep: sleep.sleep)
        try await service.send(
            "PUT", "\(path)/pages/0", page([1]), headers: [.screenLifetime: "60"])
        let reader = try await service.stream(query)
        _ = try await reader.next()
        clock.advance(by: .seconds(61))
        while !sleep.durations.contains(ScreenStreams.checkInterval) { await Task.yield() }
        sleep.end()
        #expect(try await reader.next()?.type == "removed")
        #expect(try await reader.next() == nil)
    }

    @Test("A tree that becomes an error is a problem, and the end")
    func problem() async throws {
        let service = try await TestService(maxResponseBytes: 20_000)
        try await service.send("PUT", "\(path)/pages/0", page([1]))
        let reader = try await service.stream("?changes=true")
        _ = try await reader.next()
        try await service.send("PUT", "\(path)/pages/0", page(Array(1...400)))
        let event = try #require(try await reader.next())
        #expect(event.type == "problem" && event.id == nil)
        #expect(try event.json["code"]?.string == "ANSWER_TOO_LARGE")
        #expect(try await reader.next() == nil)
        // Other streams of the screen continue, and another one like it is refused.
        #expect(try await service.stream().next()?.type == "revision")
        let refused = try await service.send("GET", "\(path)/stream?changes=true")
        #expect(refused.status == 422 && refused.code == "ANSWER_TOO_LARGE")
    }

    @Test("A layout that becomes 406 is a problem and the end for the clients that it is 406 for")
    func notAcceptable() async throws {
        let service = try await TestService(
            catalog: """
                {"cellTypes": {"Reel": {"id": "/id", "since": {"ios": "5"}}, "Row": {"id": "/id"}},
                 "units": {"REEL": {"cells": {"type": "Reel"}}, "ROW": {"cells": {"type": "Row"}}}}
                """)
        func put(_ unit: String) async throws {
            let units = #"[{"unitType": "\#(unit)", "unitData": [{"id": "a"}]}]"#
            try await service.send(
                "PUT", "\(path)/pages/0",
                #"{"sections": [{"sectionId": "S", "essential": true, "units": \#(units)}]}"#)
        }
        try await put("ROW")
        let readers = [
            try await service.stream("?changes=true&client=ios/4"),
            try await service.stream("?changes=true&client=ios/5"),
        ]
        for reader in readers { #expect(try await reader.next()?.type == "tree") }
        try await put("REEL")
        let event = try #require(try await readers[0].next())
        #expect(event.type == "problem")
        #expect(try event.json["code"]?.string == "CLIENT_NOT_SUPPORTED")
        #expect(try await readers[0].next() == nil)
        #expect(try await readers[1].next()?.type == "changes")
        let refused = try await service.send("GET", "\(path)/stream?changes=true&client=ios/4")
        #expect(refused.status == 406)
    }

    @Test("A store that is out of reach interrupts no stream")
    func unavailable() async throws {
        let sleep = ManualSleep()
        let backend = InterceptingBackend()
        let service = try await TestService(store: backend.store, sleep: sleep.sleep)
        try await service.send("PUT", "\(path)/pages/0", page([1]))
        let reader = try await service.stream("?changes=true")
        _ = try await reader.next()
        backend.fail(with: .unavailable("test"))
        backend.notify(.missed)
        while !sleep.durations.contains(StreamGroup.retryInterval) { await Task.yield() }
        backend.fail(with: nil)
        try await service.send("PUT", "\(path)/pages/0", page([1, 2]))
        #expect(reader.part() == nil)
        sleep.end()
        #expect(try await reader.next()?.type == "changes")
    }

    @Test("A stream ends when the server drains, after the event that it is sending")
    func drained() async throws {
        let service = try await TestService()
        try await service.send("PUT", "\(path)/pages/0", page(Array(1...4000)))
        let reader = try await service.stream("?changes=true")
        _ = await reader.waitForPart()
        reader.drain()
        #expect(try await reader.next()?.type == "tree")
        #expect(try await reader.next() == nil)
    }

    @Test("Streams that have ended leave nothing")
    func nothingLeft() async throws {
        let memory = MemoryBudget(limit: 64 << 20)
        let service = try await TestService(memory: memory)
        try await service.send("PUT", "\(path)/pages/0", page([1]))
        var readers: [StreamReader] = []
        for index in 0..<20 {
            readers.append(try await service.stream("?changes=true&width=\(300 + index % 3)"))
            _ = try await readers[index].next()
        }
        #expect(service.streams.groupCount == 3)
        #expect(memory.statistics.used(by: .streams) >= 20 * StreamGate.streamByteCount)
        for reader in readers { reader.close() }
        readers = []
        #expect(service.streams.groupCount == 0)
        #expect(memory.statistics.used(by: .streams) == 0)
        #expect(service.service.streamGate.statistics.open == 0)
    }

    @Test("Beyond --max-streams a stream is 503, and others are served")
    func limit() async throws {
        let service = try await TestService(maxStreams: 2)
        try await service.send("PUT", "\(path)/pages/0", page([1]))
        var readers = [try await service.stream(), try await service.stream()]
        let refused = try await service.send("GET", "\(path)/stream")
        #expect(refused.status == 503 && refused.code == "OVERLOADED")
        #expect(refused.response.headers[.retryAfter] == "1")
        #expect(try await service.send("GET", "\(path)/layout").status == 200)
        readers.removeLast().close()
        #expect(try await service.send("GET", "\(path)/stream").status == 200)
    }

    @Test(
        "Invalid parameters are 400",
        arguments: [
            "changes=yes", "changes=", "changes=true&changes=true", "page=-1", "pages=some",
            "pages=all&page=1", "changes=true&width=0", "width=0", "pageToken=x", "rect=0,0,1,1",
        ])
    func invalid(query: String) async throws {
        let service = try await TestService()
        try await service.send("PUT", "\(path)/pages/0", page([1]))
        let response = try await service.send("GET", "\(path)/stream?\(query)")
        #expect(response.status == 400 && response.code == "INVALID_PARAMETER")
    }

    @Test("A screen that does not exist is 404", arguments: ["", "?changes=true"])
    func absent(query: String) async throws {
        let service = try await TestService()
        let response = try await service.send("GET", "\(path)/stream\(query)")
        #expect(response.status == 404 && response.code == "SCREEN_NOT_FOUND")
    }
}
