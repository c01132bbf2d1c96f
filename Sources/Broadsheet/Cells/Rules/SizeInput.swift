/// A number that a cell type's size rules take from each cell's data, once, when it is resolved.
struct SizeInput: Sendable, Hashable {
    /// How data becomes a number.
    enum Source: Sendable, Hashable {
        /// A number there, in points; else the default.
        case number(default: Double)
        /// The index of the case that a string there names; else the number of cases.
        case choice(cases: [String])
    }

    /// Where in the data to look.
    let pointer: JSONPointer
    /// What to make of what is there.
    let source: Source

    /// The number for a cell of `data`, always finite (rule G2).
    func value(in data: JSONValue) -> Double {
        let found = pointer.evaluate(on: data)
        switch source {
        case .number(let fallback):
            return found?.double.map(Length.sanitised) ?? fallback
        case .choice(let cases):
            guard let found, found.kind == .string, let text = found.text else {
                return Double(cases.count)
            }
            return Double(cases.firstIndex(where: text.equals) ?? cases.count)
        }
    }
}
