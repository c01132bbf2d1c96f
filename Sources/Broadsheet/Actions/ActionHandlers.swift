import BroadsheetClient
import BroadsheetCollections

/// A function that handles an event of an item, and returns the operations that it makes of it.
///
/// A function that is not asynchronous can be used as well.
public typealias ActionHandler =
    @Sendable (ItemAction) async throws -> [UpdateOperation]

/// A function that handles an event of the header or the footer of a section, and returns the
/// operations that it makes of it.
public typealias ViewActionHandler =
    @Sendable (ViewAction) async throws -> [UpdateOperation]

extension CellRegistry {
    /// Registers a handler of an event of items, and replaces an earlier one.
    ///
    ///     registry.handle("favourite", of: "ProductCell") { action in
    ///         [try action.patch(with: ["favourite": true])]
    ///     }
    ///
    /// - Parameters:
    ///   - event: The event; a literal is the name of an action.
    ///   - cellType: The name of the cell type whose items have the event; `nil` for all types,
    ///     unless they have a handler of their own.
    ///   - handler: The handler.
    public mutating func handle(
        _ event: HandledEvent, of cellType: String? = nil, by handler: @escaping ActionHandler
    ) {
        handlers[HandlerKey(event: event, cellType: cellType.map(Identifier.init))] =
            HandledAction { found in try await handler(ItemAction(found)) }
    }

    /// Registers a handler of an event of the items of a cell type, which receives the model, and
    /// replaces an earlier one.
    ///
    /// With data that does not fit the model, an action fails with the ``ModelError``, and another
    /// event is passed over.
    public mutating func handle<C: CellType>(
        _ event: HandledEvent, of type: C.Type,
        by handler: @escaping @Sendable (C.Input, ItemAction) async throws -> [UpdateOperation]
    ) {
        handlers[HandlerKey(event: event, cellType: Identifier(C.typeName))] =
            HandledAction { found in
                guard let model = try found.model(of: type, isRequired: event.isAction) else {
                    return []
                }
                return try await handler(model, ItemAction(found))
            }
    }

    /// Registers a handler of an event of headers and footers, and replaces an earlier one.
    ///
    ///     registry.handleView(.select, of: "TitleView") { action in [action.toggleSection()] }
    ///
    /// - Parameters:
    ///   - event: The event; a literal is the name of an action.
    ///   - cellType: The name of the cell type of the header or footer; `nil` for all types, unless
    ///     they have a handler of their own.
    ///   - handler: The handler.
    public mutating func handleView(
        _ event: HandledEvent, of cellType: String? = nil, by handler: @escaping ViewActionHandler
    ) {
        let key = HandlerKey(
            event: event, cellType: cellType.map(Identifier.init), isOfView: true)
        handlers[key] = HandledAction { found in try await handler(ViewAction(found)) }
    }

    /// Registers a handler of an event of the headers and footers of a cell type, which receives
    /// the model, and replaces an earlier one.
    public mutating func handleView<C: CellType>(
        _ event: HandledEvent, of type: C.Type,
        by handler: @escaping @Sendable (C.Input, ViewAction) async throws -> [UpdateOperation]
    ) {
        let key = HandlerKey(event: event, cellType: Identifier(C.typeName), isOfView: true)
        handlers[key] = HandledAction { found in
            guard let model = try found.model(of: type, isRequired: event.isAction) else {
                return []
            }
            return try await handler(model, ViewAction(found))
        }
    }

    package var hasHandlers: Bool { !handlers.isEmpty }

    var handledEvents: Set<HandledEvent> { Set(handlers.keys.map(\.event)) }

    func handledActions(of cellType: String, isOfView: Bool) -> [String] {
        handlers.keys.filter { key in
            key.event.isAction && key.isOfView == isOfView
                && key.cellType.map { $0 == Identifier(cellType) } ?? true
        }
        .map(\.event.name).sorted()
    }

    /// Returns the handler of an event: that of the cell type, or else that of all types.
    func handler(
        of event: HandledEvent, cellType: String, isOfView: Bool
    ) -> HandledAction.Handler? {
        let own = HandlerKey(event: event, cellType: Identifier(cellType), isOfView: isOfView)
        let all = HandlerKey(event: event, cellType: nil, isOfView: isOfView)
        return ((handlers[own] ?? handlers[all]) as? HandledAction)?.handler
    }
}

/// A handler as a registry keeps it.
struct HandledAction: RegisteredAction {
    /// A function that handles an event.
    typealias Handler = @Sendable (HandledItem) async throws -> [UpdateOperation]

    let handler: Handler

    init(_ handler: @escaping Handler) { self.handler = handler }
}

/// An item, a header or a footer with the event that a handler receives.
struct HandledItem: Sendable {
    let name: String
    let target: ActionTarget
    let cellType: String
    let data: JSONValue
    let input: JSONValue?

    /// Returns the data as the model of a cell type; `nil` if it does not fit and is not required.
    fileprivate func model<C: CellType>(
        of type: C.Type, isRequired: Bool
    ) throws(ModelError) -> C.Input? {
        if let value = data as? C.Input { return value }
        do throws(ModelError) { return try data.decode(C.Input.self) } catch {
            if isRequired { throw error }
            return nil
        }
    }
}

/// A call of the handler of an event.
package struct HandlerCall: Sendable {
    package let event: Int
    /// The name of the action, or of the event.
    package let name: String
    private let handler: HandledAction.Handler
    private let target: ActionTarget
    private let item: NamedItems.Found
    private let input: JSONValue?

    /// Returns the calls for the events whose items or views exist and that have a handler.
    ///
    /// - Complexity: O(events).
    package static func all(
        for events: [PostedEvent], of items: NamedItems, _ registry: CellRegistry
    ) -> [HandlerCall] {
        guard registry.hasHandlers else { return [] }
        return events.indices.compactMap { index in
            let event = events[index]
            guard let handled = HandledEvent(event.event), let target = event.target,
                let item = items[index],
                let handler = registry.handler(
                    of: handled, cellType: item.kind.name, isOfView: target.item == nil)
            else { return nil }
            return HandlerCall(
                event: index, name: handled.name, handler: handler, target: target, item: item,
                input: event.input)
        }
    }

    package var hasIndex: Bool { target.hasIndex }

    /// The number of bytes of the item's data, which the handler receives a copy of.
    package var byteCount: Int { item.dataRange.count }

    /// Calls the handler, and returns its operations as an action; `nil` if there are none.
    package func perform() async throws -> PreparedAction? {
        let bytes = Array(item.page.bytes[item.dataRange])
        guard let data = try? JSONDocument(bytes, maxDepth: .max) else { return nil }
        let operations = try await handler(
            HandledItem(
                name: name, target: target, cellType: item.kind.name, data: data.root,
                input: input))
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
