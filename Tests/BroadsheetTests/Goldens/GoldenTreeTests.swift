import Broadsheet
import Foundation
import Testing

@Suite("Golden trees")
struct GoldenTreeTests {
    @Test("The engine writes every recorded tree, byte for byte", arguments: GoldenCase.all)
    func recorded(golden: GoldenCase) throws {
        let tree = try Engine.tree(
            catalog: golden.bytes(golden.catalog), pages: golden.pages.map(golden.bytes),
            query: golden.query)
        let difference = TreeComparison.difference(
            engine: tree, oracle: try golden.bytes(golden.tree))
        #expect(difference == nil, Comment(rawValue: difference ?? ""))
    }

    @Test("There are golden trees for every group of rules")
    func families() {
        #expect(GoldenCase.all.count > 100)
        let folders = Set(GoldenCase.all.map(\.folder.lastPathComponent))
        #expect(folders.isSuperset(of: ["storefront", "appcenter", "flow-lines", "right-to-left"]))
    }

    @Test("The built-in catalog is the storefront fixture, byte for byte")
    func builtInCatalog() throws {
        #expect(Catalog.storefrontBytes == (try Fixtures.bytes("storefront/catalog.json")))
        #expect(throws: Never.self) { try Catalog(Catalog.storefrontBytes) }
    }
}
