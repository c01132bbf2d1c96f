extension JSONValue {
    /// Answers `value`, or reports that this is not `what` was expected.
    func expecting<Value>(
        _ what: @autoclosure () -> String, _ value: Value?, _ collector: inout ViolationCollector
    ) -> Value? {
        if value == nil { collector.report("must be \(what())\(insteadOf)", at: self) }
        return value
    }

    /// The end of a sentence that says what was expected: `, not an array`; nothing where the kind
    /// of value tells nothing.
    var insteadOf: String {
        switch kind {
        case .object: ", not an object"
        case .array: ", not an array"
        case .bool: ", not \(bool == true)"
        case .null: ", not null"
        case .string, .number: ""
        }
    }
}

extension [String] {
    /// The texts as a sentence puts them: `"a"`, `"a" or "b"`, `"a", "b" or "c"`.
    var alternatives: String {
        let quoted = map { "\"\($0)\"" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }
}
