import BroadsheetClient

/// An event that a program can handle: an action by its name, or an event of an item or of the
/// header or footer of a section.
///
/// A literal is the name of an action: `"select"` is not ``select``.
public struct HandledEvent: Sendable, Hashable, ExpressibleByStringLiteral {
    private enum Content: Hashable {
        case action(Identifier)
        case event(ClientEvent.Kind)
    }

    private let content: Content

    private init(_ kind: ClientEvent.Kind) { content = .event(kind) }

    private init(action: String) { content = .action(Identifier(action)) }

    /// Creates the action with a name.
    public init(stringLiteral name: String) { self.init(action: name) }

    /// Returns the action with a name.
    public static func action(_ name: String) -> HandledEvent { HandledEvent(action: name) }

    /// The selection.
    public static let select = HandledEvent(.select)
    /// The end of a selection.
    public static let deselect = HandledEvent(.deselect)
    /// The highlighting.
    public static let highlight = HandledEvent(.highlight)
    /// The end of a highlighting.
    public static let unhighlight = HandledEvent(.unhighlight)
    /// The coming into view.
    public static let willDisplay = HandledEvent(.willDisplay)
    /// The leaving of the view.
    public static let didEndDisplaying = HandledEvent(.didEndDisplaying)

    /// The event that a client reports; `nil` for one that has no handlers, such as scrolling.
    init?(_ event: ClientEvent) {
        if event.type == .action {
            guard let name = event.name else { return nil }
            self.init(action: name)
        } else {
            guard event.type.isOfItem else { return nil }
            self.init(event.type)
        }
    }

    /// The name of the action, or of the event.
    public var name: String {
        switch content {
        case .action(let name): name.text
        case .event(let kind): kind.rawValue
        }
    }

    var isAction: Bool {
        if case .action = content { true } else { false }
    }
}
