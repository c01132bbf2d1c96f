/// The gestures that clients offer for the items of a cell type, and the actions that it binds.
package struct CellBehavior: Sendable {
    /// The gestures; `nil` for a type that restricts nothing.
    let can: [CellCapability]?
    let actions: [Identifier: CellAction]

    init(can: [CellCapability]? = nil, actions: [Identifier: CellAction] = [:]) {
        self.can = can
        self.actions = actions
    }

    /// Reads the members `can` and `actions` of a cell type.
    init(
        of type: Members, _ names: ContractNames, _ collector: inout ViolationCollector,
        readSchema: (JSONValue, inout ViolationCollector) -> UnitSchema?
    ) {
        self.init(
            can: [CellCapability](of: type, &collector),
            actions: CellAction.table(of: type, names, &collector, readSchema: readSchema))
    }

    var inputSchemas: [UnitSchema] { actions.values.compactMap(\.input) }

    func allows(_ capability: CellCapability) -> Bool { can?.contains(capability) ?? true }
}
