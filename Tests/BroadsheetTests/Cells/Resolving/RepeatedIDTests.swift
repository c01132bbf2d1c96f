import Testing

@testable import Broadsheet

@Suite("Items of the same id, and ids of sections (docs/api.md, Diagnostics)")
struct RepeatedIDTests {
    private static let catalog = #"""
        {"sections": {"ProductList": {"gridColumnCount": 2}, "Tips": {}, "Feed-1": {}},
         "units": {"L": {"cells": {"type": "C"}}}, "cellTypes": {"C": {"id": "/id"}}}
        """#

    /// Returns the diagnostics of a page by the catalog, as code and pointer, and their details.
    private func diagnostics(_ page: String) throws -> [(line: String, detail: String)] {
        let catalog = try Catalog(Array(Self.catalog.utf8))
        let posted = try ServerStatePage(try JSONDocument(Array(page.utf8)))
        let resolved = try ResolvedPage(page: posted, number: 0, registry: catalog.registry)
        return resolved.diagnostics.map { ("\($0.code.rawValue) \($0.pointer)", $0.detail) }
    }

    private static func unit(_ ids: String...) -> String {
        let items = ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")
        return #"{"unitType":"L","unitData":[\#(items)]}"#
    }

    private static func section(_ id: String, _ units: String...) -> String {
        #"{"sectionId":"\#(id)","units":[\#(units.joined(separator: ","))]}"#
    }

    private static func page(_ sections: String...) -> String {
        #"{"sections":[\#(sections.joined(separator: ","))]}"#
    }

    @Test(
        "The second item of an id in a section has a DUPLICATE_ID, whatever unit or part it is in",
        arguments: [
            (
                page(section("A", unit("\"a\"", "\"b\"", "\"a\""))),
                ["/sections/0/units/0/unitData/2"]
            ),
            (
                page(section("A", unit("\"a\""), unit("\"x\"", "\"\\u0061\""))),
                ["/sections/0/units/1/unitData/1"]
            ),
            (page(section("A", unit("7", "\"7\"", "7.0"))), ["/sections/0/units/0/unitData/1"]),
            (
                page(
                    section("A", unit("\"a\"")), section("B", unit("\"a\"")),
                    section("A", unit("\"c\"", "\"a\""))),
                ["/sections/2/units/0/unitData/1"]
            ),
            (
                "{\"sections\":[[\(unit("\"a\"", "\"a\""))],[\(unit("\"a\""))]]}",
                ["/sections/0/0/unitData/1"]
            ),
            (page(section("A", unit("\"a\"", "null", "null"))), []),
        ])
    func duplicates(_ page: String, _ pointers: [String]) throws {
        let found = try diagnostics(page)
        #expect(found.map(\.line) == pointers.map { "DUPLICATE_ID \($0)" })
        #expect(found.allSatisfy { $0.detail.contains("#2\"") })
    }

    @Test("100 items of a page have a diagnostic each, and the others are counted")
    func limit() throws {
        let ids = Array(repeating: #"{"id":"a"}"#, count: RepeatedIDs.maxListed + 3)
        let unit = #"{"unitType":"L","unitData":[\#(ids.joined(separator: ","))]}"#
        let found = try diagnostics(Self.page(Self.section("A", unit)))
        #expect(found.count == RepeatedIDs.maxListed + 1)
        #expect(found.last?.line == "DIAGNOSTICS_TRUNCATED ")
        #expect(found.last?.detail.hasPrefix("2 more") == true)
    }

    @Test(
        "An id that is nearly that of a section of the catalog is reported, once",
        arguments: [
            ("productList", "ProductList"), ("ProdctList", "ProductList"), ("tips", "Tips"),
            ("ProductList", nil), ("ProductList2", nil), ("Tip", nil), ("Feed-2", nil),
            ("Products", nil), ("Other", nil),
        ])
    func sections(_ id: String, _ nearest: String?) throws {
        let found = try diagnostics(Self.page(Self.section(id), Self.section(id)))
        #expect(
            found.map(\.line) == (nearest == nil ? [] : ["UNKNOWN_SECTION /sections/0/sectionId"]))
        if let nearest {
            #expect(found[0].detail.hasSuffix("; did you mean \"\(nearest)\"?"))
        }
    }
}
