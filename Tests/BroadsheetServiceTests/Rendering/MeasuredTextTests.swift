import Broadsheet
import BroadsheetIO
import Testing
import TextTestSupport

@testable import BroadsheetService

@Suite("Measured texts of stored and composed pages (docs/catalog.md, \"Texts\")")
struct MeasuredTextTests {
    private static let catalog = """
        {"fonts": {"f": {"files": ["f.ttf"], "size": 10, "lineHeight": 12}},
         "units": {"U": {"cells": {"type": "Item"}}},
         "cellTypes": {"Item": {"id": "/id", "size": {"height": {"text": "/t", "font": "f"}}}}}
        """

    private static func page(_ texts: [String], hasNext: Bool = false) -> String {
        let items = texts.enumerated().map { "{\"id\": \($0), \"t\": \"\($1)\"}" }
        return """
            {"hasNext": \(hasNext), "sections": [{"sectionId": "S", "units": [
              {"unitType": "U", "unitData": [\(items.joined(separator: ","))]}]}]}
            """
    }

    private static let path = "/v1/screens/home/layout"
    private static let text = "one two three four five"

    private func service() async throws -> TestService {
        let service = try await TestService(catalog: Self.catalog)
        for (number, texts) in [[Self.text, "b"], ["c"]].enumerated() {
            try await service.send(
                "PUT", "/v1/screens/home/pages/\(number)",
                Self.page(texts, hasNext: number == 0))
        }
        return service
    }

    @Test("Layouts, their parts and the pages of their tokens have the text scale")
    func textScale() async throws {
        let service = try await service()
        let query = "width=100&textScale=2"
        let plain = try await service.send("GET", "\(Self.path)?width=100")
        #expect(plain.text.contains(#""height":24},"lines":2"#))
        #expect(!plain.text.contains("textScale"))
        let scaled = try await service.send("GET", "\(Self.path)?\(query)")
        #expect(scaled.text.contains(#""direction":"ltr","textScale":2}"#))
        #expect(scaled.text.contains(#""height":72},"lines":3"#))
        #expect(scaled.etag != plain.etag)
        let part = try await service.send("GET", "\(Self.path)?\(query)&rect=0,0,100,10")
        #expect(part.text.contains(#""height":72},"lines":3"#))
        #expect(!part.text.contains(#""id":"1""#))
        let token = try scaled.string("/nextPageToken")
        let next = try await service.send("GET", "\(Self.path)?pageToken=\(token)")
        let same = try await service.send("GET", "\(Self.path)?pages=all&\(query)")
        #expect(next.text == same.text)
    }

    @Test("The memory for shaping texts is reserved before a page is resolved")
    func memory() async throws {
        let text = String(repeating: "word ", count: 20_000)
        let page = Self.page([text])
        let plain = Self.catalog.replacing(
            #"{"text": "/t", "font": "f"}"#, with: "10")
        for (catalog, mebibytes, status) in [
            (Self.catalog, 8, 422), (Self.catalog, 40, 201), (plain, 8, 201),
        ] {
            let memory = MemoryBudget(limit: mebibytes << 20) { _ in await Task.yield() }
            let service = try await TestService(catalog: catalog, memory: memory)
            let response = try await service.send("PUT", "/v1/screens/home/pages/0", page)
            #expect(response.status == status, "\(mebibytes) MiB")
        }
    }

    @Test("Shaping makes the work of a page of the same size longer")
    func work() async throws {
        let document = try JSONDocument(Array(Self.page([Self.text]).utf8))
        let registry = try Catalog(
            Array(Self.catalog.utf8), measuringWith: SimpleMeasurer()
        ).registry
        let plain = WorkCost.reading(document, by: CellRegistry())
        #expect(WorkCost.reading(document, by: registry) == plain * WorkCost.shapingFactor)
        #expect(plain == WorkCost.reading(document))
    }

    @Test("Every viewport of a composition has its own text scale, and the query takes precedence")
    func viewports() async throws {
        let service = try await service()
        let body = """
            {"pages": [\(Self.page([Self.text]))],
             "viewports": [{"width": 100}, {"width": 100, "textScale": 2}]}
            """
        let both = try await service.send("POST", "/v1/layout", body)
        #expect(both.text.contains(#""height":24},"lines":2"#))
        #expect(both.text.contains(#""height":72},"lines":3"#))
        let scaled = try await service.send("POST", "/v1/layout?textScale=2", body)
        #expect(!scaled.text.contains(#""lines":2"#))
        let invalid = try await service.send(
            "POST", "/v1/layout", #"{"pages": [], "viewport": {"textScale": 5}}"#)
        #expect(invalid.status == 422)
        #expect(invalid.text.contains("/viewport/textScale"))
        #expect(invalid.text.contains("must be a number from 0.5 to 4"))
    }

    @Test("A catalog of a request names fonts of the active catalog, and no others")
    func requestCatalogs() async throws {
        let service = try await service()
        func body(_ fonts: String, font: String) -> String {
            """
            {"pages": [\(Self.page([Self.text]))], "catalog": {"fonts": {\(fonts)},
             "units": {"U": {"cells": {"type": "Item"}}},
             "cellTypes": {"Item": {"size": {"height": {"text": "/t", "font": "\(font)"}}}}}}
            """
        }
        let target = "/v1/layout?width=100"
        let known = try await service.send("POST", target, body("", font: "f"))
        #expect(known.text.contains(#""height":24},"lines":2"#))
        let unknown = try await service.send("POST", target, body("", font: "g"))
        #expect(unknown.status == 422)
        #expect(unknown.text.contains("/catalog/cellTypes/Item/size/height/font"))
        let own = try await service.send(
            "POST", target, body(#""g": {"files": ["g.ttf"], "size": 9}"#, font: "f"))
        #expect(own.status == 422)
        #expect(own.text.contains("/catalog/fonts/g"))
    }

    @Test("A reload with other contents of the same font files changes the tags of layouts")
    func reload() async throws {
        let service = try await service()
        let tag = try #require(try await service.send("GET", Self.path).etag)
        func reload(_ contents: UInt64) async throws {
            var measurer = SimpleMeasurer()
            measurer.contents = contents
            let catalog = try Catalog(Array(Self.catalog.utf8), measuringWith: measurer)
            await service.service.reload(catalogs: CatalogSet(catalog)).value
        }
        try await reload(1)
        #expect(try await service.send("GET", Self.path).etag == tag)
        try await reload(2)
        #expect(try await service.send("GET", Self.path).etag != tag)
    }

    @Test("Changes reload an item whose text has other lines, and only it")
    func changes() async throws {
        let service = try await service()
        let first = try await service.send("GET", "\(Self.path)?width=100&pages=all")
        let revision = try #require(try first.value("/revision")?.int)
        try await service.send("PUT", "/v1/screens/home/pages/0", Self.page(["a", "b"]))
        let changes = try await service.send(
            "GET", "/v1/screens/home/changes?since=\(revision)&width=100&pages=all")
        #expect(changes.text.contains(#""lines":1,"data":{"id": 0, "t": "a"}"#))
        #expect(!changes.text.contains(#""t": "b""#))
    }

    @Test("Changes are between trees of one text scale, stored or posted")
    func scaledChanges() async throws {
        let service = try await service()
        let query = "width=100&pages=all&textScale=2"
        let first = try await service.send("GET", "\(Self.path)?\(query)")
        let revision = try #require(try first.value("/revision")?.int)
        let page = Self.page([Self.text + " six seven", "b"])
        try await service.send("PUT", "/v1/screens/home/pages/0", page)
        let changes = try await service.send(
            "GET", "/v1/screens/home/changes?since=\(revision)&\(query)")
        #expect(changes.text.contains(#""height":96},"lines":4"#), "\(changes.text)")
        let body = """
            {"from": {"pages": [\(Self.page([Self.text, "b"]))]}, "to": {"pages": [\(page)]},
             "viewport": {"width": 100, "textScale": 2}}
            """
        let posted = try await service.send("POST", "/v1/changes", body)
        #expect(posted.text.contains(#""height":96},"lines":4"#), "\(posted.text)")
        #expect(posted.text.contains(#""textScale":2"#))
    }
}
