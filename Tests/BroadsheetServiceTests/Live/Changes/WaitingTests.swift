import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Prefer: wait (docs/api.md, Changes; RFC 7240 §4.3)")
struct WaitingTests {
    private let path = "/v1/screens/home"

    /// A service with a screen, whose requests wait until the test ends that.
    ///
    /// Its time stands still, so that a request also waits again on a slow machine.
    private struct Waiting {
        let service: TestService
        let sleep = ManualSleep()

        init(store: ScreenStore = ScreenStore.inMemory(), maxWaiters: Int = 10) async throws {
            service = try await TestService(
                store: store, clock: ManualClock().time, maxWaiters: maxWaiters,
                sleep: sleep.sleep)
            try await service.send(
                "PUT", "/v1/screens/home/pages/0", ChangesEndpointTests.page([1, 2, 3]))
        }

        /// Requests the changes, and waits for them for up to 20 seconds.
        func changes(_ query: String = "since=1") async throws -> ReceivedResponse {
            try await service.send(
                "GET", "/v1/screens/home/changes?\(query)", headers: [.prefer: "wait=20"])
        }

        /// Returns when that many requests wait.
        func untilWaiting(_ count: Int = 1) async {
            while sleep.durations.count < count { await Task.yield() }
        }
    }

    @Test("A write continues the request, which returns the changes")
    func written() async throws {
        let waiting = try await Waiting()
        async let response = waiting.changes()
        await waiting.untilWaiting()
        try await waiting.service.send(
            "PUT", "\(path)/pages/0", ChangesEndpointTests.page([1, 2, 3, 4]))
        let changes = try await response
        #expect(changes.status == 200)
        #expect(changes.response.headers[.preferenceApplied] == "wait=20")
        #expect(try changes.value("/stages/0/insertItems")?.count == 1)
        #expect(waiting.service.service.screens.observers.count == 0)
    }

    @Test("An update and a patch continue the request too, which returns what they changed")
    func edited() async throws {
        let waiting = try await Waiting()
        let (section, array) = (#""section":0"#, "/sections/0/units/0/unitData")
        let edits: [(String, String, HTTPHeaders, String)] = [
            (
                "POST", "updates", [:],
                #"{"operations":[{"op":"deleteItems",\#(section),"items":[1]}]}"#
            ),
            (
                "PATCH", "pages/0", [.contentType: "application/json-patch+json"],
                #"[{"op":"add","path":"\#(array)/-","value":{"id":9}}]"#
            ),
        ]
        for (index, (method, target, headers, body)) in edits.enumerated() {
            async let response = waiting.changes("since=\(index + 1)")
            await waiting.untilWaiting(index + 1)
            let edit = try await waiting.service.send(
                method, "\(path)/\(target)", body, headers: headers)
            #expect(edit.status == 200)
            let changes = try await response
            #expect(changes.status == 200)
            #expect(try changes.number("/to/revision") == Double(index + 2))
            let stage = index == 0 ? "deleteItems" : "insertItems"
            #expect(try changes.value("/stages/0/\(stage)")?.count == 1)
        }
    }

    @Test("A write that changes another tree does not end the waiting")
    func otherTree() async throws {
        let waiting = try await Waiting()
        // Page 0 has a next page before and after the writes.
        try await waiting.service.send(
            "PUT", "\(path)/pages/1", ChangesEndpointTests.page([7]))
        async let response = waiting.changes("since=2&page=0")
        await waiting.untilWaiting()
        try await waiting.service.send(
            "PUT", "\(path)/pages/1", ChangesEndpointTests.page([8]))
        await waiting.untilWaiting(2)
        waiting.sleep.end()
        #expect(try await response.status == 204)
    }

    @Test("When the time is over, and while the daemon drains, it is 204")
    func nothing() async throws {
        let waiting = try await Waiting()
        async let response = waiting.changes()
        await waiting.untilWaiting()
        waiting.sleep.end()
        let ended = try await response
        #expect(ended.status == 204)
        #expect(ended.body.isEmpty)
        #expect(ended.response.headers[.preferenceApplied] == "wait=20")
        async let drained = waiting.changes()
        await waiting.untilWaiting(2)
        waiting.service.service.drain()
        #expect(try await drained.status == 204)
        let later = try await waiting.changes()
        #expect(later.status == 204)
    }

    @Test("When the screen is removed, it is 404")
    func removed() async throws {
        let waiting = try await Waiting()
        async let response = waiting.changes()
        await waiting.untilWaiting()
        try await waiting.service.send("DELETE", path)
        #expect(try await response.code == "SCREEN_NOT_FOUND")
    }

    @Test("It does not wait when something is new, or another page is wanted")
    func immediate() async throws {
        let waiting = try await Waiting()
        try await waiting.service.send(
            "PUT", "\(path)/pages/1", ChangesEndpointTests.page([9]))
        for query in ["since=1", "since=2&page=0&pages=all", "since=9"] {
            let response = try await waiting.changes(query)
            #expect(response.status == 200, "\(query)")
        }
        #expect(waiting.sleep.durations.isEmpty)
    }

    @Test(
        "Above 60 counts as 60, 0 does not wait, and malformed values are ignored",
        arguments: [
            ("wait=90", "wait=60", 204), ("respond-async, wait=7", "wait=7", 204),
            ("wait=0", "wait=0", 204), ("wait=-1", nil, 200), ("wait=x", nil, 200),
            ("wait", nil, 200), ("wait=99999999999999999999", "wait=60", 204),
        ] as [(String, String?, Int)])
    func values(prefer: String, applied: String?, status: Int) async throws {
        let waiting = try await Waiting()
        waiting.service.service.drain()
        let response = try await waiting.service.send(
            "GET", "\(path)/changes?since=1", headers: [.prefer: prefer])
        #expect(response.status == status)
        #expect(response.response.headers[.preferenceApplied] == applied)
    }

    @Test("At most --max-waiters requests wait; one more is 503")
    func bounded() async throws {
        let waiting = try await Waiting(maxWaiters: 1)
        async let response = waiting.changes()
        await waiting.untilWaiting()
        let refused = try await waiting.changes()
        #expect(refused.code == "OVERLOADED")
        #expect(refused.response.headers[.retryAfter] != nil)
        waiting.service.service.drain()
        #expect(try await response.status == 204)
    }

    @Test("A write of another daemon continues the request, and so does a lost subscription")
    func otherDaemon() async throws {
        let backend = InterceptingBackend()
        let waiting = try await Waiting(store: backend.store)
        let home = try #require(ScreenName("home"))
        async let response = waiting.changes()
        await waiting.untilWaiting()
        backend.notify(.missed)
        await waiting.untilWaiting(2)
        _ = try await backend.other.commit(
            .put(page: 0, bytes: Array(ChangesEndpointTests.page([2, 3]).utf8)), to: home,
            expecting: 1)
        backend.notify(.written(home, lowest: 2))
        let changes = try await response
        #expect(try changes.value("/to/revision")?.int == 2)
        #expect(try changes.value("/reset")?.bool == false)
    }

    @Test("A request whose client has gone waits no longer")
    func cancelled() async throws {
        let waiting = try await Waiting()
        let task = Task { try await waiting.changes() }
        await waiting.untilWaiting()
        task.cancel()
        #expect(try await task.value.status == 499)
        #expect(waiting.service.service.screens.observers.count == 0)
    }
}
