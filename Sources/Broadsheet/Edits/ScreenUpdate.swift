/// A request of operations on a screen (docs/edits.md, "Updates").
public struct ScreenUpdate: Sendable {
    /// The operations in their order; at least one.
    public let operations: [UpdateOperation]

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - names: The names of the members of units and sections.
    /// - Throws: All violations, with pointers into the document.
    /// - Complexity: O(bytes).
    public init(
        _ document: JSONDocument, names: ContractNames = ContractNames()
    ) throws(ContractError) {
        var collector = ViolationCollector(keeping: ContractError.maxViolations)
        var operations: [UpdateOperation] = []
        if let members = Members(document.root, &collector) {
            members.refuseMisspelt(among: KnownNames(["operations"]), &collector)
            operations = Self.operations(members, names, &collector)
        }
        guard collector.total == 0 else {
            throw ContractError(violations: collector.violations, total: collector.total)
        }
        self.operations = operations
    }

    private static func operations(
        _ members: Members, _ names: ContractNames, _ collector: inout ViolationCollector
    ) -> [UpdateOperation] {
        let operations = members.required("operations", &collector) { value, collector in
            let limit = EditLimits.maxUpdateOperations
            guard value.kind == .array, 1...limit ~= value.count else {
                collector.report("must be an array of 1 to \(limit) operations", at: value)
                return [UpdateOperation]()
            }
            return value.elements.enumerated().compactMap { index, element in
                collector.path.descend(to: index)
                defer { collector.path.ascend() }
                return UpdateForms.operation(element, names, &collector)
            }
        }
        return operations ?? []
    }
}
