import Broadsheet
import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("Broadsheet-Diagnostics (docs/api.md, Diagnostics)")
struct DiagnosticsHeaderTests {
    /// A page with two units of unknown types and one without its data.
    private static let page = """
        {"sections":[{"sectionId":"A","units":[{"unitType":"NEW"},{"unitType":"NEW"},\
        {"unitType":"LIST","unitData":7},{"unitType":"BANNER","unitData":{}}]}]}
        """

    private func count(_ response: ReceivedResponse) -> String? {
        response.response.headers[.diagnostics]
    }

    @Test("PUT and POST of a page have the number of the page's diagnostics")
    func writes() async throws {
        let service = try await TestService()
        let clean = try await service.send("PUT", "/v1/screens/a/pages/0", Pages.list(["x"]))
        #expect(count(clean) == "0")
        let put = try await service.send("PUT", "/v1/screens/a/pages/1", Self.page)
        #expect(count(put) == "3")
        // The tree has those of all pages up to the written one.
        let again = try await service.send("PUT", "/v1/screens/a/pages/2", Pages.list(["y"]))
        #expect(count(again) == "0")
        #expect(try again.value("/diagnostics")?.count == 3)
        let post = try await service.send("POST", "/v1/screens/a/pages", Self.page)
        #expect(post.status == 201)
        #expect(count(post) == "3")
    }

    @Test("With return=minimal the field is there, too")
    func minimal() async throws {
        let service = try await TestService()
        for (method, path) in [
            ("PUT", "/v1/screens/a/pages/0"), ("POST", "/v1/screens/a/pages"),
        ] {
            let response = try await service.send(
                method, path, Self.page, headers: [.prefer: "return=minimal"])
            #expect(response.text.isEmpty)
            #expect(count(response) == "3")
        }
    }

    @Test("The number includes diagnostics that are not listed")
    func truncated() async throws {
        let service = try await TestService()
        let units = Array(repeating: "{\"unitType\":\"NEW\"}", count: 1200)
        let response = try await service.send(
            "PUT", "/v1/screens/a/pages/0",
            "{\"sections\":[[\(units.joined(separator: ","))]]}")
        #expect(count(response) == "1200")
        #expect(try response.value("/diagnostics")?.count == 1001)
    }

    @Test("Removals, reads and problems do not have the field")
    func others() async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/a/pages/0", Self.page)
        for (method, path) in [
            ("GET", "/v1/screens/a/layout"), ("GET", "/v1/screens/a/pages/0"),
            ("GET", "/v1/screens/a/pages"), ("PUT", "/v1/screens/a/pages/1"),
            ("DELETE", "/v1/screens/a/pages/0"), ("DELETE", "/v1/screens/a/pages"),
            ("DELETE", "/v1/screens/a"),
        ] {
            #expect(count(try await service.send(method, path)) == nil, "\(method) \(path)")
        }
    }

    @Test("A composition has the number of its tree's diagnostics, lint included")
    func compose() async throws {
        let service = try await TestService()
        let tree = try await service.send("POST", "/v1/layout", Self.page)
        #expect(count(tree) == "3")
        let lint = try await service.send(
            "POST", "/v1/layout?lint=true&width=300",
            """
            {"pages":[\(Self.page),{"sections":[{"sectionId":"Empty","units":[]}]}]}
            """)
        #expect(count(lint) == "4")
        #expect(try lint.value("/diagnostics")?.count == 4)
        let picture = try await service.send(
            "POST", "/v1/layout", Self.page, headers: [.accept: "image/svg+xml"])
        #expect(count(picture) == "3")
        let many = try await service.send(
            "POST", "/v1/layout",
            "{\"pages\":[\(Self.page)],\"viewports\":[{\"width\":100},{\"width\":200}]}")
        #expect(count(many) == "6")
    }

    @Test("/metrics counts the diagnostics of writes and compositions by code")
    func metrics() async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/a/pages/0", Self.page)
        try await service.send("PUT", "/v1/screens/a/pages/0", "{")
        try await service.send("GET", "/v1/screens/a/layout")
        try await service.send("POST", "/v1/layout", Self.page)
        let metrics = try ScrapedMetrics(try await service.send("GET", "/metrics").text)
        let family = try #require(
            metrics.families.first { $0.name == "broadsheet_diagnostics_total" })
        let counts = family.samples.filter { $0.value > 0 }
            .map { "\($0.labels["code"] ?? "") \(Int($0.value))" }
        #expect(counts.sorted() == ["NOT_AN_ARRAY 2", "UNKNOWN_UNIT_TYPE 4"])
        #expect(family.samples.count == Diagnostic.Code.all.count)
    }

    @Test("The codes are those of docs/api.md")
    func documented() throws {
        let text = try APIDocument.text
        let codes = Diagnostic.Code.all.map(\.rawValue)
        #expect(Set(codes).count == codes.count)
        for code in codes { #expect(text.contains("`\(code)`"), "\(code)") }
        let rows = try APIDocument.rows(of: "| code | meaning |").flatMap { row in
            row[0].matches(of: /`([A-Z_]+)`/).map { String($0.1) }
        }
        for code in rows { #expect(codes.contains(code), "\(code)") }
    }

    @Test("Unknown unit types are logged with what to do about them", arguments: [true, false])
    func unknownUnitTypes(isBuiltIn: Bool) async throws {
        let sink = MemoryLogSink()
        let service = try await TestService(
            catalog: isBuiltIn
                ? String(decoding: Catalog.storefrontBytes, as: UTF8.self) : Catalogs.shop,
            log: Log(format: .text, sink: sink))
        try await service.send("PUT", "/v1/screens/a/pages/0", #"{"sections":[]}"#)
        #expect(sink.lines.isEmpty)
        let page = #"{"sections":[[{"unitType":"NEW"},{"unitType":"NEWER"},{"unitType":"NEW"}]]}"#
        try await service.send("PUT", "/v1/screens/a/pages/0", page)
        try await service.send("POST", "/v1/layout", page)
        try #require(sink.lines.count == 2)
        #expect(sink.lines[0].contains(": page 0 of screen a has"))
        #expect(sink.lines[1].contains(": page 0 of a composition has"))
        for line in sink.lines {
            #expect(line.contains("warning unknown unit types "))
            #expect(line.contains(#"(3), of the types "NEW", "NEWER": "#))
            #expect(line.contains("--catalog FILE") == isBuiltIn)
            #expect(line.contains("add them to \"units\" in the catalog") != isBuiltIn)
        }
        try await service.send(
            "POST", "/v1/layout", "{\"pages\":[\(page)],\"catalog\":{}}")
        #expect(sink.lines.count == 2)
    }

    @Test("Ignored members of a catalog in a request have a diagnostic with a pointer into it")
    func catalogInRequest() async throws {
        let service = try await TestService()
        let response = try await service.send(
            "POST", "/v1/layout",
            #"{"catalog":{"unit":{}},"pages":[{"sections":[],"page":4,"hasNexxt":1}]}"#)
        #expect(count(response) == "2")
        #expect(try response.value("/diagnostics/0/page")?.isNull == true)
        #expect(try response.string("/diagnostics/0/code") == "UNKNOWN_MEMBER")
        #expect(try response.string("/diagnostics/0/pointer") == "/unit")
        #expect(try response.number("/diagnostics/1/page") == 4)
        #expect(try response.string("/diagnostics/1/pointer") == "/hasNexxt")
    }

    @Test("Ignored members of the daemon's catalog are logged when it is loaded, at most ten")
    func catalogInTheLog() async throws {
        let sink = MemoryLogSink()
        let service = try await TestService(
            catalog: #"{"unit":{},"sections":{"S":{"kind":"list","inset":1}}}"#,
            log: Log(format: .text, sink: sink))
        try #require(sink.lines.count == 1)
        #expect(
            sink.lines[0].hasSuffix(
                "warning the catalog has members without effect: UNKNOWN_MEMBER /unit is not known "
                    + "and is ignored; did you mean \"units\"?; MEMBER_WITHOUT_EFFECT "
                    + "/sections/S/inset has no effect on a section of the kind \"list\", only on "
                    + "\"flow\", \"compositional\" or \"masonry\""))
        let members = (0..<12).map { "\"n\($0)\":0" }.joined(separator: ",")
        await service.service.reload(catalogs: try CatalogSet(Catalog(Array("{\(members)}".utf8))))
            .value
        #expect(sink.lines.count == 4)
        #expect(sink.lines[1].contains("UNKNOWN_MEMBER /n9 "))
        #expect(!sink.lines[1].contains("UNKNOWN_MEMBER /n10 "))
        #expect(sink.lines[1].hasSuffix("; and 2 more, which broadsheet check lists"))
        // Trees by the daemon's own catalog do not repeat them.
        let tree = try await service.send("POST", "/v1/layout", #"{"sections":[]}"#)
        #expect(try tree.value("/diagnostics")?.count == 0)
    }

    @Test("Every member that the OpenAPI document describes is known")
    func describedMembers() async throws {
        let service = try await TestService()
        let schemas = ("/components/schemas" as JSONPointer)
            .evaluate(on: try await service.send("GET", "/openapi.json").json)
        func nulls(_ schema: String, without required: [String] = []) throws -> String {
            let members = try #require(schemas?[schema]?["properties"]).members
                .map(\.name.string).filter { !required.contains($0) }
            try #require(!members.isEmpty)
            return members.map { "\"\($0)\":null" }.joined(separator: ",")
        }
        let body = """
            {"catalog":{\(try nulls("Catalog", without: ["screen", "sections", "cellTypes", "units"])),
             "screen":{\(try nulls("ScreenLayout"))},"sections":{"A":{\(try nulls("SectionLayout"))}},
             "cellTypes":{"T":{\(try nulls("CellTypeRule"))}},
             "units":{"U":{\(try nulls("UnitRule", without: ["cell"])),
               "cell":{"type":"T",\(try nulls("Placement", without: ["type"]))}}}},
             "pages":[{\(try nulls("Page", without: ["sections"])),"sections":[
               {\(try nulls("Section", without: ["units", "layout"])),
                "layout":{\(try nulls("SectionLayout"))},
                "units":[{"unitType":"U","unitData":1}]}]}]}
            """
        let response = try await service.send("POST", "/v1/layout", body)
        #expect(response.status == 200, "\(response.text)")
        #expect(count(response) == "0", "\(response.text)")
    }
}
