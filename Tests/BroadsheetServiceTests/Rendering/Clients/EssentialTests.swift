import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("Cell types that an app cannot draw, fallbacks and essential parts (docs/clients.md)")
struct EssentialTests {
    private let path = "/v1/screens/home/layout"

    private static let catalog = """
        {"cellTypes": {
           "Reel": {"id": "/id", "since": {"ios": "5.2", "web": null}, "fallback": "Video"},
           "Video": {"id": "/id", "since": {"ios": "4"}},
           "Row": {"id": "/id"}},
         "units": {
           "REEL": {"cells": {"type": "Reel"}}, "ROW": {"cell": {"type": "Row"}},
           "TITLE": {"header": {"type": "Row"}},
           "VIDEO": {"cell": {"type": "Video", "data": "/video"}}}}
        """

    private func service(_ sections: String) async throws -> TestService {
        let service = try await TestService(catalog: Self.catalog)
        let put = try await service.send(
            "PUT", "/v1/screens/home/pages/0", #"{"sections": [\#(sections)]}"#)
        #expect(put.status == 201, "\(put.text)")
        return service
    }

    /// Returns the diagnostics of a tree: their codes and their pointers.
    private func diagnostics(_ response: ReceivedResponse) throws -> [String] {
        try #require(try response.json["diagnostics"]).elements.map {
            "\($0["code"]?.string ?? "") \($0["pointer"]?.string ?? "")"
        }
    }

    private func types(_ response: ReceivedResponse) throws -> [[String]] {
        try #require(try response.json["sections"]).elements.map { section in
            section["items"]?.elements.compactMap { $0["type"]?.string } ?? []
        }
    }

    @Test("An old app gets the fallback of a cell type, or the unit that stands in")
    func steps() async throws {
        let service = try await service(
            #"""
            [{"unitType": "REEL", "unitData": [{"id": "r"}],
              "fallback": {"unitType": "ROW", "unitData": {"id": "old"}}}]
            """#)
        let cases: [(String, String, String, [String])] = [
            ("ios/5.2", "Reel", "r", []), ("android/1", "Reel", "r", []),
            ("ios/4.1", "Video", "r", ["FALLBACK_USED /sections/0/0"]),
            ("web/9", "Video", "r", ["FALLBACK_USED /sections/0/0"]),
            (
                "ios/3", "Row", "old",
                ["CELL_TYPE_TOO_NEW /sections/0/0", "FALLBACK_USED /sections/0/0"]
            ),
        ]
        for (client, type, id, found) in cases {
            let tree = try await service.send("GET", "\(path)?client=\(client)")
            #expect(try types(tree) == [[type]], "\(client)")
            #expect(try tree.itemIds == [[id]], "\(client)")
            #expect(try diagnostics(tree) == found, "\(client)")
        }
        let newest = try await service.send("GET", path)
        #expect(try types(newest) == [["Reel"]])
    }

    @Test("A chain that ends in null says nothing, and without one each step says why")
    func silence() async throws {
        let reel = #"{"unitType": "REEL", "unitData": [{"id": "r"}]"#
        let service = try await service(
            #"""
            [\#(reel), "fallback": null}, \#(reel)}, {"unitType": "NEW", "fallback": null},
             {"unitType": "NEW", "fallback": {"unitType": "VIDEO", "unitData": {}, "fallback":
               {"unitType": "VIDEO", "unitData": {}}}}]
            """#)
        let tree = try await service.send("GET", "\(path)?client=ios/3")
        #expect(try tree.itemIds == [[]])
        #expect(
            try diagnostics(tree) == [
                "CELL_TYPE_TOO_NEW /sections/0/1", "UNKNOWN_UNIT_TYPE /sections/0/3/unitType",
                "MISSING_DATA /sections/0/3/fallback/unitData/video",
                "FALLBACK_USED /sections/0/3",
                "MISSING_DATA /sections/0/3/fallback/fallback/unitData/video",
            ])
    }

    @Test("A ninth fallback breaks the contract")
    func nine() async throws {
        func unit(_ fallbacks: Int) -> String {
            (0..<fallbacks).reduce(#"{"unitType": "ROW", "unitData": {}}"#) { unit, _ in
                #"{"unitType": "NEW", "unitData": {}, "fallback": \#(unit)}"#
            }
        }
        let service = try await service("[\(unit(8))]")
        #expect(try await service.send("GET", path).itemIds == [["p0.u0.e0"]])
        let refused = try await service.send(
            "PUT", "/v1/screens/home/pages/0", #"{"sections": [[\#(unit(9))]]}"#)
        #expect(refused.code == "INVALID_CONTRACT")
        let place = String(repeating: "/fallback", count: 9)
        #expect(try refused.errors.first?.hasPrefix("/sections/0/0\(place) ") == true)
    }

    @Test("An essential unit takes its section with it, but not what other parts add to the id")
    func essentialUnit() async throws {
        let service = try await service(
            #"""
            {"sectionId": "S", "header": {"unitType": "TITLE", "unitData": {}}, "units": [
              {"unitType": "ROW", "unitData": {"id": "a"}},
              {"unitType": "REEL", "unitData": [{"id": "r"}], "essential": true, "fallback": null}]},
            {"sectionId": "S", "units": [{"unitType": "ROW", "unitData": {"id": "b"}}]},
            {"units": [{"unitType": "REEL", "unitData": [], "essential": true},
                       {"unitType": "NEW", "essential": true, "when": {"flags": ["x"]}}]}
            """#)
        #expect(try await service.send("GET", path).itemIds == [["a", "r", "b"], []])
        let old = try await service.send("GET", "\(path)?client=ios/3")
        #expect(try old.itemIds == [["b"], []])
        #expect(try diagnostics(old) == ["ESSENTIAL_UNIT_MISSING /sections/0/units/1"])
    }

    @Test("Without an essential section the layout is 406, and writes are not")
    func essentialSection() async throws {
        let service = try await service(
            #"""
            {"sectionId": "S", "essential": true, "units": [
              {"unitType": "REEL", "unitData": [{"id": "r"}]}]},
            {"sectionId": "T", "units": [{"unitType": "ROW", "unitData": {"id": "a"}}]}
            """#)
        #expect(try await service.send("GET", "\(path)?client=ios/4").status == 200)
        for target in [
            "layout?", "layout.svg?", "layout?rect=0,0,9,9&", "layout?pages=all&",
            "changes?since=1&", "changes?since=99&",
        ] {
            let old = try await service.send("GET", "/v1/screens/home/\(target)client=ios/3")
            #expect(old.status == 406, "\(target)")
            #expect(old.code == "CLIENT_NOT_SUPPORTED", "\(target)")
            #expect(try old.number("/errors/0/page") == 0)
            #expect(try old.string("/errors/0/pointer") == "/sections/0")
            #expect(try old.string("/errors/0/detail").contains("/sections/0/units/0"))
        }
        let page = try await service.send("GET", "/v1/screens/home/pages/0").text
        let composed = try await service.send("POST", "/v1/layout?client=ios/3", page)
        #expect(composed.code == "CLIENT_NOT_SUPPORTED")
        let many = #"{"pages": [\#(page)], "viewports": [{}, {"width": 600}]}"#
        #expect(try await service.send("POST", "/v1/layout?client=ios/3", many).status == 406)
        let written = try await service.send(
            "PUT", "/v1/screens/home/pages/0?client=ios/3", page)
        #expect(written.status == 200)
        #expect(try written.itemIds == [[], ["a"]])
    }

    @Test("An essential section that lacks something else is ESSENTIAL_SECTION_MISSING")
    func missing() async throws {
        let service = try await service(
            #"""
            {"essential": true, "units": [{"unitType": "NEW"}]},
            {"essential": true, "units": [{"unitType": "REEL", "unitData": []}]},
            {"essential": true, "units": [], "when": {"flags": ["x"]}}
            """#)
        let response = try await service.send("GET", path)
        #expect(response.status == 406)
        #expect(response.code == "ESSENTIAL_SECTION_MISSING")
        #expect(try response.json["errors"]?.count == 1)
        #expect(try await service.send("HEAD", path).status == 406)
    }

    @Test("An unsupported app costs one layout, however often it asks")
    func cost() async throws {
        let service = try await service(
            #"{"essential": true, "units": [{"unitType": "REEL", "unitData": [{}]}]}"#)
        for number in 0..<50 {
            let response = try await service.send("GET", "\(path)?client=ios/3.\(number)")
            #expect(response.status == 406)
        }
        let metrics = try await service.send("GET", "/metrics").text
        #expect(metrics.contains(#"broadsheet_layout_cache_misses_total{kind="layout"} 1"#))
    }

    @Test("An update edits the unit that stands in for the client")
    func updates() async throws {
        let service = try await service(
            #"""
            {"sectionId": "S", "units": [
              {"unitType": "REEL", "unitData": [{"id": "r"}],
               "fallback": {"unitType": "ROW", "unitData": {"id": "old", "n": 1}}}]}
            """#)
        let patch = #"""
            {"operations": [{"op": "patchItem", "section": "S", "item": "old", "patch": {"n": 2}}]}
            """#
        let target = "/v1/screens/home/updates"
        #expect(try await service.send("POST", target, patch).code == "UPDATE_FAILED")
        #expect(try await service.send("POST", "\(target)?client=ios/3", patch).status == 200)
        let page = try await service.send("GET", "/v1/screens/home/pages/0").text
        #expect(
            page.contains(#""fallback": {"unitType": "ROW", "unitData": {"id": "old", "n": 2}}"#))
        #expect(page.contains(#""unitData": [{"id": "r"}]"#))
    }
}
