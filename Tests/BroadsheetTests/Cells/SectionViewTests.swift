import Broadsheet
import Testing

@Suite("A section's header and footer") struct SectionViewTests {
    private func page(_ section: String) throws -> ResolvedPage {
        try resolved(#"{"sections": [\#(section)]}"#, by: sampleCatalog())
    }

    @Test("a section's own member takes only its unit type's placement of that name")
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

    @Test("a section's own member of a unit type without that placement: NO_PLACEMENT")
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

    @Test("a later unit's header replaces an earlier one's, and the earlier is told of")
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

    @Test("a section's own header wins over its units', and those are told of")
    func ownWins() throws {
        let page = try page(
            """
            {"header": {"unitType": "H", "unitData": 1}, "units": [{"unitType": "H", "unitData": 2}]}
            """)
        #expect(page.view(page.sections.first?.header) == "Title=1")
        #expect(page.notes == ["REPLACED /sections/0/units/0"])
    }

    @Test("a section's own header without data leaves the units' in place")
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
