/// A list in which a position is found, and an element inserted or removed, without a pass over it.
///
/// A short list is one array. A longer one is divided into chunks when it is first changed; their
/// weights are summed up in a Fenwick tree, so that a search takes the logarithm of the number of
/// chunks, and a change moves the elements of one chunk.
package struct WeightedList<Element: Weighted> {
    /// The place of an element, until the list is changed.
    package struct Location {
        fileprivate let chunk: Int
        fileprivate let offset: Int
    }

    private struct Chunk {
        var elements: ContiguousArray<Element>
        var weight: Int
        var measure = 0
        /// The node of the Fenwick tree: the weight of the chunk and of so many before it that
        /// together they are the lowest bit of its number, counted from 1.
        var sum = 0
    }

    /// The elements of a list that is not divided.
    private var flat: ContiguousArray<Element> = []
    /// The chunks, of which none is empty; none while the list is not divided.
    private var chunks: [Chunk] = []
    /// The number of positions.
    package private(set) var total = 0
    package private(set) var elementCount = 0
    private(set) var measure = 0

    package static var chunkCapacity: Int { 128 }

    package init() {}

    package init(_ elements: some Sequence<Element>) {
        flat = ContiguousArray(elements)
        elementCount = flat.count
        total = Self.weight(of: flat)
        guard Element.isMeasured else { return }
        measure = Self.measure(of: flat)
        // So that a search by the measure passes over no long array.
        if elementCount > Self.chunkCapacity { divide() }
    }

    package var end: Location {
        let last = Swift.max(chunks.count - 1, 0)
        return Location(chunk: last, offset: elements(ofChunk: last).count)
    }

    /// Returns the element that covers a position, which exists, and the position in it.
    ///
    /// - Complexity: O(log elements).
    package func location(at position: Int) -> (location: Location, offset: Int) {
        var (left, chunk) = (position, 0)
        var step = chunks.isEmpty ? 0 : 1 << (Int.bitWidth - 1 - chunks.count.leadingZeroBitCount)
        while step > 0 {
            if chunk + step <= chunks.count, chunks[chunk + step - 1].sum <= left {
                chunk += step
                left -= chunks[chunk - 1].sum
            }
            step >>= 1
        }
        if Element.isSingle { return (Location(chunk: chunk, offset: left), 0) }
        let offset =
            chunks.isEmpty
            ? Self.offset(of: &left, in: flat) : Self.offset(of: &left, in: chunks[chunk].elements)
        return (Location(chunk: chunk, offset: offset), left)
    }

    /// Returns the index of the element that covers a position, which becomes the position in it.
    @inline(__always)
    private static func offset(
        of position: inout Int, in elements: ContiguousArray<Element>
    ) -> Int {
        elements.withUnsafeBufferPointer { elements in
            var index = 0
            while true {
                let weight = elements[index].weight
                guard position >= weight else { return index }
                position -= weight
                index += 1
            }
        }
    }

    /// The element at a location; another one must have the same weight.
    package subscript(location: Location) -> Element {
        _read {
            if chunks.isEmpty {
                yield flat[location.offset]
            } else {
                yield chunks[location.chunk].elements[location.offset]
            }
        }
        _modify {
            let before = Element.isMeasured ? self[location].measure : 0
            defer { if Element.isMeasured { follow(location, measuring: before) } }
            if chunks.isEmpty {
                yield &flat[location.offset]
            } else {
                yield &chunks[location.chunk].elements[location.offset]
            }
        }
    }

    private mutating func follow(_ location: Location, measuring before: Int) {
        let change = self[location].measure - before
        measure += change
        if !chunks.isEmpty { chunks[location.chunk].measure += change }
    }

    package func forEachElement(_ body: (Element) -> Void) {
        for chunk in 0..<Swift.max(chunks.count, 1) { elements(ofChunk: chunk).forEach(body) }
    }

    private func elements(ofChunk chunk: Int) -> ContiguousArray<Element> {
        chunks.isEmpty ? flat : chunks[chunk].elements
    }

    private static func measure(of elements: some Collection<Element>) -> Int {
        Element.isMeasured ? elements.reduce(0) { $0 + $1.measure } : 0
    }
    private static func weight(of elements: some Collection<Element>) -> Int {
        Element.isSingle ? elements.count : elements.reduce(0) { $0 + $1.weight }
    }
}

// MARK: - Changes

extension WeightedList {
    package mutating func append(_ element: Element) {
        replace(0, at: end, with: CollectionOfOne(element))
    }

    /// Puts elements in place of so many elements, of one chunk, from a location on.
    ///
    /// - Complexity: O(√elements) on average, for a few elements.
    package mutating func replace(
        _ count: Int, at location: Location, with new: some Collection<Element>
    ) {
        let location = divideIfLong(location, keeping: flat.count + new.count - count)
        let range = location.offset..<location.offset + count
        let old = elements(ofChunk: location.chunk)[range]
        let change = Self.weight(of: new) - Self.weight(of: old)
        let measureChange = Self.measure(of: new) - Self.measure(of: old)
        total += change
        measure += measureChange
        elementCount += new.count - count
        if chunks.isEmpty { return flat.replaceSubrange(range, with: new) }
        chunks[location.chunk].measure += measureChange
        chunks[location.chunk].elements.replaceSubrange(range, with: new)
        changeWeight(ofChunk: location.chunk, by: change)
    }

    /// Removes the elements from a location on, and returns them, in O(chunks).
    package mutating func split(at location: Location) -> WeightedList {
        let location = divideIfLong(location, keeping: flat.count)
        var rest = WeightedList()
        if chunks.isEmpty {
            rest.flat = ContiguousArray(flat[location.offset...])
            flat.removeSubrange(location.offset...)
        } else {
            let offset = location.offset
            rest.chunks = Array(chunks[location.chunk...])
            rest.chunks[0].elements.removeSubrange(..<offset)
            chunks.removeSubrange((location.chunk + 1)...)
            chunks[location.chunk].elements.removeSubrange(offset...)
            rest.restore(changedChunk: 0)
            restore(changedChunk: location.chunk)
        }
        rest.count()
        count()
        return rest
    }

    /// Restores the sums after elements of a chunk were removed, which may be empty.
    private mutating func restore(changedChunk chunk: Int) {
        if chunks[chunk].elements.isEmpty {
            chunks.remove(at: chunk)
        } else {
            chunks[chunk] = newChunk(chunks[chunk].elements)
        }
        sumUp()
    }

    private mutating func count() {
        total = chunks.isEmpty ? Self.weight(of: flat) : chunks.reduce(0) { $0 + $1.weight }
        measure = chunks.isEmpty ? Self.measure(of: flat) : chunks.reduce(0) { $0 + $1.measure }
        elementCount =
            chunks.isEmpty ? flat.count : chunks.reduce(0) { $0 + $1.elements.count }
    }

    /// Divides a list that is too long for one array, or will be.
    ///
    /// - Returns: The location after that.
    private mutating func divideIfLong(_ location: Location, keeping count: Int) -> Location {
        guard !flat.isEmpty, count > Self.chunkCapacity else { return location }
        divide()
        // The chunks of a divided list are of one size.
        let size = Self.chunkCapacity / 2
        let chunk = Swift.min(location.offset / size, chunks.count - 1)
        return Location(chunk: chunk, offset: location.offset - chunk * size)
    }

    /// Divides the list into chunks that are half full.
    private mutating func divide() {
        let size = Self.chunkCapacity / 2
        var start = 0
        while start < flat.count {
            let elements = ContiguousArray(flat[start..<Swift.min(start + size, flat.count)])
            chunks.append(newChunk(elements))
            start += size
        }
        flat = []
        sumUp()
    }

    private func newChunk(_ elements: ContiguousArray<Element>) -> Chunk {
        let (weight, measure) = (Self.weight(of: elements), Self.measure(of: elements))
        return Chunk(elements: elements, weight: weight, measure: measure)
    }

    private mutating func changeWeight(ofChunk chunk: Int, by change: Int) {
        chunks[chunk].weight += change
        let count = chunks[chunk].elements.count
        if count == 0 {
            chunks.remove(at: chunk)
            return sumUp()
        }
        if count > Self.chunkCapacity {
            let second = ContiguousArray(chunks[chunk].elements[(count / 2)...])
            let new = newChunk(second)
            chunks[chunk].elements.removeLast(second.count)
            chunks[chunk].weight -= new.weight
            chunks[chunk].measure -= new.measure
            chunks.insert(new, at: chunk + 1)
            return sumUp()
        }
        var node = chunk + 1
        while change != 0, node <= chunks.count {
            chunks[node - 1].sum += change
            node += node & -node
        }
    }

    /// Builds the Fenwick tree.
    private mutating func sumUp() {
        for index in chunks.indices { chunks[index].sum = chunks[index].weight }
        for node in 1..<chunks.count + 1 {
            let parent = node + node & -node
            if parent <= chunks.count { chunks[parent - 1].sum += chunks[node - 1].sum }
        }
    }
}

// MARK: - Lists by index

extension WeightedList: Sequence, Collection, BidirectionalCollection, RandomAccessCollection,
    MutableCollection
where Element: SingleElement {
    package var startIndex: Int { 0 }

    package var endIndex: Int { elementCount }

    /// The element at an index, in O(log elements).
    package subscript(index: Int) -> Element {
        @inline(__always) _read {
            if chunks.isEmpty {
                yield flat[index]
            } else {
                yield self[location(at: index).location]
            }
        }
        @inline(__always) _modify {
            if chunks.isEmpty, !Element.isMeasured {
                yield &flat[index]
            } else {
                yield &self[location(at: index).location]
            }
        }
    }

    package mutating func insert(_ element: Element, at index: Int) {
        let location = index == elementCount ? end : location(at: index).location
        replace(0, at: location, with: CollectionOfOne(element))
    }

    package mutating func split(at index: Int) -> WeightedList {
        split(at: index == elementCount ? end : location(at: index).location)
    }

    @discardableResult
    package mutating func remove(at index: Int) -> Element {
        let location = location(at: index).location
        let element = self[location]
        replace(1, at: location, with: EmptyCollection())
        return element
    }

    /// Adds an element behind the last one without dividing the list, which is filled before its
    /// other places are changed.
    package mutating func appendWithoutDividing(_ element: Element) {
        guard chunks.isEmpty else { return insert(element, at: elementCount) }
        flat.append(element)
        total += 1
        elementCount += 1
    }

    /// Returns the index of the element at a position that the measures cover, the position in it,
    /// and the number of chunks and elements that were passed; `nil` if there is none.
    ///
    /// - Complexity: O(√elements).
    func index(atMeasure position: Int) -> (index: Int, offset: Int, passed: Int)? {
        guard 0..<measure ~= position else { return nil }
        var (chunk, start, left) = (0, 0, position)
        while chunk < chunks.count, left >= chunks[chunk].measure {
            left -= chunks[chunk].measure
            start += chunks[chunk].elements.count
            chunk += 1
        }
        for (offset, element) in elements(ofChunk: chunk).enumerated() {
            let own = element.measure
            if left < own { return (start + offset, left, chunk + offset + 1) }
            left -= own
        }
        return nil
    }

    /// Returns the index of the last element before another one that has a measure, and the number
    /// of chunks and elements that were passed.
    ///
    /// - Complexity: O(√elements).
    func lastMeasured(before end: Int) -> (index: Int, passed: Int)? {
        var (start, passed) = (elementCount, 1)
        for chunk in (0..<Swift.max(chunks.count, 1)).reversed() {
            let elements = elements(ofChunk: chunk)
            start -= elements.count
            passed += 1
            guard start < end, chunks.isEmpty || chunks[chunk].measure > 0 else { continue }
            for offset in (0..<Swift.min(elements.count, end - start)).reversed() {
                passed += 1
                if elements[offset].measure > 0 { return (start + offset, passed) }
            }
        }
        return nil
    }

    @inline(__always)
    func firstIndex(where condition: (Element) -> Bool) -> Int? {
        if chunks.isEmpty { return Self.firstIndex(in: flat, where: condition) }
        var start = 0
        for chunk in chunks.indices {
            let elements = chunks[chunk].elements
            let found = Self.firstIndex(in: elements, where: condition)
            if let found { return start + found }
            start += elements.count
        }
        return nil
    }

    @inline(__always)
    private static func firstIndex(
        in elements: ContiguousArray<Element>, where condition: (Element) -> Bool
    ) -> Int? {
        // The buffer gives access to an element without a copy of it.
        elements.withUnsafeBufferPointer { buffer in
            var offset = 0
            while offset < buffer.count {
                if condition(buffer[offset]) { return offset }
                offset += 1
            }
            return nil
        }
    }
}
