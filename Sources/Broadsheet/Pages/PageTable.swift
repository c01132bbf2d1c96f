import BroadsheetCollections

/// Pages in the order of their numbers, in chunks that copies of the table share.
///
/// A change copies one chunk and the list of chunks, never the stored pages: with 10,000 pages
/// these are about 220 references.
struct PageTable: Sendable {
    static let chunkCapacity = 64

    /// The chunks: none is empty, each is ascending, and every number in one is below those in the
    /// next.
    private(set) var chunks: [[ResolvedPage]] = []
    private(set) var count = 0

    /// The page of that number, or `nil`.
    ///
    /// - Complexity: O(log count).
    subscript(number: Int) -> ResolvedPage? {
        guard let chunk = chunk(for: number) else { return nil }
        let index = chunks[chunk].firstIndex(from: number)
        guard index < chunks[chunk].count, chunks[chunk][index].number == number else {
            return nil
        }
        return chunks[chunk][index]
    }

    var first: ResolvedPage? { chunks.first?.first }

    var last: ResolvedPage? { chunks.last?.last }

    /// Returns the lowest page above `number`, or `nil`.
    ///
    /// - Complexity: O(log count).
    func page(after number: Int) -> ResolvedPage? {
        guard number < Int.max else { return nil }
        guard let chunk = chunk(for: number) else { return first }
        let index = chunks[chunk].firstIndex(from: number + 1)
        if index < chunks[chunk].count { return chunks[chunk][index] }
        return chunk + 1 < chunks.count ? chunks[chunk + 1].first : nil
    }

    /// Returns the highest page up to `number`, or `nil`.
    ///
    /// - Complexity: O(log count).
    func last(upTo number: Int) -> ResolvedPage? {
        guard let chunk = chunk(for: number) else { return nil }
        let end = chunks[chunk].partitioningIndex { $0.number > number }
        return end > 0 ? chunks[chunk][end - 1] : nil
    }

    /// Returns the pages up to a number.
    ///
    /// - Complexity: O(chunks).
    func prefix(upTo number: Int) -> PageTable {
        guard let last, last.number > number else { return self }
        var result = self
        while let first = result.chunks.last?.first, first.number > number {
            result.count -= result.chunks.removeLast().count
        }
        guard let chunk = result.chunks.popLast() else { return PageTable() }
        let rest = Array(chunk.prefix { $0.number <= number })
        result.count += rest.count - chunk.count
        result.chunks.append(rest)
        return result
    }

    /// Calls `body` with the pages from an index on.
    ///
    /// - Complexity: O(chunks + pages from the index on).
    func forEach(from index: Int, _ body: (ResolvedPage) -> Void) {
        var start = 0
        for chunk in chunks {
            if start + chunk.count > index {
                chunk[max(0, index - start)...].forEach(body)
            }
            start += chunk.count
        }
    }

    /// Returns whether another table begins with the pages of this one.
    ///
    /// - Complexity: O(chunks), and O(pages) from the first chunk on that differs.
    func isPrefix(of other: PageTable) -> Bool {
        guard count <= other.count else { return false }
        let shared = zip(chunks, other.chunks).prefix { one, other in
            one.withUnsafeBytes(\.baseAddress) == other.withUnsafeBytes(\.baseAddress)
        }.count
        return zip(chunks[shared...].joined(), other.chunks[shared...].joined())
            .allSatisfy { $0 === $1 }
    }

    /// Returns the pages of which another table does not have the same object.
    ///
    /// Chunks that both tables share are skipped.
    ///
    /// - Complexity: O(chunks), and O(pages) in the chunks that differ.
    func pages(missingFrom other: PageTable) -> [ResolvedPage] {
        func storage(_ chunk: [ResolvedPage]) -> UnsafeRawPointer? {
            chunk.withUnsafeBytes { $0.baseAddress }
        }
        let shared = Set(other.chunks.map(storage))
        return chunks.filter { !shared.contains(storage($0)) }.flatMap { chunk in
            chunk.filter { page in other[page.number] !== page }
        }
    }

    /// Returns the pages as they are for an audience.
    ///
    /// - Complexity: O(count), and the work on pages that are not resolved for the audience.
    func variants(for audience: Audience, _ registry: CellRegistry) -> PageTable {
        var result = self
        for (chunk, pages) in chunks.enumerated() {
            for (index, page) in pages.enumerated() {
                let variant = page.variant(for: audience, registry)
                if variant !== page { result.chunks[chunk][index] = variant }
            }
        }
        return result
    }

    var ascending: PaginatedViewModel.JoinedPages { chunks.joined() }

    /// Stores a page, and returns the page of the same number that it replaces, or `nil`.
    ///
    /// - Complexity: O(log count), and the copies of a change.
    mutating func store(_ page: ResolvedPage) -> ResolvedPage? {
        guard let chunk = chunk(for: page.number) ?? chunks.indices.first else {
            chunks = [[page]]
            count = 1
            return nil
        }
        let index = chunks[chunk].firstIndex(from: page.number)
        if index < chunks[chunk].count, chunks[chunk][index].number == page.number {
            let replaced = chunks[chunk][index]
            chunks[chunk][index] = page
            return replaced
        }
        insert(page, into: chunk, at: index)
        count += 1
        return nil
    }

    mutating func remove(_ number: Int) -> ResolvedPage? {
        guard let chunk = chunk(for: number) else { return nil }
        let index = chunks[chunk].firstIndex(from: number)
        guard index < chunks[chunk].count, chunks[chunk][index].number == number else {
            return nil
        }
        let removed = chunks[chunk].remove(at: index)
        if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
        count -= 1
        return removed
    }

    /// Inserts a page into a chunk, which is split if it is full.
    ///
    /// A page after the end of a full chunk begins a new one instead, so that pages that arrive in
    /// ascending order fill their chunks.
    private mutating func insert(_ page: ResolvedPage, into chunk: Int, at index: Int) {
        guard chunks[chunk].count >= Self.chunkCapacity else {
            return chunks[chunk].insert(page, at: index)
        }
        if index == chunks[chunk].count {
            return chunks.insert([page], at: chunk + 1)
        }
        let half = Self.chunkCapacity / 2
        let upper = Array(chunks[chunk][half...])
        chunks[chunk].removeSubrange(half...)
        chunks.insert(upper, at: chunk + 1)
        if index <= half {
            chunks[chunk].insert(page, at: index)
        } else {
            chunks[chunk + 1].insert(page, at: index - half)
        }
    }

    private func chunk(for number: Int) -> Int? {
        let end = chunks.partitioningIndex { chunk in
            chunk.first.map { $0.number > number } ?? true
        }
        return end > 0 ? end - 1 : nil
    }
}

/// The pages of a table by their indexes in the order of their numbers.
struct PageList: Sendable {
    private let chunks: [[ResolvedPage]]
    /// The index of the first page of each chunk.
    private let starts: [Int]
    let count: Int

    /// Creates a list of the pages of a table.
    ///
    /// - Complexity: O(count / 64).
    init(_ table: PageTable) {
        chunks = table.chunks
        count = table.count
        var next = 0
        starts = table.chunks.map { chunk in
            defer { next += chunk.count }
            return next
        }
    }

    var indices: Range<Int> { 0..<count }

    /// The page at `index`, which exists.
    ///
    /// - Complexity: O(log count).
    subscript(index: Int) -> ResolvedPage {
        let chunk = starts.partitioningIndex { $0 > index } - 1
        return chunks[chunk][index - starts[chunk]]
    }

    /// Returns the index of the page of that number, or `nil`.
    ///
    /// - Complexity: O(log count).
    func index(ofPage number: Int) -> Int? {
        let end = chunks.partitioningIndex { $0.first.map { $0.number > number } ?? true }
        guard end > 0 else { return nil }
        let index = chunks[end - 1].firstIndex(from: number)
        guard index < chunks[end - 1].count, chunks[end - 1][index].number == number else {
            return nil
        }
        return starts[end - 1] + index
    }
}

extension [ResolvedPage] {
    /// Returns the index of the first page of that number or above, or `count`.
    fileprivate func firstIndex(from number: Int) -> Int {
        partitioningIndex { $0.number >= number }
    }
}
