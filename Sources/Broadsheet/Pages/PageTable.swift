/// Pages in the order of their numbers, in chunks that copies of the table share.
///
/// A change copies one chunk and the list of chunks, never the stored pages: with 10,000 pages
/// these are about 220 references.
struct PageTable: Sendable {
    /// The maximum number of pages in a chunk.
    static let chunkCapacity = 64

    /// The chunks: none is empty, each is ascending, and every number in one is below those in the
    /// next.
    private(set) var chunks: [[ResolvedPage]] = []
    /// The number of pages.
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

    /// The lowest page.
    var first: ResolvedPage? { chunks.first?.first }

    /// The highest page.
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

    /// The pages in ascending order.
    var ascending: some BidirectionalCollection<ResolvedPage> { chunks.joined() }

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

    /// Removes and returns the page of that number, or returns `nil`.
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

    /// Returns the last chunk that begins at or below `number`, or `nil` when all begin above it.
    private func chunk(for number: Int) -> Int? {
        let end = chunks.partitioningIndex { chunk in
            chunk.first.map { $0.number > number } ?? true
        }
        return end > 0 ? end - 1 : nil
    }
}

extension [ResolvedPage] {
    /// Returns the index of the first page of that number or above, or `count`.
    fileprivate func firstIndex(from number: Int) -> Int {
        partitioningIndex { $0.number >= number }
    }
}
