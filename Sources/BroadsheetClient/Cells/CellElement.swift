/// An element that assistive technology finds in an item, a header or a footer
/// (docs/client.md, "Describe cells to assistive technology").
public struct CellElement: Sendable, Hashable, Codable {
    /// The roles of elements.
    public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        /// The item, header or footer as one element.
        case cell
        /// A text.
        case text
        /// A text, or a labelled box, that is a heading.
        case heading
        /// An image.
        case image
        /// A control that sends an action.
        case button
        /// A control that leads to a URL, or sends an action and is said as a link.
        case link
        /// A labelled column, row or overlay.
        case group
    }

    /// The name of the part; `nil` for the cell.
    public var name: String?
    /// The role.
    public var role: Role
    /// The text that is said; empty for a control with nothing to say.
    public var label: String
    /// The level of a heading, 1 to 6.
    public var level: Int?
    /// The name of the action that a control sends.
    public var action: String?
    /// The `input` of the action's event, if there is one.
    public var input: TreeValue?
    /// The URL that a control leads to, as in the data.
    ///
    /// Its scheme is not checked.
    public var link: String?

    /// Creates an element.
    public init(
        name: String?, role: Role, label: String, level: Int? = nil, action: String? = nil,
        input: TreeValue? = nil, link: String? = nil
    ) {
        self.name = name
        self.role = role
        self.label = label
        self.level = level
        self.action = action
        self.input = input
        self.link = link
    }
}
