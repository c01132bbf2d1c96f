import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Equal streams, and streams of several daemons", .timeLimit(.minutes(hangMinutes)))
struct EqualStreamTests {
    private let path = "/v1/screens/home"

    private func put(_ ids: [Int], _ service: TestService) async throws {
        try await service.send(
            "PUT", "\(path)/pages/0", ChangesEndpointTests.page(ids),
            headers: [.prefer: "return=minimal"])
    }

    @Test("Equal streams share the bytes of their events, and a write is compared once for all")
    func shared() async throws {
        let memory = MemoryBudget(limit: 256 << 20)
        let service = try await TestService(memory: memory)
        try await put([1], service)
        var readers: [StreamReader] = []
        for _ in 0..<200 {
            readers.append(try await service.stream("?changes=true&width=300"))
            _ = try await readers.last?.next()
        }
        let before = try await comparisons(service)
        var addresses: Set<UnsafeRawPointer> = []
        try await put([1, 2], service)
        for reader in readers {
            let part = try #require(await reader.waitForPart())
            part.bytes.withUnsafeBytes { addresses.formUnion($0.baseAddress.map { [$0] } ?? []) }
        }
        #expect(addresses.count == 1)
        #expect(try await comparisons(service) == before + 1)
        // An event that all have taken is not kept; the round that made it may still be at its end.
        #expect(await eventually { memory.statistics.used(by: .responses) == 0 })
    }

    @Test("A stream that connects again takes an event that others have had, and others not")
    func connectedAgain() async throws {
        let service = try await TestService()
        try await put([1], service)
        let slow = try await service.stream("?changes=true")
        let id = try #require(try await slow.next()?.id)
        try await put([1, 2], service)
        for _ in 0..<50 {
            let reader = try await service.stream(
                "?changes=true", headers: [.lastEventID: id])
            let event = try #require(try await reader.next())
            #expect(try event.json["to"]?["revision"]?.int == 2)
            reader.close()
        }
        #expect(try await slow.next()?.type == "changes")
    }

    /// Returns the number of layouts and comparisons so far.
    private func comparisons(_ service: TestService) async throws -> Int {
        let name = "broadsheet_layout_duration_seconds_count "
        let lines = try await service.send("GET", "/metrics").text.split(separator: "\n")
        return Int(try #require(lines.first { $0.hasPrefix(name) }).dropFirst(name.count)) ?? -1
    }

    @Test("Streams with other parameters have other trees")
    func different() async throws {
        let service = try await TestService()
        try await put([1], service)
        for query in ["width=300", "width=301", "pages=all&width=300", "page=0&width=300"] {
            let reader = try await service.stream("?changes=true&\(query)")
            let layout = try await service.send(
                "GET", "\(path)/layout?\(query.replacing("page=0&", with: ""))")
            let event = try #require(try await reader.next())
            #expect(try event.value == (try TreeValue(layout.json)))
        }
    }

    @Test("Every daemon streams the writes of any daemon on the same store")
    func manyDaemons() async throws {
        let base = MemoryBackend()
        let backends = (0..<3).map { _ in InterceptingBackend(base) }
        var services: [TestService] = []
        for backend in backends {
            services.append(try await TestService(store: backend.store))
        }
        try await put([1], services[0])
        var readers: [StreamReader] = []
        for service in services {
            readers.append(try await service.stream("?changes=true"))
            #expect(try await readers.last?.next()?.type == "tree")
        }
        let screen = try #require(ScreenName("home"))
        for number in 2...6 {
            try await put(Array(1...number), services[number % 3])
            for backend in backends { backend.notify(.written(screen, lowest: UInt64(number))) }
            for reader in readers {
                let event = try #require(try await reader.next())
                #expect(event.type == "changes")
                #expect(try event.json["to"]?["revision"]?.int == number)
            }
        }
    }

    @Test("A stream begins with every write that was acknowledged before")
    func ownWrites() async throws {
        let service = try await TestService()
        try await put([0], service)
        let other = try await service.stream("?changes=true")
        _ = try await other.next()
        for number in 1..<20 {
            try await put([number], service)
            let reader = try await service.stream("?changes=true")
            let event = try #require(try await reader.next())
            #expect(try event.json["revision"]?.int == number + 1)
        }
    }

    @Test("A key needs the right to read, and other keys end its streams")
    func keys() async throws {
        let service = try await TestService(
            access: AccessConfiguration(keys: KeyRing(of: "r read home never", "w write * never")))
        let page = ChangesEndpointTests.page([1])
        try await service.send("PUT", "\(path)/pages/0", page, headers: .key("w"))
        #expect(try await service.send("GET", "\(path)/stream").status == 401)
        let reader = try await service.stream(headers: .key("r"))
        #expect(try await reader.next()?.type == "revision")
        service.service.reload(keys: try KeyRing(of: "w write * never"))
        #expect(try await reader.next() == nil)
    }
}
