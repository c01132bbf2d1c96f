/// A page as a backend posted it: JSON that meets the contract (docs/api.md, "A page").
///
/// Only the identifiers and layouts of sections are copied out of the document.
public struct ServerStatePage: Sendable {
    /// The document that contains the page.
    public let document: JSONDocument
    /// The names of the page's members.
    public let names: ContractNames
    /// The page's own number, if it specifies one.
    public let number: Int?
    /// A Boolean value that indicates whether more pages exist after this one.
    public let hasNext: Bool
    /// The sections in their order.
    public let sections: [ServerStateSection]

    /// The pointer to the page in its document; the pointers of violations begin with it.
    let pointer: String
    /// Pointers to duplicate members; the first `ScreenLimits.maxDiagnostics`.
    let duplicates: [String]
    /// The number of all duplicate members.
    let duplicateTotal: Int
    /// The unknown members; their pointers lead into the page.
    let unknownMembers: [MemberDiagnostics.Entry]
    /// The number of all unknown members.
    let unknownTotal: Int

    /// The largest number of a page.
    public static let maxNumber = Int(Int32.max)

    /// Reads all of `document` as a page.
    ///
    /// - Throws: All violations, each with its JSON Pointer.
    /// - Complexity: O(bytes).
    public init(
        _ document: JSONDocument, names: ContractNames = ContractNames(),
        limits: ScreenLimits = ScreenLimits()
    ) throws(ContractError) {
        try self.init(document.root, names: names, limits: limits)
    }

    /// Reads `value`, which may be part of a larger document, as a page.
    ///
    /// - Parameters:
    ///   - value: The page.
    ///   - pointer: The pointer to `value` in its document; the pointers of violations begin with
    ///     it.
    ///   - names: The names of the page's members.
    ///   - limits: The limits of the page.
    /// - Throws: All violations, each with its JSON Pointer.
    public init(
        _ value: JSONValue, at pointer: String = "", names: ContractNames = ContractNames(),
        limits: ScreenLimits = ScreenLimits()
    ) throws(ContractError) {
        var collector = ViolationCollector(
            at: pointer, keeping: ContractError.maxViolations, duplicates: limits.maxDiagnostics)
        document = value.document
        self.pointer = pointer
        self.names = names
        let members = Members(value, &collector)
        members?.reportUnknown(among: ["page", "hasNext", names.sections], &collector)
        number = members.flatMap { Self.number($0, &collector) }
        hasNext = members?.bool("hasNext", &collector) ?? false
        sections = members.flatMap { Self.sections($0, names, limits, &collector) } ?? []
        // Diagnostics point into the page, wherever the page is in its document.
        duplicates = collector.duplicates.map {
            String(decoding: $0.utf8.dropFirst(pointer.utf8.count), as: UTF8.self)
        }
        duplicateTotal = collector.duplicateTotal
        unknownMembers = collector.memberDiagnostics.entries(below: pointer)
        unknownTotal = collector.memberDiagnostics.total
        guard collector.total == 0 else {
            throw ContractError(violations: collector.violations, total: collector.total)
        }
    }

    private static func number(
        _ members: Members, _ collector: inout ViolationCollector
    ) -> Int? {
        members.read("page", &collector) { value, collector in
            value.expecting(
                "a whole number from 0 to \(maxNumber)",
                value.int.flatMap { (0...maxNumber).contains($0) ? $0 : nil }, &collector)
        }
    }

    private static func sections(
        _ members: Members, _ names: ContractNames, _ limits: ScreenLimits,
        _ collector: inout ViolationCollector
    ) -> [ServerStateSection]? {
        members.required(names.sections, &collector) { value, collector in
            guard value.kind == .array else {
                return value.expecting("an array of sections", nil, &collector)
            }
            guard value.count <= limits.maxSections else {
                collector.report(
                    "holds \(value.count) sections, of which a page may have at most "
                        + "\(limits.maxSections) (--max-sections)", at: value)
                return nil
            }
            return value.elements.enumerated().compactMap { index, element in
                collector.path.descend(to: index)
                defer { collector.path.ascend() }
                return ServerStateSection(element, names: names, &collector)
            }
        }
    }
}
