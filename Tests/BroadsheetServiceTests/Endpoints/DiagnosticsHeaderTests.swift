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
