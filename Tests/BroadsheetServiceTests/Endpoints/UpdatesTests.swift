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
    private let delete = #"{"op":"deleteItems","section":"List","items":["d"]}"#

    @Test("Operations on several pages are one revision, in all of them")
    func onePerRequest() async throws {
        let service = try await service()
        let updated = try await service.send(
            "POST", path, body(move, delete), headers: [.prefer: "return=minimal"])
        #expect(updated.status == 204)
        #expect(updated.etag == "\"r3\"")
        #expect(updated.response.headers[.diagnostics] == "0")
        let pages = ["0", "1"].map { "/v1/screens/home/pages/\($0)" }
        #expect(try await service.send("GET", pages[0]).text == Pages.list(["b"]))
        #expect(try await service.send("GET", pages[1]).text == Pages.list(["c", "a"]))
        let layout = try await service.send("GET", "/v1/screens/home/layout?pages=all")
        #expect(try layout.itemIds == [["b", "c", "a"]])
        #expect(try await service.send("GET", "/v1/screens/home/layout").number("/revision") == 3)
    }

    @Test("An item that an element leaves without the id is no longer meant by it")
    func withoutID() async throws {
        let service = try await service()
        let forget = #"{"op":"patchItem","section":"List","item":"a","patch":{"id":null}}"#
        let again = #"{"op":"patchItem","section":"List","item":"a","patch":{"x":1}}"#
        let both = try await service.send("POST", path, body(forget, again))
        #expect(both.status == 409)
        #expect(both.text.contains(#""pointer":"/operations/1/item""#), "\(both.text)")
        #expect(try await service.send("POST", path, body(forget)).status == 200)
        #expect(try await service.send("POST", path, body(again)).status == 409)
        let layout = try await service.send("GET", "/v1/screens/home/layout?pages=all")
        #expect(try layout.itemIds == [["p0.u0.e0", "b", "c", "d"]])
    }

    /// Returns a service with two pages whose items are large beside the changes of one of them.
    private func serviceOfLargeItems() async throws -> TestService {
        let service = try await TestService()
        for (number, ids) in [[1, 2, 3], [4, 5, 6]].enumerated() {
            try await service.send(
                "PUT", "/v1/screens/home/pages/\(number)", ChangesEndpointTests.page(ids))
        }
        return service
    }

    private let moveLarge =
        #"{"op":"moveItems","section":"S","items":["1"],"after":"5"}"#
    private let patchLarge =
        #"{"op":"patchItem","section":"S","item":"2","patch":{"t":"new"}}"#
    private let all = "/v1/screens/home/layout?pages=all&width=300"

    @Test(
        "The response is the changes of this very update, of all pages, for the viewport in the query"
    )
    func changes() async throws {
        let service = try await serviceOfLargeItems()
        for revision in 3...5 {
            let before = try await service.send("GET", all)
            let updated = try await service.send(
                "POST", path + "?width=300",
                body(
                    moveLarge, revision == 4 ? patchLarge : moveLarge,
                    #"{"op":"patchItem","section":"S","item":"3","patch":{"t":"\#(revision)"}}"#))
            let after = try await service.send("GET", all)
            #expect(updated.status == 200 && updated.etag == "\"r\(revision)\"")
            #expect(updated.response.headers[.contentType] == "application/json")
            #expect(try updated.value("/reset")?.bool == false, "\(updated.text)")
            #expect(try updated.number("/from/revision") == Double(revision - 1))
            #expect(try updated.number("/from/page") == 1)
            #expect(try updated.number("/to/revision") == Double(revision))
            #expect(try updated.number("/to/page") == 1)
            #expect("\"\(try updated.string("/to/tag"))\"" == after.etag)
            let tree = try ChangesEndpointTests.applied(updated, to: before)
            #expect(try tree == ChangesEndpointTests.tree(after))
        }
    }

    @Test("The changes of an update are those that a client then asks for, byte for byte")
    func sameAsRequested() async throws {
        let service = try await serviceOfLargeItems()
        let updated = try await service.send("POST", path + "?scale=2", body(moveLarge, patchLarge))
        let requested = try await service.send(
            "GET", "/v1/screens/home/changes?since=2&pages=all&scale=2")
        #expect(updated.text == requested.text)
    }

    @Test("Changes of more than 110 % of the tree are a reset")
    func reset() async throws {
        let service = try await TestService()
        let ids = (1...60).map { "item\($0)" }
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(ids))
        let updated = try await service.send(
            "POST", path, body(#"{"op":"deleteItems","section":"List","all":true}"#))
        #expect(updated.status == 200)
        #expect(try updated.value("/reset")?.bool == true)
        #expect(try updated.number("/tree/revision") == 2)
        #expect(try updated.number("/from/revision") == 1)
    }

    @Test("With return=minimal, and for changes that are too large, the response is 204")
    func minimal() async throws {
        let small = try await service(maxResponseBytes: 200)
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
            #"{"op":"patchSection","section":"List","patch":{"layout":{"gridColumnCount":{"max":2}}}}"#
        )
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
        #expect(try kept.value("/reset")?.bool == false)
        #expect(try kept.number("/from/revision") == 2)
        #expect(try kept.number("/to/revision") == 2)
        for name in ["stages", "sections", "frames"] {
            #expect(try kept.value("/\(name)")?.count == 0)
        }
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
        let service = try await serviceOfLargeItems()
        let before = try await service.send("GET", all)
        let query = "?validateOnly=true&width=300"
        let valid = try await service.send("POST", path + query, body(moveLarge, patchLarge))
        #expect(valid.status == 200 && valid.etag == "\"r2\"")
        #expect(try valid.number("/to/revision") == 2)
        #expect(try valid.value("/reset")?.bool == false)
        // Nothing was stored, and no cache has the tree that was not stored.
        let layout = try await service.send("GET", all)
        #expect(layout.body == before.body)
        let nothing = try await service.send(
            "GET", "/v1/screens/home/changes?since=2&pages=all&width=300")
        #expect(try nothing.value("/stages")?.count == 0)
        // The update itself has the same lists.
        let real = try await service.send(
            "POST", path + "?width=300", body(moveLarge, patchLarge))
        for name in ["stages", "sections", "frames"] {
            let members = try [valid, real].map { try $0.value("/\(name)").map { TreeValue($0) } }
            #expect(members[0] == members[1])
            #expect(name != "stages" || members[0] != TreeValue.array([]))
        }
    }

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

    @Test("A backend replaces its section again and again: only a change is a revision")
    func replacedSection() async throws {
        let service = try await service()
        func section(_ ids: String...) -> String {
            let data = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
            let unit = #"{"unitType":"LIST","unitData":[\#(data)]}"#
            return body(
                #"{"op":"replaceSection","section":{"sectionId":"Mine","units":[\#(unit)]}}"#)
        }
        let valid = try await service.send("POST", path + "?validateOnly=true", section("x"))
        #expect(valid.status == 200 && valid.etag == "\"r2\"")
        for (ids, revision) in [("x", 3), ("x", 3), ("y", 4), ("y", 4)] {
            let replaced = try await service.send("POST", path, section(ids))
            #expect(replaced.status == 200 && replaced.etag == "\"r\(revision)\"")
            let layout = try await service.send("GET", "/v1/screens/home/layout?pages=all")
            #expect(try layout.itemIds == [["a", "b", "c", "d"], [ids]])
        }
        let invalid = try await service.send(
            "POST", path, body(#"{"op":"replaceSection","section":[]}"#))
        #expect(invalid.status == 422)
        #expect(try invalid.string("/errors/0/pointer") == "/operations/0/section")
        try await service.send("DELETE", "/v1/screens/home/pages")
        let empty = try await service.send("POST", path, section("x"))
        #expect(empty.status == 409 && empty.code == "UPDATE_FAILED")
    }

    @Test("An update of a screen without pages has the changes of an empty tree")
    func noPages() async throws {
        let service = try await service()
        try await service.send("DELETE", "/v1/screens/home/pages")
        let empty = body(#"{"op":"deleteSections","sections":[]}"#)
        let updated = try await service.send("POST", path, empty)
        #expect(updated.status == 200)
        #expect(try updated.number("/to/revision") == 3)
        #expect(try updated.value("/stages")?.count == 0)
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
