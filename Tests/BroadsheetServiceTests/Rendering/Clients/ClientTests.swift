import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Layouts for a client and its flags (docs/clients.md)")
struct ClientTests {
    private let path = "/v1/screens/home/layout"

    /// Returns a unit with one row of an id, for those for whom the condition holds.
    private func row(_ id: String, when condition: String? = nil) -> String {
        let when = condition.map { #", "when": \#($0)"# } ?? ""
        return #"{"unitType": "LIST", "unitData": [{"id": "\#(id)"}]\#(when)}"#
    }

    private func page(_ units: String..., hasNext: Bool = false) -> String {
        #"{"hasNext": \#(hasNext), "sections": [{"sectionId": "S", "units": [\#(units.joined(separator: ","))]}]}"#
    }

    private func service(_ pages: String...) async throws -> TestService {
        let service = try await TestService()
        for (number, page) in pages.enumerated() {
            let put = try await service.send("PUT", "/v1/screens/home/pages/\(number)", page)
            #expect(put.status == 201, "\(put.text)")
        }
        return service
    }

    /// Returns the numbers of layouts and of contents that were made.
    private func made(by service: TestService) async throws -> [Double] {
        [
            try await service.metric(#"broadsheet_layout_cache_misses_total{kind="layout"}"#),
            try await service.metric(#"broadsheet_layout_cache_misses_total{kind="answer"}"#),
        ]
    }

    @Test("The most flags fit into a page token, and not beside the most ids")
    func limits() async throws {
        let service = try await service(page(row("a"), hasNext: true), page(row("b")))
        let flags = (10..<74).map { "\($0)" + String(repeating: "f", count: 62) }
            .joined(separator: ",")
        let first = try await service.send("GET", "\(path)?flags=\(flags)")
        let token = try first.string("/nextPageToken")
        let target = "\(path)?pageToken=\(token)"
        #expect(target.utf8.count < HTTPLimits().maxTarget)
        #expect(try await service.send("GET", target).status == 200)
        let ids = String(repeating: "i", count: 5120 - flags.utf8.count)
        let full = try await service.send("GET", "\(path)?flags=\(flags)&collapsed=\(ids)")
        #expect(full.status == 200)
        let more = try await service.send("GET", "\(path)?flags=\(flags)&collapsed=\(ids)i")
        #expect(more.code == "INVALID_PARAMETER")
    }

    @Test("Ten thousand versions over a screen with eight outcomes cost eight layouts")
    func manyVersions() async throws {
        let rows = (1...7).map { row("r\($0)", when: #"{"client": {"ios": ">=\#($0)"}}"#) }
        let nested = """
            {"when": {"client": {"ios": ">=3"}}, "units": [
             \(row("x", when: #"{"client": {"android": ">=5", "ios": ">=3"}}"#))]}
            """
        let page = #"{"sections": [[\#(rows.joined(separator: ","))], \#(nested)]}"#
        let service = try await service(page)
        var tags: Set<String> = []
        var bodies: Set<[UInt8]> = []
        var largest = 0.0
        for number in 0..<10_000 {
            let version = "\(number % 8).\(number / 8 % 25).\(number / 200)"
            let response = try await service.send("GET", "\(path)?client=ios/\(version)")
            tags.insert(try #require(response.etag))
            bodies.insert(response.body)
            if number == 7 {
                largest = try await service.metric("broadsheet_layout_cache_bytes")
            }
        }
        #expect(tags.count == 8)
        #expect(bodies.count == 8)
        #expect(try await made(by: service) == [8, 8])
        #expect(try await service.metric("broadsheet_layout_cache_bytes") == largest)
        // Platforms that differ only inside of what neither gets share an outcome, too.
        for client in ["android/4", "android/6", "web/1"] {
            tags.insert(
                try #require(try await service.send("GET", "\(path)?client=\(client)").etag))
        }
        #expect(tags.count == 8)
        #expect(try await made(by: service) == [8, 8])
    }

    @Test("Versions that see the same screen share a tree with a next page, but for the token")
    func sharedContent() async throws {
        let service = try await service(
            page(row("a"), row("new", when: #"{"client": {"ios": ">=5"}}"#)), page(row("b")))
        var seen: [String: String] = [:]
        var tags: Set<String> = []
        for version in ["5", "5.1", "6.2", "4", "4.9"] {
            for query in ["", "&pretty=true"] {
                let response = try await service.send(
                    "GET", "\(path)?client=ios/\(version)\(query)")
                let token = try response.string("/nextPageToken")
                let isNew = !version.hasPrefix("4")
                let outcome = "\(isNew)\(query)"
                let shared = response.text.replacing(token, with: "TOKEN")
                #expect(seen[outcome] ?? shared == shared)
                #expect(try response.itemIds == [isNew ? ["a", "new"] : ["a"]])
                seen[outcome] = shared
                tags.insert(try #require(response.etag))
                let parsed = PageToken(
                    token, sealedBy: service.service.renderer.seal, for: "home")
                #expect(parsed?.parameters.client == Client("ios/\(version)"))
                let again = try await service.send(
                    "GET", "\(path)?client=ios/\(version).0\(query)",
                    headers: [.ifNoneMatch: try #require(response.etag)])
                #expect(again.status == 304)
            }
        }
        // A tag covers the token; trees with white space are others.
        #expect(tags.count == 10)
        #expect(try await made(by: service) == [2, 4])
        let plain = try await service.send("GET", path)
        #expect(!tags.contains(try #require(plain.etag)))
        #expect(try await made(by: service) == [2, 4])
    }

    @Test("A page without conditions has one tree and one tag for all clients")
    func withoutConditions() async throws {
        let service = try await service(page(row("a")))
        let plain = try await service.send("GET", path)
        for query in ["client=ios/1", "client=web/2&flags=a,b", "flags=c"] {
            let response = try await service.send("GET", "\(path)?\(query)")
            #expect(response.body == plain.body)
            #expect(response.etag == plain.etag)
        }
        #expect(try await made(by: service) == [1, 1])
    }

    @Test("A page with too many items for a client is empty for it, and keeps its next page")
    func tooManyItems() async throws {
        let service = try await TestService(limits: ScreenLimits(maxItems: 2))
        let page = page(
            row("a"), row("b", when: #"{"flags": ["x"]}"#), row("c", when: #"{"flags": ["x"]}"#),
            hasNext: true)
        try await service.send("PUT", "/v1/screens/home/pages/0", page)
        #expect(try await service.send("GET", path).itemIds == [["a"]])
        let tree = try await service.send("GET", "\(path)?flags=x")
        #expect(try tree.itemIds == [])
        #expect(try tree.string("/diagnostics/0/code") == "UNREADABLE_PAGE")
        let token = PageToken(
            try tree.string("/nextPageToken"), sealedBy: service.service.renderer.seal,
            for: "home")
        #expect(token?.parameters.flags == ["x"])
    }

    @Test("Changes are between the trees of the client")
    func changes() async throws {
        let old = #"{"client": {"ios": "<5"}}"#
        let rows = (0..<20).map { row("r\($0)") }.joined(separator: ",")
        let service = try await service(page(rows, row("old", when: old), hasNext: true))
        let before = try await service.send("GET", "\(path)?client=ios/4")
        let tag = try #require(before.etag).filter { $0 != "\"" }
        let edited = page(rows, row("old2", when: old), hasNext: true)
        try await service.send("PUT", "/v1/screens/home/pages/0", edited)
        for client in ["ios/4", "ios/4.1"] {
            let since = client == "ios/4" ? "1.\(tag)" : "1"
            let target = "/v1/screens/home/changes?since=\(since)&client=\(client)"
            let changes = try await service.send("GET", target)
            #expect(try changes.value("/reset")?.bool == false, "\(changes.text)")
            #expect(changes.text.contains("old2"))
            let tree = try await service.send("GET", "\(path)?client=\(client)")
            #expect(try "\"\(changes.string("/to/tag"))\"" == tree.etag)
            #expect(
                try changes.string("/tree/nextPageToken") == tree.string("/nextPageToken"))
        }
        let newer = try await service.send(
            "GET", "/v1/screens/home/changes?since=1&client=ios/5")
        #expect(!newer.text.contains("old2"))
        let other = try await service.send(
            "GET", "/v1/screens/home/changes?since=1.\(tag)&client=ios/5")
        #expect(try other.value("/reset")?.bool == true)
    }

    @Test(
        "Responses to random clients equal those of a service without caches, with random writes",
        arguments: 1...8)
    func transparent(seed: UInt64) async throws {
        var random = RandomRequestsOfClients(seed: seed)
        let keeping = try await TestService()
        let forgetting = try await TestService(
            store: keeping.store, layoutCacheBytes: 0, historyBytes: 0)
        let few = try await TestService(store: keeping.store, layoutCacheBytes: 30_000)
        for step in 0..<60 {
            if let write = random.write() {
                let writer = [keeping, forgetting, few][random.number(in: 0...2)]
                try await writer.send("PUT", "/v1/screens/home/pages/\(write.page)", write.body)
            }
            let query = random.query()
            let expected = try await forgetting.send("GET", "\(path)\(query)")
            for service in [keeping, few] {
                let received = try await service.send("GET", "\(path)\(query)")
                let context = Comment(rawValue: "seed \(seed), step \(step): \(query)")
                #expect(received.status == expected.status, context)
                #expect(received.etag == expected.etag, context)
                if received.status == 200 {
                    #expect(received.body == expected.body, context)
                } else {
                    #expect(received.code == expected.code, context)
                }
            }
        }
    }
}

/// Random writes of pages with conditions, and random clients.
private struct RandomRequestsOfClients {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    mutating func write() -> (page: Int, body: String)? {
        guard number(in: 0...3) == 0 else { return nil }
        let sections = (0..<number(in: 0...3)).map { _ in
            let units = (0..<number(in: 0...3)).map { index in
                #"{"unitType": "LIST", "unitData": [{"id": "\#(number(in: 0...3))"}, {}]\#(when())}"#
            }
            let id = ["\"A\"", "\"B\"", "null"][number(in: 0...2)]
            return #"{"sectionId": \#(id), "units": [\#(units.joined(separator: ","))]\#(when())}"#
        }
        let isLast = number(in: 0...2) == 0
        return (
            number(in: 0...3),
            #"{"hasNext": \#(!isLast), "sections": [\#(sections.joined(separator: ","))]}"#
        )
    }

    private mutating func when() -> String {
        let condition = [
            nil, nil, #"{"client": {"ios": ">=5"}}"#, #"{"client": {"ios": "<5", "web": ">=2"}}"#,
            #"{"flags": ["a"]}"#, #"{"without": ["a"], "width": ">=600"}"#,
        ][number(in: 0...5)]
        return condition.map { ", \"when\": \($0)" } ?? ""
    }

    mutating func query() -> String {
        let client = ["", "&client=ios/4.\(number(in: 0...3))", "&client=ios/5", "&client=web/2"]
        let flags = ["", "&flags=a", "&flags=b"]
        let pages = ["", "&pages=all", "&pretty=true", "&rect=0,0,100,500", "&width=600"]
        return "?"
            + [client[number(in: 0...3)], flags[number(in: 0...2)], pages[number(in: 0...4)]]
            .joined().dropFirst()
    }
}
