/// The layout of a tree as a collection view asks for it: the elements in a rectangle, and the
/// frame of each, in content coordinates (docs/layout.md, V).
///
/// A section that scrolls by itself is one scroller in place of its items. The items of a carousel
/// with copies count as often as it shows them. Frames are mirrored and rounded already.
public struct TreeLayout: Sendable {
    private let sections: [LaidOutTreeSection]
    private let bounds: FrameBounds
    private let size: TreeFrame

    /// Creates the layout of a tree.
    ///
    /// - Complexity: O(items + sections).
    public init(_ tree: Tree) {
        size = TreeFrame(size: tree.members["contentSize"])
        sections = tree.sections.enumerated().map {
            LaidOutTreeSection(
                $1, at: $0, contentSize: TreeFrame(size: tree.members["contentSize"]))
        }
        bounds = FrameBounds(sections.map(\.extent))
    }

    /// The size of the content, in points.
    public var contentSize: (width: Double, height: Double) { (size.width, size.height) }

    /// Returns every element that overlaps a rectangle: by section, and in each its decorations,
    /// its header, its items or its scroller, and its footer.
    ///
    /// - Parameter rectangle: The rectangle in content coordinates; negative lengths are flipped,
    ///   and NaN finds nothing.
    /// - Complexity: O(log sections + log items + found) for sections and items in order.
    public func elements(in rectangle: TreeFrame) -> [TreeElement] {
        guard let query = rectangle.standardized else { return [] }
        var elements: [TreeElement] = []
        for index in bounds.candidates(query) {
            sections[index].addElements(in: query, to: &elements)
        }
        return elements
    }

    /// Returns an item, or the scroller of a section that scrolls by itself; `nil` if there is
    /// none.
    public func item(at place: Changes.ItemPlace) -> TreeElement? {
        guard sections.indices ~= place.section else { return nil }
        let items = sections[place.section].items
        return items.indices ~= place.item ? items[place.item] : nil
    }

    /// Returns the header of a section; `nil` if there is none.
    public func header(of section: Int) -> TreeElement? {
        sections.indices ~= section ? sections[section].header : nil
    }

    /// Returns the footer of a section; `nil` if there is none.
    public func footer(of section: Int) -> TreeElement? {
        sections.indices ~= section ? sections[section].footer : nil
    }

    /// Returns the number of items that a collection view shows in a section, each copy counted; 1
    /// for a section that scrolls by itself.
    public func itemCount(in section: Int) -> Int {
        sections.indices ~= section ? sections[section].items.count : 0
    }
}

/// An element of a laid-out tree.
public struct TreeElement: Sendable, Hashable {
    /// The kinds of elements.
    public enum Kind: Sendable, Hashable {
        /// An item.
        case item
        /// The header of a section.
        case header
        /// The footer of a section.
        case footer
        /// A decoration of a section.
        case decoration
        /// The scroller of a section that scrolls by itself, in place of its items.
        case scroller
    }

    /// The kind.
    public var kind: Kind
    /// The index of the section.
    public var section: Int
    /// The index of the item, or of the decoration, in its section; 0 for other kinds.
    public var item: Int
    /// The frame in content coordinates.
    public var frame: TreeFrame
    /// The z-index (G8).
    public var zIndex: Int
}

/// The elements of a section in content coordinates.
private struct LaidOutTreeSection {
    let decorations: [TreeElement]
    let header: TreeElement?
    let footer: TreeElement?
    let items: [TreeElement]
    let extent: TreeFrame
    private let bounds: FrameBounds

    init(_ section: TreeSection, at index: Int, contentSize: TreeFrame) {
        let frame = section.members["frame"].flatMap(TreeFrame.init(object:)) ?? .zero
        func element(
            _ kind: TreeElement.Kind, _ value: TreeValue?, item: Int = 0, zIndex: Int
        ) -> TreeElement? {
            guard let own = (value?["frame"]).flatMap(TreeFrame.init(object:)) else { return nil }
            return TreeElement(
                kind: kind, section: index, item: item, frame: own.moved(x: frame.x, y: frame.y),
                zIndex: value?["zIndex"]?.integer ?? zIndex)
        }
        decorations = (section.members["decorations"]?.elements ?? []).enumerated()
            .compactMap { element(.decoration, $1, item: $0, zIndex: -1) }
        header = element(.header, section.members["header"], zIndex: 1)
        footer = element(.footer, section.members["footer"], zIndex: 1)
        let shown = section.items.enumerated().map { item, value in
            TreeElement(
                kind: .item, section: index, item: item,
                frame: value.frame.moved(x: frame.x, y: frame.y),
                zIndex: value.members["zIndex"]?.integer ?? 0)
        }
        if let scroll = section.members["scroll"] {
            let top = header.map { $0.frame.y + $0.frame.height } ?? frame.y
            let area = TreeFrame(
                x: frame.x, y: top, width: frame.width,
                height: TreeFrame(size: scroll["contentSize"]).height)
            items = [
                TreeElement(
                    kind: .scroller, section: index, item: 0, frame: area,
                    zIndex: shown.first?.zIndex ?? 0)
            ]
        } else {
            items = shown.repeated(section.repetition, contentSize: contentSize)
        }
        bounds = FrameBounds(items.map(\.frame))
        let all = decorations + items + [header, footer].compactMap(\.self)
        extent = all.reduce(frame) { $0.union($1.frame) }
    }

    func addElements(in query: TreeFrame, to elements: inout [TreeElement]) {
        elements += decorations.lazy.filter { $0.frame.overlaps(query) }
        if let header, header.frame.overlaps(query) { elements.append(header) }
        for index in bounds.candidates(query) where items[index].frame.overlaps(query) {
            elements.append(items[index])
        }
        if let footer, footer.frame.overlaps(query) { elements.append(footer) }
    }
}

extension TreeSection {
    typealias Repetition = (copies: Int, pageLength: Double)

    /// The number of times that a carousel shows each item, and the length of a page, in points;
    /// `nil` if it shows each once.
    var repetition: Repetition? {
        guard let paging = members["paging"], let copies = paging["copies"]?.integer,
            2...Carousel.maxCopies ~= copies, let length = paging["pageLength"]?.number,
            length.isFinite
        else { return nil }
        return (copies, length)
    }
}

extension [TreeElement] {
    /// Returns the items of a carousel as often as it shows them, each copy further by the length
    /// of the pages (P10).
    fileprivate func repeated(
        _ repetition: TreeSection.Repetition?, contentSize: TreeFrame
    ) -> [TreeElement] {
        guard let (copies, pageLength) = repetition, let first, let last else { return self }
        let length = pageLength * Double(count)
        let (x, y) = (last.frame.x - first.frame.x, last.frame.y - first.frame.y)
        let isHorizontal =
            count > 1
            ? x.magnitude > y.magnitude : contentSize.width > contentSize.height
        let isBackwards = isHorizontal && x < 0
        return (0..<copies).flatMap { copy in
            map { element in
                let distance = Double(copy) * (isBackwards ? -length : length)
                var element = element
                element.item += copy * count
                element.frame = element.frame.moved(
                    x: isHorizontal ? distance : 0, y: isHorizontal ? 0 : distance)
                return element
            }
        }
    }
}

/// An index of frames that are roughly in order along an axis.
private struct FrameBounds {
    private let isHorizontal: Bool
    private let isBackwards: Bool
    private let bounds: RunningBounds

    init(_ frames: [TreeFrame]) {
        let (first, last) = (frames.first ?? .zero, frames.last ?? .zero)
        let (x, y) = (last.x - first.x, last.y - first.y)
        let isHorizontal = x.magnitude > y.magnitude
        let isBackwards = isHorizontal ? x < 0 : y < 0
        self.isHorizontal = isHorizontal
        self.isBackwards = isBackwards
        let spans = frames.map {
            Self.span(of: $0, isHorizontal: isHorizontal, isBackwards: isBackwards)
        }
        bounds = RunningBounds(starts: spans.map(\.start), ends: spans.map(\.end))
    }

    func candidates(_ query: TreeFrame) -> Range<Int> {
        let span = Self.span(of: query, isHorizontal: isHorizontal, isBackwards: isBackwards)
        return bounds.candidates(span.start, span.end)
    }

    private static func span(
        of frame: TreeFrame, isHorizontal: Bool, isBackwards: Bool
    ) -> (start: Double, end: Double) {
        let start = isHorizontal ? frame.x : frame.y
        let end = start + (isHorizontal ? frame.width : frame.height)
        return isBackwards ? (-end, -start) : (start, end)
    }
}

extension TreeFrame {
    fileprivate static let zero = TreeFrame(x: 0, y: 0, width: 0, height: 0)

    /// Creates a rectangle at the origin from `{"width", "height"}`.
    fileprivate init(size: TreeValue?) {
        let (width, height) = (size?["width"]?.number ?? 0, size?["height"]?.number ?? 0)
        self.init(
            x: 0, y: 0, width: width.isFinite ? width : 0, height: height.isFinite ? height : 0)
    }

    fileprivate func moved(x: Double, y: Double) -> TreeFrame {
        TreeFrame(x: self.x + x, y: self.y + y, width: width, height: height)
    }

    /// The rectangle without negative lengths; `nil` if a number is NaN (V2).
    fileprivate var standardized: TreeFrame? {
        let numbers = [x, y, x + width, y + height]
        guard !numbers.contains(where: \.isNaN) else { return nil }
        return TreeFrame(
            x: min(x, x + width), y: min(y, y + height), width: width.magnitude,
            height: height.magnitude)
    }

    /// Returns whether two rectangles overlap in a positive area (V1).
    fileprivate func overlaps(_ other: TreeFrame) -> Bool {
        x < other.x + other.width && other.x < x + width
            && y < other.y + other.height && other.y < y + height
            && width > 0 && height > 0 && other.width > 0 && other.height > 0
    }

    fileprivate func union(_ other: TreeFrame) -> TreeFrame {
        let (left, top) = (min(x, other.x), min(y, other.y))
        let right = max(x + width, other.x + other.width)
        let bottom = max(y + height, other.y + other.height)
        return TreeFrame(x: left, y: top, width: right - left, height: bottom - top)
    }
}
