import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite(
    "Work that follows from stored screens (docs/operations.md, Expensive requests)",
    .timeLimit(.minutes(hangMinutes)))
struct StoredWorkTests {
    private static let path = "/v1/screens/home"

    /// Stores a screen of 600 pages with a section each, and of 5,000 items in the first.
    private func stored() async throws -> BlockedService {
        let store = ScreenStore.inMemory()
        let screen = try #require(ScreenName("home"))
        for number in 0..<600 {
            let items = (0..<(number == 0 ? 5_000 : 1)).map { #"{"id":"i\#(number)-\#($0)"}"# }
            let page =
                #"{"sections":[{"sectionId":"s\#(number)","units":[{"unitType":"LIST","unitData":[\#(items.joined(separator: ","))]}]}]}"#
            _ = try await store.commit(
                .put(page: number, bytes: Array(page.utf8)), to: screen,
                expecting: number == 0 ? nil : UInt64(number))
        }
        return try await BlockedService(store: store, isBlocked: false)
    }

    private static let update: [UInt8] = Array(
        #"{"operations":[{"op":"moveSection","section":"s5","before":0}]}"#.utf8)

    @Test("Small requests whose work follows from a large screen run on a worker, on no event loop")
    func workers() async throws {
        let blocked = try await stored()
        defer { blocked.end() }
        // What reads the screen, lays it out and indexes it.
        let window = "\(Self.path)/layout?item=i0-17&after=100"
        let opened = try await blocked.start("GET", window).value
        #expect(opened.status == 200)
        let minimal: HTTPHeaders = [.prefer: "return=minimal"]
        let removal = Array(
            #"{"operations":[{"op":"deleteItems","section":"s0","items":["i0-17"]}]}"#.utf8)
        let requests: [(String, String, [UInt8], Int)] = [
            ("GET", "\(Self.path)/layout?item=i0-4000&after=100", [], 200),
            ("GET", "\(Self.path)/layout?item=unknown", [], 404),
            ("POST", "\(Self.path)/updates", Self.update, 204),
            ("POST", "\(Self.path)/updates", removal, 204),
            // The anchor of the window is gone.
            ("GET", "\(Self.path)/changes?since=600.\(opened.tag)", [], 200),
            ("GET", "\(Self.path)/layout?item=i0-17", [], 404),
            ("DELETE", "\(Self.path)/pages", [], 204),
        ]
        let starts = Recorder<UInt64>()
        blocked.pool.observeStarts { starts.record($0) }
        for (method, target, body, status) in requests {
            let before = starts.count
            let response = try await blocked.start(method, target, body, headers: minimal).value
            #expect(response.status == status, "\(method) \(target): \(response.text)")
            #expect(starts.count > before, "\(method) \(target)")
        }
    }

    @Test("The index of a layout's items is made once, for readers at one time too, and counted")
    func index() async throws {
        let pool = try WorkerPool(threads: 2)
        defer { pool.shutdown() }
        let memory = MemoryBudget(limit: 256 << 20)
        let service = try await TestService(memory: memory, workers: pool)
        let items = (0..<20_000).map { #"{"id":"i\#($0)"}"# }.joined(separator: ",")
        let page = ChatScreen.page([])
            .replacing(#""unitData":[]"#, with: #""unitData":[\#(items)]"#)
        try await service.send("PUT", "\(Self.path)/pages/0", page)
        let layout = "\(Self.path)/layout?rect=0,0,10,10"
        try await service.send("GET", layout)
        let before = memory.statistics.used(by: .layouts)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let target = "\(Self.path)/layout?item=i\(number * 2_000)&after=10"
                    return try await service.send("GET", target).status
                }
            }
            for try await status in group { #expect(status == 200) }
        }
        // Between 8 bytes an item and twice that, however many readers there were.
        let index = memory.statistics.used(by: .layouts) - before
        #expect((8 * 10_000..<2 * 8 * 20_000).contains(index), "\(index)")
        try await service.send("GET", "\(Self.path)/layout?item=none")
        #expect(memory.statistics.used(by: .layouts) - before == index)
        // It goes with the layout.
        #expect(try await service.send("DELETE", Self.path).status == 204)
        #expect(await eventually { memory.statistics.used(by: .layouts) == 0 })
    }

    @Test("An item is found among many sections with the same ids, also by an id with a number")
    func equalIds() async throws {
        let service = try await TestService()
        let unit = #"{"unitType":"LIST","unitData":[{"id":"a"},{"id":"a"},{"id":"b\u0031"}]}"#
        let sections = (0..<300).map { #"{"sectionId":"s\#($0)","units":[\#(unit)]}"# }
        try await service.send(
            "PUT", "\(Self.path)/pages/0", #"{"sections":[\#(sections.joined(separator: ","))]}"#)
        for (query, section, item) in [
            ("item=a", "s0", "a"), ("item=a%232&section=s299", "s299", "a#2"),
            ("item=b1&section=s150", "s150", "b1"), ("item=b1", "s0", "b1"),
        ] {
            let response = try await service.send(
                "GET", "\(Self.path)/layout?\(query)&before=0&after=0")
            #expect(try response.string("/window/section") == section, "\(query)")
            #expect(try response.string("/window/item") == item, "\(query)")
        }
    }
}
