import Broadsheet
import Testing

@Suite("Built-in catalog") struct StorefrontFixtureTests {
    @Test("The built-in catalog equals the storefront fixture's byte for byte")
    func bytes() throws {
        #expect(Catalog.storefrontBytes == (try Fixtures.bytes("storefront/catalog.json")))
        #expect(throws: Never.self) { try Catalog(Catalog.storefrontBytes) }
    }

    @Test("All units of the fixture's pages make cells", arguments: 0..<3)
    func pages(number: Int) throws {
        let document = try JSONDocument(Fixtures.bytes("storefront/page-\(number).json"))
        let page = try ResolvedPage(
            page: ServerStatePage(document), number: number, registry: Catalog.storefront.registry)
        #expect(page.diagnostics == [])
        #expect(page.itemCount > 0)
        #expect(page.sections.allSatisfy { $0.identifier != nil })
    }
}
