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
            LaidOutSection(
                section: screen.sections[index], frames: frames.sections[index],
                conditions: frames.conditions)
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
    fileprivate let conditions: ContentConditions

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
        return (0..<min(items.count, frames.items.count)).lazy.map { [frames, conditions] index in
            LaidOutItem(
                item: items[index], frame: frames.items[index],
                exactSize: frames.exactSize(ofItem: index), conditions: conditions)
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
    fileprivate let exactSize: Size
    fileprivate let conditions: ContentConditions

    /// The parts of the item's content that have names, in the order of drawing; empty for a type
    /// without a content.
    ///
    /// - Complexity: O(boxes), and that of breaking the texts into lines.
    public var parts: [LaidOutPart] { item.parts(in: exactSize, conditions) }

    /// Returns the data as the model of a cell type, as ``MergedItem/model(_:)`` does.
    public func model<C: CellType>(_ type: C.Type) -> C.Input? { item.model(type) }

    /// A property of the item.
    public subscript<Value>(dynamicMember property: KeyPath<MergedItem, Value>) -> Value {
        item[keyPath: property]
    }
}

/// A part of a laid-out item: a box of its content that has a name.
public struct LaidOutPart: Sendable, Hashable {
    /// The name of the box.
    public let name: String
    /// The frame in the item's coordinates, in points.
    public let frame: Frame
    /// The number of lines shown; `nil` if the part is not a text.
    public let lines: Int?
    /// A Boolean value that indicates whether a limit of lines cut the text.
    public let isTruncated: Bool
}

extension MergedItem {
    fileprivate func parts(in size: Size, _ conditions: ContentConditions) -> [LaidOutPart] {
        guard let contents = page.kinds[cell.kind].contents else { return [] }
        return PartsArranger(conditions).parts(of: contents, at: cell.inputs, in: page, size).map {
            LaidOutPart(
                name: String(decoding: contents.names[$0.name], as: UTF8.self),
                frame: $0.part.frame, lines: $0.part.lines, isTruncated: $0.part.isTruncated)
        }
    }
}
