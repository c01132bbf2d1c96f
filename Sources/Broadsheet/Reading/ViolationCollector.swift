/// A collector of the violations, the duplicate members and the unknown members that readers of a
/// document find, and of the conditions that its parts share.
///
/// Readers read an object's members in their own order. The collector therefore selects the first
/// violations *in document order* by their offsets.
package struct ViolationCollector: Sendable {
    var path: JSONPath
    private(set) var total = 0
    /// The pointers to the first known members that occur more than once in their object.
    private(set) var duplicates: [String] = []
    /// The number of all such members.
    private(set) var duplicateTotal = 0

    /// The unknown members, and the members without effect or with a value that cannot be used.
    private(set) var memberDiagnostics = MemberDiagnostics()

    var conditions = ConditionPool()

    /// A Boolean value that indicates whether the objects being read are merged into others
    /// (RFC 7396), which may have the members that they lack.
    var isMergePatch = false

    private var pointers: [CatalogPointer] = []
    private var firstViolations: [ContractViolation] = []
    /// The offset at and after which a violation is not among the first.
    private var cutoffOffset = Int.max
    private let capacity: Int
    private let duplicateCapacity: Int

    /// `base` is the pointer in its document to the value that is read.
    init(at base: String = "", keeping capacity: Int, duplicates duplicateCapacity: Int = 0) {
        path = JSONPath(base: base)
        self.capacity = capacity
        self.duplicateCapacity = duplicateCapacity
    }

    /// The first violations, in document order.
    var violations: [ContractViolation] {
        Array(firstViolations.sorted { $0.offset < $1.offset }.prefix(capacity))
    }

    /// Reports a violation by the value at the current path.
    ///
    /// - Parameters:
    ///   - detail: The second part of a sentence about the value.
    ///   - pointer: The JSON Pointer from the value at the current path to `value`.
    ///   - isOfLimit: A Boolean value that indicates whether the violation is of a limit.
    /// - Complexity: O(log capacity), amortised.
    mutating func report(
        _ detail: @autoclosure () -> String, at value: JSONValue, below pointer: String = "",
        isOfLimit: Bool = false
    ) {
        total += 1
        let offset = value.byteRange.lowerBound
        guard offset < cutoffOffset else { return }
        firstViolations.append(
            ContractViolation(
                pointer: path.pointer + pointer, detail: detail(), offset: offset,
                isOfLimit: isOfLimit))
        guard firstViolations.count >= 2 * capacity else { return }
        firstViolations = violations
        cutoffOffset = firstViolations.last?.offset ?? 0
    }

    mutating func reportUnknown(
        _ name: JSONText, among known: KnownNames, of holder: MemberDiagnostics.Holder = .contract
    ) {
        memberDiagnostics.addUnknown(name, at: path, among: known, of: holder)
    }

    /// Notes a JSON Pointer of a catalog, whose text is the value at the current path.
    mutating func note(_ pointer: JSONPointer) {
        pointers.append(CatalogPointer(pointer: pointer, location: path.pointerFromBase))
    }

    /// Returns the pointers noted since the last call.
    mutating func takePointers() -> [CatalogPointer] {
        defer { pointers = [] }
        return pointers
    }

    mutating func reportWithoutEffect(_ name: String, _ detail: @autoclosure () -> String) {
        memberDiagnostics.add(.memberWithoutEffect, name, at: path, detail())
    }

    /// Reports a member of the object at the current path whose value cannot be used.
    mutating func reportUnusable(_ name: String, _ detail: @autoclosure () -> String) {
        memberDiagnostics.add(.unusableValue, name, at: path, detail())
    }

    /// Reports a value at the current path that is valid, and cannot be used as it is.
    mutating func reportUnusable(_ detail: @autoclosure () -> String) {
        memberDiagnostics.addUnusable(at: path, detail())
    }

    mutating func reportDuplicate(_ name: String) {
        duplicateTotal += 1
        guard duplicates.count < duplicateCapacity else { return }
        duplicates.append(path.pointer(toMember: name))
    }
}

/// A path from the first value of a reading to the current one; inexpensive until it is rendered.
struct JSONPath: Sendable {
    private enum Step: Sendable {
        case name(String)
        case index(Int)
    }

    private let base: String
    private var steps: [Step] = []

    init(base: String = "") {
        self.base = base
    }

    mutating func descend(to name: String) { steps.append(.name(name)) }

    mutating func descend(to index: Int) { steps.append(.index(index)) }

    mutating func ascend() { _ = steps.popLast() }

    /// The path as a JSON Pointer (RFC 6901), as much of it as is reported.
    ///
    /// - Complexity: O(min(length, ``ReportedText/maxByteCount``)).
    var pointer: String { steps.reduce(base, Self.extend) }

    /// The path as a JSON Pointer from the first value.
    var pointerFromBase: String { steps.reduce("", Self.extend) }

    func pointer(toMember name: String) -> String { Self.extend(pointer, by: .name(name)) }

    /// Returns a pointer with one more step, unless it is too long to be reported already.
    private static func extend(_ pointer: String, by step: Step) -> String {
        guard pointer.utf8.count <= ReportedText.maxByteCount else { return pointer }
        switch step {
        case .name(let name) where name.utf8.count > ReportedText.maxByteCount:
            let start = ReportedText.beginning(of: name, byteCount: ReportedText.maxByteCount)
            return JSONPointer.appending(pointer, start) + "…"
        case .name(let name): return JSONPointer.appending(pointer, name)
        case .index(let index): return JSONPointer.appending(pointer, index)
        }
    }
}

/// A JSON Pointer of a catalog.
struct CatalogPointer: Sendable {
    /// The pointer, into data of pages.
    let pointer: JSONPointer
    /// The pointer to its text in the catalog.
    let location: String
}
