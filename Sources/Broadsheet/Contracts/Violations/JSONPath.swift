/// The way from where a reading began to the value being read; costs next to nothing until it is
/// rendered.
struct JSONPath: Sendable {
    private enum Step: Sendable {
        case name(String)
        case index(Int)
    }

    private let base: String
    private var steps: [Step] = []

    /// A path that begins at the value to which `base` points.
    init(base: String = "") {
        self.base = base
    }

    mutating func descend(to name: String) { steps.append(.name(name)) }
    mutating func descend(to index: Int) { steps.append(.index(index)) }
    mutating func ascend() { _ = steps.popLast() }

    /// The path as a JSON Pointer (RFC 6901).
    ///
    /// O(length).
    var pointer: String {
        steps.reduce(base) { pointer, step in
            switch step {
            case .name(let name): JSONPointer.appending(pointer, name)
            case .index(let index): JSONPointer.appending(pointer, index)
            }
        }
    }
}
