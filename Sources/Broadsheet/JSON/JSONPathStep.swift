/// One step of a path into a value, for both kinds of containers.
struct JSONPathStep: Hashable, Sendable {
    let key: JSONKey
    /// The index in an array; `nil` for a step that is not an index, such as `-` and `01`.
    let index: Int?

    static func == (left: JSONPathStep, right: JSONPathStep) -> Bool {
        left.index == right.index && (left.index != nil || left.key == right.key)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(index)
        if index == nil { hasher.combine(key) }
    }

    /// Returns whether the step is before another one: members by their names, then elements by
    /// their indexes.
    func isBefore(_ other: JSONPathStep) -> Bool {
        if index != nil || other.index != nil { return (index ?? -1) < (other.index ?? -1) }
        return key.utf8.lexicographicallyPrecedes(other.key.utf8)
    }

    init(key: JSONKey, index: Int?) {
        self.key = key
        self.index = index
    }

    init(index: Int) {
        self.init(key: Self.noKey, index: index)
    }

    init(member name: String) {
        self.init(key: JSONKey(name), index: nil)
    }

    /// The token for the position after the last element of an array (RFC 6901 §4).
    static let end = JSONKey("-")

    var isElement: Bool { index != nil || key == Self.end }

    private static let noKey = JSONKey("")
}

/// A pointer of a patch with its steps.
struct PatchPath: Sendable {
    let steps: [JSONPathStep]
    let text: String

    init(_ pointer: JSONPointer) {
        steps = pointer.steps
        text = pointer.description
    }

    func isInside(_ other: PatchPath) -> Bool {
        steps.count > other.steps.count && steps.starts(with: other.steps)
    }
}

extension JSONKey {
    init(utf8: [UInt8]) {
        self.utf8 = utf8
    }

    init(_ text: JSONText) {
        utf8 = text.utf8
    }
}
