/// A document with what edits of its values need more than once: the heights of its values, and an
/// index of the names of large objects.
///
/// It is used by one edit on one thread.
final class JSONMemberIndex {
    let document: JSONDocument
    /// The height of the value at each node, once one is needed.
    private var heights: [UInt16] = []
    /// The number of look-ups in each large object.
    private var lookUps: [UInt32: Int] = [:]
    /// The nodes of the values of each name of large objects that were used repeatedly.
    private var indexes: [UInt32: [JSONKey: [UInt32]]] = [:]
    /// The nodes of every ``checkpointDistance``th element of long arrays.
    private var checkpoints: [UInt32: [UInt32]] = [:]

    /// The number of members above which an object may get an index of its names.
    private static let minIndexedMembers = 64
    /// The number of look-ups without an index in one object.
    private static let maxScans = 8
    /// The number of elements that a look-up in an array passes over at most.
    private static let checkpointDistance = 256

    init(_ document: JSONDocument) {
        self.document = document
    }

    /// Returns the value of the last member called `key` of the object at `node`, or `nil`.
    ///
    /// - Complexity: O(members) for the first few look-ups in an object, then O(1) expected.
    func member(_ key: JSONKey, of node: UInt32) -> UInt32? {
        guard let index = usedIndex(of: node) else { return document.member(key, of: node) }
        return index[key]?.last
    }

    func members(_ key: JSONKey, of node: UInt32) -> [UInt32] {
        if let index = usedIndex(of: node) { return index[key] ?? [] }
        return document.value(at: node).members.filter { JSONKey($0.name) == key }.map(
            \.value.node)
    }

    /// Returns the number of different names of the members of the object at `node`.
    ///
    /// - Complexity: O(members), once for a large object.
    func nameCount(of node: UInt32) -> Int {
        let members = document.value(at: node).members
        guard members.underestimatedCount > Self.minIndexedMembers else {
            return Set(members.map { JSONKey($0.name) }).count
        }
        return index(of: node).count
    }

    /// Returns the index of a large object that has been used repeatedly; counts this use.
    private func usedIndex(of node: UInt32) -> [JSONKey: [UInt32]]? {
        guard document.count(of: node) > Self.minIndexedMembers else { return nil }
        if let index = indexes[node] { return index }
        lookUps[node, default: 0] += 1
        return lookUps[node, default: 0] > Self.maxScans ? index(of: node) : nil
    }

    private func index(of node: UInt32) -> [JSONKey: [UInt32]] {
        if let index = indexes[node] { return index }
        var index: [JSONKey: [UInt32]] = [:]
        for member in document.value(at: node).members {
            index[JSONKey(member.name), default: []].append(member.value.node)
        }
        indexes[node] = index
        return index
    }

    /// Returns the element at `index` of the array at `node`, or `nil`.
    ///
    /// - Complexity: O(elements) for the first look-up far into a long array, then O(1).
    func element(_ index: Int, of node: UInt32) -> UInt32? {
        guard index > Self.checkpointDistance, index < document.value(at: node).count else {
            return document.element(index, of: node)
        }
        let (checkpoint, rest) = index.quotientAndRemainder(dividingBy: Self.checkpointDistance)
        var element = checkpoints(of: node)[checkpoint]
        for _ in 0..<rest { element = document.node(after: element) }
        return element
    }

    private func checkpoints(of node: UInt32) -> [UInt32] {
        if let positions = checkpoints[node] { return positions }
        var nodes: [UInt32] = []
        var element = node &+ 1
        for index in 0..<document.value(at: node).count {
            if index.isMultiple(of: Self.checkpointDistance) { nodes.append(element) }
            element = document.node(after: element)
        }
        checkpoints[node] = nodes
        return nodes
    }

    func write(_ node: UInt32, to output: inout [UInt8]) {
        output.append(contentsOf: document.bytes[document.byteRange(of: node)])
    }

    func write(_ range: Range<UInt32>, to output: inout [UInt8]) {
        output.append(contentsOf: document.bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }

    /// Returns the bytes of a member with the white space around it, by the node of its value.
    func memberBytes(_ value: UInt32) -> Range<Int> {
        let name = document.byteRange(of: value - 1)
        return startOfBlanks(
            before: name.lowerBound)..<endOfBlanks(at: document.byteRange(of: value).upperBound)
    }

    /// Returns the number of containers on the longest way into the value at `node`, itself
    /// included: 0 for a scalar, 1 for an empty container.
    ///
    /// - Complexity: O(nodes of the document) once for containers, then O(1).
    func height(of node: UInt32) -> Int {
        guard document.isContainer(node) else { return 0 }
        if heights.isEmpty { heights = Self.heights(of: document) }
        return Int(heights[Int(node)])
    }

    private static func heights(of document: JSONDocument) -> [UInt16] {
        var heights = [UInt16](repeating: 0, count: document.nodeCount)
        var open: [UInt32] = []
        var node: UInt32 = 0
        while node < document.nodeCount {
            if let last = open.last, document.tape[last].extent == node {
                open.removeLast()
                if let parent = open.last {
                    let height = min(heights[Int(last)], .max - 1) + 1
                    heights[Int(parent)] = max(heights[Int(parent)], height)
                }
            } else if document.isContainer(node) {
                heights[Int(node)] = 1
                if let parent = open.last { heights[Int(parent)] = max(heights[Int(parent)], 2) }
                open.append(node)
            }
            node += 1
        }
        return heights
    }

    func startOfBlanks(before offset: Int) -> Int {
        var start = offset
        while start > 0, Self.isBlank(document.bytes[start - 1]) { start -= 1 }
        return start
    }

    func endOfBlanks(at offset: Int) -> Int {
        var end = offset
        while end < document.bytes.count, Self.isBlank(document.bytes[end]) { end += 1 }
        return end
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

/// The indexes of the documents of the values of a request.
struct JSONMemberIndexes {
    private var sources: [ObjectIdentifier: JSONMemberIndex] = [:]
    private var last: JSONMemberIndex?

    mutating func source(of value: JSONValue) -> JSONMemberIndex {
        // Most values of a request are in one document.
        if let last, last.document === value.document { return last }
        let key = ObjectIdentifier(value.document)
        let source = sources[key] ?? JSONMemberIndex(value.document)
        sources[key] = source
        last = source
        return source
    }
}

/// A range of a document's bytes, such as the white space beside an element.
struct SourceBytes {
    private let source: JSONMemberIndex?
    private let range: Range<Int>

    static var none: SourceBytes { SourceBytes(source: nil, range: 0..<0) }

    private init(source: JSONMemberIndex?, range: Range<Int>) {
        self.source = source
        self.range = range
    }

    init(_ source: JSONMemberIndex, _ range: Range<Int>) {
        self.init(source: range.isEmpty ? nil : source, range: range)
    }

    var count: Int { range.count }

    func write(to output: inout [UInt8]) {
        guard let source else { return }
        output.append(contentsOf: source.document.bytes[range])
    }
}
