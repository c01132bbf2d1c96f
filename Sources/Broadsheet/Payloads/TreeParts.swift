/// A tree, or a list of trees, written in parts, so that a large one need not be in memory at once.
///
/// The bytes of all parts together are those that ``written()`` returns.
package struct TreeParts: SteppedParts {
    private let trees: [TreeWriter]
    private let enclosure: Enclosure
    private let pieces: ItemPieces
    var output: StructuredJSONWriter
    var extraCost = 0
    private var step = Step.start
    /// The index of the tree that is being written.
    private var tree = 0
    /// The position of the section that is being written, or is next.
    private var position = 0
    /// The items of the section that are not written yet.
    private var runs: ArraySlice<Range<Int>> = []
    /// A Boolean value that indicates whether no item of the section has been written.
    private var isFirst = true

    /// The document around the trees.
    private enum Enclosure {
        case none
        case list
        case reset(ChangesEnvelope)

        /// The number of containers around an item of a tree.
        var itemDepth: Int {
            switch self {
            // An item is in its section, in its array of items, and in the tree.
            case .none: 4
            case .list: 6
            case .reset: 5
            }
        }
    }

    /// The next thing to write.
    private enum Step {
        /// The beginning of the document around the trees, if there is one.
        case start
        /// The members of a tree before its sections, or the end of the list.
        case treeHead
        /// The members of a section before its items, or the end of the tree.
        case sectionHead
        case items(SectionWriter)
        case sectionTail(SectionWriter)
        case treeTail
        case end
    }

    package init(_ tree: TreeWriter) {
        self.init([tree], in: .none)
    }

    /// Begins a list of trees with the same options, `{"layouts": [tree, …]}`.
    package init(list trees: [TreeWriter]) {
        self.init(trees, in: .list)
    }

    init(reset tree: TreeWriter, _ envelope: ChangesEnvelope) {
        self.init([tree], in: .reset(envelope))
    }

    static let none: TreeParts = {
        var parts = TreeParts([], in: .none)
        parts.step = .end
        return parts
    }()

    private init(_ trees: [TreeWriter], in enclosure: Enclosure) {
        self.trees = trees
        self.enclosure = enclosure
        let options = trees.first?.options ?? TreeOptions()
        output = StructuredJSONWriter(style: options.style)
        pieces = ItemPieces.shared(options, depth: enclosure.itemDepth)
    }

    package var isFinished: Bool {
        if case .end = step { true } else { false }
    }

    var expectedByteCount: Int { trees.reduce(0) { $0 + $1.expectedByteCount } }

    mutating func advance(upTo byteCount: Int) {
        switch step {
        case .start:
            begin()
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

    private mutating func begin() {
        switch enclosure {
        case .none: break
        case .list:
            output.beginObject()
            output.member("layouts")
            output.beginArray()
        case .reset(let envelope):
            output.beginObject()
            if let tree = trees.first { envelope.write(to: tree, isReset: true, &output) }
            output.member("tree")
        }
    }

    private mutating func end() {
        step = .end
        switch enclosure {
        case .none: break
        case .list:
            output.endArray()
            output.endObject()
        case .reset: output.endObject()
        }
    }

    private mutating func beginTree() {
        guard tree < trees.count else { return end() }
        if case .list = enclosure { output.element() }
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
        let start = output.writer.bytes.count
        let (now, cost) = nextItems(items, byteCount: byteCount)
        isFirst = items.write(now, isFirst: isFirst, to: &output)
        if section.section.hasContents {
            extraCost += max(0, cost - (output.writer.bytes.count - start))
        }
        guard runs.isEmpty else { return }
        if !isFirst { items.writeEnd(to: &output) }
        step = .sectionTail(section)
    }

    /// Removes and returns the items that the part has space for, at least one, and their cost.
    private mutating func nextItems(
        _ items: ItemsWriter, byteCount: Int
    ) -> (runs: ArraySlice<Range<Int>>, cost: Int) {
        if byteCount == .max {
            defer { runs = [] }
            return (runs, 0)
        }
        var chosen: [Range<Int>] = []
        let available = byteCount - output.writer.bytes.count - extraCost
        var space = available
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
        return (chosen[...], available - space)
    }
}

/// The members of a changes document that say which trees it leads from and to.
package struct ChangesEnvelope: Hashable, Sendable {
    /// The revision of the earlier tree; `nil` for pages that are not stored.
    package var revision: UInt64?
    /// The highest page of the earlier tree; `nil` if it is not known.
    package var page: Int?
    /// The entity tag of the new tree, without quotes.
    package var tag: String?

    /// Creates an envelope; without arguments, that of pages that are not stored.
    package init(revision: UInt64? = nil, page: Int? = nil, tag: String? = nil) {
        self.revision = revision
        self.page = page
        self.tag = tag
    }

    /// Writes the members of a document up to `reset`.
    func write(to tree: TreeWriter, isReset: Bool, _ output: inout StructuredJSONWriter) {
        if let screen = tree.envelope.screen { output.member("screen", screen) }
        output.inlineObject("from") { output in
            if let revision { output.member("revision", revision) }
            if let page { output.member("page", page) }
        }
        output.inlineObject("to") { output in
            if let revision = tree.envelope.revision { output.member("revision", revision) }
            output.member("page", tree.screen.page)
            if let tag { output.member("tag", tag) }
        }
        output.member("reset", isReset)
    }
}
