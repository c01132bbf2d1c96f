public import BroadsheetClient

/// The actions among the events of a client with their operations, ready to be applied.
public struct PreparedEvents: Sendable {
    private let actions: [PreparedAction]
    /// The pages that the events were about.
    private let model: PaginatedViewModel

    /// Finds the operations that the catalog binds to events, and calls their handlers, one after
    /// another.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - model: The pages of the screen.
    ///   - registry: The registered types and handlers.
    ///   - limits: The limits of each edited page.
    ///   - parameters: The parameters of the layout whose tree the client has.
    /// - Throws: The first action that cannot be done, as an ``EditError`` with the pointer
    ///   `/events/i`, the inputs that violate the schemas of their actions, or the error of a
    ///   handler.
    init(
        _ events: [ClientEvent], in model: PaginatedViewModel, registry: CellRegistry,
        limits: EditLimits, parameters: LayoutParameters
    ) async throws {
        let events = events.map(PostedEvent.init)
        let items = NamedItems(ofHandled: events, in: model, parameters, registry)
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
        self.model = model
        actions = PreparedAction.merged(
            try bound.prepared(document, names: registry.names), handled)
    }

    /// Throws the first action that cannot be done, with the pointer to its event.
    func apply(
        to updater: inout ScreenUpdater, of current: PaginatedViewModel
    ) throws(EditError) {
        if !current.hasPages(of: model) {
            if let action = actions.first(where: \.target.hasIndex) {
                throw .impossible(
                    pointer: "/events/\(action.event)",
                    detail: "A page has changed since the event was prepared, so its index may "
                        + "mean another item.")
            }
            updater.hasChangedPlaces = true
        }
        for action in actions { _ = try updater.apply(action) }
    }
}

extension PaginatedViewModel {
    fileprivate func hasPages(of other: PaginatedViewModel) -> Bool {
        table.count == other.table.count
            && zip(table.ascending, other.table.ascending).allSatisfy { $0 === $1 }
    }

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
        let prepared = try await PreparedEvents(
            events, in: self, registry: registry, limits: limits, parameters: parameters)
        let model = self
        return try update(registry: registry, limits: limits, parameters: parameters) {
            updater throws(EditError) in try prepared.apply(to: &updater, of: model)
        }
    }
}
