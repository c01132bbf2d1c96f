/// The keys of a `switch` in a catalog: texts, each of which may also be that of a number or a
/// Boolean value.
struct CaseKeys: Sendable, Hashable {
    private(set) var texts: [String] = []
    /// The number that each text is in JSON, if it is one.
    private var numbers: [Double?] = []

    init() {}

    var count: Int { texts.count }

    /// Appends a key.
    ///
    /// - Returns: An earlier key that is the same number, with which the keys are ambiguous.
    /// - Complexity: O(keys).
    mutating func append(_ text: String) -> String? {
        let number = JSONNumber.value(of: text)
        defer {
            texts.append(text)
            numbers.append(number)
        }
        guard let number else { return nil }
        return numbers.firstIndex(of: number).map { texts[$0] }
    }

    /// Returns the index of the key that `value` selects: a string by its text, a number by its
    /// value, a Boolean value by its name.
    ///
    /// - Complexity: O(keys).
    func index(of value: JSONValue) -> Int? {
        switch value.kind {
        case .string: value.text.flatMap { text in texts.firstIndex(where: text.equals) }
        case .number: value.double.flatMap(numbers.firstIndex(of:))
        case .bool: texts.firstIndex(of: value.bool == true ? "true" : "false")
        case .object, .array, .null: nil
        }
    }

    /// Returns whether a `switch` can use `value`: null selects the default, and objects and arrays
    /// are of an unusable type.
    static func canSelect(by value: JSONValue) -> Bool {
        value.kind != .object && value.kind != .array
    }
}

struct Cases<Value> {
    var keys = CaseKeys()
    var values: [Value] = []
    /// The number of cases, including those that were not read.
    let total: Int
}

extension Members {
    /// Reads the member `cases`, an object of values by key, and reports keys of equal value.
    ///
    /// - Parameters:
    ///   - limit: The number of cases to read; further ones are not read.
    ///   - collector: The collector of violations.
    ///   - read: Reads the value of one case at its path.
    /// - Returns: The cases in the order of the document; `nil` if the member is not an object.
    /// - Complexity: O(bytes + limit²).
    func cases<Value>(
        upTo limit: Int, _ collector: inout ViolationCollector,
        _ read: (JSONValue, inout ViolationCollector) -> Value
    ) -> Cases<Value>? {
        required("cases", &collector) { value, collector in
            guard let table = Members(value, &collector) else { return nil }
            let entries = table.entries
            var cases = Cases<Value>(total: entries.count)
            for entry in entries.prefix(limit) {
                collector.path.descend(to: entry.name)
                if let equal = cases.keys.append(entry.name) {
                    collector.report("is the same number as the case \"\(equal)\"", at: entry.value)
                }
                cases.values.append(read(entry.value, &collector))
                collector.path.ascend()
            }
            return cases
        }
    }
}
