/// An event that a client reports (docs/api.md, "Events of clients").
public struct ClientEvent: Sendable, Hashable {
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

        /// A Boolean value that indicates whether events of the type are about an item, or about
        /// the header or the footer of a section.
        package var isOfItem: Bool {
            switch self {
            case .select, .deselect, .highlight, .unhighlight, .willDisplay, .didEndDisplaying: true
            case .pageWillAppear, .pageDidAppear, .pageWillDisappear, .pageDidDisappear, .action,
                .scroll, .failed:
                false
            }
        }

        package var isOfPage: Bool {
            switch self {
            case .pageWillAppear, .pageDidAppear, .pageWillDisappear, .pageDidDisappear: true
            case .select, .deselect, .highlight, .unhighlight, .willDisplay, .didEndDisplaying,
                .action, .scroll, .failed:
                false
            }
        }
    }

    /// The type.
    public var type: Kind
    /// The section, as the client knows it.
    public var section: UpdateTarget?
    /// The item in the section.
    public var item: UpdateTarget?
    /// The header or the footer of the section, in place of an item.
    public var view: SectionView?
    /// The number of the page, for events of pages.
    public var page: Int?
    /// The name of the action.
    public var name: String?
    /// Values for the action.
    public var input: TreeValue?
    /// The revision of the tree that the client has.
    public var revision: UInt64?
    /// The time of the event, in seconds since 1970.
    public var at: Double?

    /// Creates an event of an item, or, without `item`, of the header or the footer of a section.
    public init(
        _ type: Kind, section: UpdateTarget? = nil, item: UpdateTarget? = nil,
        view: SectionView? = nil
    ) {
        self.type = type
        self.section = section
        self.item = item
        self.view = view
    }

    /// Creates an action of an item.
    public init(
        action name: String, section: UpdateTarget, item: UpdateTarget, input: TreeValue? = nil
    ) {
        self.init(.action, section: section, item: item)
        self.name = name
        self.input = input
    }

    /// Creates an action of the header or the footer of a section.
    public init(
        action name: String, section: UpdateTarget, view: SectionView, input: TreeValue? = nil
    ) {
        self.init(.action, section: section, view: view)
        self.name = name
        self.input = input
    }

    /// The largest number of bytes of an input as JSON; fixed.
    public static let maxInputBytes = 4096
    /// The largest number of events in a request; fixed.
    public static let maxEvents = 1_000
    /// The latest time of an event: the last second of the year 9999.
    package static let maxTime = 253_402_300_799.0
}

/// The views of a section beside its items.
public enum SectionView: String, Sendable, Hashable, CaseIterable {
    /// The header.
    case header
    /// The footer.
    case footer
}

/// The name of an item or a section in an operation: an id, or an index before the operation.
public enum UpdateTarget: Sendable, Hashable, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral
{
    /// An id, compared code point by code point.
    case id(String)
    /// An index in the section, or, of a section, in the whole screen.
    case index(Int)

    /// Creates an id.
    public init(stringLiteral id: String) { self = .id(id) }

    /// Creates an index.
    public init(integerLiteral index: Int) { self = .index(index) }
}

extension ClientEvent {
    /// The event as the wire has it, for a request of events.
    public var value: TreeValue {
        var members: [String: TreeValue] = ["type": .string(type.rawValue)]
        members["section"] = section?.value
        members["item"] = item?.value
        members["view"] = view.map { .string($0.rawValue) }
        members["page"] = page.map { .number(TreeNumber($0)) }
        members["name"] = name.map { .string($0) }
        members["input"] = input
        members["revision"] = revision.map { .number(TreeNumber($0)) }
        members["at"] = at.flatMap(TreeNumber.init).map { .number($0) }
        return .object(members)
    }
}

extension UpdateTarget {
    package var value: TreeValue {
        switch self {
        case .id(let id): .string(id)
        case .index(let index): .number(TreeNumber(index))
        }
    }
}
