import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Testing
import TestSupport

@testable import BroadsheetService

@Suite("The memory of requests (docs/operations.md, Memory)", .timeLimit(.minutes(hangMinutes)))
struct MemoryTests {
    private static let mebibyte = 1 << 20

    /// Returns whether nothing is reserved, as soon as that is so: a worker thread may release the
    /// last reference to a reservation after the response has been received.
    private func isIdle(_ memory: MemoryBudget) async -> Bool {
        await eventually { memory.statistics.total == 0 && memory.statistics.waiting == 0 }
    }
    private let path = "/v1/screens/home/pages/0"

    /// Creates a budget in which a wait is over at once.
    private func budget(_ mebibytes: Int) -> MemoryBudget {
        MemoryBudget(limit: mebibytes * Self.mebibyte) { _ in await Task.yield() }
    }

    /// A page of `count` items.
    private func page(ofItems count: Int) -> String {
        let items = (0..<count).map { #"{"id":"item \#($0)"}"# }.joined(separator: ",")
        return Pages.list(["first"]).replacing(#"{"id":"first"}"#, with: items)
    }

    private func expectRefusal(
        _ response: ReceivedResponse, _ status: Int, _ code: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(response.status == status, sourceLocation: sourceLocation)
        #expect(response.code == code, sourceLocation: sourceLocation)
        #expect(response.response.headers[.retryAfter] == nil, sourceLocation: sourceLocation)
        #expect(
            try response.string("/detail").contains("(--memory)"), sourceLocation: sourceLocation)
    }

    private func expectOverloaded(
        _ response: ReceivedResponse, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(response.status == 503, sourceLocation: sourceLocation)
        #expect(response.code == "OVERLOADED", sourceLocation: sourceLocation)
        #expect(response.response.headers[.retryAfter] == "1", sourceLocation: sourceLocation)
    }

    @Test("A page whose index, items or layout can never be in memory is 4xx, and leaves nothing")
    func refused() async throws {
        let memory = budget(16)
        let service = try await TestService(
            store: ScreenStore.inMemory(memory: memory), memory: memory)
        let idle = memory.statistics.total
        let scalars = "[" + String(repeating: "0,", count: 1_000_000) + "0]"
        let items = page(ofItems: 100_000)
        for (body, status, code) in [
            (scalars, 413, "BODY_TOO_LARGE"), (items, 413, "BODY_TOO_LARGE"),
            (page(ofItems: 60_000), 422, "SCREEN_TOO_LARGE"),
        ] {
            try expectRefusal(try await service.send("POST", "/v1/layout", body), status, code)
            try expectRefusal(try await service.send("PUT", path, body), status, code)
        }
        #expect(memory.statistics.total == idle && memory.statistics.refused(.work) == 6)
        #expect(try await service.send("POST", "/v1/layout", page(ofItems: 100)).status == 200)
        #expect(try await service.send("GET", path).status == 404)
        #expect(memory.statistics.total == idle)
    }

    @Test(
        "A catalog of a request that can never have memory to be compiled receives 422",
        arguments: [
            (1_000, #"{"allOf": [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}]}"#),
            (60, #"{"pattern": "^a{4990}"}"#),
        ])
    func catalog(units: Int, schema: String) async throws {
        let memory = budget(8)
        let service = try await TestService(memory: memory)
        func body(_ units: Int) -> String {
            let types = (0..<units).map { #""U\#($0)": {"schema": \#(schema)}"# }
            return #"{"pages": [], "catalog": {"units": {\#(types.joined(separator: ","))}}}"#
        }
        try expectRefusal(
            try await service.send("POST", "/v1/layout", body(units)), 422, "SCREEN_TOO_LARGE")
        let changes =
            #"{"from": {"pages": []}, "to": {"pages": []}, "#
            + body(units).replacing(#"{"pages": [], "#, with: "")
        try expectRefusal(
            try await service.send("POST", "/v1/changes", changes), 422, "SCREEN_TOO_LARGE")
        #expect(try await service.send("POST", "/v1/layout", body(units / 20)).status == 200)
        #expect(await isIdle(memory))
    }

    @Test("A screen that has no memory to be resolved or laid out receives 503")
    func storedScreen() async throws {
        let store = ScreenStore.inMemory()
        _ = try await store.commit(
            .put(page: 0, bytes: Array(page(ofItems: 50_000).utf8)),
            to: try #require(ScreenName("home")), expecting: nil)
        let small = try await TestService(store: store, memory: budget(8))
        try expectRefusal(
            try await small.send("GET", "/v1/screens/home/layout"), 503, "STORED_SCREEN_TOO_LARGE")
        let memory = budget(48)
        let service = try await TestService(store: store, memory: memory)
        #expect(try await service.send("GET", "/v1/screens/home/layout").status == 200)
        let holder = try #require(memory.reservation(of: 36 * Self.mebibyte, for: .work))
        let other = "/v1/screens/home/layout?width=500"
        expectOverloaded(try await service.send("GET", other))
        holder.shrink(to: 0)
        #expect(try await service.send("GET", other).status == 200)
    }

    @Test("A large page is not read from the store before there is memory for it")
    func unreadPage() async throws {
        let store = ScreenStore.inMemory()
        let screen = try #require(ScreenName("home"))
        for (number, items) in [20_000, 1].enumerated() {
            _ = try await store.commit(
                .put(page: number, bytes: Array(page(ofItems: items).utf8)), to: screen,
                expecting: number == 0 ? nil : 1)
        }
        let memory = budget(24)
        let service = try await TestService(store: store, memory: memory)
        let idle = memory.statistics.total
        let free = MemoryBudget.maxUnqueuedBytes
        let holder = try #require(
            memory.reservation(of: memory.limit - idle - free, for: .work))
        for target in ["/pages/0", "/layout", "/layout?pages=all"] {
            expectOverloaded(try await service.send("GET", "/v1/screens/home\(target)"))
        }
        #expect(try await service.send("GET", "/v1/screens/home/pages/1").status == 200)
        holder.shrink(to: 0)
        for target in ["/pages/0", "/pages", "/layout"] {
            #expect(try await service.send("GET", "/v1/screens/home\(target)").status == 200)
        }
    }

    @Test("The tree of a write that is stored is left out if there is no memory for it")
    func writtenTree() async throws {
        let memory = budget(32)
        let service = try await TestService(memory: memory)
        let first = try await service.send("PUT", path, page(ofItems: 40_000))
        #expect(first.status == 201 && !first.body.isEmpty)
        let holder = try #require(memory.reservation(of: 24 * Self.mebibyte, for: .work))
        let (second, body) = ("/v1/screens/home/pages/1", page(ofItems: 1))
        let stored = try await service.send("PUT", second, body)
        #expect(stored.status == 201 && stored.body.isEmpty)
        #expect(stored.response.headers[.preferenceApplied] == "return=minimal")
        holder.shrink(to: 0)
        #expect(try await service.send("PUT", second, body).body.count > 40_000)
    }

    @Test("A large tree keeps its layout's memory until it is sent, whatever the caches drop")
    func unreadTree() async throws {
        let memory = budget(64)
        let service = try await TestService(
            screenCacheBytes: 0, memory: memory, layoutCacheBytes: 0)
        let screens = ["one", "other", "third"].map { "/v1/screens/\($0)" }
        for screen in screens {
            _ = try await service.send("PUT", "\(screen)/pages/0", page(ofItems: 20_000))
        }
        #expect(await isIdle(memory))
        var held: [ReceivedResponse?] = []
        for screen in screens {
            let before = memory.statistics.total
            held.append(try await service.send("GET", "\(screen)/layout"))
            let added = memory.statistics.total - before
            #expect(added > 20_000 * (24 + 32), "a page, a layout, and a part of the response")
            held.append(try await service.send("GET", "\(screen)/layout"))
            let more = memory.statistics.total - before - added
            #expect(more < added / 4, "the same page and layout, and a part of the response")
        }
        held = []
        #expect(await isIdle(memory))
        let composed = try await service.send("POST", "/v1/layout", page(ofItems: 20_000))
        #expect(composed.status == 200 && memory.statistics.used(by: .work) > 20_000 * 60)
    }

    @Test("What the caches hold is in the budget")
    func caches() async throws {
        let memory = budget(64)
        let service = try await TestService(memory: memory)
        _ = try await service.send("PUT", path, page(ofItems: 1000))
        #expect(memory.statistics.used(by: .screens) > 20_000)
        #expect(memory.statistics.used(by: .layouts) == 0)
        for width in 300..<310 {
            _ = try await service.send("GET", "/v1/screens/home/layout?width=\(width)")
        }
        #expect(memory.statistics.used(by: .layouts) > 10 * 100_000)
        #expect(memory.statistics.used(by: .work) == 0)
        _ = try await service.send("DELETE", "/v1/screens/home")
        #expect(await isIdle(memory))
    }

    @Test("What each page has besides its text is in the budget: its record in the history")
    func smallPages() async throws {
        let store = ScreenStore.inMemory()
        let screen = try #require(ScreenName("home"))
        let pages = (0..<1000).map { PutPage(number: $0, bytes: Array("{}".utf8), counts: nil) }
        _ = try await store.commit(
            .putPages(pages, totals: nil), to: screen, expecting: nil)
        let memory = budget(64)
        let service = try await TestService(store: store, memory: memory)
        #expect(try await service.send("GET", "/v1/screens/home/pages").status == 200)
        let bytes = 1000 * (1024 + TreeHistory.bytesPerPage)
        #expect((bytes..<bytes + 10_000).contains(memory.statistics.used(by: .screens)))
    }

    @Test("A store in memory has a quarter of the budget, and is full then")
    func fullStore() async throws {
        let memory = budget(8)
        let service = try await TestService(
            store: ScreenStore.inMemory(memory: memory), screenCacheBytes: 0, memory: memory,
            layoutCacheBytes: 0)
        let body = #"{"sections":[]}"# + String(repeating: " ", count: 200_000)
        let headers: HTTPHeaders = ["Prefer": "return=minimal"]
        var statuses: [Int] = []
        for number in 0..<12 {
            let target = "/v1/screens/home/pages/\(number)"
            statuses.append(
                try await service.send("PUT", target, body, headers: headers).status)
        }
        #expect(statuses.prefix(10).allSatisfy { $0 == 201 } && statuses.last == 503)
        #expect(memory.statistics.used(by: .store) <= 2 * Self.mebibyte)
        _ = try await service.send("DELETE", "/v1/screens/home")
        #expect(await isIdle(memory))
    }

    @Test("Whatever a hostile mix of requests does, the budget returns to its idle value")
    func hostileMix() async throws {
        let memory = budget(24)
        let service = try await TestService(
            screenCacheBytes: 0, memory: memory, layoutCacheBytes: 0)
        let bodies = [
            page(ofItems: 3000), page(ofItems: 60_000), "[" + String(repeating: "[],", count: 9999),
            #"{"sections":[{"units":[{"unitType":"?"}]}]}"#, #"{"pages":0}"#, "",
        ]
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let body = bodies[number % bodies.count]
                    let screen = "/v1/screens/s\(number % 7)"
                    let requests = [
                        ("POST", "/v1/layout"), ("PUT", screen + "/pages/0"),
                        ("GET", screen + "/layout?width=\(number)"),
                        ("GET", screen + "/layout.svg"),
                        ("GET", screen + "/layout?rect=0,0,100,100"),
                    ]
                    let (method, target) = requests[number % requests.count]
                    let task = Task { _ = try? await service.send(method, target, body) }
                    if number.isMultiple(of: 11) { task.cancel() }
                    await task.value
                }
            }
        }
        #expect(await isIdle(memory))
    }

    @Test("The metrics have the budget, its use and its refusals by kind")
    func metrics() async throws {
        let memory = budget(16)
        let service = try await TestService(memory: memory)
        let holder = try #require(memory.reservation(of: 1000, for: .responses))
        memory.countRefusal(of: .requests)
        let text = try await service.send("GET", "/metrics").text
        #expect(text.contains("broadsheet_memory_budget_bytes 16777216.0\n"))
        #expect(text.contains(#"broadsheet_memory_used_bytes{kind="responses"} 1000.0"#))
        #expect(text.contains(#"broadsheet_memory_refused_total{kind="requests"} 1.0"#))
        #expect(text.contains("broadsheet_memory_waiting 0.0\n"))
        #expect(holder.count == 1000)
    }

    @Test("Earlier revisions are within their share, under a kind of their own, the oldest first")
    func history() async throws {
        let memory = budget(16)
        let service = try await TestService(memory: memory)
        let history = service.service.screens.history
        #expect(history.limit == memory.limit / 8)
        for revision in 1...40 {
            try await service.send(
                "PUT", path, ChangesEndpointTests.page(Array(revision...(revision + 500))))
            if revision == 3 {
                // The layout of an earlier revision is kept with it.
                let before = memory.statistics.used(by: .history)
                try await service.send("GET", "/v1/screens/home/changes?since=2")
                #expect(memory.statistics.used(by: .history) > before + 500 * 32)
            }
            #expect(memory.statistics.used(by: .history) <= memory.limit / 8)
        }
        #expect(history.count < 39 && history.count > 5)
        #expect(memory.statistics.used(by: .history) > memory.limit / 16)
        let metrics = try await service.send("GET", "/metrics").text
        let used = Double(memory.statistics.used(by: .history))
        #expect(metrics.contains(#"broadsheet_memory_used_bytes{kind="history"} \#(used)"#))
        for (since, isReset) in [(1, true), (39, false)] {
            let changes = try await service.send("GET", "/v1/screens/home/changes?since=\(since)")
            #expect(try changes.value("/reset")?.bool == isReset)
        }
        try await service.send("DELETE", "/v1/screens/home")
        #expect(memory.statistics.used(by: .history) == 0)
    }
}
