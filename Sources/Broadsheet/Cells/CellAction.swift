/// An action that a cell type of a catalog binds to a name (docs/catalog.md, "Actions").
struct CellAction: Sendable {
    var operations: [ActionOperation] = []
    /// A Boolean value that indicates whether a backend receives the events of the action.
    var isForwarded = false
    /// The schema of the inputs that the action takes; `nil` for any.
    var input: UnitSchema?

    static let maxActions = 64
    static let maxOperations = 16
}

extension CellAction {
    /// Reads the member `actions` of a cell type: the actions by their names.
    static func table(
        of type: Members, _ names: ContractNames, _ collector: inout ViolationCollector,
        readSchema: (JSONValue, inout ViolationCollector) -> UnitSchema?
    ) -> [Identifier: CellAction] {
        var actions: [Identifier: CellAction] = [:]
        type.table("actions", &collector) { name, value, collector in
            collector.checkName(name, of: value)
            guard actions.count < maxActions else {
                collector.report(
                    "is beyond the \(maxActions) actions that a cell type may have", at: value)
                return
            }
            actions[Identifier(name)] =
                Members(value, &collector).map { members in
                    var action = CellAction(members, names, &collector)
                    action.input = members.read("input", &collector, readSchema)
                    return action
                } ?? CellAction()
        }
        return actions
    }

    private init(
        _ members: Members, _ names: ContractNames, _ collector: inout ViolationCollector
    ) {
        members.reportUnknown(among: ["operations", "forward", "input"], &collector)
        isForwarded = members.bool("forward", &collector) ?? false
        operations =
            members.read("operations", &collector) { value, collector in
                let limit = Self.maxOperations
                guard value.kind == .array, 1...limit ~= value.count else {
                    return value.expecting("an array of 1 to \(limit) operations", nil, &collector)
                }
                return value.elements.enumerated().compactMap { index, element in
                    collector.path.descend(to: index)
                    defer { collector.path.ascend() }
                    return ActionOperation(element, names, &collector)
                }
            } ?? []
        if !members.has("operations"), !isForwarded {
            collector.report("has neither \"operations\" nor \"forward\"", at: members.object)
        }
    }
}

/// An event that has a handler, and the cell type that the handler is registered for.
struct HandlerKey: Hashable, Sendable {
    let event: HandledEvent
    /// The cell type; `nil` for all types.
    let cellType: Identifier?
    /// A Boolean value that indicates whether the handler is one of headers and footers.
    var isOfView = false
}

/// A handler of an event, which a registry keeps for the folder that calls it.
protocol RegisteredAction: Sendable {}
