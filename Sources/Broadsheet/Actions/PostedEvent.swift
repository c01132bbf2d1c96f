package import BroadsheetClient

/// An event of a client with what resolves it: its input as a value of a document, and the JSON
/// that it was posted as.
@dynamicMemberLookup
package struct PostedEvent: Sendable {
    /// The event; one that was posted has no input here, which only ``clientEvent`` reads.
    package var event: ClientEvent
    package var input: JSONValue?
    /// The event as it was posted; `nil` for one that was made in Swift.
    package var posted: JSONValue?

    package init(_ event: ClientEvent) {
        self.event = event
        input = event.input.flatMap { input in
            (try? JSONDocument(input.json, maxDepth: .max))?.root
        }
    }

    package var clientEvent: ClientEvent {
        guard event.input == nil, let input else { return event }
        var event = event
        event.input = try? TreeValue(json: input.bytes)
        return event
    }

    package subscript<Value>(dynamicMember property: KeyPath<ClientEvent, Value>) -> Value {
        event[keyPath: property]
    }

    /// The section and the item, or the view, if the event has both.
    var target: ActionTarget? {
        guard let section = event.section else { return nil }
        if let item = event.item { return ActionTarget(section: section, part: .item(item)) }
        return event.view.map { ActionTarget(section: section, part: .view($0)) }
    }
}
