/// The gestures that clients offer for the items of a cell type, and the actions that it binds.
package struct CellBehavior: Sendable {
    /// The gestures; `nil` for a type that restricts nothing.
    let can: [CellCapability]?
    /// The actions by their names.
    let actions: [Identifier: CellAction]

    /// Creates the behavior of a type.
    init(can: [CellCapability]? = nil, actions: [Identifier: CellAction] = [:]) {
        self.can = can
        self.actions = actions
    }

    /// Reads the members `can` and `actions` of a cell type.
    ///
    /// - Parameters:
    ///   - names: The names of the members of units and sections.
    ///   - readSchema: Compiles the schema at the collector's path.
    init(
        of type: Members, _ names: ContractNames, _ collector: inout ViolationCollector,
        readSchema: (JSONValue, inout ViolationCollector) -> UnitSchema?
    ) {
        self.init(
            can: [CellCapability](of: type, &collector),
            actions: CellAction.table(of: type, names, &collector, readSchema: readSchema))
    }

    /// The schemas of the inputs of its actions.
    var inputSchemas: [UnitSchema] { actions.values.compactMap(\.input) }

    /// Returns whether the items of the type have a capability.
    func allows(_ capability: CellCapability) -> Bool { can?.contains(capability) ?? true }
}
