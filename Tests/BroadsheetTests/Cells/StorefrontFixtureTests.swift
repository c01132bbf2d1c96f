import Broadsheet
import Foundation
import Testing

@Suite("Built-in catalog") struct StorefrontFixtureTests {
    private func fixture(_ name: String) throws -> [UInt8] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        return Array(try Data(contentsOf: root.appending(path: "Fixtures/storefront/\(name)")))
    }

    @Test("The built-in catalog equals the storefront fixture's byte for byte")
    func bytes() throws {
        #expect(Catalog.storefrontBytes == (try fixture("catalog.json")))
    }

    @Test("All units of the fixture's pages make cells", arguments: 0..<3)
    func pages(number: Int) throws {
        let document = try JSONDocument(fixture("page-\(number).json"))
        let page = try ResolvedPage(
            page: ServerStatePage(document), number: number, registry: Catalog.storefront.registry)
        #expect(page.diagnostics == [])
        #expect(page.itemCount > 0)
        #expect(page.sections.allSatisfy { $0.identifier != nil })
    }
}
