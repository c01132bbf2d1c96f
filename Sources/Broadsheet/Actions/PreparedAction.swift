/// An action of an item with its operations, ready to be applied.
package struct PreparedAction: Sendable {
    package let event: Int
    let target: ActionTarget
    package let operations: [UpdateOperation]

    /// A Boolean value that indicates whether indexes may mean other items or sections afterwards.
    var changesPlaces: Bool { operations.contains(where: \.changesPlaces) }
}

extension ActionTarget {
    /// A Boolean value that indicates whether the section or the item is named by its index.
    var hasIndex: Bool {
        guard case .id = section else { return true }
        if case .item(.index) = part { return true }
        return false
    }
}

/// The actions among the events of a request that the catalog binds.
package struct BoundActions: Sendable {
    fileprivate struct Bound: Sendable {
        let event: Int
        let name: String
        let target: ActionTarget
        let input: JSONValue?
        let offset: Int
        let action: CellAction
    }

    private let all: [Bound]
    package let hasOperations: Bool

    /// Finds the actions whose items exist and have a type that binds their names.
    package init(_ events: [PostedEvent], of items: NamedItems) {
        all = events.indices.compactMap { index in
            let event = events[index]
            guard event.type == .action, let name = event.name, let target = event.target,
                let kind = items[index]?.kind, !kind.behavior.actions.isEmpty,
                let action = kind.behavior.actions[Identifier(name)]
            else { return nil }
            return Bound(
                event: index, name: name, target: target, input: event.input,
                offset: event.posted?.byteRange.lowerBound ?? 0, action: action)
        }
        hasOperations = all.contains { !$0.action.operations.isEmpty }
    }

    package var forwarded: [Int] { all.filter(\.action.isForwarded).map(\.event) }

    /// The indexes of the events whose operations are about an item or a section that is named by
    /// its index.
    package var indexed: [Int] {
        all.filter { !$0.action.operations.isEmpty && $0.target.hasIndex }.map(\.event)
    }

    /// Checks that the inputs keep the schemas of their actions; an absent input is null.
    ///
    /// - Parameter budget: The budget of the request.
    /// - Throws: The violations of all inputs, with pointers that begin with `/events/i/input`.
    /// - Complexity: That of the judgements, which have the limits of those of a page, too.
    package func checkInputs(_ budget: JudgementBudget? = nil) throws(ContractError) {
        try checkInputs(within: .ofRequest, budget)
    }

    func checkInputs(
        within limits: SchemaLimits, _ budget: JudgementBudget? = nil
    ) throws(ContractError) {
        var cost = SchemaCost(limits: limits, budget)
        var (found, total): ([ContractViolation], Int) = ([], 0)
        for bound in all {
            guard let schema = bound.action.input else { continue }
            let violations = bound.violations(by: schema, &cost)
            found += violations.first.prefix(ContractError.maxViolations - found.count)
            total += violations.total
        }
        guard total == 0 else { throw ContractError(violations: found, total: total) }
    }

    /// Returns the largest number of bytes of the operations as JSON.
    ///
    /// - Parameter limit: The largest number of bytes of all operations (`--max-body`).
    /// - Throws: The first action that cannot be done: one whose input does not have a value, and
    ///   one whose operations are too many or too long together with those before it.
    package func byteCount(limit: Int) throws(EditError) -> Int {
        var (bytes, count) = (0, 0)
        for bound in all {
            count += bound.action.operations.count
            for operation in bound.action.operations {
                do throws(MissingPart) {
                    bytes += try operation.byteCount(for: bound.target, input: bound.input)
                } catch {
                    throw bound.error(error.detail)
                }
            }
            guard count <= EditLimits.maxUpdateOperations, bytes <= limit else {
                throw bound.error(
                    "The actions have more than \(EditLimits.maxUpdateOperations) operations, or "
                        + "more than \(limit) bytes of operations (--max-body).")
            }
        }
        return bytes
    }

    /// Returns the array of the operations of all actions, with the values of their inputs.
    ///
    /// - Parameter byteCount: That of ``byteCount(limit:)``.
    /// - Complexity: O(bytes).
    package func document(byteCount: Int) throws(EditError) -> JSONDocument {
        var writer = JSONWriter(reservingCapacity: byteCount)
        writer.raw("[")
        var isFirst = true
        for bound in all {
            for operation in bound.action.operations {
                if !isFirst { writer.raw(",") }
                isFirst = false
                operation.write(for: bound.target, input: bound.input, to: &writer)
            }
        }
        writer.raw("]")
        guard let document = try? JSONDocument(writer.bytes, maxDepth: .max) else {
            throw .impossible(pointer: "/events", detail: "The operations are not valid JSON.")
        }
        return document
    }

    /// Returns the actions that have operations, in the order of the events.
    ///
    /// - Parameters:
    ///   - document: The operations (``document(byteCount:)``).
    ///   - names: The names of the members of units and sections.
    /// - Throws: The first action whose operations do not fit the contract with the values of its
    ///   input.
    /// - Complexity: O(bytes).
    package func prepared(
        _ document: JSONDocument, names: ContractNames
    ) throws(EditError) -> [PreparedAction] {
        var values = document.root.elements.makeIterator()
        var prepared: [PreparedAction] = []
        for bound in all where !bound.action.operations.isEmpty {
            var operations: [UpdateOperation] = []
            for _ in bound.action.operations {
                guard let value = values.next() else { break }
                operations.append(try bound.operation(value, names))
            }
            prepared.append(
                PreparedAction(
                    event: bound.event, target: bound.target, operations: operations))
        }
        return prepared
    }
}

extension BoundActions.Bound {
    fileprivate func violations(
        by schema: UnitSchema, _ cost: inout SchemaCost
    ) -> (first: [ContractViolation], total: Int) {
        let input = input ?? JSONDocument.null.root
        var judge = SchemaJudge(input.document, cost)
        let found = judge.violations(
            of: input.node, by: schema, keeping: ContractError.maxViolations)
        cost = judge.cost
        let first = found.first.map { violation in
            ContractViolation(
                pointer: "/events/\(event)/input" + violation.pointer, detail: violation.detail,
                offset: self.input == nil
                    ? offset : input.document.byteRange(of: violation.node).lowerBound)
        }
        return (first, found.total)
    }

    fileprivate func operation(
        _ value: JSONValue, _ names: ContractNames
    ) throws(EditError) -> UpdateOperation {
        var collector = ViolationCollector(keeping: 1)
        let operation = UpdateForms.operation(value, names, &collector)
        guard let operation, collector.total == 0 else {
            let violation = collector.violations.first
            throw error(
                violation.map { "With its input, \($0.pointer) \($0.detail)." }
                    ?? "Its input does not fit its operations.")
        }
        return operation
    }

    fileprivate func error(_ detail: String) -> EditError {
        .impossible(
            pointer: "/events/\(event)", detail: "The action \"\(name)\" cannot be done. \(detail)")
    }
}
