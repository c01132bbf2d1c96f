public import BroadsheetClient

/// A merged screen with its frames: sections, and in each its header, its footer and its items.
public struct LaidOutScreen: Sendable {
    /// The screen.
    public let screen: MergedScreen
    /// The layout of its sections, in the same order.
    public let frames: ScreenFrames

    /// Lays out a merged screen.
    ///
    /// - Complexity: O(sections + items).
    public init(_ screen: MergedScreen, _ parameters: LayoutParameters = LayoutParameters()) {
        self.screen = screen
        frames = screen.laidOut(by: parameters)
    }

    /// The sections, in order.
    public var sections: LazyMapSequence<Range<Int>, LaidOutSection> {
        screen.sections.indices.lazy.map { [screen, frames] index in
            LaidOutSection(section: screen.sections[index], frames: frames.sections[index])
        }
    }

    /// Returns the item at a place, or `nil` if the layout has placed none there.
    ///
    /// - Complexity: O(log parts of the section).
    public func item(at place: Changes.ItemPlace) -> LaidOutItem? {
        sections[safe: place.section]?.items[safe: place.item]
    }

    /// Returns the place of the item with an id in the section with an id, or `nil`.
    ///
    /// - Complexity: O(items of the section).
    public func indexPath(of item: String, inSection id: String) -> Changes.ItemPlace? {
        screen.indexPath(of: item, inSection: id)
    }

    /// Returns the place of an item of this screen, as ``MergedScreen/indexPath(of:)`` does.
    public func indexPath(of item: LaidOutItem) -> Changes.ItemPlace? {
        screen.indexPath(of: item.item)
    }
}

/// A section of a laid-out screen.
public struct LaidOutSection: Sendable {
    /// The section.
    public let section: MergedSection
    /// The frames of the section, of which all but ``SectionFrames/frame`` are in section
    /// coordinates.
    public let frames: SectionFrames

    /// The section's identifier, or `nil`.
    public var id: String? { section.id }

    /// The section in content coordinates.
    public var frame: Frame { frames.frame }

    /// The header and its frame; `nil` if the layout has placed none.
    public var header: (view: MergedView, frame: Frame)? {
        Self.pair(section.header, frames.header)
    }

    /// The footer and its frame; `nil` if the layout has placed none.
    public var footer: (view: MergedView, frame: Frame)? {
        Self.pair(section.footer, frames.footer)
    }

    private static func pair(
        _ view: MergedView?, _ frame: Frame?
    ) -> (view: MergedView, frame: Frame)? {
        guard let view, let frame else { return nil }
        return (view, frame)
    }

    /// The items that the layout has placed, in order.
    public var items: LazyMapSequence<Range<Int>, LaidOutItem> {
        let items = section.items
        return (0..<min(items.count, frames.items.count)).lazy.map { [frames] index in
            LaidOutItem(item: items[index], frame: frames.items[index])
        }
    }
}

/// An item of a laid-out section.
@dynamicMemberLookup
public struct LaidOutItem: Sendable {
    /// The item.
    public let item: MergedItem
    /// The frame in section coordinates, in points.
    public let frame: Frame

    /// A property of the item.
    public subscript<Value>(dynamicMember property: KeyPath<MergedItem, Value>) -> Value {
        item[keyPath: property]
    }
}
