/// A tree, or a list of trees, written in parts, so that a large one need not be in memory at once.
///
/// The bytes of all parts together are those that ``written()`` returns.
package struct TreeParts: Sendable {
    private let trees: [TreeWriter]
    private let isList: Bool
    private let pieces: ItemPieces
    private var output: StructuredJSONWriter
    private var step = Step.start
    /// The index of the tree that is being written.
    private var tree = 0
    /// The position of the section that is being written, or is next.
    private var position = 0
    /// The items of the section that are not written yet.
    private var runs: ArraySlice<Range<Int>> = []
    /// A Boolean value that indicates whether no item of the section has been written.
    private var isFirst = true

    /// The next thing to write.
    private enum Step {
        /// The beginning of the list of trees, if it is one.
        case start
        /// The members of a tree before its sections, or the end of the list.
        case treeHead
        /// The members of a section before its items, or the end of the tree.
        case sectionHead
        /// Items of the section.
        case items(SectionWriter)
        /// The members of the section after its items.
        case sectionTail(SectionWriter)
        /// The members of a tree after its sections.
        case treeTail
        /// Nothing.
        case end
    }

    /// Begins one tree.
    package init(_ tree: TreeWriter) {
        self.init([tree], isList: false)
    }

    /// Begins a list of trees with the same options, `{"layouts": [tree, …]}`.
    package init(list trees: [TreeWriter]) {
        self.init(trees, isList: true)
    }

    private init(_ trees: [TreeWriter], isList: Bool) {
        self.trees = trees
        self.isList = isList
        let options = trees.first?.options ?? TreeOptions()
        let style: StructuredJSONWriter.Style = options.pretty ? .pretty : .compact
        output = StructuredJSONWriter(style: style)
        // Items are in their section, in its array of items, and in the tree; and that in the list.
        pieces = ItemPieces(
            style: style, depth: isList ? 6 : 4, writesData: options.fields == .all)
    }

    /// Writes everything that is left, in one buffer.
    package mutating func written() -> [UInt8] {
        output.writer.reserveCapacity(expectedByteCount)
        while !isFinished { advance(upTo: .max) }
        return output.writer.takeBytes()
    }

    /// Writes the next part, or returns `nil` after the last one.
    ///
    /// - Parameter byteCount: The number of bytes at which the part ends. It is larger by at most
    ///   one item, one section without its items, or the diagnostics.
    package mutating func next(byteCount: Int) -> [UInt8]? {
        guard !isFinished else { return nil }
        output.writer.reserveCapacity(min(expectedByteCount, byteCount + byteCount / 4))
        while !isFinished, output.writer.bytes.count < byteCount { advance(upTo: byteCount) }
        return output.writer.takeBytes()
    }

    /// Returns the number of bytes of everything that is left, or `nil` if it is more than `limit`.
    ///
    /// The parts are written and discarded one after the other.
    ///
    /// - Complexity: O(min(bytes left, limit)).
    package func byteCount(upTo limit: Int) -> Int? {
        var (parts, total) = (self, 0)
        while !parts.isFinished {
            parts.advance(upTo: Self.countedByteCount)
            total += parts.output.writer.bytes.count
            guard total <= limit else { return nil }
            parts.output.writer.removeAll()
        }
        return total
    }

    /// The approximate size of the buffer in which bytes are counted.
    private static let countedByteCount = 64 * 1024

    /// A Boolean value that indicates whether the last part has been written.
    package var isFinished: Bool {
        if case .end = step { true } else { false }
    }

    private var expectedByteCount: Int { trees.reduce(0) { $0 + $1.expectedByteCount } }

    /// Writes the next step; of items as many as `byteCount` has space for, at least one.
    private mutating func advance(upTo byteCount: Int) {
        switch step {
        case .start:
            if isList {
                output.beginObject()
                output.member("layouts")
                output.beginArray()
            }
            step = .treeHead
        case .treeHead: beginTree()
        case .sectionHead: beginSection()
        case .items(let section): writeItems(of: section, upTo: byteCount)
        case .sectionTail(let section):
            section.writeTail(to: &output)
            position += 1
            step = .sectionHead
        case .treeTail:
            trees[tree].writeTail(to: &output)
            tree += 1
            step = .treeHead
        case .end: break
        }
    }

    private mutating func beginTree() {
        guard tree < trees.count else {
            step = .end
            guard isList else { return }
            output.endArray()
            return output.endObject()
        }
        if isList { output.element() }
        trees[tree].writeHead(to: &output)
        position = 0
        step = .sectionHead
    }

    private mutating func beginSection() {
        guard position < trees[tree].sectionCount else { return step = .treeTail }
        let (index, section) = trees[tree].section(at: position, pieces: pieces)
        output.element()
        section.writeHead(at: index, to: &output)
        runs = section.shown.items[...]
        isFirst = true
        step = .items(section)
    }

    private mutating func writeItems(of section: SectionWriter, upTo byteCount: Int) {
        let items = ItemsWriter(section)
        let now = nextItems(items, byteCount: byteCount)
        isFirst = items.write(now, isFirst: isFirst, to: &output)
        guard runs.isEmpty else { return }
        if !isFirst { items.writeEnd(to: &output) }
        step = .sectionTail(section)
    }

    /// Removes and returns the items that the part has space for, at least one.
    private mutating func nextItems(
        _ items: ItemsWriter, byteCount: Int
    ) -> ArraySlice<Range<Int>> {
        if byteCount == .max {
            defer { runs = [] }
            return runs
        }
        var chosen: [Range<Int>] = []
        var space = byteCount - output.writer.bytes.count
        while let run = runs.first, chosen.isEmpty || space > 0 {
            let beginning = items.beginning(of: run, byteCount: space)
            chosen.append(beginning.items)
            space -= beginning.byteCount
            if beginning.items.upperBound < run.upperBound, !beginning.items.isEmpty {
                runs[runs.startIndex] = beginning.items.upperBound..<run.upperBound
            } else {
                runs.removeFirst()
            }
        }
        return chosen[...]
    }
}
