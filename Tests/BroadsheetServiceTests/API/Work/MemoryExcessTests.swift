import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

@Suite(
    "Screens that can never be in memory (docs/operations.md, Memory)",
    .timeLimit(.minutes(hangMinutes)))
struct MemoryExcessTests {
    private static let screen = "/v1/screens/home"
    private static let minimal: HTTPHeaders = [.prefer: "return=minimal"]

    /// Returns a page of items, each of a few bytes.
    private static func page(ofItems count: Int) -> String {
        let items = Array(repeating: #"{"id":"a"}"#, count: count).joined(separator: ",")
        return Pages.list(["first"]).replacing(#"{"id":"first"}"#, with: items)
    }

    private static func budget(_ bytes: Int) -> MemoryBudget {
        MemoryBudget(limit: bytes) { _ in await Task.yield() }
    }

    /// Returns a service that has not read anything, without caches.
    private func service(
        _ store: ScreenStore, _ memory: MemoryBudget
    ) async throws -> TestService {
        try await TestService(
            store: store, screenCacheBytes: 0, memory: memory, layoutCacheBytes: 0, historyBytes: 0)
    }

    /// Returns a store with pages of so many items.
    private func store(pagesOf counts: [Int]) async throws -> ScreenStore {
        let store = ScreenStore.inMemory()
        let writer = try await TestService(store: store)
        for (number, count) in counts.enumerated() {
            let written = try await writer.send(
                "PUT", "\(Self.screen)/pages/\(number)", Self.page(ofItems: count),
                headers: Self.minimal)
            #expect(written.status == 201)
        }
        return store
    }

    /// The parts of a response that tests check; the response itself would keep its memory.
    private struct Outcome {
        let status: Int
        let code: String?
        let retryAfter: String?
        let text: String

        init(_ response: ReceivedResponse) {
            status = response.status
            code = response.code
            retryAfter = response.response.headers[.retryAfter]
            text = response.text
        }

        /// Expects the problem of what can never be in memory.
        func expect(
            _ status: Int, _ code: String, sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(self.status == status, "\(text.prefix(300))", sourceLocation: sourceLocation)
            #expect(self.code == code, sourceLocation: sourceLocation)
            #expect(retryAfter == nil, sourceLocation: sourceLocation)
            #expect(text.contains("(--memory)"), sourceLocation: sourceLocation)
        }
    }

    private func get(_ target: String, _ service: TestService) async throws -> Outcome {
        Outcome(try await service.send("GET", Self.screen + target))
    }

    private func put(
        _ target: String, _ body: String, _ service: TestService, headers: HTTPHeaders = [:]
    ) async throws -> Outcome {
        Outcome(try await service.send("PUT", Self.screen + target, body, headers: headers))
    }

    private func revision(_ service: TestService) async throws -> Int {
        Int(try await service.send("GET", Self.screen).number("/revision"))
    }

    @Test("Reading is 503 without Retry-After, and counted; what needs less is returned")
    func reading() async throws {
        let store = try await store(pagesOf: [500, 40_000])
        let memory = Self.budget(8 << 20)
        let service = try await service(store, memory)
        for (count, target) in [
            "/layout?pages=all", "/layout.svg?pages=all", "/layout?pages=all&rect=0,0,9,9",
            "/layout?pages=all&fields=frames", "/changes?since=1&pages=all", "/pages",
        ].enumerated() {
            try await get(target, service).expect(503, "STORED_SCREEN_TOO_LARGE")
            #expect(memory.statistics.refused(.work) == UInt64(count + 1), "\(target)")
        }
        for target in [
            "/layout", "/layout?rect=0,0,9,9", "/layout?fields=frames", "/pages/0", "/pages/1",
        ] {
            #expect(try await get(target, service).status == 200, "\(target)")
        }
        #expect(memory.statistics.refused(.work) == 6 && memory.statistics.total == 0)
    }

    @Test("What others have in use is waited for, and is 503 with Retry-After")
    func inUse() async throws {
        let store = try await store(pagesOf: [500])
        let memory = Self.budget(8 << 20)
        let service = try await service(store, memory)
        let holder = try #require(memory.reservation(of: 8 << 20, for: .work))
        let waited = try await get("/layout", service)
        #expect(waited.code == "OVERLOADED" && waited.retryAfter == "1")
        holder.shrink(to: 0)
        #expect(try await get("/layout", service).status == 200)
    }

    @Test(
        "The write that makes it so is 422, and changes nothing",
        arguments: [[:], minimal, [.prefer: "return=minimal", .ifMatch: "*"]])
    func writing(headers: HTTPHeaders) async throws {
        let store = try await store(pagesOf: [500])
        let memory = Self.budget(4 << 20)
        let service = try await service(store, memory)
        var number = 1
        while number < 100 {
            let page = Self.page(ofItems: 2_200)
            let target = "/pages/\(number)"
            let validated = try await put(
                "\(target)?validateOnly=true", page, service, headers: headers)
            let written = try await put(target, page, service, headers: headers)
            #expect((validated.status == 200) == (written.status == 201))
            guard written.status != 201 else {
                number += 1
                continue
            }
            validated.expect(422, "SCREEN_TOO_LARGE")
            written.expect(422, "SCREEN_TOO_LARGE")
            break
        }
        #expect(number > 2 && number < 20, "the screen has \(number) pages")
        #expect(try await get("/layout?pages=all", service).status == 200)
        #expect(try await revision(service) == number)
        #expect(memory.statistics.total == 0)
    }

    @Test("It accepts pages that do not make it grow, and is served once it is small enough")
    func shrinking() async throws {
        let store = try await store(pagesOf: [30_000, 30_000])
        let service = try await service(store, Self.budget(12 << 20))
        let all = "/layout?pages=all"
        try await get(all, service).expect(503, "STORED_SCREEN_TOO_LARGE")
        try await put("/pages/9", Self.page(ofItems: 1), service).expect(422, "SCREEN_TOO_LARGE")
        let smaller = try await put("/pages/0", Self.page(ofItems: 2_000), service)
        #expect(smaller.status == 200)
        #expect(try await service.send("DELETE", "\(Self.screen)/pages/1").status == 204)
        #expect(try await get(all, service).status == 200)
    }

    @Test("An update and a whole screen are refused as a page is")
    func edits() async throws {
        let store = try await store(pagesOf: [8_000])
        let service = try await service(store, Self.budget(12 << 20))
        let pages = (0..<8).map { _ in Self.page(ofItems: 8_000) }.joined(separator: ",")
        let whole = try await put("", #"{"pages":[\#(pages)]}"#, service)
        #expect(whole.status == 413 || whole.status == 422, "\(whole.text.prefix(300))")
        #expect(whole.retryAfter == nil)
        let items = Array(repeating: #"{"id":"b"}"#, count: 40_000).joined(separator: ",")
        let operation =
            #"{"op":"insertItems","section":"List","data":[\#(items)]}"#
        let update = try await service.send(
            "POST", "\(Self.screen)/updates", #"{"operations":[\#(operation)]}"#)
        #expect(update.code == "SCREEN_TOO_LARGE" || update.code == "BODY_TOO_LARGE")
        #expect(try await revision(service) == 1)
    }

    @Test("A screen whose write was accepted can be read when nothing else uses the memory")
    func property() async throws {
        var generator = SeededGenerator(seed: SeededGenerator.seed(of: "memory excess"))
        var (accepted, refused) = (0, 0)
        for round in 0..<15 {
            // The least budget is too small for eight of the largest pages.
            let limit = round == 0 ? 1 << 20 : Int.random(in: 1 << 20...4 << 20, using: &generator)
            let memory = Self.budget(limit)
            let store = ScreenStore.inMemory()
            let service = try await service(store, memory)
            for number in 0..<(round == 0 ? 8 : Int.random(in: 1...4, using: &generator)) {
                let count = round == 0 ? 4_000 : Int.random(in: 1...4_000, using: &generator)
                let headers = Bool.random(using: &generator) ? Self.minimal : [:]
                let written = try await put(
                    "/pages/\(number)", Self.page(ofItems: count), service, headers: headers)
                guard written.status == 201 else {
                    #expect(written.status == 422 || written.status == 413, "\(written.text)")
                    refused += 1
                    break
                }
                accepted += 1
                let tree = try await get("/layout?pages=all", service)
                #expect(tree.status == 200, "\(memory.limit) bytes, \(count) items: \(tree.text)")
            }
        }
        #expect(accepted > 0 && refused > 0)
    }

    @Test("Changes that need two layouts are a reset where only one can be in memory")
    func changes() async throws {
        let store = try await store(pagesOf: [3_000, 10])
        var found: [Bool] = []
        for quarters in 3...24 {
            let service = try await service(store, Self.budget(quarters << 18))
            guard try await get("/layout?pages=all", service).status == 200 else {
                #expect(found.isEmpty)
                continue
            }
            let changes = try await get("/changes?since=2&page=0&pages=all", service)
            #expect(
                changes.status == 200, "\(quarters) quarters of a MiB: \(changes.text.prefix(300))")
            found.append(changes.text.contains(#""reset":true"#))
        }
        #expect(found.first == true && found.last == false)
    }
}
