/// A value to which the operations of a JSON Patch are applied (RFC 6902 §4).
struct PatchedValue {
    private var root: EditedRoot
    private let limits: EditLimits
    private let originalByteCount: Int
    /// The bytes of the values whose heights were counted again, which have a limit.
    private var countedBytes = 0
    /// The path of the array whose elements the operation before edited.
    private var lastArray: ArraySlice<JSONPathStep> = []
    private var sources = JSONMemberIndexes()

    init(_ root: EditedValue, limits: EditLimits) {
        self.root = EditedRoot(root)
        self.limits = limits
        originalByteCount = root.byteCount
    }

    /// Returns the bytes of a document with the outcome in place of its value.
    mutating func bytes(asRootOf document: JSONDocument) -> [UInt8] {
        root.closed().bytes(asRootOf: document)
    }

    /// Throws a failure; the value is then to be discarded.
    mutating func apply(_ operation: JSONPatch.Operation) throws(EditFailure) {
        switch operation {
        case .add(let path, let value): try add(edited(value), at: path)
        case .remove(let path): _ = try remove(at: path)
        case .replace(let path, let value): try replace(at: path, with: edited(value))
        case .move(let from, let path):
            guard from.steps != path.steps else {
                return _ = try value(at: from, named: "from")
            }
            try add(remove(at: from, named: "from"), at: path)
        case .copy(let from, let path): try add(value(at: from, named: "from"), at: path)
        case .test(let path, let expected):
            guard try value(at: path).equals(expected) else {
                throw EditFailure(
                    "The value at \"\(path.text)\" is not equal to the one of the test.")
            }
        }
        try limits.check(byteCount: root.byteCount, before: originalByteCount)
    }

    /// Checks the depth of a value below `containers` containers.
    ///
    /// A value that was once too high for its new place is read again, although it may have become
    /// lower since then.
    private mutating func checkHeight(
        of value: EditedValue, below containers: Int
    ) throws(EditFailure) {
        if containers + value.heightBound > limits.maxDepth {
            countedBytes += value.byteCount
            guard countedBytes <= limits.maxSteps else { throw .tooManySteps(limits.maxSteps) }
        }
        try limits.check(heightOf: value, below: containers)
    }

    private mutating func edited(_ value: JSONValue) -> EditedValue {
        EditedValue(sources.source(of: value), value.node)
    }

    /// Returns the steps of a path to edit, and opens the array that they lead into once two edits
    /// in a row lead there.
    private mutating func stepsToEdit(_ path: PatchPath) -> ArraySlice<JSONPathStep> {
        let steps = path.steps[...]
        guard !root.isOpen(at: steps), let element = steps.lastIndex(where: \.isElement) else {
            return steps
        }
        let array = steps[..<element]
        if array == lastArray { root.open(at: array) }
        lastArray = array
        return steps
    }

    private mutating func value(
        at path: PatchPath, named name: String = "path"
    ) throws(EditFailure) -> EditedValue {
        guard let value = root.value(at: path.steps) else { throw .noValue(at: path, name) }
        return value
    }

    private mutating func add(
        _ value: EditedValue, at path: PatchPath
    ) throws(EditFailure) {
        try checkHeight(of: value, below: path.steps.count)
        let steps = stepsToEdit(path)
        do throws(EditFailure) {
            guard let last = steps.last else { return try root.edit(at: []) { $0 = value } }
            try root.edit(at: steps.dropLast()) { parent throws(EditFailure) in
                try parent.add(value, at: last)
            }
        } catch {
            throw .noValue(at: path, "path")
        }
    }

    private mutating func remove(
        at path: PatchPath, named name: String = "path"
    ) throws(EditFailure) -> EditedValue {
        let steps = stepsToEdit(path)
        guard let last = steps.last else {
            throw EditFailure("The whole page cannot be taken away.")
        }
        do throws(EditFailure) {
            return try root.edit(at: steps.dropLast()) { parent throws(EditFailure) in
                try parent.remove(at: last)
            }
        } catch {
            throw .noValue(at: path, name)
        }
    }

    private mutating func replace(
        at path: PatchPath, with value: EditedValue
    ) throws(EditFailure) {
        try checkHeight(of: value, below: path.steps.count)
        do throws(EditFailure) {
            try root.edit(at: stepsToEdit(path)) { old in old = value }
        } catch {
            throw .noValue(at: path, "path")
        }
    }
}

extension EditedValue {
    /// Inserts an element of an array, or sets a member of an object (RFC 6902 §4.1).
    fileprivate mutating func add(
        _ value: EditedValue, at step: JSONPathStep
    ) throws(EditFailure) {
        guard kind == .array else {
            return try editObject { object throws(EditFailure) in
                object.set(step.key, to: value)
            }
        }
        try editArray { array throws(EditFailure) in
            let index = step.key == JSONPathStep.end ? array.count : step.index
            guard let index, index <= array.count else { throw .noValue }
            array.insert(EditedArray.Element(value: value), at: index)
        }
    }

    /// Removes and returns an element of an array, or a member of an object (RFC 6902 §4.2).
    fileprivate mutating func remove(
        at step: JSONPathStep
    ) throws(EditFailure) -> EditedValue {
        guard kind == .array else {
            return try editObject { object throws(EditFailure) in
                guard let value = object.remove(step.key) else { throw .noValue }
                return value
            }
        }
        return try editArray { array throws(EditFailure) in
            guard let index = step.index, index < array.count else { throw .noValue }
            return array.remove(at: index).value
        }
    }
}

extension EditFailure {
    /// The failure of an operation whose member `name` refers to nothing.
    fileprivate static func noValue(at path: PatchPath, _ name: String) -> EditFailure {
        EditFailure("The page has no value at \"\(path.text)\", the \(name) of the operation.")
    }
}
