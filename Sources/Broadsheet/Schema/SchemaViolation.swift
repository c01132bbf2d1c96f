/// A value that does not keep a schema of a unit type or a cell type.
struct SchemaViolation: Sendable, Hashable {
    /// The JSON Pointer from the judged data to the value.
    let pointer: String
    /// A description of the violation, worded as a predicate of the pointer.
    let detail: String
    let node: UInt32
}

/// A list of the first violations of one judged value in document order.
struct SchemaReport {
    private struct Entry {
        let node: UInt32
        let detail: String
    }

    private var entries: [Entry] = []
    private(set) var total = 0
    private var lastNode = UInt32.max
    private let capacity: Int

    init(keeping capacity: Int) { self.capacity = capacity }

    /// Returns whether a violation by the value at a node can be among the first.
    func lists(_ node: UInt32) -> Bool { node < lastNode }

    mutating func add(_ detail: @autoclosure () -> String, at node: UInt32) {
        total += 1
        guard lists(node) else { return }
        entries.append(Entry(node: node, detail: detail()))
        guard entries.count >= 2 * capacity else { return }
        entries = first
        lastNode = entries.last?.node ?? 0
    }

    private var first: [Entry] {
        let order = entries.indices.sorted {
            (entries[$0].node, $0) < (entries[$1].node, $1)
        }
        return order.prefix(capacity).map { entries[$0] }
    }

    /// Returns the first violations with pointers from the value at `root`.
    func violations(in document: JSONDocument, below root: UInt32) -> [SchemaViolation] {
        first.map { entry in
            SchemaViolation(
                pointer: document.pointer(to: entry.node, inside: root), detail: entry.detail,
                node: entry.node)
        }
    }
}
