/// A JSON value under edit: a value of a document until something in it changes.
///
/// A container whose contents change is divided into its children. Untouched children, and the
/// white space between them, are ranges of the bytes of their document, so that they keep their
/// bytes. Copies share unchanged values.
struct EditedValue {
    /// The form of a value.
    enum Content {
        /// The value at a node of a document.
        case source(JSONMemberIndex, UInt32)
        case array(EditedContainer<EditedArray>)
        case object(EditedContainer<EditedObject>)
        /// The content is being changed.
        case moved
    }

    private(set) var content: Content

    /// A value without content, in place of one that is being changed.
    static var none: EditedValue { EditedValue() }

    private init() {
        content = .moved
    }

    init(_ source: JSONMemberIndex, _ node: UInt32) {
        content = .source(source, node)
    }

    init(_ object: EditedObject) {
        content = .object(EditedContainer(object))
    }

    init(_ array: EditedArray) {
        content = .array(EditedContainer(array))
    }

    /// The number of bytes of the value, in O(1).
    var byteCount: Int {
        switch content {
        case .source(let source, let node): source.document.byteRange(of: node).count
        case .array(let array): array.value.byteCount
        case .object(let object): object.value.byteCount
        case .moved: 0
        }
    }

    /// An upper bound of the value's height; it may be too large after removals.
    var heightBound: Int {
        switch content {
        case .source(let source, let node): source.height(of: node)
        case .array(let array): array.value.heightBound
        case .object(let object): object.value.heightBound
        case .moved: 0
        }
    }

    /// The number of containers on the longest way into the value, itself included.
    ///
    /// - Complexity: O(children of changed containers).
    var height: Int {
        switch content {
        case .source(let source, let node): source.height(of: node)
        case .array(let array): array.value.height
        case .object(let object): object.value.height
        case .moved: 0
        }
    }

    var kind: JSONValue.Kind {
        switch content {
        case .source(let source, let node): source.document.value(at: node).kind
        case .array: .array
        case .object: .object
        case .moved: .null
        }
    }

    /// The number of elements of an array; 0 for values of other kinds.
    var elementCount: Int {
        switch content {
        case .source(let source, let node) where kind == .array:
            source.document.value(at: node).count
        case .array(let array): array.value.count
        default: 0
        }
    }

    func write(to output: inout [UInt8]) {
        switch content {
        case .source(let source, let node): source.write(node, to: &output)
        case .array(let array): array.value.write(to: &output)
        case .object(let object): object.value.write(to: &output)
        case .moved: break
        }
    }

    var bytes: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(byteCount)
        write(to: &output)
        return output
    }

    /// Returns the bytes of a document with the value in place of its own, with the white space
    /// around that.
    func bytes(asRootOf document: JSONDocument) -> [UInt8] {
        let range = document.root.byteRange
        var output = Array(document.bytes[..<range.lowerBound])
        output.reserveCapacity(byteCount + document.bytes.count - range.count)
        write(to: &output)
        output.append(contentsOf: document.bytes[range.upperBound...])
        return output
    }
}

/// Values inside the value.
extension EditedValue {
    func child(_ step: JSONPathStep) -> EditedValue? {
        switch content {
        case .source(let source, let node):
            let found: UInt32? =
                switch source.document.firstByte(of: node) {
                case UInt8(ascii: "{"): source.member(step.key, of: node)
                case UInt8(ascii: "["): step.index.flatMap { source.element($0, of: node) }
                default: nil
                }
            return found.map { EditedValue(source, $0) }
        case .array(let array):
            guard let index = step.index, index < array.value.count else { return nil }
            return array.value[index]
        case .object(let object): return object.value[step.key]
        case .moved: return nil
        }
    }

    func value(at path: some Sequence<JSONPathStep>) -> EditedValue? {
        var current = self
        for step in path {
            guard let next = current.child(step) else { return nil }
            current = next
        }
        return current
    }

    /// Throws a failure if there is no value at the path.
    mutating func edit<Value>(
        at path: ArraySlice<JSONPathStep>,
        _ change: (inout EditedValue) throws(EditFailure) -> Value
    ) throws(EditFailure) -> Value {
        guard let step = path.first else { return try change(&self) }
        let rest = path.dropFirst()
        switch kind {
        case .array:
            return try editArray { array throws(EditFailure) in
                guard let index = step.index, index < array.count else { throw .noValue }
                return try array.edit(index) { child throws(EditFailure) in
                    try child.edit(at: rest, change)
                }
            }
        case .object:
            return try editObject { object throws(EditFailure) in
                try object.edit(step.key) { child throws(EditFailure) in
                    try child.edit(at: rest, change)
                }
            }
        default: throw .noValue
        }
    }

    @inline(__always)
    mutating func changed<Outcome>(
        by change: (inout EditedValue) throws(EditFailure) -> Outcome
    ) throws(EditFailure) -> Outcome {
        try change(&self)
    }

    mutating func editArray<Value>(
        _ change: (inout EditedArray) throws(EditFailure) -> Value
    ) throws(EditFailure) -> Value {
        var array: EditedContainer<EditedArray>
        switch content {
        case .array(let elements): array = elements
        case .source(let source, let node) where kind == .array:
            array = EditedContainer(EditedArray(source, node))
        default: throw EditFailure("The value is not an array.")
        }
        content = .moved
        defer { content = .array(array) }
        return try array.edit(change)
    }

    mutating func editObject<Value>(
        _ change: (inout EditedObject) throws(EditFailure) -> Value
    ) throws(EditFailure) -> Value {
        var object: EditedContainer<EditedObject>
        switch content {
        case .object(let members): object = members
        case .source(let source, let node) where kind == .object:
            object = EditedContainer(EditedObject(source, node))
        default: throw EditFailure("The value is not an object.")
        }
        content = .moved
        defer { content = .object(object) }
        return try object.edit(change)
    }
}

/// A changed container, which copies of its value share until one of them changes.
struct EditedContainer<Value> {
    private final class Storage {
        // No two accesses overlap: a change is made by the only owner, and the others read values
        // that are unique to them for the time.
        @exclusivity(unchecked) var value: Value

        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    init(_ value: Value) {
        storage = Storage(value)
    }

    var value: Value { _read { yield storage.value } }

    /// Calls `change` with the elements or members, where they are unless they are shared.
    mutating func edit<Result>(
        _ change: (inout Value) throws(EditFailure) -> Result
    ) throws(EditFailure) -> Result {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
        return try change(&storage.value)
    }
}
