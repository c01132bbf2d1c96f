/// The meaning of a box of a content for assistive technology (docs/catalog.md, "Meaning").
package struct ContentMeaning: Sendable, Hashable {
    /// The roles of boxes.
    package enum Role: String, Sendable, Hashable, CaseIterable {
        case heading, image, button, link
        /// An image or a box without a meaning.
        case nothing = "none"
    }

    /// An action of the cell type that a control sends.
    package struct Action: Sendable, Hashable {
        package let name: String
        /// The input of the event as it was written, JSON; `nil` without one.
        package let input: [UInt8]?
    }

    /// The index of the input that is 1 if the label is there; -1 without a label.
    var label: Int32 = -1
    package var role: Role?
    package var level = defaultLevel
    /// A Boolean value that indicates whether the box and all in it are decoration.
    package var isHidden = false
    package var action: Action?
    /// The index of the input that is 1 if the link finds a URL; -1 without a link.
    var link: Int32 = -1

    /// The level of a heading without one.
    static let defaultLevel = 3
    package static let levels = 1...6

    /// A Boolean value that indicates whether lint judges the content of a box with this meaning.
    var isJudged: Bool {
        label >= 0 || role != nil || isHidden || action != nil || link >= 0
    }

    @inline(__always)
    func hasLabel(in scope: borrowing SizeScope) -> Bool {
        label >= 0 && scope.input(Int(label)) != 0
    }

    @inline(__always)
    func isControl(in scope: borrowing SizeScope) -> Bool {
        action != nil || link >= 0 && scope.input(Int(link)) != 0
    }
}
