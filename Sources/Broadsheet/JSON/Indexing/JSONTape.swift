/// One entry of a document's index: where a value starts, and how far it reaches.
///
/// What kind of value it is, its first byte tells. A scalar has one node, whose extent is the offset
/// just behind its last byte. A container has two: the opening one, whose extent is the *node* of the
/// closing one, and the closing one, at its bracket's offset, whose extent is the number of elements
/// or members. So a reader skips any value in one step, and knows its bytes and its count without
/// looking inside.
package struct JSONNode: Sendable {
    /// The offset of the value's first byte; for a closing node, that of its bracket.
    var offset: UInt32
    /// What it says depends on the kind of node, see above.
    var extent: UInt32

    /// Set in the extent of a string that has escapes; offsets are below 2^31, so it is free.
    static let escapesFlag: UInt32 = 1 << 31

    /// The offset behind a scalar's last byte.
    @inline(__always) var end: UInt32 { extent & ~Self.escapesFlag }
    /// Whether a string has escapes, so that its text differs from its bytes.
    @inline(__always) var hasEscapes: Bool { extent & Self.escapesFlag != 0 }
}

/// The nodes of a document in the order in which their bytes stand.
///
/// A growing buffer of its own, since an array would check its uniqueness at every append.
struct JSONTape: ~Copyable {
    private var nodes: UnsafeMutablePointer<JSONNode>
    private var capacity: Int
    private(set) var count = 0

    /// Makes an empty tape for a text of `byteCount` bytes: a node for 8 bytes is usual.
    init(forBytes byteCount: Int) {
        capacity = byteCount / 8 + 16
        nodes = .allocate(capacity: capacity)
    }

    deinit {
        // Nodes are trivial: there is nothing to deinitialise.
        nodes.deallocate()
    }

    /// The node at `index`, which must have been appended.
    subscript(index: UInt32) -> JSONNode {
        @inline(__always) get {
            precondition(Int(index) < count, "a node beyond its document's tape")
            return nodes[Int(index)]
        }
    }

    /// Appends a node and answers its index.
    @inline(__always)
    mutating func append(offset: Int, extent: UInt32) -> UInt32 {
        if count == capacity { grow() }
        (nodes + count).initialize(
            to: JSONNode(offset: UInt32(truncatingIfNeeded: offset), extent: extent))
        count &+= 1
        return UInt32(truncatingIfNeeded: count &- 1)
    }

    /// Says how far the already appended node reaches.
    @inline(__always)
    mutating func setExtent(of index: UInt32, to extent: UInt32) {
        precondition(Int(index) < count, "a node beyond its document's tape")
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

/// A tape is written by one indexer and only read once its document exists, so readers may share it.
extension JSONTape: @unchecked Sendable {}
