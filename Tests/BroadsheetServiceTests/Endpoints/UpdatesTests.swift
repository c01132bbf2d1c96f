import Broadsheet
import BroadsheetClient
import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import Testing

@testable import BroadsheetService

@Suite("POST of updates (docs/edits.md, Updates)")
struct UpdatesTests {
    private let path = "/v1/screens/home/updates"

    /// Returns a service with a screen of two pages of one section.
    private func service(
        store: ScreenStore = ScreenStore.inMemory(), maxResponseBytes: Int = 1 << 20
    ) async throws -> TestService {
        let service = try await TestService(store: store, maxResponseBytes: maxResponseBytes)
        for (number, ids) in [["a", "b"], ["c", "d"]].enumerated() {
            try await service.send("PUT", "/v1/screens/home/pages/\(number)", Pages.list(ids))
        }
        return service
    }

    private func body(_ operations: String...) -> String {
        #"{"operations":[\#(operations.joined(separator: ","))]}"#
    }

    private let move = #"{"op":"moveItems","section":"List","items":["a"],"after":"c"}"#

    @Test("The table in docs/edits.md has every operation with its members, and OpenAPI has them")
    func documented() async throws {
        let rows = try APIDocument.rows(of: "| `op` | members | effect |", in: "edits.md")
        #expect(rows.map(\.first) == UpdateForms.names.map { "`\($0)`" })
        let documented = rows.map { row in
            Set(row[1].matches(of: /`"?([A-Za-z]+)/).map { String($0.1) })
                .union(row[1].contains("place") ? ["before", "after"] : [])
        }
        #expect(documented == UpdateForms.memberNames.map { Set($0) })
        let schema = try await service().send("GET", "/openapi.json")
            .value("/components/schemas/UpdateOperation/properties")
        let names = try #require(schema).members.map { $0.name.string }
        #expect(Set(names) == Set(["op"] + UpdateForms.memberNames.joined()))
    }

    @Test("Two daemons that edit at the same time without If-Match lose nothing")
    func concurrentEdits() async throws {
        let store = ScreenStore.inMemory()
        let one = try await service(store: store)
        let two = try await TestService(store: store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    let service = writer % 2 == 0 ? one : two
                    for count in 0..<5 {
                        let data = #"[{"id":"w\#(writer)x\#(count)"}]"#
                        let insert = #"{"op":"insertItems","section":"List","data":\#(data)}"#
                        var status = 503
                        while status == 503 {
                            status = try await service.send("POST", path, body(insert)).status
                        }
                        #expect(status == 200)
                    }
                }
            }
            try await group.waitForAll()
        }
        let layout = try await one.send("GET", "/v1/screens/home/layout?pages=all")
        let ids = try layout.itemIds[0]
        #expect(ids.count == 44 && Set(ids).count == 44)
        #expect(try layout.number("/revision") == 42)
    }

    @Test("An edit is tried again after conflicts, up to the limit")
    func conflicts() async throws {
        for (times, status) in [
            (Screens.maxCommitAttempts - 1, 200), (Screens.maxCommitAttempts, 503),
        ] {
            let base = MemoryBackend()
            let service = try await service(store: InterceptingBackend(base).store)
            let contested = InterceptingBackend.contested(times: times, base)
            let other = try await TestService(store: contested.store)
            #expect(try await other.send("POST", path, body(move)).status == status)
            let layout = try await service.send("GET", "/v1/screens/home/layout?pages=all")
            #expect(
                try layout.itemIds == [
                    status == 200 ? ["b", "c", "a", "d"] : ["a", "b", "c", "d"]
                ])
        }
    }
}
