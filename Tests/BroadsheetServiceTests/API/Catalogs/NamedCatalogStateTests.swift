import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("What is kept for each catalog (docs/architecture.md, Values, snapshots, revisions)")
struct NamedCatalogStateTests {
    private let path = "/v1/screens/home"
    private static let named = ["flat": Catalogs.flatter, "renamed": Catalogs.renamed]

    private func put(
        _ ids: [String], _ service: TestService, _ query: String = ""
    ) async throws {
        let put = try await service.send("PUT", "\(path)/pages/0\(query)", Pages.list(ids))
        #expect(put.status < 300, "\(put.text)")
    }

    /// Returns the number of layouts that were made.
    private func made(by service: TestService) async throws -> Double {
        try await service.metric(#"broadsheet_layout_cache_misses_total{kind="layout"}"#)
    }

    @Test("Requests of several catalogs in turn do not displace each other's pages and layouts")
    func sideBySide() async throws {
        let service = try await TestService(named: Self.named)
        try await put(["a"], service)
        for query in ["", "?catalog=flat"] {
            #expect(try await service.send("GET", "\(path)/layout\(query)").status == 200)
        }
        let layouts = try await made(by: service)
        let resolved = try await service.metric("broadsheet_resolve_duration_seconds_count")
        for _ in 0..<10 {
            for (query, height) in [("", 100.0), ("?catalog=flat", 50)] {
                let tree = try await service.send("GET", "\(path)/layout\(query)")
                #expect(try tree.number("/contentSize/height") == height)
            }
        }
        #expect(try await made(by: service) == layouts)
        #expect(
            try await service.metric("broadsheet_resolve_duration_seconds_count") == resolved)
        #expect(try await service.metric("broadsheet_screens_in_memory") == 2)
    }

    @Test("Every catalog sees every write, with the changes since the tree that its client has")
    func changes() async throws {
        let service = try await TestService(named: Self.named)
        // Changes of a tree without these rows would be longer than the tree.
        let common = (0..<40).map { "row \($0)" }
        var known: [String: String] = [:]
        func check(_ query: String, _ ids: [String], _ row: Double) async throws {
            if let since = known[query] {
                let target = "\(path)/changes?since=\(since)\(query)"
                let changes = try await service.send("GET", target)
                #expect(try changes.value("/reset")?.bool == false, "\(query) \(changes.text)")
            }
            let tree = try await service.send("GET", "\(path)/layout?\(query)")
            #expect(try tree.itemIds == [common + ids])
            let height = row * Double(common.count + ids.count)
            #expect(try tree.number("/contentSize/height") == height)
            let tag = try #require(tree.etag).filter { $0 != "\"" }
            known[query] = "\(Int(try tree.number("/revision"))).\(tag)"
        }
        for ids in [["a"], ["a", "b"], ["b"], ["b", "c", "d"]] {
            try await put(common + ids, service, ids.count == 1 ? "?catalog=flat" : "")
            try await check("", ids, 100)
            try await check("&catalog=flat", ids, 50)
        }
        // The catalog without a name sees no revision in between.
        for ids in [["x"], ["y"]] {
            try await put(common + ids, service, "?catalog=flat")
            try await check("&catalog=flat", ids, 50)
        }
        try await check("", ["y"], 100)
    }

    @Test("A removed screen leaves nothing in memory, whichever catalogs have read it")
    func removal() async throws {
        let service = try await TestService(named: Self.named)
        for deletion in ["", "?catalog=flat"] {
            try await put(["a"], service)
            for query in ["", "?catalog=flat"] {
                try await service.send("GET", "\(path)/layout\(query)")
            }
            try await put(["b"], service)
            try await service.send("GET", "\(path)/layout?catalog=flat")
            #expect(try await service.metric("broadsheet_history_bytes") > 0)
            try await service.send("DELETE", path + deletion)
            for name in [
                "broadsheet_screens_in_memory", "broadsheet_layout_cache_bytes",
                "broadsheet_history_bytes",
            ] {
                #expect(try await service.metric(name) == 0, "\(name)")
            }
        }
    }

    @Test("A reload replaces all catalogs, and what was made by another at its place is not used")
    func reload() async throws {
        let service = try await TestService(named: ["a": Catalogs.flatter, "b": Catalogs.shop])
        try await put(["x"], service)
        func height(_ name: String) async throws -> Double {
            try await service.send("GET", "\(path)/layout?catalog=\(name)")
                .number("/contentSize/height")
        }
        #expect(try await height("a") == 50)
        #expect(try await height("b") == 100)
        let tallest = Catalogs.shop.replacing("\"height\": 100", with: "\"height\": 300")
        service.service.reload(
            catalogs: try CatalogSet(Catalogs.shop, named: ["b": Catalogs.flatter, "c": tallest]))
        #expect(try await height("b") == 50)
        #expect(try await height("c") == 300)
        let gone = try await service.send("GET", "\(path)/layout?catalog=a")
        #expect(gone.status == 400)
    }

    @Test("The log has the names of replaced catalogs, and the effect on what each has in memory")
    func logged() async throws {
        let sink = MemoryLogSink()
        let service = try await TestService(
            named: Self.named, log: Log(format: .text, sink: sink))
        try await put(["x"], service)
        try await service.send("GET", "\(path)/layout?catalog=flat")
        await service.service.reload(
            catalogs: try CatalogSet(
                Catalogs.shop, named: ["flat": #"{"wrong": 1}"#, "new": "{}"])
        ).value
        let lines = sink.lines
        #expect(lines.contains { $0.contains("the catalog flat has members without effect") })
        #expect(
            lines.contains { $0.hasSuffix("info catalog replaced: 2 others by name: flat, new") })
        let last = try #require(lines.last)
        #expect(
            last.contains("1 diagnostics (before: 0) in 1 of 2 screens")
                && last.hasSuffix(
                    "1 UNKNOWN_UNIT_TYPE; home (flat)"),
            "\(last)")
        try await put(["x"], service, "?catalog=new")
        #expect(sink.lines.contains { $0.contains("add them to \"units\" in the catalog new") })
    }

    @Test("Streams of each catalog are groups of their own, and end when their catalog is gone")
    func streams() async throws {
        let service = try await TestService(named: Self.named)
        try await put(["a"], service)
        let readers = [
            try await service.stream("?changes=true"),
            try await service.stream("?changes=true&catalog=flat"),
            try await service.stream("?changes=true&catalog=flat"),
        ]
        for (reader, height) in zip(readers, [100.0, 50, 50]) {
            let tree = try #require(try await reader.next())
            #expect(tree.data.contains(#""contentSize":{"width":390,"height":\#(Int(height))}"#))
        }
        #expect(service.streams.groupCount == 2)
        try await put(["a", "b"], service)
        for reader in readers {
            #expect(try await reader.next()?.type == "changes")
        }
        service.service.reload(catalogs: try CatalogSet(Catalogs.flatter))
        let event = try #require(try await readers[0].next())
        #expect(event.type == "tree" && event.data.contains(#""height":100}"#), "\(event)")
        for reader in readers.dropFirst() {
            let event = try #require(try await reader.next())
            #expect(event.type == "problem")
            #expect(try event.json["code"]?.string == "INVALID_PARAMETER")
            #expect(try await reader.next() == nil)
        }
    }

    @Test("Events are counted, and actions applied, by the catalog that the request names")
    func events() async throws {
        let service = try await TestService(
            catalog: Catalogs.shop.replacing("Row", with: "Plain"),
            named: ["acting": EventsTests.catalog])
        try await put(["a", "b"], service)
        let body = #"{"events":[\#(Reports.action("remove", #""a""#))]}"#
        for (query, revision) in [("", 1.0), ("?catalog=acting", 2)] {
            let response = try await service.send("POST", "\(path)/events\(query)", body)
            #expect(try response.number("/revision") == revision)
        }
        #expect(try await service.send("GET", "\(path)/layout").itemIds == [["b"]])
        let metrics = try await service.send("GET", "/metrics").text
        for type in ["Plain", "Row"] {
            #expect(
                metrics.contains(
                    #"broadsheet_client_events_total{type="action",cell_type="\#(type)"} 1"#))
        }
        let acting = try await service.send("GET", "\(path)/layout?catalog=acting")
        #expect(acting.text.contains(#""can":["move","delete"]"#))
    }

    @Test("A page on demand is read by the catalog of the request, not by that of another one")
    func onDemand() async throws {
        let gate = Gate()
        let page = #"{"blocks":[{"units":[{"unitType":"LIST","unitData":[{"id":"a"}]}]}]}"#
        let origin = FakeOrigin { _ in
            await gate.wait()
            return OriginPage(bytes: Array(page.utf8))
        }
        let service = try await TestService(named: Self.named, origin: origin)
        // By its own catalog the page is none, as PUT would say.
        async let refused = service.send("GET", "\(path)/layout")
        await until { origin.requests.count == 1 }
        async let first = service.send("GET", "\(path)/layout?catalog=renamed")
        async let second = service.send("GET", "\(path)/layout?catalog=renamed&width=300")
        await until { service.service.originMetrics.waiting.value == 3 }
        await until { origin.requests.count == 2 }
        gate.open()
        #expect(try await refused.code == "ORIGIN_FAILED")
        #expect(try await first.itemIds == [["a"]])
        #expect(try await second.status == 200)
        #expect(origin.requests.count == 2)
    }
}
