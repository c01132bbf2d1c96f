/// What a reading of a document finds besides its values: violations, and members that stand twice.
///
/// Readers take an object's members in their own order, so the first violations *in document order*
/// are chosen by offset, whatever the order in which they are found.
package struct ViolationCollector: Sendable {
    /// Where the reading is.
    var path: JSONPath
    /// How many violations were found altogether.
    private(set) var total = 0
    /// Pointers to known members that stand more than once in their object; the first of them.
    private(set) var duplicates: [String] = []
    /// How many such members there are altogether.
    private(set) var duplicateTotal = 0

    private var kept: [ContractViolation] = []
    /// Nothing at or behind this offset can be among the first any more.
    private var horizon = Int.max
    private let capacity: Int
    private let duplicateCapacity: Int

    /// Nothing found yet, reading from the value to which `base` points.
    ///
    /// - Parameters:
    ///   - capacity: How many violations to keep.
    ///   - duplicateCapacity: How many pointers to duplicate members to keep.
    init(at base: String = "", keeping capacity: Int, duplicates duplicateCapacity: Int = 0) {
        path = JSONPath(base: base)
        self.capacity = capacity
        self.duplicateCapacity = duplicateCapacity
    }

    /// The first violations, in document order.
    var violations: [ContractViolation] {
        Array(kept.sorted { $0.offset < $1.offset }.prefix(capacity))
    }

    /// Notes that the value at the current path does not fit.
    ///
    /// Amortised O(log capacity).
    mutating func report(_ detail: @autoclosure () -> String, at value: JSONValue) {
        total += 1
        let offset = value.byteRange.lowerBound
        guard offset < horizon else { return }
        kept.append(
            ContractViolation(pointer: path.pointer, detail: detail(), offset: offset))
        guard kept.count >= 2 * capacity else { return }
        kept = violations
        horizon = kept.last?.offset ?? 0
    }

    /// Notes that `name` stands more than once in the object at the current path.
    mutating func reportDuplicate(_ name: String) {
        duplicateTotal += 1
        guard duplicates.count < duplicateCapacity else { return }
        duplicates.append(JSONPointer.appending(path.pointer, name))
    }
}
