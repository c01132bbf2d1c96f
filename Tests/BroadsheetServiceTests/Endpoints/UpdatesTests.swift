import Broadsheet
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
        store: any ScreenStore = MemoryStore(), maxResponseBytes: Int = 1 << 20
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
    private let delete = #"{"op":"deleteItems","section":"List","items":["d"]}"#

    @Test("Operations on several pages are one revision, in all of them")
    func onePerRequest() async throws {
        let service = try await service()
        let updated = try await service.send("POST", path, body(move, delete))
        #expect(updated.status == 200)
        #expect(updated.etag == "\"r3\"")
        #expect(try updated.itemIds == [["b", "c", "a"]])
        #expect(try updated.number("/revision") == 3)
        #expect(updated.response.headers[.diagnostics] == "0")
        let pages = ["0", "1"].map { "/v1/screens/home/pages/\($0)" }
        #expect(try await service.send("GET", pages[0]).text == Pages.list(["b"]))
        #expect(try await service.send("GET", pages[1]).text == Pages.list(["c", "a"]))
        let layout = try await service.send("GET", "/v1/screens/home/layout?pages=all")
        #expect(layout.body == updated.body)
        #expect(try await service.send("GET", "/v1/screens/home/layout").number("/revision") == 3)
    }

    @Test("With return=minimal, and for a tree that is too large, the response is 204")
    func minimal() async throws {
        let small = try await service(maxResponseBytes: 600)
        let large = try await service()
        for (service, headers) in [
            (small, HTTPHeaders()), (large, [.prefer: "return=minimal"] as HTTPHeaders),
        ] {
            let updated = try await service.send("POST", path, body(move), headers: headers)
            #expect(updated.status == 204 && updated.body.isEmpty)
            #expect(updated.etag == "\"r3\"")
            #expect(updated.response.headers[.preferenceApplied] == "return=minimal")
        }
    }

    @Test("An operation that cannot be done changes nothing, and its place is named")
    func failed() async throws {
        let service = try await service()
        for query in ["", "?validateOnly=true"] {
            let failed = try await service.send("POST", path + query, body(delete, delete))
            #expect(failed.status == 409)
            #expect(failed.code == "UPDATE_FAILED")
            #expect(try failed.string("/errors/0/pointer") == "/operations/1/items/0")
        }
        #expect(try await service.send("GET", "/v1/screens/home").number("/revision") == 2)
    }

    @Test("Problems of the request come before 412, and 412 before 404, 409 and the outcome")
    func order() async throws {
        let service = try await service()
        func status(
            _ body: String, _ condition: String? = nil, _ path: String? = nil
        ) async throws -> Int {
            let headers: HTTPHeaders = condition.map { [.ifMatch: $0] } ?? [:]
            return try await service.send("POST", path ?? self.path, body, headers: headers).status
        }
        let invalid = body(
            #"{"op":"patchSection","section":"List","patch":{"layout":{"inset":"x"}}}"#)
        #expect(try await status("[", "\"r9\"") == 400)
        #expect(try await status("{}", "\"r9\"") == 422)
        #expect(try await status(body(delete, delete), "\"r9\"") == 412)
        #expect(try await status(body(delete, delete), "\"r2\"") == 409)
        #expect(try await status(invalid, "\"r9\"") == 412)
        #expect(try await status(invalid) == 422)
        #expect(try await status(body(delete), "*", "/v1/screens/gone/updates") == 412)
        #expect(try await status(body(delete), nil, "/v1/screens/gone/updates") == 404)
        #expect(try await status(body(delete), "\"r2\"") == 200)
        let text = try await service.send(
            "POST", path, body(delete), headers: [.contentType: "text/plain"])
        #expect(text.status == 415)
    }

    @Test("An update that changes no byte keeps the revision, unless it sets a lifetime")
    func unchanged() async throws {
        let service = try await service()
        let nothing = body(#"{"op":"insertItems","section":"List","data":[]}"#)
        let kept = try await service.send("POST", path, nothing)
        #expect(kept.status == 200 && kept.etag == "\"r2\"")
        let lifetime: HTTPHeaders = [.screenLifetime: "60"]
        let renewed = try await service.send("POST", path, nothing, headers: lifetime)
        #expect(renewed.etag == "\"r3\"")
        try await service.send("DELETE", "/v1/screens/home/pages")
        let empty = body(#"{"op":"deleteSections","sections":[]}"#)
        #expect(try await service.send("POST", path, empty).etag == "\"r4\"")
        #expect(try await service.send("POST", path, empty, headers: lifetime).etag == "\"r5\"")
    }

    @Test("With validateOnly=true an update does everything but store")
    func validateOnly() async throws {
        let service = try await service()
        let valid = try await service.send("POST", path + "?validateOnly=true", body(move))
        #expect(valid.status == 200 && valid.etag == "\"r2\"")
        #expect(try valid.number("/revision") == 2)
        #expect(try valid.itemIds == [["b", "c", "a", "d"]])
        let layout = try await service.send("GET", "/v1/screens/home/layout?pages=all")
        #expect(try layout.itemIds == [["a", "b", "c", "d"]])
    }

    @Test("Two daemons that edit at the same time without If-Match lose nothing")
    func concurrentEdits() async throws {
        let store = MemoryStore()
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
            let store = MemoryStore()
            let service = try await service(store: store)
            let contested = InterceptingStore.contested(times: times)
            contested.restart(with: store)
            let other = try await TestService(store: contested)
            #expect(try await other.send("POST", path, body(move)).status == status)
            let layout = try await service.send("GET", "/v1/screens/home/layout?pages=all")
            #expect(
                try layout.itemIds == [
                    status == 200 ? ["b", "c", "a", "d"] : ["a", "b", "c", "d"]
                ])
        }
    }
}
