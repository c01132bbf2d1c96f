/// One entry of a document's index: the offset and the extent of a value.
///
/// The value's first byte indicates its kind. A scalar has one node, whose extent is the offset
/// after its last byte. A container has two nodes: an opening one, whose extent is the *node* of
/// the closing one, and a closing one, at the offset of its bracket, whose extent is the number of
/// elements or members. A reader therefore skips any value in one step, and knows its bytes and its
/// count without reading its contents.
package struct JSONNode: Sendable, BitwiseCopyable {
    /// The offset of the value's first byte; for a closing node, that of its bracket.
    var offset: UInt32
    /// The end of a scalar, the closing node of a container, or its count; see above.
    var extent: UInt32

    @inline(__always)
    init(at offset: Int, extent: UInt32) {
        self.offset = UInt32(truncatingIfNeeded: offset)
        self.extent = extent
    }

    /// The bit that marks the extent of a string with escapes; offsets are below 2^31, so it is
    /// free.
    static let escapesFlag: UInt32 = 1 << 31

    @inline(__always) var end: UInt32 { extent & ~Self.escapesFlag }
    @inline(__always) var hasEscapes: Bool { extent & Self.escapesFlag != 0 }
}

/// The nodes of a document in the order of their bytes.
struct JSONTape: ~Copyable {
    private let nodes: JSONBuffer<JSONNode>

    /// Creates a tape that owns `nodes` from now on.
    init(_ nodes: JSONBuffer<JSONNode>) { self.nodes = nodes }

    deinit { nodes.deallocate() }

    var count: Int { nodes.count }

    /// The node at `index`, which must be below `count`.
    subscript(index: UInt32) -> JSONNode {
        @inline(__always) get { nodes[index] }
    }
}

// A tape is written by one indexer, which owns it, and is only read after its document exists: no
// write can happen while readers on other threads share it.
extension JSONTape: @unchecked Sendable {}

/// A growing buffer of trivial values, whose memory its owner has to deallocate.
///
/// It is trivial itself, so that a loop keeps its parts in registers. An array would check its
/// uniqueness at every change.
struct JSONBuffer<Element: BitwiseCopyable>: BitwiseCopyable {
    private var elements: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0

    /// Creates an empty buffer with memory for `capacity` values at first, at least 1.
    init(capacity: Int) {
        elements = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    /// Deallocates the memory; the buffer is not used afterwards.
    func deallocate() { elements.deallocate() }

    /// The value at `index`, which must have been appended.
    subscript(index: UInt32) -> Element {
        @inline(__always) get {
            precondition(Int(index) < count, "index out of bounds")
            return elements[Int(index)]
        }
        @inline(__always) nonmutating set {
            precondition(Int(index) < count, "index out of bounds")
            elements[Int(index)] = newValue
        }
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        if _slowPath(count == capacity) { self = grown() }
        (elements + count).initialize(to: element)
        count &+= 1
    }

    @inline(__always)
    mutating func removeLast() -> Element {
        precondition(count > 0, "the buffer is empty")
        count &-= 1
        return elements[count]
    }

    /// Returns a buffer of the same values with twice the capacity, in place of this one.
    @inline(never)
    private func grown() -> Self {
        var larger = Self(capacity: 2 * capacity)
        larger.elements.moveInitialize(from: elements, count: count)
        larger.count = count
        deallocate()
        return larger
    }
}
