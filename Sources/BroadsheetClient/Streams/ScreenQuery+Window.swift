extension ScreenQuery {
    /// The part of a screen around an item (docs/api.md, "Windows").
    public struct Window: Sendable, Hashable {
        /// The item by which a window is placed.
        public enum Anchor: Sendable, Hashable {
            /// The first item with an id; those of the section with an id come before all others.
            case item(String, section: String? = nil)
            /// The first item of the section with an id.
            case section(String)
            /// The first item of the screen.
            case start
            /// The last item of the screen.
            case end
        }

        /// The anchor when the window is opened.
        public var anchor: Anchor
        /// The length before the anchor's start, in points; `nil` for twice the viewport's length.
        public var before: Double?
        /// The length after the anchor's end, in points; `nil` for twice the viewport's length.
        public var after: Double?

        /// Creates a window around an anchor.
        public init(around anchor: Anchor, before: Double? = nil, after: Double? = nil) {
            self.anchor = anchor
            self.before = before
            self.after = after
        }

        /// The parameters that open the window, without lengths that are not finite.
        var parameters: [(name: String, value: String)] {
            var all = anchor.parameters
            for (name, length) in [("before", before), ("after", after)] {
                if let length, let number = TreeNumber(length) { all.append((name, number.text)) }
            }
            return all
        }
    }
}

extension ScreenQuery.Window.Anchor {
    fileprivate var parameters: [(name: String, value: String)] {
        switch self {
        case .item(let id, section: let section?): [("item", id), ("section", section)]
        case .item(let id, section: nil): [("item", id)]
        case .section(let id): [("section", id)]
        case .start: [("edge", "start")]
        case .end: [("edge", "end")]
        }
    }
}
