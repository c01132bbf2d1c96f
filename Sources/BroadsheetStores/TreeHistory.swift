import BroadsheetCollections

/// The revisions of a screen's pages, from which the revision of each of its trees follows.
///
/// The revision of a tree follows from its bound (docs/api.md, "Revisions"). If that is its own
/// highest page, it is ``treeRevision(upTo:declaresNext:)``; if it lies above that page, it is the
/// later one of this and ``lastChange(above:)``.
///
/// Copies share the chunks that do not change: with 10,000 pages, a change copies about two hundred
/// references and one chunk.
public struct TreeHistory: Sendable {
    /// The revisions of one stored page.
    public struct Page: Sendable, Hashable {
        /// The number of the page.
        public var number: Int
        /// The revision that stored the page.
        public var stored: UInt64
        /// The last revision that removed a page between this one and the page below it; 0 if
        /// there is none.
        public var removalBelow: UInt64
        /// The last revision at which there began or ceased to be a higher page; 0 if there is
        /// none.
        public var nextChange: UInt64

        /// Creates the revisions of a page.
        public init(
            number: Int, stored: UInt64, removalBelow: UInt64 = 0, nextChange: UInt64 = 0
        ) {
            self.number = number
            self.stored = stored
            self.removalBelow = removalBelow
            self.nextChange = nextChange
        }

        /// The last revision that stored this page, or removed one directly below it.
        fileprivate var change: UInt64 { max(stored, removalBelow) }
    }

    /// The memory of the record of a page, in bytes: chunks grow by doubling.
    public static let bytesPerPage = 2 * MemoryLayout<Page>.stride

    private static let chunkCapacity = 64

    /// A lower bound of the revisions of all trees: the revision that removed the last page of the
    /// screen, or the last revision that an earlier version of this program wrote, which recorded
    /// no history.
    public private(set) var floor: UInt64
    /// The chunks: none is empty, each is ascending, and every number in one is below those in the
    /// next.
    private var chunks: [Chunk] = []

    /// Creates the history of a screen without pages.
    public init(floor: UInt64 = 0) { self.floor = floor }

    /// The pages in ascending order.
    public var pages: some Collection<Page> { chunks.lazy.flatMap(\.pages) }

    /// Appends a page above all others, while a stored history is read.
    public mutating func append(_ page: Page) {
        insert(page, at: Position(chunk: chunks.count - 1, page: chunks.last?.pages.count ?? 0))
    }

    /// Returns the revision that stored a page, or `nil` for a page that is not stored.
    ///
    /// - Complexity: O(log pages).
    public subscript(number: Int) -> UInt64? { position(of: number).map { self[$0].stored } }

    /// Returns the revision of the tree up to a page: the highest at which a page up to that one
    /// was stored or removed, or at which the tree began or ceased to have a next page.
    ///
    /// - Parameters:
    ///   - last: The highest page of the tree; `nil` for the tree of a screen without pages.
    ///   - declaresNext: A Boolean value that indicates whether the highest page itself specifies
    ///     that there is a next one, so that the tree has one whatever pages are stored.
    /// - Complexity: O(pages / 64).
    public func treeRevision(upTo last: Int?, declaresNext: Bool) -> UInt64 {
        guard let last else { return floor }
        var revision = floor
        for chunk in chunks {
            guard let lowest = chunk.pages.first, lowest.number <= last else { break }
            if let highest = chunk.pages.last, highest.number <= last {
                revision = max(revision, chunk.change)
            } else {
                for page in chunk.pages.prefix(while: { $0.number <= last }) {
                    revision = max(revision, page.change)
                }
            }
        }
        guard !declaresNext, let position = position(of: last) else { return revision }
        return max(revision, self[position].nextChange)
    }
}

extension TreeHistory {
    /// Returns a revision that is at least the last one at which a page above a stored page, and
    /// below the next one, was stored or removed.
    ///
    /// It is the highest at which there began or ceased to be a higher page, at which the next page
    /// was stored, or at which a page between the two was removed. The next page may have been
    /// inserted after such a removal, which is then recorded further above; so its own write
    /// counts.
    ///
    /// - Complexity: O(log pages).
    public func lastChange(above last: Int) -> UInt64 {
        guard let position = position(of: last) else { return floor }
        let next = self.position(after: position).map { self[$0].change }
        return max(self[position].nextChange, next ?? 0)
    }
}

/// Writes, with the rules that every store applies to its own form of the history.
extension TreeHistory {
    /// Records that a page was stored.
    ///
    /// A new page above all others changes the highest of them, which now has a next one.
    public mutating func put(_ number: Int, at revision: UInt64) {
        if let position = position(of: number) {
            return change(position) { $0.stored = revision }
        }
        if let highest, self[highest].number < number {
            change(highest) { $0.nextChange = revision }
        }
        insert(Page(number: number, stored: revision), at: positionToInsert(number))
    }

    /// Records that a page was removed, if it was stored: at the page above, or else at the
    /// highest page left, which has no next one any more, or else for the whole screen.
    public mutating func remove(_ number: Int, at revision: UInt64) {
        guard let position = position(of: number) else { return }
        let above = self.position(after: position)
        if let above { change(above) { $0.removalBelow = revision } }
        remove(at: position)
        guard above == nil else { return }
        if let highest {
            change(highest) { $0.nextChange = revision }
        } else {
            floor = revision
        }
    }

    /// Records that all pages were removed, if there were any.
    public mutating func removeAll(at revision: UInt64) {
        if !chunks.isEmpty { self = TreeHistory(floor: revision) }
    }
}

extension TreeHistory {
    /// Adjacent pages, and the last change of any of them.
    private struct Chunk: Sendable, Hashable {
        var pages: [Page]
        var change: UInt64

        init(_ pages: some Sequence<Page>) {
            self.pages = Array(pages)
            change = self.pages.reduce(0) { max($0, $1.change) }
        }

        /// Returns the index of the first page of that number or above, or the number of pages.
        func firstIndex(from number: Int) -> Int {
            pages.partitioningIndex { $0.number >= number }
        }
    }

    /// The position of a page.
    private struct Position {
        var chunk: Int
        var page: Int
    }

    private subscript(position: Position) -> Page { chunks[position.chunk].pages[position.page] }

    private var highest: Position? {
        chunks.last.map { Position(chunk: chunks.count - 1, page: $0.pages.count - 1) }
    }

    private func position(of number: Int) -> Position? {
        let position = positionToInsert(number)
        guard chunks.indices.contains(position.chunk),
            position.page < chunks[position.chunk].pages.count, self[position].number == number
        else { return nil }
        return position
    }

    /// Returns the position of the first page of that number or above, in the last chunk that does
    /// not begin above it.
    private func positionToInsert(_ number: Int) -> Position {
        let end = chunks.partitioningIndex { $0.pages.first.map { $0.number > number } ?? true }
        let chunk = max(0, end - 1)
        guard chunks.indices.contains(chunk) else { return Position(chunk: -1, page: 0) }
        return Position(chunk: chunk, page: chunks[chunk].firstIndex(from: number))
    }

    private func position(after position: Position) -> Position? {
        if position.page + 1 < chunks[position.chunk].pages.count {
            return Position(chunk: position.chunk, page: position.page + 1)
        }
        let next = position.chunk + 1
        return next < chunks.count ? Position(chunk: next, page: 0) : nil
    }

    private mutating func change(_ position: Position, _ body: (inout Page) -> Void) {
        body(&chunks[position.chunk].pages[position.page])
        let page = self[position]
        chunks[position.chunk].change = max(chunks[position.chunk].change, page.change)
    }

    /// Inserts a page, at the end of a full chunk as a new one, and otherwise splits a full chunk.
    private mutating func insert(_ page: Page, at position: Position) {
        guard chunks.indices.contains(position.chunk) else {
            return chunks.insert(Chunk([page]), at: 0)
        }
        var pages = chunks[position.chunk].pages
        let isFull = pages.count >= Self.chunkCapacity
        if isFull, position.page == pages.count {
            return chunks.insert(Chunk([page]), at: position.chunk + 1)
        }
        guard isFull else {
            chunks[position.chunk].pages.insert(page, at: position.page)
            chunks[position.chunk].change = max(chunks[position.chunk].change, page.change)
            return
        }
        pages.insert(page, at: position.page)
        let half = pages.count / 2
        chunks[position.chunk] = Chunk(pages[..<half])
        chunks.insert(Chunk(pages[half...]), at: position.chunk + 1)
    }

    private mutating func remove(at position: Position) {
        chunks[position.chunk].pages.remove(at: position.page)
        if chunks[position.chunk].pages.isEmpty {
            chunks.remove(at: position.chunk)
        } else {
            chunks[position.chunk] = Chunk(chunks[position.chunk].pages)
        }
    }
}

extension TreeHistory.Page: Codable {}

extension TreeHistory: Codable {
    private enum CodingKeys: String, CodingKey {
        case floor
        case pages
    }

    /// Reads a history.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the pages are not in ascending order.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(floor: try values.decode(UInt64.self, forKey: .floor))
        var previous = -1
        for page in try values.decode([Page].self, forKey: .pages) {
            guard page.number > previous else {
                throw DecodingError.dataCorruptedError(
                    forKey: .pages, in: values, debugDescription: "The pages are not ascending.")
            }
            previous = page.number
            append(page)
        }
    }

    /// Writes the floor and the pages.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(floor, forKey: .floor)
        try values.encode(Array(pages), forKey: .pages)
    }
}

extension TreeHistory: Hashable {
    /// Returns whether two histories have the same pages and the same floor, in whatever chunks.
    public static func == (one: TreeHistory, other: TreeHistory) -> Bool {
        one.floor == other.floor && one.pages.elementsEqual(other.pages)
    }

    /// Adds the floor and the number of pages.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(floor)
        hasher.combine(chunks.reduce(0) { $0 + $1.pages.count })
    }
}
