/// The lint of the contents of a section: the elements of which a part is legal and probably not
/// intended.
package struct ContentLint: Sendable {
    /// Something that parts can be.
    enum Problem: Int, CaseIterable {
        /// A text, an image or a view is outside of its item.
        case outside
        /// An image or a view has no width or no height.
        case empty
        /// A text is higher than its frame, or the item ends above or below its lines.
        case clipped
        /// A text is close to another number of lines (T7).
        case fragile
        /// A control is narrower or lower than ``leastTarget``.
        case smallTarget
        /// A control, an image or a view has no label, and a control nothing else to say.
        case unlabelled
        /// A box of an overlay comes before an earlier one on the screen.
        case outOfOrder
        /// A text is cut at the reader's text size, and not at 1.
        case cutWhenLarger
    }

    /// The least width and height of a control, in points; fixed.
    static let leastTarget = 44.0

    /// An element of a section.
    enum Element: Sendable {
        case item(Int)
        case header
        case footer
    }

    /// The elements that have a problem.
    struct Elements: Sendable {
        /// The index of the first item; `nil` if only headers and footers have the problem.
        var firstItem: Int?
        /// The first box of the first element that has the problem, in words.
        var part = ""
        /// The number of items, headers and footers.
        var count = 0
    }

    private var elements = [Elements](repeating: Elements(), count: Problem.allCases.count)

    package init() {}

    subscript(problem: Problem) -> Elements? {
        let found = elements[problem.rawValue]
        return found.count > 0 ? found : nil
    }

    /// Adds the problems of an element: items in their order, then the header and the footer.
    mutating func add(
        _ problems: ContentProblems, of element: Element, describedBy description: (Int) -> String
    ) {
        for (problem, box) in problems.first {
            if elements[problem.rawValue].count == 0 {
                let part = description(box)
                switch element {
                case .item(let index):
                    elements[problem.rawValue].firstItem = index
                    elements[problem.rawValue].part = part
                case .header: elements[problem.rawValue].part = "\(part) in the header"
                case .footer: elements[problem.rawValue].part = "\(part) in the footer"
                }
            }
            elements[problem.rawValue].count += 1
        }
    }
}

/// The conditions of the lint of contents.
package struct ContentLintConditions: Sendable {
    /// The conditions of the parts, which are neither mirrored nor rounded.
    let parts: ContentConditions
    /// The viewport, in which sizes that measure texts are evaluated.
    let container: Container
    /// The length of a device pixel, in points.
    let pixel: Double
    /// The difference of a width that may not change a text's lines, in points.
    let textMargin: Double
    /// A Boolean value that indicates whether texts of every content are compared with those at the
    /// text size 1, and not only of contents whose boxes say what they are.
    let comparesAllTexts: Bool
}

/// The problems of an element.
struct ContentProblems {
    private(set) var first: [ContentLint.Problem: Int] = [:]
    /// The indexes of the texts that have more lines than are shown, or than their frames have
    /// space for.
    var cutTexts: [Int] = []

    mutating func add(_ problem: ContentLint.Problem, _ box: Int) {
        first[problem] = min(first[problem] ?? box, box)
    }
}

extension ContentArranger {
    /// The problems of the element that is arranged in a size.
    ///
    /// - Complexity: O(boxes), and that of breaking each text into lines twice.
    mutating func problems(
        in size: Size, _ conditions: ContentLintConditions
    ) -> ContentProblems {
        var problems = ContentProblems()
        let pixel = conditions.pixel + FitTest.tolerance
        for index in boxes.indices where states[index].isThere {
            let state = states[index]
            switch boxes[index].kind {
            case .text(let input, let rule):
                // Lines that `minLines` keeps space for are not there to be cut.
                let height = rule.height(ofLines: state.lines, scope)
                let isOutside = state.y < -pixel || state.y + height > size.height + pixel
                let isCut = state.height < height - FitTest.tolerance
                if isCut || state.lines > 0 && isOutside { problems.add(.clipped, index) }
                if isCut || state.isTruncated { problems.cutTexts.append(index) }
                if isFragile(index, Int(input), rule, conditions.textMargin) {
                    problems.add(.fragile, index)
                }
            case .image:
                if state.width <= 0 || state.height <= 0 { problems.add(.empty, index) }
            case .column, .row, .overlay, .space, .choice: continue
            }
            if state.x < -pixel || state.y < -pixel || state.x + state.width > size.width + pixel
                || state.y + state.height > size.height + pixel
            {
                problems.add(.outside, index)
            }
        }
        return problems
    }

    /// Returns whether a text has more lines than are shown, or than its frame has space for.
    func isCut(_ index: Int) -> Bool {
        guard states[index].isThere, case .text(_, let rule) = boxes[index].kind else {
            return false
        }
        let state = states[index]
        return state.isTruncated
            || state.height < rule.height(ofLines: state.lines, scope) - FitTest.tolerance
    }

    /// Returns whether a text has other lines in a width that differs by a margin, unless its width
    /// is the natural one (T7).
    private mutating func isFragile(
        _ index: Int, _ input: Int, _ rule: TextRule, _ margin: Double
    ) -> Bool {
        let state = states[index]
        guard abs(state.width - naturalWidth(Int32(index))) > Self.tolerance else { return false }
        return [-margin, margin].contains { difference in
            let lines = lines(ofText: input, rule, width: state.width + difference)
            return lines.lines != state.lines || lines.isTruncated != state.isTruncated
        }
    }
}
