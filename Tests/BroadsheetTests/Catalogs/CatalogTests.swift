import Broadsheet
import Testing

@Suite("Catalog (docs/catalog.md)") struct CatalogTests {
    @Test(
        "A catalog can be empty or have null members",
        arguments: [
            "{}",
            #"{"screen": null, "contract": null, "sections": null, "units": null, "cellTypes": null}"#,
            #"{"sections": {"A": null}, "units": {"U": null}, "cellTypes": {"C": null}, "x": 1}"#,
        ])
    func empty(json: String) throws {
        let registry = try catalog(json).registry
        #expect(registry.names == ContractNames())
        #expect(registry.screen == ScreenLayout())
        #expect(registry.layout(forSection: "A") == SectionLayout())
    }

    @Test("The bytes are kept, and a byte order mark is skipped")
    func bytes() throws {
        let bytes = [0xEF, 0xBB, 0xBF] + Array(" {} ".utf8)
        #expect(try Catalog(bytes).bytes == bytes)
    }

    @Test("The members of screen apply to the whole screen (docs/layout.md, J)")
    func screen() throws {
        let registry = try catalog(
            """
            {"screen": {"direction": "horizontal", "itemSize": {"width": 1}, "inset": 2,
            "minimumLineSpacing": 3, "minimumInteritemSpacing": 4, "interSectionSpacing": 5,
            "pinHeaders": true, "pinFooters": false}}
            """
        ).registry
        var expected = ScreenLayout()
        expected.direction = .horizontal
        expected.itemSize = Size(width: 1, height: 50)
        expected.inset = Insets(2)
        expected.minimumLineSpacing = 3
        expected.minimumInteritemSpacing = 4
        expected.interSectionSpacing = 5
        expected.pinHeaders = true
        expected.pinFooters = false
        #expect(registry.screen == expected)
    }

    @Test("The contract renames members; those left out have their defaults")
    func contract() throws {
        let registry = try catalog(#"{"contract": {"unitType": "kind", "units": null}}"#).registry
        #expect(registry.names == ContractNames(unitType: "kind"))
    }

    @Test("A section has the layout of its id or that of *, never both")
    func sections() throws {
        let registry = try catalog(
            #"{"sections": {"A": {"minimumLineSpacing": 1}, "*": {"inset": 2}}}"#
        ).registry
        #expect(registry.layout(forSection: "A").flow.minimumLineSpacing == 1)
        #expect(registry.layout(forSection: "A").flow.inset == nil)
        #expect(registry.layout(forSection: "B").flow.inset == Insets(2))
        #expect(registry.layout(forSection: nil).flow.inset == Insets(2))
    }

    @Test("The built-in catalog is valid and is the storefront's")
    func storefront() throws {
        let catalog = try Catalog(Catalog.storefrontBytes)
        #expect(catalog.registry.layout(forSection: "ProductList").flow.gridColumnCount == 2)
        #expect(Catalog.storefront.registry.layout(forSection: nil).flow.inset == .zero)
        let page = try resolved(
            """
            {"sections": [{"sectionId": "MyFavorites", "units": [{"unitType": "SS_MY_FAVORITES",
            "unitData": {"titleInfo": {"t": 1}, "productList": [{"id": "P1"}]}}]}]}
            """, by: .storefront)
        #expect(page.items == [[#"ProductCell:P1={"id": "P1"}"#]])
        #expect(page.view(page.sections.first?.header) == #"MyFavoriteHeaderView={"t": 1}"#)
    }
}
