/// A list whose copies share their elements in chunks.
///
/// A list that continues a copy of another one costs what it adds, and a change costs a chunk, so
/// that long lists of successive versions of a screen are neither copied nor kept twice. All chunks
/// but the last one are full, and chunks do not change while they are shared.
public struct ChunkedList<Element> {
    private var chunks: ContiguousArray<ContiguousArray<Element>> = []
    /// The last chunk, which is not full.
    private var tail: ContiguousArray<Element> = []

    /// The number of elements in a full chunk, as a power of two.
    ///
    /// Elements with references take longer to copy than numbers do.
    @inline(__always)
    private static var shift: Int { _isPOD(Element.self) ? 11 : 6 }

    package static var chunkCapacity: Int { 1 << shift }

    /// Creates an empty list.
    public init() {}

    /// Creates a list of the elements of a sequence.
    public init(_ elements: some Sequence<Element>) {
        for element in elements { append(element) }
    }

    @inline(__always)
    private var tailStart: Int { chunks.count << Self.shift }

    /// Appends an element.
    ///
    /// - Complexity: O(1) on average; O(chunks) when a chunk becomes full whose list is shared.
    @inline(__always)
    public mutating func append(_ element: Element) {
        tail.append(element)
        if tail.count == Self.chunkCapacity { beginChunk() }
    }

    @inline(never)
    private mutating func beginChunk() {
        chunks.append(tail)
        tail = []
        tail.reserveCapacity(Self.chunkCapacity)
    }

    mutating func reserveCapacity(_ capacity: Int) {
        if capacity > tailStart + Self.chunkCapacity {
            chunks.reserveCapacity(capacity >> Self.shift)
        }
        tail.reserveCapacity(Swift.min(Swift.max(capacity - tailStart, 0), Self.chunkCapacity))
    }

    package mutating func truncate(to newCount: Int) {
        guard newCount < count else { return }
        let newCount = Swift.max(newCount, 0)
        let (full, rest) = (newCount >> Self.shift, newCount & (Self.chunkCapacity - 1))
        tail = ContiguousArray((full < chunks.count ? chunks[full] : tail).prefix(rest))
        chunks.removeLast(chunks.count - full)
    }

    /// Calls `body` with the elements from an index on, which it can change, chunk by chunk.
    mutating func modify(from start: Int, _ body: (UnsafeMutableBufferPointer<Element>) -> Void) {
        for index in (start >> Self.shift)..<Swift.max(chunks.count, start >> Self.shift) {
            let first = Swift.max(0, start - index << Self.shift)
            chunks[index].withUnsafeMutableBufferPointer { body(.init(rebasing: $0[first...])) }
        }
        guard start < count else { return }
        let first = Swift.max(0, start - tailStart)
        tail.withUnsafeMutableBufferPointer { body(.init(rebasing: $0[first...])) }
    }
}

extension ChunkedList: Sendable where Element: Sendable {}

extension ChunkedList: RandomAccessCollection, MutableCollection {
    /// The index of the first element.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int { tailStart + tail.count }

    /// The number of elements.
    public var count: Int { endIndex }

    /// A Boolean value that indicates whether there are no elements.
    public var isEmpty: Bool { chunks.isEmpty && tail.isEmpty }

    /// The element at an index.
    public subscript(index: Int) -> Element {
        @inline(__always) get {
            let offset = index - tailStart
            return offset >= 0
                ? tail[offset] : chunks[index >> Self.shift][index & (Self.chunkCapacity - 1)]
        }
        set {
            let offset = index - tailStart
            if offset >= 0 {
                tail[offset] = newValue
            } else {
                chunks[index >> Self.shift][index & (Self.chunkCapacity - 1)] = newValue
            }
        }
    }
}

/// Consecutive elements, and the elements that two lists share.
extension ChunkedList {
    @inline(__always)
    private func chunk(at index: Int) -> (elements: ContiguousArray<Element>, start: Int) {
        let number = index >> Self.shift
        return (number < chunks.count ? chunks[number] : tail, number << Self.shift)
    }

    /// Calls `body` with the elements in a range, chunk by chunk, and the index of each first one.
    @inline(__always)
    func forEachChunk(
        in range: Range<Int>, _ body: (UnsafeBufferPointer<Element>, _ start: Int) -> Void
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            let (elements, start) = chunk(at: index)
            let end = Swift.min(range.upperBound, start + elements.count)
            guard index < end else { return }
            elements.withUnsafeBufferPointer {
                body(UnsafeBufferPointer(rebasing: $0[index - start..<end - start]), index)
            }
            index = end
        }
    }

    /// Returns the number of elements from an index on that are known to be those of another list
    /// from an index on, because both lists have the same chunk; 0 if nothing is known.
    ///
    /// - Complexity: O(1).
    @inline(__always)
    func sharedCount(from index: Int, with other: Self, from otherIndex: Int) -> Int {
        let (one, start) = chunk(at: index)
        let (two, otherStart) = other.chunk(at: otherIndex)
        guard index - start == otherIndex - otherStart, !one.isEmpty, one.count == two.count,
            one.isShared(with: two)
        else { return 0 }
        return Swift.max(0, one.count - (index - start))
    }

    /// Returns the number of bytes that the list needs beside another one, with which it may share
    /// chunks.
    ///
    /// - Complexity: O(chunks).
    func byteCount(beside other: Self?) -> Int {
        var count = 0
        for (index, chunk) in chunks.enumerated() {
            let isShared =
                other.map { index < $0.chunks.count && chunk.isShared(with: $0.chunks[index]) }
            if isShared != true { count += chunk.capacity }
        }
        if !(other.map { tail.isShared(with: $0.tail) } ?? false) { count += tail.capacity }
        let hasOwnTable = !(other.map { chunks.isShared(with: $0.chunks) } ?? false)
        return count * MemoryLayout<Element>.stride
            + (hasOwnTable ? chunks.capacity * MemoryLayout<UnsafeRawPointer>.stride : 0)
    }

    /// Returns whether both lists are known to have the same elements.
    ///
    /// - Complexity: O(chunks).
    func isShared(with other: Self) -> Bool {
        guard count == other.count else { return false }
        var index = 0
        while index < count {
            let shared = sharedCount(from: index, with: other, from: index)
            guard shared > 0 else { return false }
            index += shared
        }
        return true
    }

    /// Calls `body` with elements of both lists, chunk by chunk, and their distance from the first.
    ///
    /// - Parameter skipsShared: A Boolean value that indicates whether elements are left out that
    ///   are known to be the same.
    @inline(__always)
    func forEachPair(
        from start: Int, with other: Self, from otherStart: Int, count: Int, skipsShared: Bool,
        _ body: (UnsafeBufferPointer<Element>, UnsafeBufferPointer<Element>, Int) -> Void
    ) {
        var offset = 0
        while offset < count {
            if skipsShared {
                let shared = sharedCount(
                    from: start + offset, with: other, from: otherStart + offset)
                if shared > 0 {
                    offset += shared
                    continue
                }
            }
            let (one, first) = chunk(at: start + offset)
            let (two, otherFirst) = other.chunk(at: otherStart + offset)
            let (index, otherIndex) = (start + offset - first, otherStart + offset - otherFirst)
            let length = Swift.min(count - offset, one.count - index, two.count - otherIndex)
            guard length > 0 else { return }
            one.withUnsafeBufferPointer { one in
                two.withUnsafeBufferPointer { two in
                    body(
                        UnsafeBufferPointer(rebasing: one[index..<index + length]),
                        UnsafeBufferPointer(rebasing: two[otherIndex..<otherIndex + length]),
                        offset)
                }
            }
            offset += length
        }
    }

    /// Returns the number of elements at the beginning that two lists have in common.
    ///
    /// - Complexity: O(chunks), and O(elements) in the chunks that they do not share, up to the
    ///   first difference.
    func commonPrefixCount(with other: Self, by areSame: (Element, Element) -> Bool) -> Int {
        let end = Swift.min(count, other.count)
        var index = 0
        while index < end {
            let shared = sharedCount(from: index, with: other, from: index)
            if shared > 0 {
                index += shared
            } else if areSame(self[index], other[index]) {
                index += 1
            } else {
                return index
            }
        }
        return end
    }
}

extension ChunkedList: ExpressibleByArrayLiteral {
    /// Creates a list of the elements of an array literal.
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension ChunkedList: Equatable where Element: Equatable {
    /// Returns whether two lists have equal elements in the same order.
    ///
    /// - Complexity: O(elements in the chunks that they do not share).
    public static func == (one: Self, other: Self) -> Bool {
        one.count == other.count && one.commonPrefixCount(with: other, by: ==) == one.count
    }

    /// Returns whether a list has the elements of an array in the same order.
    public static func == (one: Self, other: [Element]) -> Bool { one.elementsEqual(other) }
}

extension ChunkedList: Hashable where Element: Hashable {
    /// Hashes the number of elements and each element.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { hasher.combine(element) }
    }
}

extension ContiguousArray {
    /// Returns whether two arrays are known to have the same elements, because they are in one
    /// place in memory.
    @inline(__always)
    fileprivate func isShared(with other: Self) -> Bool {
        withUnsafeBufferPointer { $0.baseAddress }
            == other.withUnsafeBufferPointer { $0.baseAddress }
    }
}
