import Broadsheet
import Testing

@Suite("Limit on a page's items") struct ItemLimitTests {
    private static let page = """
        {"sections": [[{"unitType": "ONE"}], {"units": [{"unitType": "U", "unitData": [1, 2, 3]},
        {"unitType": "U", "unitData": [4]}]}]}
        """

    @Test("A page with as many items as the limit is accepted")
    func within() throws {
        let page = try resolved(Self.page, by: sampleCatalog(), limits: ScreenLimits(maxItems: 5))
        #expect(page.itemCount == 5)
    }

    @Test(
        "The violation names the unit beyond the limit, the limit and its flag",
        arguments: [
            (4, "/sections/1/units/1"), (3, "/sections/1/units/0"), (0, "/sections/0/0"),
        ])
    func crossed(limit: Int, pointer: String) throws {
        let catalog = try sampleCatalog()
        let error = #expect(throws: ContractError.self) {
            try resolved(Self.page, by: catalog, limits: ScreenLimits(maxItems: limit))
        }
        #expect(error?.violations.map(\.pointer) == [pointer])
        #expect(error?.violations.first?.detail.contains("\(limit) items") == true)
        #expect(error?.violations.first?.detail.contains("--max-items") == true)
    }

    @Test("A page whose units make many times the items of one array is rejected")
    func amplified() throws {
        let placements = Array(repeating: #"{"type": "A"}"#, count: 16).joined(separator: ",")
        let catalog = try catalog(
            #"{"units": {"U": {"cells": [\#(placements)]}}, "cellTypes": {"A": {}}}"#)
        let elements = Array(repeating: "0", count: 10_000).joined(separator: ",")
        #expect(throws: ContractError.self) {
            try resolved(
                #"{"sections": [[{"unitType": "U", "unitData": [\#(elements)]}]]}"#, by: catalog,
                limits: ScreenLimits(maxItems: 100_000))
        }
    }
}
