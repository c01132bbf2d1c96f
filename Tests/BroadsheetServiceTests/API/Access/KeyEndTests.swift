import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import Testing
import TestSupport

@testable import BroadsheetService

@Suite(
    "The end of a key ends its requests and streams (docs/operations.md, Keys)",
    .timeLimit(.minutes(hangMinutes)))
struct KeyEndTests {
    private let path = "/v1/screens/home"
    private static let expiry = "2023-11-14T22:13:30Z"  // 10 s after the start of a manual clock

    /// A service with a screen, whose requests wait until the test ends that.
    private struct Waiting {
        let service: TestService
        let sleep = ManualSleep()
        let clock = ManualClock()

        init(_ line: String, store: ScreenStore = ScreenStore.inMemory()) async throws {
            service = try await TestService(
                store: store, access: AccessConfiguration(keys: KeyRing(of: line, Self.writer)),
                clock: clock.time, sleep: sleep.sleep)
            try await put([1])
        }

        static let writer = "w write * never"

        func put(_ ids: [Int]) async throws {
            let written = try await service.send(
                "PUT", "/v1/screens/home/pages/0", ChangesEndpointTests.page(ids),
                headers: .key("w"))
            #expect(written.status < 300)
        }

        func reload(_ lines: String...) throws {
            service.service.reload(keys: try KeyRing(ofLines: lines + [Self.writer]))
        }

        /// Requests the changes, and waits for them for up to 20 seconds.
        func changes() async throws -> ReceivedResponse {
            var headers = HTTPHeaders.key("r")
            headers.append(.prefer, "wait=20")
            return try await service.send(
                "GET", "/v1/screens/home/changes?since=1", headers: headers)
        }

        func untilWaiting(_ count: Int = 1) async {
            await until { sleep.durations.count >= count }
        }
    }

    @Test(
        "A request that waits is 401 at once when its key is removed or has other rights",
        arguments: [
            "other read * never", "r read shop never", "r read,write * never", "r write * never",
            "r read * 2020-01-01T00:00:00Z",
        ])
    func replaced(line: String) async throws {
        let waiting = try await Waiting("r read * never")
        async let response = waiting.changes()
        await waiting.untilWaiting()
        try waiting.reload(line)
        let ended = try await response
        #expect(ended.status == 401 && ended.code == "UNAUTHENTICATED")
        #expect(ended.response.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
        #expect(waiting.service.service.screens.observers.count == 0)
    }

    @Test("A request waits no longer than its key is valid, and is 401 then")
    func expired() async throws {
        let waiting = try await Waiting("r read * \(Self.expiry)")
        async let response = waiting.changes()
        await waiting.untilWaiting()
        #expect(waiting.sleep.durations == [.seconds(10)])
        waiting.clock.advance(by: .seconds(10))
        waiting.sleep.end()
        #expect(try await response.status == 401)
    }

    @Test("An earlier end of a key counts for requests that wait already")
    func shortened() async throws {
        let waiting = try await Waiting("r read * never")
        async let response = waiting.changes()
        await waiting.untilWaiting()
        try waiting.reload("r read * \(Self.expiry)")
        await waiting.untilWaiting(2)
        #expect(waiting.sleep.durations == [.seconds(20), .seconds(10)])
        waiting.clock.advance(by: .seconds(10))
        try await waiting.put([1, 2])
        #expect(try await response.status == 401)
    }

    @Test("What is written after the end of a key does not reach a request that waits")
    func writtenLater() async throws {
        let waiting = try await Waiting("r read * \(Self.expiry)")
        async let response = waiting.changes()
        await waiting.untilWaiting()
        waiting.clock.advance(by: .seconds(10))
        try await waiting.put([1, 2])
        let ended = try await response
        #expect(ended.status == 401 && !ended.text.contains("stages"))
    }

    @Test("Adding keys, or reading the same again, ends neither requests nor streams")
    func added() async throws {
        let waiting = try await Waiting("r read * never")
        async let response = waiting.changes()
        await waiting.untilWaiting()
        let reader = try await waiting.service.stream(headers: .key("r"))
        #expect(try await reader.next()?.id == "1")
        try waiting.reload("new read * never", "r read * never")
        try waiting.reload("r read * never")
        try await waiting.put([1, 2])
        #expect(try await response.status == 200)
        #expect(try await reader.next()?.id == "2")
        try waiting.reload("r read * 2030-01-01T00:00:00Z")
        try await waiting.put([1])
        #expect(try await reader.next()?.id == "3")
        reader.close()
    }

    @Test(
        "A stream whose key was removed, restricted or has expired ends at once",
        arguments: ["other read * never", "r read shop never", "r read * 2020-01-01T00:00:00Z"])
    func stream(line: String) async throws {
        let waiting = try await Waiting("r read * never")
        let reader = try await waiting.service.stream("?changes=true", headers: .key("r"))
        #expect(try await reader.next()?.type == "tree")
        async let last = reader.next()
        try waiting.reload(line)
        #expect(try await last == nil)
        try await waiting.put([1, 2])
        #expect(try await reader.next() == nil)
        reader.close()
    }

    @Test("A read that waits for the store is 401 if its key has ended meanwhile")
    func slowRead() async throws {
        let backend = InterceptingBackend()
        let waiting = try await Waiting("r read * never", store: backend.store)
        backend.pause()
        async let response = waiting.service.send("GET", "\(path)/layout", headers: .key("r"))
        await until { backend.isHolding }
        try waiting.reload("other read * never")
        backend.resume()
        #expect(try await response.status == 401)
    }

    @Test("A write that waits for its turn stores nothing if its key has ended meanwhile")
    func write() async throws {
        let backend = InterceptingBackend()
        let waiting = try await Waiting("r read,write * never", store: backend.store)
        backend.pause()
        async let response = waiting.service.send(
            "PUT", "\(path)/pages/0", ChangesEndpointTests.page([7]), headers: .key("r"))
        await until { backend.isHolding }
        try waiting.reload("other read * never")
        backend.resume()
        #expect(try await response.status == 401)
        let commits = backend.batchCount
        #expect(commits == 1, "only the page that was there before")
    }
}
