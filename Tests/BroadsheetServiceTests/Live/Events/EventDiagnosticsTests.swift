import Broadsheet
import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("Diagnostics of events (docs/api.md, Events of clients)")
struct EventDiagnosticsTests {
    private func service() async throws -> TestService {
        let service = try await TestService(catalog: EventsTests.catalog)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a", "b"]))
        return service
    }

    /// Returns the diagnostics of a response as texts.
    private func diagnostics(_ response: ReceivedResponse) throws -> [String] {
        try response.value("/diagnostics")?.elements.map { diagnostic in
            ["code", "pointer", "detail"].map { diagnostic[$0]?.string ?? "?" }
                .joined(separator: " ")
        } ?? []
    }

    /// Events that mean nothing, with their diagnostics.
    private static let events: [(String, String?)] = [
        (Reports.action("favourite", #""a""#), nil),
        (
            Reports.action("favorite", #""a""#),
            "UNKNOWN_ACTION /events/0/name the cell type \"Row\" binds no action \"favorite\"; did "
                + "you mean \"favourite\"?"
        ),
        (
            Reports.action("dance", #""a""#),
            "UNKNOWN_ACTION /events/0/name the cell type \"Row\" binds no action \"dance\""
        ),
        (
            #"{"type":"action","name":"favourite"}"#,
            "UNKNOWN_ACTION /events/0/name cell types bind actions, and the event has no "
                + "\"section\" and \"item\""
        ),
        (
            Reports.action("favourite", #""z""#),
            "UNKNOWN_ITEM /events/0/item the section has no item with the id \"z\""
        ),
        (
            #"{"type":"select","section":"List","item":7}"#,
            "UNKNOWN_ITEM /events/0/item the section has no item with the index 7"
        ),
        (
            #"{"type":"willDisplay","section":"Lost","item":"a"}"#,
            "UNKNOWN_SECTION /events/0/section the screen has no section with the id \"Lost\""
        ),
        (
            #"{"type":"scroll","section":3}"#,
            "UNKNOWN_SECTION /events/0/section the screen has no section with the index 3"
        ),
        (#"{"type":"scroll","section":"List"}"#, nil), (#"{"type":"scroll","section":0}"#, nil),
        (#"{"type":"select","section":0,"item":1}"#, nil), (#"{"type":"scroll"}"#, nil),
        (#"{"type":"pageDidAppear","page":9}"#, nil),
    ]

    @Test("An event that means nothing has a diagnostic, and is accepted", arguments: events)
    func each(_ event: String, _ expected: String?) async throws {
        let service = try await service()
        let response = try await service.report(event)
        #expect(response.status == 202)
        #expect(try diagnostics(response) == (expected.map { [$0] } ?? []))
        #expect(response.response.headers[.diagnostics] == expected.map { _ in "1" })
        if expected == nil { #expect(!response.text.contains("diagnostics")) }
        let minimal = try await self.service().report(
            event, headers: [.prefer: "return=minimal"])
        #expect(minimal.status == 202 && minimal.body.isEmpty)
        #expect(minimal.response.headers[.diagnostics] == expected.map { _ in "1" })
    }

    @Test("An action of an item that an earlier one has removed means nothing")
    func removed() async throws {
        let service = try await service()
        let response = try await service.report(
            Reports.action("remove", #""a""#), Reports.action("favourite", #""a""#))
        #expect(
            try diagnostics(response) == [
                "UNKNOWN_ITEM /events/1/item an earlier action of the request has removed the item"
            ])
    }

    @Test("The response has the first 100, the header and the metrics have all")
    func many() async throws {
        let service = try await service()
        let events = (0..<250).map { index in
            index % 2 == 0
                ? Reports.action("x\(index)", #""a""#)
                : #"{"type":"select","section":"List","item":"z\#(index)"}"#
        }
        let response = try await service.report(events)
        let found = try diagnostics(response)
        #expect(found.count == 100)
        #expect(found[99].hasPrefix("UNKNOWN_ITEM /events/99/item "))
        #expect(response.response.headers[.diagnostics] == "250")
        for (code, count) in [
            ("UNKNOWN_ACTION", 125.0), ("UNKNOWN_ITEM", 125), ("UNKNOWN_SECTION", 0),
        ] {
            let sample = "broadsheet_client_event_diagnostics_total{code=\"\(code)\"}"
            #expect(try await service.metric(sample) == count)
        }
        let validator = SchemaValidator(document: try JSONDocument(OpenAPIDocument.bytes()).root)
        #expect(try validator.violations(of: response.json, schema: "AcceptedEvents") == [])
    }

    @Test("Long names are cut in details")
    func longNames() async throws {
        let service = try await service()
        let name = String(repeating: "é", count: 5_000)
        let response = try await service.report(
            Reports.action(name, #""a""#), Reports.action("favourite", "\"\(name)\""))
        let found = try diagnostics(response)
        #expect(found.count == 2)
        #expect(found.allSatisfy { $0.utf8.count < 1_200 })
    }
}
