import BroadsheetClient

/// The events of a request that mean nothing in their screen (docs/api.md, "Events of clients").
package struct EventDiagnostics: Sendable {
    /// The first diagnostics in the order of the events, at most ``maxListed``.
    package private(set) var first: [Diagnostic] = []
    /// The numbers of all of them.
    package private(set) var counts = DiagnosticCounts()

    /// The largest number of diagnostics that a response lists; fixed.
    package static let maxListed = 100

    package init() {}

    /// Finds the events of sections and items that the screen does not have, and the actions that
    /// nothing binds.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - items: The items that they name.
    ///   - removed: The indexes of the events whose items an earlier action has removed.
    ///   - registry: The registered types and handlers.
    /// - Complexity: O(events), and for the diagnostics that are listed O(actions of a cell type).
    package init(
        _ events: [PostedEvent], of items: NamedItems, removed: Set<Int> = [],
        _ registry: CellRegistry
    ) {
        for (index, event) in events.enumerated() {
            guard let code = items.loss(of: event, at: index, removed, registry) else { continue }
            counts.add(code)
            guard first.count < Self.maxListed else { continue }
            let (member, detail) = items.description(
                of: code, event, at: index, isRemoved: removed.contains(index), registry)
            first.append(
                Diagnostic(
                    code: code, page: nil, pointer: "/events/\(index)/\(member)", detail: detail))
        }
    }
}

extension NamedItems {
    /// Returns the reason why an event means nothing; `nil` if it means something.
    fileprivate func loss(
        of event: PostedEvent, at index: Int, _ removed: Set<Int>, _ registry: CellRegistry
    ) -> Diagnostic.Code? {
        if isWithoutSection(event: index) { return .unknownSection }
        let kind = self[index]?.kind
        if event.item != nil || event.view != nil, kind == nil || removed.contains(index) {
            return .unknownItem
        }
        guard event.type == .action, let name = event.name else { return nil }
        return kind.map { registry.binds(name, $0, isOfView: event.item == nil) } ?? false
            ? nil : .unknownAction
    }

    fileprivate func description(
        of code: Diagnostic.Code, _ event: PostedEvent, at index: Int, isRemoved: Bool,
        _ registry: CellRegistry
    ) -> (member: String, detail: String) {
        if code == .unknownSection {
            return ("section", "the screen has no section \(event.section.described)")
        }
        if code == .unknownItem, event.item == nil, let view = event.view {
            return ("view", "the section has no \(view.rawValue)")
        }
        if code == .unknownItem {
            return (
                "item",
                isRemoved
                    ? "an earlier action of the request has removed the item"
                    : "the section has no item \(event.item.described)"
            )
        }
        guard let kind = self[index]?.kind else {
            return (
                "name", "cell types bind actions, and the event has no \"section\" and \"item\""
            )
        }
        let known =
            kind.behavior.actions.keys.map(\.text).sorted()
            + registry.handledActions(of: kind.name, isOfView: event.item == nil)
        let nearest = NearestName.of(event.name ?? "", among: known)
        let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
        return (
            "name",
            "the cell type \"\(kind.name)\" binds no action \"\(event.name ?? "")\"\(hint)"
        )
    }
}

extension CellRegistry {
    /// Returns whether an action of items of a cell type has operations, a backend or a handler.
    fileprivate func binds(_ action: String, _ kind: CellKind, isOfView: Bool) -> Bool {
        kind.behavior.actions[Identifier(action)] != nil
            || hasHandlers
                && handler(of: .action(action), cellType: kind.name, isOfView: isOfView) != nil
    }
}

extension UpdateTarget? {
    fileprivate var described: String {
        switch self {
        case .id(let id)?: "with the id \"\(id)\""
        case .index(let index)?: "with the index \(index)"
        case nil: "at all"
        }
    }
}

extension Diagnostic.Code {
    package static let ofEvents: [Diagnostic.Code] = [
        .unknownAction, .unknownSection, .unknownItem,
    ]
}
