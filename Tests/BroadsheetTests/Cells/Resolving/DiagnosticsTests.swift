import Broadsheet
import Testing

@Suite("Page diagnostics") struct DiagnosticsTests {
    private func page(_ json: String, limits: ScreenLimits = ScreenLimits()) throws -> ResolvedPage
    {
        try resolved(json, number: 3, by: sampleCatalog(), limits: limits)
    }

    @Test("A diagnostic has the page, a pointer and a detail")
    func details() throws {
        let page = try page(
            """
            {"sections": [[{"unitType": "?"}, {"unitType": "U", "unitData": 1},
            {"unitType": "U", "unitData": null}]], "sections": [[{"unitType": "?"},
            {"unitType": "U", "unitData": 1}, {"unitType": "U", "unitData": null}]]}
            """)
        #expect(
            page.diagnostics == [
                Diagnostic(
                    code: .duplicateMember, page: 3, pointer: "/sections",
                    detail: "stands more than once in its object; the last one counts"),
                Diagnostic(
                    code: .unknownUnitType, page: 3, pointer: "/sections/0/0/unitType",
                    detail: "no unit type \"?\" is registered; add it to \"units\" in the catalog "
                        + "(--catalog FILE)"),
                Diagnostic(
                    code: .notAnArray, page: 3, pointer: "/sections/0/1/unitData",
                    detail: "cells are made of an array's elements"),
                Diagnostic(
                    code: .missingData, page: 3, pointer: "/sections/0/2/unitData",
                    detail: "there is nothing to make a cell of"),
            ])
    }

    @Test(
        "Each duplicate member of the contract is a diagnostic",
        arguments: [
            (#"{"hasNext": true, "hasNext": true, "sections": []}"#, "/hasNext"),
            (#"{"page": 3, "\u0070age": 3, "sections": []}"#, "/page"),
            (#"{"sections": [], "sections": []}"#, "/sections"),
            (#"{"sections": [{"units": [], "units": []}]}"#, "/sections/0/units"),
            (
                #"{"sections": [{"sectionId": 1, "units": [], "sectionId": 2}]}"#,
                "/sections/0/sectionId"
            ),
            (
                #"{"sections": [{"units": [], "collapsed": null, "collapsed": false}]}"#,
                "/sections/0/collapsed"
            ),
            (#"{"sections": [{"units": [], "layout": {}, "layout": {}}]}"#, "/sections/0/layout"),
            (
                #"{"sections": [{"units": [], "layout": {"inset": 1, "inset": 2}}]}"#,
                "/sections/0/layout/inset"
            ),
            (
                #"{"sections": [{"units": [], "header": {"unitType": "H"}, "header": null}]}"#,
                "/sections/0/header"
            ),
            (
                #"{"sections": [{"units": [], "footer": null, "footer": null}]}"#,
                "/sections/0/footer"
            ),
            (
                #"{"sections": [[{"unitType": "P", "unitData": [], "unitData": []}]]}"#,
                "/sections/0/0/unitData"
            ),
            (#"{"sections": [[{"unitType": "P", "unitType": "ONE"}]]}"#, "/sections/0/0/unitType"),
        ])
    func duplicates(json: String, pointer: String) throws {
        #expect(try page(json).notes == ["DUPLICATE_MEMBER \(pointer)"])
    }

    @Test("Duplicate members in a unit's data, or without a contract, are not DUPLICATE_MEMBER")
    func duplicatesInData() throws {
        let data = #"{"a":1,"a":2}"#
        let page = try page(
            #"{"x": 1, "x": 2, "sections": [[{"unitType": "ONE", "unitData": \#(data)}]]}"#)
        #expect(page.notes == ["UNKNOWN_MEMBER /x"])
        #expect(
            page.items
                == [["Item:p0.u0.e0=\(data)"]].map { $0.map { $0.replacing("p0", with: "p3") } })
    }

    @Test(
        "Diagnostics beyond the limit are counted in one more",
        arguments: [(4, 5), (5, 5), (6, 5), (1_000, 5), (3, 0)])
    func truncation(count: Int, limit: Int) throws {
        let units = Array(repeating: #"{"unitType": "?"}"#, count: count - 1)
        let page = try page(
            #"{"hasNext": 1, "hasNext": true, "sections": [[\#(units.joined(separator: ","))]]}"#,
            limits: ScreenLimits(maxDiagnostics: limit))
        let diagnostics = page.diagnostics
        guard count > limit else {
            #expect(diagnostics.count == count)
            return
        }
        #expect(diagnostics.count == limit + 1)
        #expect(diagnostics.last?.code == .diagnosticsTruncated)
        #expect(
            diagnostics.last?.detail
                == "\(count - limit) more diagnostics of this page are not shown")
    }

    @Test("The counts by code include every diagnostic, those beyond the limit as truncated")
    func counts() throws {
        let text = """
            {"page": 3, "page": 3, "sections": [[{"unitType": "?"}, {"unitType": "!"},
            {"unitType": "U", "unitData": 1}, {"unitType": "?"}]]}
            """
        let all = try page(text)
        #expect(
            all.diagnosticCounts.byCode
                == [.duplicateMember: 1, .unknownUnitType: 3, .notAnArray: 1])
        #expect(all.unknownUnitTypes == ["?", "!"])
        let few = try page(text, limits: ScreenLimits(maxDiagnostics: 2))
        #expect(
            few.diagnosticCounts.byCode
                == [.duplicateMember: 1, .unknownUnitType: 1, .diagnosticsTruncated: 3])
        #expect(few.diagnosticCounts.total == 5)
        #expect(
            few.diagnostics.map(\.code) == [
                .duplicateMember, .unknownUnitType, .diagnosticsTruncated,
            ])
    }

    @Test("A page keeps the first ten unknown unit types, each cut to 64 characters")
    func unknownUnitTypes() throws {
        let names = ["abc" + String(repeating: "é", count: 100)] + (1...20).map { "T\($0)" }
        let units = names.map { "{\"unitType\":\"\($0)\"}" }.joined(separator: ",")
        let page = try page("{\"sections\":[[\(units)]]}")
        #expect(page.unknownUnitTypes.count == ResolvedPage.maxUnknownUnitTypes)
        #expect(page.unknownUnitTypes.first?.count == ResolvedPage.maxShownNameLength)
        #expect(page.unknownUnitTypes.last == "T9")
        #expect(page.diagnosticCounts.byCode == [.unknownUnitType: 21])
    }
}
