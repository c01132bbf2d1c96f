/// An event that a client reports (docs/api.md, "Events of clients").
public struct ClientEvent: Sendable {
    /// The types of events.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An item was selected.
        case select
        /// An item is no longer selected.
        case deselect
        /// An item is highlighted.
        case highlight
        /// An item is no longer highlighted.
        case unhighlight
        /// An item comes into view.
        case willDisplay
        /// An item has left the view.
        case didEndDisplaying
        /// A page begins to come into view.
        case pageWillAppear
        /// A page is in view.
        case pageDidAppear
        /// A page begins to leave the view.
        case pageWillDisappear
        /// A page has left the view.
        case pageDidDisappear
        /// An action of an item.
        case action
        /// The screen was scrolled.
        case scroll
        /// The client could not draw something.
        case failed

        /// A Boolean value that indicates whether events of the type are about an item.
        var isOfItem: Bool {
            switch self {
            case .select, .deselect, .highlight, .unhighlight, .willDisplay, .didEndDisplaying: true
            default: false
            }
        }

        /// A Boolean value that indicates whether events of the type are about a page.
        var isOfPage: Bool {
            switch self {
            case .pageWillAppear, .pageDidAppear, .pageWillDisappear, .pageDidDisappear: true
            default: false
            }
        }
    }

    /// The type.
    public var type: Kind
    /// The section, as the client knows it.
    public var section: UpdateTarget?
    /// The item in the section.
    public var item: UpdateTarget?
    /// The number of the page, for events of pages.
    public var page: Int?
    /// The name of the action.
    public var name: String?
    /// Values for the action.
    public var input: JSONValue?
    /// The revision of the tree that the client has.
    public var revision: UInt64?
    /// The time of the event, in seconds since 1970.
    public var at: Double?
    /// The event as it was posted; `nil` for one that was made in Swift.
    package var posted: JSONValue?

    /// Creates an event.
    public init(
        _ type: Kind, section: UpdateTarget? = nil, item: UpdateTarget? = nil
    ) {
        self.type = type
        self.section = section
        self.item = item
    }

    /// Creates an action of an item.
    public init(
        action name: String, section: UpdateTarget, item: UpdateTarget, input: JSONValue? = nil
    ) {
        self.init(.action, section: section, item: item)
        self.name = name
        self.input = input
    }

    /// The largest number of bytes of an input as JSON; fixed.
    public static let maxInputBytes = 4096
    /// The largest number of events in a request; fixed.
    public static let maxEvents = 1_000
    /// The latest time of an event: the last second of the year 9999.
    package static let maxTime = 253_402_300_799.0

    /// The section and the item, if the event has both.
    var target: ActionTarget? {
        guard let section, let item else { return nil }
        return ActionTarget(section: section, item: item)
    }
}
