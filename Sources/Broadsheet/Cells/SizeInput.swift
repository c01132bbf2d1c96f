/// A number that a cell type's size rules read from a cell's data when the page is resolved.
enum SizeInput: Sendable, Hashable {
    /// A number at a pointer, or the default.
    case number(JSONPointer, default: Double)
    /// The quotient of a height and a width, or the default if either is missing or the width is 0.
    case ratio(height: JSONPointer, width: JSONPointer, default: Double)
    /// The index of the case that the value at a pointer selects, or the number of cases.
    case choice(JSONPointer, CaseKeys)

    /// The pointers from the cell's data to the values, in the order in which they are read.
    var pointers: [JSONPointer] {
        switch self {
        case .number(let pointer, _), .choice(let pointer, _): [pointer]
        case .ratio(let height, let width, _): [height, width]
        }
    }

    /// A Boolean value that indicates whether strings and Boolean values are usable, too.
    private var isChoice: Bool {
        if case .choice = self { true } else { false }
    }

    /// The kind of reader of the values.
    var reader: ValueReader { isChoice ? .sizeChoice : .sizeNumber }

    /// Returns the number for a cell of `data`, always finite (rule G2).
    ///
    /// - Parameters:
    ///   - data: The cell's data.
    ///   - isUsable: Becomes `false` if a value exists and is of an unusable type.
    func value(in data: JSONValue, _ isUsable: inout Bool) -> Double {
        switch self {
        case .number(let pointer, let fallback):
            return Self.number(at: pointer, in: data, &isUsable) ?? fallback
        case .ratio(let height, let width, let fallback):
            let height = Self.number(at: height, in: data, &isUsable)
            let width = Self.number(at: width, in: data, &isUsable)
            guard let height, let width, width != 0 else { return fallback }
            return Length.sanitised(height / width)
        case .choice(let pointer, let cases):
            guard let found = pointer.evaluate(on: data) else { return Double(cases.count) }
            isUsable = isUsable && CaseKeys.canSelect(by: found)
            return Double(cases.index(of: found) ?? cases.count)
        }
    }

    private static func number(
        at pointer: JSONPointer, in data: JSONValue, _ isUsable: inout Bool
    ) -> Double? {
        guard let found = pointer.evaluate(on: data) else { return nil }
        if let number = found.double { return Length.sanitised(number) }
        isUsable = isUsable && found.isNull
        return nil
    }

    /// Returns the pointers to the values in `data` that exist and are of an unusable type.
    func unusablePointers(in data: JSONValue) -> [JSONPointer] {
        pointers.filter { pointer in
            guard let found = pointer.evaluate(on: data), !found.isNull else { return false }
            return isChoice ? !CaseKeys.canSelect(by: found) : found.kind != .number
        }
    }
}
