extension SectionLayout.Kind {
    /// The kind of sections with a custom layout (rules X); JSON cannot name it, so that it is not
    /// among ``allCases``.
    package static var custom: Self { Self(CustomLayoutKind.self) }
}

/// The kind of all custom layouts: it calls the layout of the section for the frames of the items,
/// and does everything else as in flow sections (rules X).
package enum CustomLayoutKind: LayoutKind {
    package static var name: String { "custom" }
    /// X5: the members of flow, but for the alignment.
    package static let memberNames = FlowLayout.memberNames.filter { $0 != "itemAlignment" }
    package static var needsVerticalScreen: Bool { false }

    /// Header, leading inset, items, trailing inset, footer (X1).
    ///
    /// - Complexity: O(items), and what the custom layout takes.
    package static func arrange(
        _ content: any SectionContent, in context: LayoutContext
    ) -> SectionArrangement {
        let metrics = FlowMetrics(content.layout.flow, in: context)
        return FlowLayout.arrange(content, metrics, context) { section, main in
            guard content.itemCount > 0 else { return 0 }
            var items = CustomLayoutItems(content, metrics, context)
            content.layout.custom?.layout.place(&items, in: CustomLayoutSpace(metrics, context))
            return items.add(to: &section, at: main)
        }
    }
}

/// A custom layout, compared by its type and its value.
final class CustomLayoutBox: Sendable, Hashable {
    let layout: any CustomLayout

    init(_ layout: any CustomLayout) {
        self.layout = layout
    }

    static func == (one: CustomLayoutBox, other: CustomLayoutBox) -> Bool {
        one === other || one.layout.isEqual(to: other.layout)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(layout) }
}

extension CustomLayout {
    fileprivate func isEqual(to other: any CustomLayout) -> Bool {
        (other as? Self).map { $0 == self } ?? false
    }
}
