/// The elements of an array under edit: runs of untouched elements of a document, and single ones.
///
/// The number of runs and their lengths grow with the square root of the array, so that an edit
/// of an array costs that much, beside one pass over it at the first edit, however many edits there
/// were before.
struct EditedArray {
    /// One element with the white space around it.
    struct Element {
        var value: EditedValue
        /// The source of the white space, if there is any.
        fileprivate var source: JSONMemberIndex?
        /// The white space before and after the value.
        fileprivate var (before, after): (Range<UInt32>, Range<UInt32>) = (0..<0, 0..<0)

        init(value: EditedValue) {
            self.value = value
        }
    }

    /// Untouched elements side by side, or one element whose value may have changed.
    ///
    /// A single structure, and not two cases, so that a value is changed where it is.
    fileprivate struct Segment: Weighted {
        let source: JSONMemberIndex?
        /// The node of the first element of a run.
        let first: UInt32
        let count: Int
        /// The bytes of a run, with the white space around the elements and the commas between
        /// them; of an element, the white space before it.
        let before: Range<UInt32>
        /// The white space after an element.
        let after: Range<UInt32>
        /// The value of an element; `nil` for a run.
        var value: EditedValue?

        var weight: Int { count }

        var isElement: Bool { value != nil }
    }

    private var segments = WeightedList<Segment>()
    /// The number of bytes of the elements, with the commas inside of runs.
    private var content = 0
    /// The white space of an array without elements.
    private let blank: SourceBytes
    private(set) var heightBound: Int

    /// The smallest number of elements of a run in a long array.
    private static let minRunCount = 64

    init() {
        blank = .none
        heightBound = 1
    }

    /// Divides the array at `node` of a source into runs.
    ///
    /// - Complexity: O(elements).
    init(_ source: JSONMemberIndex, _ node: UInt32) {
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
            append(Segment(source, first, count: runCount, UInt32(start)..<UInt32(end)))
            (first, start) = (document.node(after: last), end + 1)
            left -= runCount
        }
    }

    var count: Int { segments.total }

    var byteCount: Int {
        guard count > 0 else { return 2 + blank.count }
        return 2 + content + segments.elementCount - 1
    }

    /// The array's height, in O(elements).
    var height: Int {
        var height = 0
        segments.forEachElement { height = max(height, $0.elementHeight) }
        return height + 1
    }

    /// Returns the element at `index`, which exists.
    ///
    /// - Complexity: O(√elements).
    subscript(index: Int) -> EditedValue {
        let (segment, offset) = segments.location(at: index)
        return segments[segment].value(at: offset)
    }

    var values: [EditedValue] {
        var values: [EditedValue] = []
        values.reserveCapacity(count)
        segments.forEachElement { segment in segment.forEach { values.append($0) } }
        return values
    }

    func write(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "["))
        if count == 0 { blank.write(to: &output) }
        var isFirst = true
        segments.forEachElement { segment in
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            segment.write(to: &output)
        }
        output.append(UInt8(ascii: "]"))
    }
}

extension EditedArray {
    mutating func edit<Value>(
        _ index: Int, _ change: (inout EditedValue) throws(EditFailure) -> Value
    ) throws(EditFailure) -> Value {
        let location = isolate(index)
        var growth = 0
        defer { content += growth }
        return try segments[location].edit { value throws(EditFailure) in
            let before = value.byteCount
            defer {
                growth = value.byteCount - before
                heightBound = max(heightBound, value.heightBound + 1)
            }
            return try change(&value)
        }
    }

    mutating func insert(_ element: Element, at index: Int) {
        let location = index == count ? segments.end : isolate(index)
        let segment = Segment(element)
        segments.replace(0, at: location, with: CollectionOfOne(segment))
        content += segment.byteCount
        heightBound = max(heightBound, segment.heightBound + 1)
    }

    @discardableResult
    mutating func remove(at index: Int) -> Element {
        let location = isolate(index)
        let segment = segments[location]
        segments.replace(1, at: location, with: EmptyCollection())
        content -= segment.byteCount
        return segment.element
    }

    /// Removes the elements from `index` on, and returns them as an array.
    ///
    /// - Complexity: O(√elements), beside the changes in the shorter part.
    mutating func split(at index: Int) -> EditedArray {
        var rest = EditedArray()
        rest.heightBound = heightBound
        guard index < count else { return rest }
        rest.segments = segments.split(at: isolate(index))
        let total = content
        if segments.elementCount < rest.segments.elementCount {
            content = segments.byteCount
            rest.content = total - content
        } else {
            rest.content = rest.segments.byteCount
            content = total - rest.content
        }
        return rest
    }

    private mutating func append(_ segment: Segment) {
        segments.append(segment)
        content += segment.byteCount
    }

    /// Makes the element at `index` a segment of its own, and returns the segment's location.
    private mutating func isolate(_ index: Int) -> WeightedList<Segment>.Location {
        let (location, offset) = segments.location(at: index)
        guard !segments[location].isElement else { return location }
        guard let source = segments[location].source else { return location }
        let (first, bytes) = (segments[location].first, segments[location].before)
        let rest = segments[location].count - offset - 1
        let node = source.document.node(offset, after: first)
        let range = source.document.byteRange(of: node)
        var (start, end) = (bytes.lowerBound, bytes.upperBound)
        // The commas beside the element are no longer part of a run.
        if offset > 0 { start = UInt32(source.startOfBlanks(before: range.lowerBound)) }
        if rest > 0 { end = UInt32(source.endOfBlanks(at: range.upperBound)) }
        var parts: [Segment] = []
        parts.reserveCapacity(3)
        if offset > 0 {
            let before = bytes.lowerBound..<start - 1
            parts.append(Segment(source, first, count: offset, before))
        }
        parts.append(Segment(source, element: node, start..<end))
        if rest > 0 {
            let next = source.document.node(after: node)
            parts.append(Segment(source, next, count: rest, end + 1..<bytes.upperBound))
        }
        content -= parts.count - 1
        segments.replace(1, at: location, with: parts)
        return segments.location(at: index).location
    }
}

extension EditedArray.Segment {
    init(_ source: JSONMemberIndex, _ first: UInt32, count: Int, _ bytes: Range<UInt32>) {
        self.source = source
        self.first = first
        self.count = count
        before = bytes
        after = 0..<0
    }

    /// Creates the element at a node, with the white space around it in `bytes`.
    init(_ source: JSONMemberIndex, element node: UInt32, _ bytes: Range<UInt32>) {
        let range = source.document.byteRange(of: node)
        self.source = source
        first = node
        count = 1
        before = bytes.lowerBound..<UInt32(range.lowerBound)
        after = UInt32(range.upperBound)..<bytes.upperBound
        value = EditedValue(source, node)
    }

    init(_ element: EditedArray.Element) {
        source = element.source
        first = 0
        count = 1
        before = element.before
        after = element.after
        value = element.value
    }

    var element: EditedArray.Element {
        var element = EditedArray.Element(value: value ?? .none)
        (element.source, element.before, element.after) = (source, before, after)
        return element
    }

    var byteCount: Int { before.count + (value?.byteCount ?? 0) + after.count }

    var heightBound: Int { value?.heightBound ?? 0 }

    var elementHeight: Int {
        var height = 0
        forEach { height = max(height, $0.height) }
        return height
    }

    func forEach(_ body: (EditedValue) -> Void) {
        if let value { return body(value) }
        guard let source else { return }
        var node = first
        for _ in 0..<count {
            body(EditedValue(source, node))
            node = source.document.node(after: node)
        }
    }

    func value(at offset: Int) -> EditedValue {
        if let value { return value }
        guard let source else { return .none }
        return EditedValue(source, source.document.node(offset, after: first))
    }

    mutating func edit<Value>(
        _ change: (inout EditedValue) throws(EditFailure) -> Value
    ) throws(EditFailure) -> Value {
        guard let result = try value?.changed(by: change) else { throw .noValue }
        return result
    }

    func write(to output: inout [UInt8]) {
        source?.write(before, to: &output)
        value?.write(to: &output)
        source?.write(after, to: &output)
    }
}

extension WeightedList<EditedArray.Segment> {
    fileprivate var byteCount: Int {
        var count = 0
        forEachElement { count += $0.byteCount }
        return count
    }
}

extension JSONDocument {
    /// Returns the node of the sibling that follows so many values after the one at `node`.
    fileprivate func node(_ offset: Int, after node: UInt32) -> UInt32 {
        var node = node
        for _ in 0..<offset { node = self.node(after: node) }
        return node
    }
}
