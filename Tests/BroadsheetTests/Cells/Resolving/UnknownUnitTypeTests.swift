import Testing

@testable import Broadsheet

@Suite("Unknown unit types (docs/api.md, Diagnostics)")
struct UnknownUnitTypeTests {
    private static let json = #"""
        {"units": {"PRODUCTS": {"cells": {"type": "C"}}, "BANNER": {"cell": {"type": "C"}},
                   "STRICT": {"cell": {"type": "C"}, "schema": {"required": ["a"]}}},
         "cellTypes": {"C": {}}}
        """#
    private static let remedy = #"add it to "units" in the catalog (--catalog FILE)"#

    private func details(_ units: String, by json: String = json) throws -> [String] {
        let page = try resolved(#"{"sections": [[\#(units)]]}"#, by: catalog(json))
        return page.diagnostics.filter { $0.code == .unknownUnitType }.map(\.detail)
    }

    @Test(
        "The diagnostic has the name, and the nearest registered one",
        arguments: [
            ("PRODUCT", #"no unit type "PRODUCT" is registered; did you mean "PRODUCTS"?"#),
            ("products", #"no unit type "products" is registered; did you mean "PRODUCTS"?"#),
            ("BANER", #"no unit type "BANER" is registered; did you mean "BANNER"?"#),
            ("CAROUSEL", #"no unit type "CAROUSEL" is registered; \#(remedy)"#),
            ("", #"no unit type "" is registered; \#(remedy)"#),
        ])
    func nearest(name: String, detail: String) throws {
        let unit = #"{"unitType": "\#(name)", "unitData": []}"#
        #expect(try details(unit) == [detail])
        let page = try posted(#"{"sections": [[\#(unit)]]}"#)
        #expect(
            try page.strictDiagnostics(by: catalog(Self.json).registry).first.map(\.detail)
                == [detail])
    }

    @Test("A fallback of an unknown type, and a unit before its fallback, have the same text")
    func fallbacks() throws {
        let units =
            #"{"unitType": "PRODUCTZ", "unitData": [], "fallback": {"unitType": "BANER", "unitData": 1}}"#
        #expect(
            try details(units) == [
                #"no unit type "PRODUCTZ" is registered; did you mean "PRODUCTS"?"#,
                #"no unit type "BANER" is registered; did you mean "BANNER"?"#,
            ])
        let made =
            #"{"unitType": "BANER", "unitData": [], "fallback": {"unitType": "BANNER", "unitData": 1}}"#
        #expect(
            try details(made)
                == [#"no unit type "BANER" is registered; did you mean "BANNER"?"#])
    }

    @Test("A name is cut to 64 characters, also if a character is long")
    func longNames() throws {
        let long = String(repeating: "x", count: 100_000)
        #expect(
            try details(#"{"unitType": "\#(long)"}"#)
                == [#"no unit type "\#(long.prefix(64))" is registered; \#(Self.remedy)"#])
        let marks = "e" + String(repeating: "\u{301}", count: 50_000)
        let detail = try #require(try details(#"{"unitType": "\#(marks)"}"#).first)
        #expect(detail.utf8.count <= ReportedText.maxByteCount)
    }

    @Test("The first 10 names of a page are compared, with the first 1000 registered names")
    func limits() throws {
        let names = (0..<10).map { "BANNER\($0)" } + ["BANNERX", "BANNER0"]
        let units = names.map { #"{"unitType": "\#($0)", "unitData": 1}"# }
        let found = try details(units.joined(separator: ","))
        #expect(found.count == 12)
        for index in [0, 9, 11] {
            #expect(found[index].hasSuffix(#"did you mean "BANNER"?"#), "\(index)")
        }
        #expect(found[10].hasSuffix(Self.remedy))
        #expect(UnknownUnitTypes.maxCompared == 10)

        #expect(UnknownUnitTypes.maxCandidates == 1000)
        for (count, isCompared) in [(999, true), (1000, false)] {
            let others = (0..<count).map { "\"A\($0)\": {}" }.joined(separator: ",")
            let found = try details(
                #"{"unitType": "BANER"}"#, by: "{\"units\": {\(others), \"BANNER\": {}}}")
            #expect(found[0].contains("did you mean") == isCompared, "\(count)")
        }
    }

    @Test("A page has no unit of a registered type, or one, be it a fallback, a header or a footer")
    func onlyUnknown() throws {
        let registry = try catalog(Self.json).registry
        for (sections, hasKnown, types) in [
            ("", false, []), ("[]", false, []), (#"[{"unitType": "A"}]"#, false, ["A"]),
            (#"[{"unitType": "A"}, {"unitType": "B"}], [{"unitType": "A"}]"#, false, ["A", "B"]),
            (#"[{"unitType": "A"}], [{"unitType": "BANNER"}]"#, true, []),
            (
                #"[{"unitType": "A", "fallback": {"unitType": "BANNER"}}]"#, true, []
            ),
            (#"{"units": [{"unitType": "A"}], "header": {"unitType": "BANNER"}}"#, true, []),
            (#"{"units": [], "footer": {"unitType": "B"}}"#, false, ["B"]),
        ] as [(String, Bool, [String])] {
            let found = try posted(#"{"sections": [\#(sections)]}"#).unknownUnitTypes(by: registry)
            #expect(found.hasKnown == hasKnown, "\(sections)")
            #expect(found.types == types, "\(sections)")
        }
    }
}
