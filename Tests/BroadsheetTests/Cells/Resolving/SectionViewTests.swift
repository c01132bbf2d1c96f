import Broadsheet
import Testing

@Suite("Headers and footers of sections") struct SectionViewTests {
    private func page(_ section: String) throws -> ResolvedPage {
        try resolved(#"{"sections": [\#(section)]}"#, by: sampleCatalog())
    }

    @Test("A section's own header uses only its unit type's header placement")
    func ownViews() throws {
        let page = try page(
            """
            {"header": {"unitType": "BOTH", "unitData": {"title": 1, "items": [{}], "end": 2}},
            "footer": {"unitType": "BOTH", "unitData": {"title": 3, "end": 4}}, "units": []}
            """)
        let section = try #require(page.sections.first)
        #expect(page.view(section.header) == "Title=1")
        #expect(page.view(section.footer) == "Title=4")
        #expect(section.cells.isEmpty)
        #expect(page.diagnostics.isEmpty)
    }

    @Test("A section's own header of a unit type without that placement is NO_PLACEMENT")
    func noPlacement() throws {
        let page = try page(
            #"{"header": {"unitType": "F"}, "footer": {"unitType": "U"}, "units": []}"#)
        #expect(page.sections.first?.header == nil)
        #expect(page.sections.first?.footer == nil)
        #expect(
            page.notes == [
                "NO_PLACEMENT /sections/0/header/unitType",
                "NO_PLACEMENT /sections/0/footer/unitType",
            ])
    }

    @Test("A later unit's header replaces an earlier one's, which is a diagnostic")
    func laterUnitWins() throws {
        let page = try page(
            """
            {"units": [{"unitType": "H", "unitData": 1}, {"unitType": "F", "unitData": 2},
            {"unitType": "H", "unitData": 3}]}
            """)
        #expect(page.view(page.sections.first?.header) == "Title=3")
        #expect(page.view(page.sections.first?.footer) == "Title=2")
        #expect(page.notes == ["REPLACED /sections/0/units/0"])
    }

    @Test("A section's own header replaces its units', which are diagnostics")
    func ownWins() throws {
        let page = try page(
            """
            {"header": {"unitType": "H", "unitData": 1}, "units": [{"unitType": "H", "unitData": 2}]}
            """)
        #expect(page.view(page.sections.first?.header) == "Title=1")
        #expect(page.notes == ["REPLACED /sections/0/units/0"])
    }

    @Test("A section's own header without data does not replace its units'")
    func ownWithoutData() throws {
        let page = try page(
            """
            {"header": {"unitType": "H", "unitData": null},
            "units": [{"unitType": "H", "unitData": 2}]}
            """)
        #expect(page.view(page.sections.first?.header) == "Title=2")
        #expect(page.diagnostics.isEmpty)
    }
}
