public import BroadsheetClient
import BroadsheetCollections

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
            HandledAction(handler: handler)
    }

    /// A Boolean value that indicates whether any action has a handler.
    package var hasHandlers: Bool { !handlers.isEmpty }

    /// Returns the names of the actions that have a handler for items of a cell type.
    func handledActions(of cellType: String) -> [String] {
        handlers.keys.filter { $0.cellType.map { $0 == Identifier(cellType) } ?? true }
            .map(\.name.text).sorted()
    }

    /// Returns the handler of an action.
    func handler(of action: String, cellType: String) -> ActionHandler? {
        let name = Identifier(action)
        let registered =
            handlers[ActionName(name: name, cellType: Identifier(cellType))]
            ?? handlers[ActionName(name: name, cellType: nil)]
        return (registered as? HandledAction)?.handler
    }
}

/// A handler as a registry keeps it.
private struct HandledAction: RegisteredAction {
    let handler: ActionHandler
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
    ///   `/events/i`, the inputs that violate the schemas of their actions, or the error of a
    ///   handler; the screen is unchanged.
    @discardableResult
    public mutating func handle(
        _ events: [ClientEvent], registry: CellRegistry, limits: EditLimits = EditLimits(),
        parameters: LayoutParameters = LayoutParameters()
    ) async throws -> Changes {
        let items = NamedItems(events, in: self, parameters, registry)
        let bound = BoundActions(events, of: items)
        do throws(ContractError) { try bound.checkInputs() } catch {
            throw EditError.invalidContract(error)
        }
        let byteCount = try bound.byteCount(limit: limits.maxPageBytes)
        let document = try bound.document(byteCount: byteCount)
        var handled: [PreparedAction] = []
        for call in HandlerCall.all(for: events, of: items, registry) {
            if let action = try await call.perform() { handled.append(action) }
        }
        let actions = try bound.prepared(document, names: registry.names)
        let prepared = PreparedAction.merged(actions, handled)
        return try update(registry: registry, limits: limits, parameters: parameters) {
            updater throws(EditError) in
            for action in prepared { _ = try updater.apply(action) }
        }
    }
}

/// A call of the handler of an action among the events of a client.
package struct HandlerCall: Sendable {
    /// The index of the event.
    package let event: Int
    /// The name of the action.
    package let name: String
    /// The handler.
    private let handler: ActionHandler
    private let target: ActionTarget
    private let item: NamedItems.Found
    private let input: JSONValue?

    /// Returns the calls for the actions whose items exist and that have a handler.
    ///
    /// - Complexity: O(events).
    package static func all(
        for events: [ClientEvent], of items: NamedItems, _ registry: CellRegistry
    ) -> [HandlerCall] {
        guard registry.hasHandlers else { return [] }
        return events.indices.compactMap { index in
            let event = events[index]
            guard event.type == .action, let name = event.name, let target = event.target,
                let item = items[index],
                let handler = registry.handler(of: name, cellType: item.kind.name)
            else { return nil }
            return HandlerCall(
                event: index, name: name, handler: handler, target: target, item: item,
                input: event.input)
        }
    }

    /// A Boolean value that indicates whether the section or the item is named by its index.
    package var hasIndex: Bool { target.hasIndex }

    /// The number of bytes of the item's data, which the handler receives a copy of.
    package var byteCount: Int { item.cell.dataRange.count }

    /// Calls the handler, and returns the action with the operations that it makes; `nil` if there
    /// are none.
    ///
    /// - Throws: The error of the handler.
    package func perform() async throws -> PreparedAction? {
        let bytes = Array(item.page.bytes[item.cell.dataRange])
        guard let data = try? JSONDocument(bytes, maxDepth: .max) else { return nil }
        let operations = try await handler(
            ItemAction(
                name: name, section: target.section, item: target.item, cellType: item.kind.name,
                data: data.root, input: input))
        guard !operations.isEmpty else { return nil }
        return PreparedAction(event: event, target: target, operations: operations)
    }
}

extension PreparedAction {
    /// Returns actions in the order of their events; those that the catalog binds come before those
    /// of handlers.
    package static func merged(
        _ bound: [PreparedAction], _ handled: [PreparedAction]
    ) -> [PreparedAction] {
        guard !handled.isEmpty else { return bound }
        var merged = bound
        for action in handled {
            let place = merged.partitioningIndex { $0.event > action.event }
            merged.insert(action, at: place)
        }
        return merged
    }
}
