/// The elements of an array under edit: runs of untouched elements of a document, and single ones.
///
/// The number of runs and their lengths grow with the square root of the array, so that an edit
/// of an array costs that much, beside one pass over it at the first edit.
struct EditedArray {
    /// One element with the white space around it.
    struct Element {
        /// The white space before the value.
        var before: SourceBytes = .none
        /// The value.
        var value: EditedValue
        /// The white space after the value.
        var after: SourceBytes = .none

        /// The number of bytes of the element.
        var byteCount: Int { before.count + value.byteCount + after.count }
    }

    /// Untouched elements side by side.
    fileprivate struct Run {
        let source: EditSource
        /// The node of the first element.
        let first: UInt32
        /// The number of elements.
        let count: Int
        /// The bytes of the elements, with the white space around them and the commas between them.
        let bytes: Range<Int>

        /// Returns the node of an element.
        func node(_ index: Int) -> UInt32 {
            var node = first
            for _ in 0..<index { node = source.document.node(after: node) }
            return node
        }
    }

    fileprivate enum Segment {
        case run(Run)
        case element(Element)

        var count: Int {
            switch self {
            case .run(let run): run.count
            case .element: 1
            }
        }
    }

    private var segments: [Segment] = []
    /// The number of elements of each segment, apart from them because searches read nothing else.
    private var counts: [Int] = []
    /// The number of elements.
    private(set) var count = 0
    /// The number of bytes of the elements, with the commas inside of runs.
    private var content = 0
    /// The white space of an array without elements.
    private let blank: SourceBytes
    /// An upper bound of the array's height.
    private(set) var heightBound: Int

    /// The smallest number of elements of a run in a long array.
    private static let minRunCount = 64

    /// Divides the array at `node` of a source into runs.
    ///
    /// - Complexity: O(elements).
    init(_ source: EditSource, _ node: UInt32) {
        let document = source.document
        let range = document.byteRange(of: node)
        let total = document.value(at: node).count
        heightBound = source.height(of: node)
        blank =
            total == 0
            ? SourceBytes(source, range.lowerBound + 1..<range.upperBound - 1) : .none
        guard total > 0 else { return }
        let length = max(Self.minRunCount, Int(Double(total).squareRoot()))
        var (first, start, left) = (node &+ 1, range.lowerBound + 1, total)
        while left > 0 {
            let runCount = min(length, left)
            var last = first
            for _ in 1..<runCount { last = document.node(after: last) }
            let end = source.endOfBlanks(at: document.byteRange(of: last).upperBound)
            append(Run(source: source, first: first, count: runCount, bytes: start..<end))
            (first, start) = (document.node(after: last), end + 1)
            left -= runCount
        }
    }

    /// The number of bytes of the array.
    var byteCount: Int {
        guard count > 0 else { return 2 + blank.count }
        return 2 + content + segments.count - 1
    }

    /// The array's height.
    ///
    /// - Complexity: O(elements).
    var height: Int {
        var height = 0
        for segment in segments {
            switch segment {
            case .element(let element): height = max(height, element.value.height)
            case .run(let run):
                var node = run.first
                for _ in 0..<run.count {
                    height = max(height, run.source.height(of: node))
                    node = run.source.document.node(after: node)
                }
            }
        }
        return height + 1
    }

    /// Returns the element at `index`, which exists.
    ///
    /// - Complexity: O(√elements + changes).
    subscript(index: Int) -> EditedValue {
        let (segment, offset) = position(of: index)
        switch segments[segment] {
        case .run(let run): return EditedValue(run.source, run.node(offset))
        case .element(let element): return element.value
        }
    }

    /// The elements in their order.
    ///
    /// - Complexity: O(elements).
    var values: [EditedValue] {
        var values: [EditedValue] = []
        values.reserveCapacity(count)
        for segment in segments {
            switch segment {
            case .element(let element): values.append(element.value)
            case .run(let run):
                var node = run.first
                for _ in 0..<run.count {
                    values.append(EditedValue(run.source, node))
                    node = run.source.document.node(after: node)
                }
            }
        }
        return values
    }

    /// Appends the bytes of the array to `output`.
    func write(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "["))
        if count == 0 { blank.write(to: &output) }
        for (index, segment) in segments.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            switch segment {
            case .run(let run): output.append(contentsOf: run.source.document.bytes[run.bytes])
            case .element(let element):
                element.before.write(to: &output)
                element.value.write(to: &output)
                element.after.write(to: &output)
            }
        }
        output.append(UInt8(ascii: "]"))
    }
}

extension EditedArray {
    /// Calls `change` with the element at `index`, which exists.
    mutating func edit<Value>(
        _ index: Int, _ change: (inout EditedValue) throws(EditFailure) -> Value
    ) throws(EditFailure) -> Value {
        var (segment, element) = isolate(index)
        // The segment gives up its value, which would be copied at the change otherwise.
        segments[segment] = .element(Element(value: .none))
        let before = element.byteCount
        defer {
            content += element.byteCount - before
            heightBound = max(heightBound, element.value.heightBound + 1)
            segments[segment] = .element(element)
        }
        return try change(&element.value)
    }

    /// Inserts an element at `index`, at most `count`.
    mutating func insert(_ element: Element, at index: Int) {
        let segment = index == count ? segments.count : isolate(index).segment
        segments.insert(.element(element), at: segment)
        counts.insert(1, at: segment)
        count += 1
        content += element.byteCount
        heightBound = max(heightBound, element.value.heightBound + 1)
    }

    /// Removes and returns the element at `index`, which exists.
    @discardableResult
    mutating func remove(at index: Int) -> Element {
        let (segment, element) = isolate(index)
        segments.remove(at: segment)
        counts.remove(at: segment)
        count -= 1
        content -= element.byteCount
        return element
    }

    /// Removes the elements from `index` on, and returns them as an array.
    mutating func split(at index: Int) -> EditedArray {
        let segment = index == count ? segments.count : isolate(index).segment
        var rest = self
        rest.keep(segment..<segments.count)
        keep(0..<segment)
        return rest
    }

    private mutating func keep(_ range: Range<Int>) {
        let kept = Array(segments[range])
        (segments, counts) = ([], [])
        (count, content) = (0, 0)
        for segment in kept {
            switch segment {
            case .run(let run): append(run)
            case .element(let element):
                segments.append(segment)
                counts.append(1)
                count += 1
                content += element.byteCount
            }
        }
    }

    private mutating func append(_ run: Run) {
        segments.append(.run(run))
        counts.append(run.count)
        count += run.count
        content += run.bytes.count
    }

    /// Returns the segment with the element at `index`, and the element's index in the segment.
    private func position(of index: Int) -> (segment: Int, offset: Int) {
        var (segment, offset) = (0, index)
        while offset >= counts[segment] {
            offset -= counts[segment]
            segment += 1
        }
        return (segment, offset)
    }

    /// Makes the element at `index` a segment of its own, and returns both.
    private mutating func isolate(_ index: Int) -> (segment: Int, element: Element) {
        let (segment, offset) = position(of: index)
        switch segments[segment] {
        case .element(let element): return (segment, element)
        case .run(let run):
            let (parts, element) = run.divided(at: offset)
            // The commas beside the element are no longer part of a run.
            content -= parts.count - 1
            segments.replaceSubrange(segment...segment, with: parts)
            counts.replaceSubrange(segment...segment, with: parts.map(\.count))
            return (offset > 0 ? segment + 1 : segment, element)
        }
    }
}

extension EditedArray.Run {
    /// Returns the element at `offset`, and the segments before it, of it, and after it.
    fileprivate func divided(
        at offset: Int
    ) -> (parts: [EditedArray.Segment], element: EditedArray.Element) {
        let node = node(offset)
        let range = source.document.byteRange(of: node)
        let start =
            offset == 0 ? bytes.lowerBound : source.startOfBlanks(before: range.lowerBound)
        let end =
            offset == count - 1 ? bytes.upperBound : source.endOfBlanks(at: range.upperBound)
        let element = EditedArray.Element(
            before: SourceBytes(source, start..<range.lowerBound),
            value: EditedValue(source, node),
            after: SourceBytes(source, range.upperBound..<end))
        var parts: [EditedArray.Segment] = [.element(element)]
        if offset > 0 {
            let bytes = bytes.lowerBound..<start - 1
            parts.insert(
                .run(Self(source: source, first: first, count: offset, bytes: bytes)), at: 0)
        }
        let rest = count - offset - 1
        if rest > 0 {
            let next = source.document.node(after: node)
            parts.append(
                .run(
                    Self(
                        source: source, first: next, count: rest,
                        bytes: end + 1..<bytes.upperBound)))
        }
        return (parts, element)
    }
}
