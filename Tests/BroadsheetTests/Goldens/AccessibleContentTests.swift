import BroadsheetClient
import Foundation
import TestSupport
import Testing
import TextTestSupport

@testable import Broadsheet

@Suite("Engine, client and oracle, of what boxes say that they are")
struct AccessibleContentTests {
    /// A random content with items, and what the oracle finds in them
    /// (`Tests/Oracle/random_accessible.py`).
    private struct RandomContent: Decodable {
        let catalog, page: String
        let query: [String: String]
        let elements: [[CellElement]]
        let lint: [String: Entry]

        /// A line of lint.
        struct Entry: Decodable {
            let count: Int
            let item, part: String
        }
    }

    private static let codes: [LayoutDiagnostic.Code] = [
        .targetTooSmall, .labelMissing, .readingOrder, .textCutWhenLarger,
    ]

    @Test(
        "Engine, client and oracle agree on the elements and the lint of random contents",
        arguments: DifferentialTests.seeds)
    func agree(seed: Int) throws {
        let cases: [RandomContent] = try OracleProcess.cases(
            of: "random_accessible.py", seed: seed, count: 200)
        #expect(cases.count == 200)
        for (index, random) in cases.enumerated() {
            let context = "BROADSHEET_SEED=\(seed), case \(index), \(random.query)\n"
            try compare(random, context + random.catalog + "\n" + random.page)
        }
    }

    private func compare(_ random: RandomContent, _ context: String) throws {
        let catalog = try Catalog(Array(random.catalog.utf8), measuringWith: SimpleMeasurer())
        let composer = Composer(registry: catalog.registry)
        let parameters = parameters(random.query)
        let page = try composer.page(in: composer.document(of: Array(random.page.utf8)))
        let screen = composer.screen(of: try composer.viewModel(of: [page]), parameters)
        let bytes = composer.tree(of: screen, composer.frames(of: screen, parameters), parameters)
        let library = try CellLibrary(json: catalog.cells { _, _, _ in nil })
        let items = try BroadsheetClient.Tree(json: bytes).sections.flatMap(\.items)
        #expect(
            items.map { library.elements(of: $0) } == random.elements,
            Comment(rawValue: context))
        let lint = composer.lint(screen, parameters)
        for code in Self.codes {
            let found = lint.filter { $0.code.rawValue == code.rawValue }.map(\.detail)
            let expected = random.lint[code.rawValue].map { entry in
                let items = " (\(entry.count) items, this is the first)"
                return code.explanation + (entry.count > 1 ? items : "")
                    + ": \(entry.part) in the item \"\(entry.item)\""
            }
            #expect(found == (expected.map { [$0] } ?? []), Comment(rawValue: context))
        }
    }

    private func parameters(_ query: [String: String]) -> LayoutParameters {
        func number(_ name: String) -> Double { query[name].flatMap(Double.init) ?? 1 }
        return LayoutParameters(
            viewport: Viewport(
                width: number("width"), height: 844, textScale: number("textScale")),
            rounding: .none)
    }
}
