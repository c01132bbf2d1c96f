/// One entry of a document's index: the offset and the extent of a value.
///
/// The value's first byte indicates its kind. A scalar has one node, whose extent is the offset
/// after its last byte. A container has two nodes: an opening one, whose extent is the *node* of
/// the closing one, and a closing one, at the offset of its bracket, whose extent is the number of
/// elements or members. A reader therefore skips any value in one step, and knows its bytes and its
/// count without reading its contents.
package struct JSONNode: Sendable {
    /// The offset of the value's first byte; for a closing node, that of its bracket.
    var offset: UInt32
    /// The end of a scalar, the closing node of a container, or its count; see above.
    var extent: UInt32

    /// The bit that marks the extent of a string with escapes; offsets are below 2^31, so it is
    /// free.
    static let escapesFlag: UInt32 = 1 << 31

    /// The offset after a scalar's last byte.
    @inline(__always) var end: UInt32 { extent & ~Self.escapesFlag }
    /// A Boolean value that indicates whether a string has escapes: its text differs from its
    /// bytes.
    @inline(__always) var hasEscapes: Bool { extent & Self.escapesFlag != 0 }
}

/// The nodes of a document in the order of their bytes.
///
/// The tape manages its own buffer, because an array checks its uniqueness at every append.
struct JSONTape: ~Copyable {
    private var nodes: UnsafeMutablePointer<JSONNode>
    private var capacity: Int
    private(set) var count = 0

    /// Creates an empty tape for a text of `byteCount` bytes; one node for 8 bytes is usual.
    init(forBytes byteCount: Int) {
        capacity = byteCount / 8 + 16
        nodes = .allocate(capacity: capacity)
    }

    deinit {
        // Nodes are trivial and need no deinitialisation.
        nodes.deallocate()
    }

    /// The node at `index`, which must have been appended.
    subscript(index: UInt32) -> JSONNode {
        @inline(__always) get {
            precondition(Int(index) < count, "node index out of bounds")
            return nodes[Int(index)]
        }
    }

    /// Appends a node and returns its index.
    @inline(__always)
    mutating func append(offset: Int, extent: UInt32) -> UInt32 {
        if count == capacity { grow() }
        (nodes + count).initialize(
            to: JSONNode(offset: UInt32(truncatingIfNeeded: offset), extent: extent))
        count &+= 1
        return UInt32(truncatingIfNeeded: count &- 1)
    }

    /// Sets the extent of a node that has been appended.
    @inline(__always)
    mutating func setExtent(of index: UInt32, to extent: UInt32) {
        precondition(Int(index) < count, "node index out of bounds")
        nodes[Int(index)].extent = extent
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<JSONNode>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: nodes, count: count)
        nodes.deallocate()
        nodes = larger
        capacity *= 2
    }
}

// A tape is written by one indexer, which owns it, and is only read after its document exists: no
// write can happen while readers on other threads share it.
extension JSONTape: @unchecked Sendable {}
