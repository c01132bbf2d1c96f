/// A JSON Patch (RFC 6902): operations that are applied in their order, all or none.
public struct JSONPatch: Sendable {
    /// One operation.
    enum Operation: Sendable {
        /// Inserts an element, sets a member, or replaces the whole document (§4.1).
        case add(PatchPath, JSONValue)
        /// Takes a value away (§4.2).
        case remove(PatchPath)
        /// Replaces a value that exists (§4.3).
        case replace(PatchPath, JSONValue)
        /// Takes a value away and adds it elsewhere (§4.4).
        case move(from: PatchPath, PatchPath)
        /// Adds a value that stands elsewhere (§4.5).
        case copy(from: PatchPath, PatchPath)
        /// Fails unless a value equals another one (§4.6).
        case test(PatchPath, JSONValue)

        var stepCount: Int {
            switch self {
            case .add(let path, _), .remove(let path), .replace(let path, _), .test(let path, _):
                path.steps.count
            case .move(let from, let path), .copy(let from, let path):
                from.steps.count + path.steps.count
            }
        }
    }

    /// The names of the operations.
    enum Name: String, CaseIterable {
        /// The six operations of RFC 6902.
        case add, remove, replace, move, copy, test
    }

    let operations: [Operation]

    /// Reads a patch.
    ///
    /// - Throws: All violations of RFC 6902, with pointers into the patch.
    /// - Complexity: O(bytes).
    public init(_ document: JSONDocument) throws(ContractError) {
        var collector = ViolationCollector(keeping: ContractError.maxViolations)
        var operations: [Operation] = []
        let root = document.root
        if root.kind != .array {
            collector.report("must be an array of operations\(root.insteadOf)", at: root)
        } else if root.count > EditLimits.maxPatchOperations {
            collector.report(
                "has \(root.count) operations, of which a patch may have at most "
                    + "\(EditLimits.maxPatchOperations)", at: root)
        } else {
            operations = Self.operations(root, &collector)
        }
        guard collector.total == 0 else {
            throw ContractError(violations: collector.violations, total: collector.total)
        }
        self.operations = operations
    }

    private static func operations(
        _ array: JSONValue, _ collector: inout ViolationCollector
    ) -> [Operation] {
        var operations: [Operation] = []
        operations.reserveCapacity(array.count)
        for (index, element) in array.elements.enumerated() {
            collector.path.descend(to: index)
            if let operation = PatchReader(element, &collector)?.operation(&collector) {
                operations.append(operation)
            }
            collector.path.ascend()
        }
        return operations
    }
}

/// A reader of one operation of a patch.
private struct PatchReader {
    private let object: JSONValue

    init?(_ value: JSONValue, _ collector: inout ViolationCollector) {
        guard value.kind == .object else {
            collector.report("must be an object\(value.insteadOf)", at: value)
            return nil
        }
        object = value
    }

    func operation(_ collector: inout ViolationCollector) -> JSONPatch.Operation? {
        guard let name = name(&collector) else { return nil }
        let path = pointer("path", &collector)
        switch name {
        case .add: return operation(JSONPatch.Operation.add, path, &collector)
        case .replace: return operation(JSONPatch.Operation.replace, path, &collector)
        case .test: return operation(JSONPatch.Operation.test, path, &collector)
        case .remove: return path.map { .remove($0) }
        case .move, .copy:
            guard let from = pointer("from", &collector), let path else { return nil }
            if name == .copy { return .copy(from: from, path) }
            guard !path.isInside(from) else {
                return report("path", "must not lead into the value that is moved", &collector)
            }
            return .move(from: from, path)
        }
    }

    private func operation(
        _ make: (PatchPath, JSONValue) -> JSONPatch.Operation, _ path: PatchPath?,
        _ collector: inout ViolationCollector
    ) -> JSONPatch.Operation? {
        guard let value = member("value", &collector), let path else { return nil }
        return make(path, value)
    }

    private func name(_ collector: inout ViolationCollector) -> JSONPatch.Name? {
        guard let value = member("op", &collector) else { return nil }
        let text = value.string.map(Identifier.init)
        let name = JSONPatch.Name.allCases.first { Identifier($0.rawValue) == text }
        if name == nil {
            let names = JSONPatch.Name.allCases.map(\.rawValue).alternatives
            return report("op", "must be \(names)", &collector)
        }
        return name
    }

    private func pointer(
        _ name: String, _ collector: inout ViolationCollector
    ) -> PatchPath? {
        guard let value = member(name, &collector) else { return nil }
        guard let text = value.string else {
            return report(name, "must be a JSON Pointer\(value.insteadOf)", &collector)
        }
        do throws(JSONPointerError) {
            return PatchPath(try JSONPointer(text))
        } catch {
            return report(name, "must be a JSON Pointer: \(error.detail)", &collector)
        }
    }

    /// Returns a required member, null or not, which may occur only once (RFC 6902 §4, A.13).
    private func member(
        _ name: String, _ collector: inout ViolationCollector
    ) -> JSONValue? {
        var found: JSONValue?
        for member in object.members where member.name.equals(name) {
            if found != nil { return report(name, "occurs more than once", &collector) }
            found = member.value
        }
        return found ?? report(name, "is missing", &collector)
    }

    private func report<Value>(
        _ name: String, _ detail: String, _ collector: inout ViolationCollector
    ) -> Value? {
        collector.path.descend(to: name)
        collector.report(detail, at: object[name] ?? object)
        collector.path.ascend()
        return nil
    }
}
