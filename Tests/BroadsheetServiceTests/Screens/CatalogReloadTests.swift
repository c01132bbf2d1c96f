import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import StoreTestSupport
import Testing

@testable import BroadsheetService

@Suite("Replacing the catalog (docs/cli.md, SIGHUP)")
struct CatalogReloadTests {
    private func service() async throws -> TestService {
        let service = try await TestService()
        try await service.send(
            "PUT", "/v1/screens/home/pages/0", Pages.list(["a", "b"], hasNext: true))
        try await service.send("PUT", "/v1/screens/home/pages/3", Pages.list(["c"]))
        return service
    }

    private func reload(_ service: TestService, _ catalog: String) throws {
        service.service.reload(catalogs: try CatalogSet(Catalog(Array(catalog.utf8))))
    }

    @Test("Stored screens are resolved again, at the same revision, and are otherwise unchanged")
    func resolvedAgain() async throws {
        let service = try await service()
        let state = try await service.send("GET", "/v1/screens/home/pages").text
        let before = try await service.send("GET", "/v1/screens/home/layout?pages=all")
        #expect(try before.number("/contentSize/height") == 300)
        try reload(service, Catalogs.flatter)
        let after = try await service.send("GET", "/v1/screens/home/layout?pages=all")
        #expect(try after.number("/contentSize/height") == 150)
        #expect(try after.number("/revision") == 2)
        #expect(try await service.send("GET", "/v1/screens/home/pages").text == state)
        try reload(service, Catalogs.shop)
        let again = try await service.send("GET", "/v1/screens/home/layout?pages=all")
        #expect(again.text == before.text)
        #expect(again.etag == before.etag)
    }

    @Test("Windows, earlier revisions and feeds go on with the new catalog")
    func windowsAndHistory() async throws {
        let service = try await TestService(
            store: ScreenStore.inMemory(history: HistoryBounds(), feeds: (FeedBounds(), .max)))
        let path = "/v1/screens/home"
        for ids in [["a", "b", "c"], ["a", "b", "d", "e"]] {
            try await service.send("PUT", "\(path)/pages/0", Pages.list(ids))
        }
        let window = try await service.send(
            "GET", "\(path)/layout?item=b&before=100&after=100")
        let feed = try StreamReader(try await service.send("GET", "\(path)/feed").response)
        try reload(service, Catalogs.flatter)
        // The tag is one of the earlier catalog: a reset around its anchor.
        let changes = try await service.send("GET", "\(path)/changes?since=2.\(window.tag)")
        #expect(try changes.value("/reset")?.bool == true)
        #expect(try changes.string("/tree/window/item") == "b")
        let fresh = try await service.send(
            "GET", "\(path)/layout?item=b&before=100&after=100")
        #expect(try changes.string("/to/tag") == fresh.tag)
        let then = try await service.send("GET", "\(path)/layout?revision=1")
        #expect(try then.itemIds == [["a", "b", "c"]])
        #expect(try then.number("/contentSize/height") == 150)
        try reload(service, EventsTests.catalog)
        let report = try await service.report(Reports.action("notify", #""a""#))
        #expect(report.status == 202, "\(report.text)")
        #expect(try await feed.next()?.type == "client")
        feed.close()
    }

    @Test("The page state's tag depends on the catalog, and If-Match accepts the new one")
    func stateTag() async throws {
        let service = try await service()
        let path = "/v1/screens/home/pages"
        let before = try await service.send("GET", path)
        let old = try #require(before.etag)
        try reload(service, Catalogs.renamed)
        let after = try await service.send("GET", path, headers: [.ifNoneMatch: old])
        #expect(after.status == 200)
        #expect(after.text != before.text)
        let new = try #require(after.etag)
        #expect(new != old)
        #expect(try await service.send("GET", path, headers: [.ifNoneMatch: new]).status == 304)
        for (tag, status) in [(old, 412), (new, 204), (new, 412)] {
            let response = try await service.send(
                "DELETE", "\(path)/0", headers: [.ifMatch: tag])
            #expect(response.status == status, "\(tag)")
            if status == 204 { #expect(response.etag == "\"r3\"") }
        }
    }

    @Test("GET of the catalog returns the bytes of the catalog in service")
    func activeCatalog() async throws {
        let service = try await service()
        #expect(try await service.send("GET", "/v1/catalog").text == Catalogs.shop)
        try reload(service, Catalogs.flatter)
        let response = try await service.send("GET", "/v1/catalog")
        #expect(response.text == Catalogs.flatter)
        #expect(response.response.headers[.contentType] == "application/json")
    }

    @Test("A request in flight keeps the catalog of its start")
    func inFlight() async throws {
        let backend = InterceptingBackend()
        let service = try await TestService(store: backend.store)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        backend.pause()
        async let held = service.send("GET", "/v1/screens/home/layout")
        await until { backend.isHolding }
        try reload(service, Catalogs.flatter)
        backend.resume()
        #expect(try await held.number("/contentSize/height") == 100)
        let next = try await service.send("GET", "/v1/screens/home/layout")
        #expect(try next.number("/contentSize/height") == 50)
    }

    @Test(
        "A page that is unreadable with the new catalog has no items and a diagnostic, and is kept")
    func unreadable() async throws {
        let service = try await service()
        let posted = try await service.send("GET", "/v1/screens/home/pages/0")
        try reload(service, Catalogs.renamed)
        let tree = try await service.send("GET", "/v1/screens/home/layout")
        #expect(tree.status == 200)
        #expect(try tree.itemIds == [])
        #expect(try tree.string("/diagnostics/0/code") == "UNREADABLE_PAGE")
        #expect(try tree.string("/diagnostics/0/pointer") == "/blocks")
        #expect(try tree.number("/diagnostics/0/page") == 0)
        let page = try await service.send("GET", "/v1/screens/home/pages/0")
        #expect(page.text == posted.text)
        #expect(page.etag == posted.etag)
        let rewritten = try await service.send(
            "PUT", "/v1/screens/home/pages/0",
            #"{"blocks":[{"units":[{"unitType":"LIST","unitData":[{"id":"new"}]}]}]}"#)
        #expect(try rewritten.itemIds == [["new"]])
        try reload(service, Catalogs.shop)
        let back = try await service.send("GET", "/v1/screens/home/layout?pages=all")
        #expect(try back.itemIds == [["c"]])
        #expect(try back.string("/diagnostics/0/code") == "UNREADABLE_PAGE")
    }

    @Test("A screen that exceeds the limits with a new catalog is 503, and can be reduced")
    func beyondLimits() async throws {
        let none = #"{"units":{},"cellTypes":{}}"#
        let service = try await TestService(catalog: none, limits: ScreenLimits(maxItems: 2))
        for page in 0...1 {
            try await service.send(
                "PUT", "/v1/screens/home/pages/\(page)", Pages.list(["a", "b", "c"]))
        }
        try reload(service, Catalogs.shop)
        let tree = try await service.send("GET", "/v1/screens/home/layout?pages=all")
        #expect(tree.status == 503)
        #expect(tree.code == "STORED_SCREEN_TOO_LARGE")
        let grown = try await service.send("PUT", "/v1/screens/home/pages/2", Pages.list(["d"]))
        #expect(grown.code == "INVALID_CONTRACT")
        for page in 0...1 {
            let shrunk = try await service.send(
                "PUT", "/v1/screens/home/pages/\(page)", Pages.list(["d"]))
            #expect(shrunk.status == 200)
        }
        let small = try await service.send("GET", "/v1/screens/home/layout?pages=all")
        #expect(try small.itemIds[0].count == 2)
    }

    @Test("A stored page that is not valid JSON is the problem INTERNAL")
    func corrupt() async throws {
        let store = ScreenStore.inMemory()
        let service = try await TestService(store: store)
        let name = try #require(ScreenName("home"))
        _ = try await store.commit(
            .put(page: 0, bytes: Array("{".utf8)), to: name, expecting: nil)
        let response = try await service.send("GET", "/v1/screens/home/layout")
        #expect(response.status == 500)
        #expect(response.code == "INTERNAL")
    }

    @Test("Reloads are counted by result and logged")
    func counted() async throws {
        let sink = MemoryLogSink()
        let service = try await TestService(log: Log(format: .text, sink: sink))
        let flatter = try Catalog(Array(Catalogs.flatter.utf8))
        await service.service.reload(catalogs: CatalogSet(flatter)).value
        service.service.refuseReload(detail: "catalog.json:1:2 no")
        let metrics = try await service.send("GET", "/metrics").text
        #expect(metrics.contains(#"broadsheet_catalog_reloads_total{result="replaced"} 1"#))
        #expect(metrics.contains(#"broadsheet_catalog_reloads_total{result="refused"} 1"#))
        #expect(sink.lines.count == 3)
        #expect(sink.lines.last?.contains("the current one stays: catalog.json:1:2 no") == true)
    }

    @Test("The log has the diagnostics that the screens in memory have with the new catalog")
    func preview() async throws {
        let sink = MemoryLogSink()
        let service = try await TestService(log: Log(format: .text, sink: sink))
        for name in ["b", "a", "c"] {
            try await service.send("PUT", "/v1/screens/\(name)/pages/0", Pages.list(["x"]))
        }
        try await service.send(
            "PUT", "/v1/screens/c/pages/0", #"{"sections":[[{"unitType":"BANNER"}]]}"#)
        func reload(_ catalog: String) async throws -> String? {
            await service.service.reload(catalogs: try CatalogSet(Catalog(Array(catalog.utf8))))
                .value
            return sink.lines.last.map { String($0.split(separator: " ", maxSplits: 1)[1]) }
        }
        #expect(
            try await reload(Catalogs.shop.replacing("LIST", with: "ROWS"))
                == "warning screens in memory with the new catalog: 2 diagnostics (before: 0) in 2 "
                + "of 3 screens: 2 UNKNOWN_UNIT_TYPE; a, b")
        #expect(
            try await reload(Catalogs.renamed)
                == "warning screens in memory with the new catalog: 3 diagnostics (before: 0) in 3 "
                + "of 3 screens: 3 UNREADABLE_PAGE; a, b, c")
        try await service.send("GET", "/v1/screens/a/layout")
        #expect(
            try await reload(Catalogs.shop)
                == "info screens in memory with the new catalog: no diagnostics in 3 screens "
                + "(before: 1)")
    }

    @Test("The log names ten screens and has the number of the others")
    func previewOfMany() async throws {
        let sink = MemoryLogSink()
        let service = try await TestService(log: Log(format: .text, sink: sink))
        for number in 10..<23 {
            try await service.send("PUT", "/v1/screens/s\(number)/pages/0", Pages.list(["x"]))
        }
        await service.service.reload(catalogs: try CatalogSet(Catalog(Array("{}".utf8)))).value
        let line = try #require(sink.lines.last)
        #expect(
            line.hasSuffix(
                ": 13 UNKNOWN_UNIT_TYPE; s10, s11, s12, s13, s14, s15, s16, s17, s18, s19 and 3 more"
            ))
    }

    @Test("A preview ends when its catalog is not in service any more")
    func previewOfReplaced() async throws {
        let service = try await service()
        let catalogs = CatalogSlot(
            CatalogSet(try Catalog(Array(Catalogs.flatter.utf8)))
        ).current
        let snapshots = service.service.screens.cache.first()
        #expect(snapshots.count == 1)
        for isCurrent in [false, true] {
            let preview = await CatalogPreview(
                of: catalogs, for: snapshots, limits: ScreenLimits(), while: { isCurrent })
            #expect(preview?.screenCount == (isCurrent ? 1 : nil))
        }
    }
}
