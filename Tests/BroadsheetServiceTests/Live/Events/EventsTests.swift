import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import StoreTestSupport
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("POST of events (docs/api.md, Events of clients)")
struct EventsTests {
    /// A catalog with actions.
    static let catalog = #"""
        {"units": {"LIST": {"cells": {"type": {"switch": "/kind", "cases": {"fixed": "Fixed"},
                                               "default": "Row"}}}},
         "cellTypes": {
           "Fixed": {"id": "/id", "can": ["select"]},
           "Row": {"id": "/id", "size": {"height": 100}, "can": ["move", "delete"], "actions": {
             "favourite": {"operations": [{"op": "patchItem", "patch": {"f": true}}],
                           "forward": true},
             "name": {"operations": [{"op": "patchItem", "patch": {"n": {"$input": "/n"}}}]},
             "top": {"operations": [{"op": "moveItems", "before": 0}]},
             "last": {"operations": [{"op": "moveItems"}]},
             "remove": {"operations": [{"op": "deleteItems"}]},
             "clear": {"operations": [{"op": "deleteItems", "all": true}]},
             "notify": {"forward": true}}}}}
        """#

    private let path = "/v1/screens/home/events"

    /// Returns a service with a screen of two pages of one section.
    private func service(
        store: ScreenStore = ScreenStore.inMemory(),
        access: AccessConfiguration = AccessConfiguration()
    ) async throws -> TestService {
        let service = try await TestService(store: store, catalog: Self.catalog, access: access)
        for (number, ids) in [["a", "b"], ["c", "d"]].enumerated() {
            try await service.send("PUT", "/v1/screens/home/pages/\(number)", Pages.list(ids))
        }
        return service
    }

    private func action(_ name: String, _ item: String, _ more: String = "") -> String {
        Reports.action(name, item, more)
    }

    private func counts(_ service: TestService) async throws -> [String] {
        let text = try await service.send("GET", "/metrics").text
        return text.split(separator: "\n").filter {
            $0.hasPrefix("broadsheet_client_events_total{")
        }
        .map { String($0.dropFirst("broadsheet_client_events_total".count)) }
    }

    @Test("Events of a header and a footer are counted by the type of the view, if it is there")
    func views() async throws {
        let service = try await TestService(
            catalog: #"""
                {"units": {"LIST": {"cells": {"type": "Row"}}, "HEAD": {"header": {"type": "Head"}}},
                 "cellTypes": {"Row": {"id": "/id"}, "Head": {"size": {"height": 20}}}}
                """#)
        let units =
            #"{"unitType":"HEAD","unitData":{}},{"unitType":"LIST","unitData":[{"id":"a"}]}"#
        try await service.send(
            "PUT", "/v1/screens/home/pages/0",
            #"{"sections":[{"sectionId":"List","units":[\#(units)]}]}"#)
        let response = try await service.report(
            #"{"type":"select","section":"List","view":"header"}"#,
            #"{"type":"willDisplay","section":0,"view":"header"}"#,
            #"{"type":"select","section":"List","view":"footer"}"#)
        #expect(response.status == 202)
        #expect(
            try response.value("/diagnostics")?.elements.map { $0["pointer"]?.string } == [
                "/events/2/view"
            ])
        let expected = [
            #"{type="select",cell_type=""} 1"#, #"{type="select",cell_type="Head"} 1"#,
            #"{type="willDisplay",cell_type="Head"} 1"#,
        ]
        #expect(try await counts(service) == expected)
        let invalid = try await service.report(
            #"{"type":"select","section":"List","view":"left"}"#,
            #"{"type":"select","section":"List","view":"header","item":"a"}"#,
            #"{"type":"select","view":"header"}"#)
        #expect(invalid.status == 422 && invalid.code == "INVALID_CONTRACT")
        #expect(
            try invalid.errors.map { $0.prefix { $0 != " " } } == [
                "/events/0/view", "/events/1/view", "/events/2/section",
            ])
        #expect(try await counts(service) == expected)
    }

    @Test("A write of another daemon in between repeats the actions on what it left")
    func conflict() async throws {
        let store = ScreenStore.inMemory()
        let other = try await service(store: store)
        let service = try await TestService(store: store, catalog: Self.catalog)
        _ = try await service.send("GET", "/v1/screens/home/layout?pages=all")
        try await other.send("PUT", "/v1/screens/home/pages/0", Pages.list(["b", "a", "z"]))
        let response = try await service.report(action("favourite", #""z""#))
        #expect(response.text == #"{"accepted":1,"revision":4}"#)
        let page = try await service.send("GET", "/v1/screens/home/pages/0").text
        #expect(page.contains(#"{"id":"z","f":true}"#))
    }

    @Test("Actions make at most 1000 operations, and no page beyond the limits")
    func limits() async throws {
        let twice = Self.catalog.replacing(
            #""favourite": {"operations": ["#,
            with: #""favourite": {"operations": [{"op": "patchItem", "patch": {"g": 1}}, "#)
        let service = try await TestService(catalog: twice)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a", "b"]))
        func favourites(_ count: Int) -> [String] {
            Array(repeating: action("favourite", #""a""#), count: count)
        }
        #expect(try await service.report(favourites(500)).status == 202)
        let refused = try await service.report(favourites(501))
        #expect(refused.status == 409)
        #expect(try refused.string("/errors/0/pointer") == "/events/500")
        let small = try await TestService(catalog: Self.catalog, maxPageBytes: 600)
        try await small.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a", "b"]))
        for (length, status) in [(100, 202), (550, 409)] {
            let text = String(repeating: "x", count: length)
            let input = #","input":{"n":"\#(text)"}"#
            let named = try await small.report(action("name", #""a""#, input))
            #expect(named.status == status, "\(named.text)")
        }
    }

    @Test("Random actions leave the pages that the same operations leave")
    func sameAsUpdates() async throws {
        let seed = SeededGenerator.seed(of: "EventsTests")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<12 {
            let (acted, updated) = (try await service(), try await service())
            for _ in 0..<5 {
                let names = ["favourite", "last", "remove"]
                let chosen = try (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    (
                        name: try #require(names.randomElement(using: &random)),
                        item: try #require(["a", "b", "c", "d"].randomElement(using: &random))
                    )
                }
                let reported = try await acted.report(
                    chosen.map { action($0.name, "\"\($0.item)\"") })
                #expect(reported.status == 202, "seed \(seed): \(reported.text)")
                for (name, item) in chosen {
                    let operation =
                        switch name {
                        case "favourite": #""op":"patchItem","item":"\#(item)","patch":{"f":true}"#
                        case "last": #""op":"moveItems","items":["\#(item)"]"#
                        default: #""op":"deleteItems","items":["\#(item)"]"#
                        }
                    // An item that is gone makes the update fail, and the action be counted only.
                    try await updated.send(
                        "POST", "/v1/screens/home/updates",
                        #"{"operations":[{"section":"List",\#(operation)}]}"#)
                }
                for page in 0...1 {
                    let path = "/v1/screens/home/pages/\(page)"
                    let (one, two) = (
                        try await acted.send("GET", path), try await updated.send("GET", path)
                    )
                    #expect(one.text == two.text, "seed \(seed)")
                }
            }
        }
    }
}
