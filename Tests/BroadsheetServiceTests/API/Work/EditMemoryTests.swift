import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Testing
import TestSupport

@testable import BroadsheetService

@Suite("The memory of edits (docs/operations.md, Memory)")
struct EditMemoryTests {
    /// A request that edits a page, its media type, and the status when it succeeds.
    struct Edit: Sendable, CustomTestStringConvertible {
        let method: String
        let path: String
        let type: String
        let body: String
        let status: Int

        var testDescription: String { "\(method) as \(type)" }

        static let all = [
            Edit(
                method: "PATCH", path: "pages/0", type: "application/json-patch+json",
                body: #"[{"op":"add","path":"/note","value":1}]"#, status: 200),
            Edit(
                method: "PATCH", path: "pages/0", type: "application/merge-patch+json",
                body: #"{"note":1}"#, status: 200),
            Edit(
                method: "POST", path: "updates", type: "application/json",
                body:
                    #"{"operations":[{"op":"insertItems","section":"List","data":[{"id":"x"}]}]}"#,
                status: 204),
        ]
    }

    @Test(
        "An edit without memory for one of its stages receives 503 and leaves all as it was",
        arguments: Edit.all)
    func refused(_ edit: Edit) async throws {
        let limit = 32 << 20
        let memory = MemoryBudget(limit: limit) { _ in await Task.yield() }
        let service = try await TestService(memory: memory)
        let items = (0..<1000).map { #"{"id":"item \#($0)"}"# }.joined(separator: ",")
        let page = Pages.list(["first"]).replacing(#"{"id":"first"}"#, with: items)
        try await service.send("PUT", "/v1/screens/home/pages/0", page)
        let headers: HTTPHeaders = [.contentType: edit.type, .prefer: "return=minimal"]
        let idle = memory.statistics.total
        var refusals = 0
        while true {
            // Each attempt has more memory than the one before, so it gets further.
            let free = (refusals + 1) * 50_000
            let holder = try #require(
                memory.reservation(of: limit - idle - free, for: .work), "all of it is enough")
            let before = memory.statistics.total
            let response = try await service.send(
                edit.method, "/v1/screens/home/\(edit.path)", edit.body, headers: headers)
            guard response.status == 503 else {
                #expect(response.status == edit.status)
                break
            }
            refusals += 1
            #expect(response.code == "OVERLOADED")
            #expect(memory.statistics.total == before)
            #expect(try await service.send("GET", "/v1/screens/home").number("/revision") == 1)
            holder.shrink(to: 0)
        }
        #expect(refusals > 2)
        #expect(try await service.send("GET", "/v1/screens/home").number("/revision") == 2)
        #expect(memory.statistics.used(by: .screens) > page.utf8.count)
    }
}
