import BroadsheetCollections
import BroadsheetClient

/// The conditions that the pages of a screen depend on.
///
/// Of a screen without conditions it is a number. Copies of a screen share the tests, which are
/// collected when the first request needs them.
struct ScreenConditions: Sendable {
    private(set) var pageCount = 0
    private var tests = SharedValue<ScreenTests>()

    mutating func replace(_ earlier: ResolvedPage?, by page: ResolvedPage?) {
        guard earlier?.variants != nil || page?.variants != nil else { return }
        pageCount += (page?.variants == nil ? 0 : 1) - (earlier?.variants == nil ? 0 : 1)
        tests = SharedValue()
    }

    /// Returns the outcome of the tests of all pages up to a number.
    ///
    /// - Complexity: O(1) without conditions; otherwise O(tests), and O(pages + tests) once.
    fileprivate func outcome(
        of pages: PageTable, upTo last: Int, for parameters: LayoutParameters
    ) -> Outcome {
        guard pageCount > 0 else { return .none }
        return tests.prepared { ScreenTests(of: pages) }
            .outcome(upTo: last, for: Audience(parameters))
    }
}

/// The tests of the pages of a screen, in the order of the pages.
private struct ScreenTests: Sendable {
    private var tests = ConditionTests()
    /// The pages that add tests, and the number of tests up to each.
    private var counts: [(page: Int, count: Int)] = []

    init(of pages: PageTable) {
        for page in pages.ascending {
            guard let variants = page.variants else { continue }
            tests.add(variants.tests)
            if tests.count > counts.last?.count ?? 0 { counts.append((page.number, tests.count)) }
        }
    }

    func outcome(upTo last: Int, for audience: Audience) -> Outcome {
        let index = counts.partitioningIndex { $0.page > last }
        guard index > 0 else { return .none }
        return tests.outcome(for: audience, of: counts[index - 1].count)
    }
}

extension PaginatedViewModel {
    package var hasConditions: Bool { conditions.pageCount > 0 }

    /// Returns the outcome of the conditions of the pages up to a number, on which everything that
    /// is made of them depends besides the other parameters.
    ///
    /// - Complexity: O(1) without conditions; otherwise O(conditions), and O(pages) once.
    package func outcome(upTo last: Int?, for parameters: LayoutParameters) -> Outcome {
        conditions.outcome(of: table, upTo: last ?? -1, for: parameters)
    }

    /// Returns the pages up to a number as they are for the client of a layout.
    ///
    /// - Complexity: O(chunks) without conditions; otherwise O(pages), and O(bytes) of those that
    ///   are not resolved for this outcome.
    func pages(
        upTo last: Int, for parameters: LayoutParameters, _ registry: CellRegistry
    ) -> PageTable {
        let pages = table.prefix(upTo: last)
        return hasConditions ? pages.variants(for: Audience(parameters), registry) : pages
    }
}
