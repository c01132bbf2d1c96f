/// The parts of items, headers and footers, laid out one after the other.
///
/// Elements of one type share the memory that laying them out needs.
final class PartsArranger {
    let conditions: ContentConditions
    private var known: [ObjectIdentifier: Entry] = [:]
    private var current: Entry?

    /// The arranger of a content for the elements of a page.
    private final class Entry {
        var arranger: ContentArranger
        var page: ResolvedPage

        init(_ tree: ContentTree, _ page: ResolvedPage, _ request: SizeRequest) {
            arranger = ContentArranger(tree, page.scope(request))
            self.page = page
        }
    }

    init(_ conditions: ContentConditions) {
        self.conditions = conditions
    }

    /// Calls `body` with each part of an element that has a name, in the order of the content.
    ///
    /// - Parameters:
    ///   - tree: The content.
    ///   - element: The index of the element's first input in its page.
    ///   - page: The page.
    ///   - size: The size of the element before rounding.
    ///   - body: Receives the index of the part's name in the content, and the part.
    /// - Complexity: O(boxes), and that of breaking the texts into lines.
    func forEachPart(
        of tree: ContentTree, at element: UInt32, in page: ResolvedPage, _ size: Size,
        _ body: (_ name: Int, PartFrame) -> Void
    ) {
        let entry = arranged(tree, element, page, size)
        entry.arranger.forEachPart(
            ofWidth: size.width, isMirrored: conditions.isMirrored, body)
    }

    func parts(
        of tree: ContentTree, at element: UInt32, in page: ResolvedPage, _ size: Size
    ) -> [(name: Int, part: PartFrame)] {
        var parts: [(name: Int, part: PartFrame)] = []
        forEachPart(of: tree, at: element, in: page, size) { parts.append(($0, $1)) }
        return parts
    }

    /// Calls `body` with the arranger once it has arranged an element.
    func withArrangement<Result>(
        of tree: ContentTree, at element: UInt32, in page: ResolvedPage, _ size: Size,
        _ body: (borrowing ContentArranger) -> Result
    ) -> Result {
        body(arranged(tree, element, page, size).arranger)
    }

    /// Returns what lint says about an element.
    ///
    /// - Parameter isSaid: Returns whether the text that is an input, by its index, is not only
    ///   white space.
    func problems(
        of tree: ContentTree, at element: UInt32, in page: ResolvedPage, _ size: Size,
        _ conditions: ContentLintConditions, isSaid: (Int) -> Bool
    ) -> ContentProblems {
        let entry = arranged(tree, element, page, size)
        var problems = entry.arranger.problems(in: size, conditions)
        if !tree.meanings.isEmpty {
            entry.arranger.addProblemsOfMeaning(to: &problems, isSaid: isSaid)
        }
        return problems
    }

    private func arranged(
        _ tree: ContentTree, _ element: UInt32, _ page: ResolvedPage, _ size: Size
    ) -> Entry {
        let entry = entry(of: tree, page)
        entry.arranger.scope.start = Int(element)
        entry.arranger.arrange(in: size)
        return entry
    }

    private func entry(of tree: ContentTree, _ page: ResolvedPage) -> Entry {
        if let current, current.arranger.tree === tree, current.page === page { return current }
        let container = Container(
            viewport: .zero, available: .zero, textScale: conditions.textScale,
            pixelScale: conditions.pixelScale)
        let request = SizeRequest(container: container, absent: .zero)
        let entry = known[ObjectIdentifier(tree)] ?? Entry(tree, page, request)
        if entry.page !== page {
            entry.arranger.scope = page.scope(request)
            entry.page = page
        }
        known[ObjectIdentifier(tree)] = entry
        current = entry
        return entry
    }
}
