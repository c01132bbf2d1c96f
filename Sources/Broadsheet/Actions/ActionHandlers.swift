public import BroadsheetClient

/// An action of an item, as a handler receives it.
public struct ItemAction: Sendable {
    /// The name of the action.
    public let name: String
    /// The section of the item.
    public let section: UpdateTarget
    /// The item.
    public let item: UpdateTarget
    /// The name of the item's cell type.
    public let cellType: String
    /// The item's data.
    public let data: JSONValue
    /// The values for the action; `nil` if the event has none.
    public let input: JSONValue?
}

/// A function that handles an action, and returns the operations that it makes of it.
///
/// A function that is not asynchronous can be used as well.
public typealias ActionHandler =
    @Sendable (ItemAction) async throws -> [UpdateOperation]

extension CellRegistry {
    /// Registers a handler of an action, and replaces an earlier one.
    ///
    ///     registry.handle("favourite", of: "ProductCell") { action in
    ///         [.patchItem(section: action.section, item: action.item, patch: favourite)]
    ///     }
    ///
    /// - Parameters:
    ///   - action: The name of the action.
    ///   - cellType: The name of the cell type whose items have the action; `nil` for all types,
    ///     unless they have a handler of their own.
    ///   - handler: The handler.
    public mutating func handle(
        _ action: String, of cellType: String? = nil, by handler: @escaping ActionHandler
    ) {
        handlers[ActionName(name: Identifier(action), cellType: cellType.map(Identifier.init))] =
            handler
    }

    /// Returns the handler of an action.
    fileprivate func handler(of action: String, cellType: String) -> ActionHandler? {
        let name = Identifier(action)
        return handlers[ActionName(name: name, cellType: Identifier(cellType))]
            ?? handlers[ActionName(name: name, cellType: nil)]
    }
}

/// The name of an action, and the cell type that it is registered for.
struct ActionName: Hashable, Sendable {
    let name: Identifier
    /// The cell type; `nil` for all types.
    let cellType: Identifier?
}

extension PaginatedViewModel {
    /// Applies the actions among the events of a client, as one update: the operations that the
    /// catalog binds to them, and those that their handlers return.
    ///
    ///     let changes = try await model.handle([tap], registry: registry)
    ///
    /// An action whose item the screen does not have, or that nothing binds, has no effect. An
    /// action cannot move or delete an item whose type does not permit that
    /// (``CellCapability``).
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - registry: The registered types and handlers.
    ///   - limits: The limits of each edited page.
    ///   - parameters: The parameters by which both trees are laid out.
    /// - Returns: The changes from the tree of all pages before to that after, without revisions.
    /// - Throws: The first action that cannot be done, as an ``EditError`` with the pointer
    ///   `/events/i`, or the error of a handler; the screen is unchanged.
    @discardableResult
    public mutating func handle(
        _ events: [ClientEvent], registry: CellRegistry, limits: EditLimits = EditLimits(),
        parameters: LayoutParameters = LayoutParameters()
    ) async throws -> Changes {
        let items = NamedItems(events, in: self, parameters, registry)
        let bound = BoundActions(events, of: items)
        let byteCount = try bound.byteCount(limit: limits.maxPageBytes)
        let document = try bound.document(byteCount: byteCount)
        var actions = try bound.prepared(document, names: registry.names)
        for (index, event) in events.enumerated() {
            guard let action = ItemAction(event, items[index]),
                let handler = registry.handler(of: action.name, cellType: action.cellType)
            else { continue }
            let operations = try await handler(action)
            let place = actions.firstIndex { $0.event >= index } ?? actions.count
            if place < actions.count, actions[place].event == index {
                actions[place].operations += operations
                continue
            }
            actions.insert(
                PreparedAction(
                    event: index, target: ActionTarget(section: action.section, item: action.item),
                    operations: operations),
                at: place)
        }
        let prepared = actions
        return try update(registry: registry, limits: limits, parameters: parameters) {
            updater throws(EditError) in
            for action in prepared { _ = try updater.apply(action) }
        }
    }
}

extension ItemAction {
    /// Creates the action that an event is; `nil` for another event, and for an action without an
    /// item.
    fileprivate init?(_ event: ClientEvent, _ found: NamedItems.Found?) {
        guard event.type == .action, let name = event.name, let section = event.section,
            let item = event.item, let found,
            let data = try? JSONDocument(
                Array(found.page.bytes[found.cell.dataRange]), maxDepth: .max)
        else { return nil }
        self.init(
            name: name, section: section, item: item, cellType: found.kind.name, data: data.root,
            input: event.input)
    }
}
