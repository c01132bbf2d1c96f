import BroadsheetClient

/// Writes one section of a tree.
///
/// It is an object, because its values are too many to be copied for every part of the section.
final class SectionWriter: Sendable {
    let section: MergedSection
    let frames: SectionFrames
    let conditions: ContentConditions
    let options: TreeOptions
    let pieces: ItemPieces
    let shown: ShownElements
    let share: ScreenWindow.Share?
    let origins: OriginWriter?

    init(
        section: MergedSection, frames: SectionFrames, conditions: ContentConditions,
        options: TreeOptions, pieces: ItemPieces, shown: ShownElements,
        share: ScreenWindow.Share?, origins: OriginWriter? = nil
    ) {
        self.origins = origins
        self.section = section
        self.frames = frames
        self.conditions = conditions
        self.options = options
        self.pieces = pieces
        self.shown = shown
        self.share = share
    }

    var origin: Frame { options.origin(of: frames) }

    /// Begins the section at `index` of the screen and its array of items.
    func writeHead(at index: Int, to output: inout StructuredJSONWriter) {
        output.beginObject()
        output.member("id")
        output.string(section.id)
        output.member("index", index)
        for member in SectionMember.beforeItems where has(member) { write(member, to: &output) }
        output.member("items")
        output.beginArray()
    }

    func writeTail(to output: inout StructuredJSONWriter) {
        output.endArray()
        for member in SectionMember.afterItems where has(member) { write(member, to: &output) }
        origins?.write(section, to: &output)
        output.endObject()
    }

    func has(_ member: SectionMember) -> Bool {
        switch member {
        case .firstItem, .itemCount: share != nil
        case .frame, .collapsed: true
        case .header: shown.header && section.header != nil && frames.header != nil
        case .footer: shown.footer && section.footer != nil && frames.footer != nil
        case .decorations: shown.decorations.contains { frames.decorations.indices ~= $0 }
        case .scroll: frames.scroll != nil
        case .paging: frames.paging != nil
        case .data: options.writesData && section.data != nil
        }
    }

    func write(_ member: SectionMember, to output: inout StructuredJSONWriter) {
        switch member {
        case .firstItem: if let share { output.member("firstItem", share.firstItem) }
        case .itemCount: if let share { output.member("itemCount", share.itemCount) }
        case .frame: output.member("frame", frames.frame)
        case .collapsed: output.member("collapsed", section.collapsed)
        case .header:
            guard let view = section.header, let frame = frames.header else { return }
            output.member("header")
            write(
                view, as: .header, at: frame, frames.exactSizes.header,
                zIndex: frames.headerZIndex, isPinned: frames.isHeaderPinned, to: &output)
        case .footer:
            guard let view = section.footer, let frame = frames.footer else { return }
            output.member("footer")
            write(
                view, as: .footer, at: frame, frames.exactSizes.footer,
                zIndex: frames.footerZIndex, isPinned: frames.isFooterPinned, to: &output)
        case .decorations: writeDecorations(to: &output)
        case .scroll:
            guard let scroll = frames.scroll else { return }
            let offsets = shownOffsets(of: scroll)
            output.scroll(
                scroll, offsets,
                firstOffset: shown.isPart && !offsets.isEmpty ? offsets.startIndex : nil)
        case .paging:
            if let carousel = frames.paging { output.paging(carousel) }
        case .data:
            guard let data = section.data else { return }
            output.member("data")
            output.writer.raw(from: data.page.bytes, data.range)
        }
    }

    /// Returns the resting offsets of the section's scroller; in a part of a tree only those at
    /// which a written item is in view, at least in part (docs/api.md, "Part of a layout").
    private func shownOffsets(of scroll: OrthogonalScroll) -> RestingOffsets.SubSequence {
        let offsets = scroll.restingOffsets
        guard shown.isPart else { return offsets[...] }
        let items = shown.items.lazy.joined().map { self.frames.items[$0] }
        let left = items.map(\.x).min() ?? 0
        let right = items.map(\.maxX).max() ?? 0
        let width = frames.frame.width
        // Offsets are measured from the edge at which reading starts, frames from the left (R4).
        let (start, end) = conditions.isMirrored ? (width - right, width - left) : (left, right)
        let isShown = { (offset: Double) in
            start < end && offset < end && offset + width > start
        }
        // Offsets never decrease, or never increase; so those that are shown are consecutive.
        return offsets.drop { !isShown($0) }.prefix(while: isShown)
    }

    /// Without `exactSize`, the size before rounding is that of `frame`.
    private func write(
        _ view: MergedView, as role: PlacementRole, at frame: Frame, _ exactSize: Size?,
        zIndex: Int, isPinned: Bool, to output: inout StructuredJSONWriter
    ) {
        output.object { output in
            output.member("type")
            output.raw(view.page.kinds[view.info.kind].nameJSON)
            output.member("frame", frame.moved(by: origin))
            if zIndex != ZIndex.supplementary { output.member("zIndex", zIndex) }
            if isPinned { output.member("pinned", true) }
            if let contents = view.contents {
                view.page.bytes.withUnsafeBufferPointer { bytes in
                    let data = UnsafeBufferPointer(rebasing: bytes[view.info.dataRange])
                    PartsWriter(conditions, style: output.style, depth: output.depth - 1).write(
                        contents, at: view.info.inputs, in: view.page, exactSize ?? frame.size,
                        data: options.writesData ? data : nil, to: &output.writer)
                }
            }
            if options.writesData {
                output.member("data")
                output.writer.raw(from: view.page.bytes, view.info.dataRange)
            }
            origins?.write(view, as: role, to: &output)
        }
    }

    private func writeDecorations(to output: inout StructuredJSONWriter) {
        let decorations = shown.decorations.filter { frames.decorations.indices ~= $0 }
        output.array("decorations") { output in
            for decoration in decorations {
                output.element()
                write(frames.decorations[decoration], to: &output)
            }
        }
    }

    private func write(_ decoration: DecorationFrame, to output: inout StructuredJSONWriter) {
        output.object { output in
            output.member("kind", decoration.kind)
            output.member("frame", decoration.frame.moved(by: origin))
            if decoration.zIndex != ZIndex.decoration { output.member("zIndex", decoration.zIndex) }
            guard options.writesData, let data = decoration.data else { return }
            output.member("data")
            output.raw(data)
        }
    }
}

/// A member of a section in a tree, besides its id, its index and its items.
enum SectionMember: CaseIterable {
    case firstItem, itemCount, frame, collapsed, header
    case footer, decorations, scroll, paging, data

    static let beforeItems: [SectionMember] = [
        .firstItem, .itemCount, .frame, .collapsed, .header,
    ]
    static let afterItems: [SectionMember] = [.footer, .decorations, .scroll, .paging, .data]

    var name: StaticString {
        switch self {
        case .firstItem: "firstItem"
        case .itemCount: "itemCount"
        case .frame: "frame"
        case .collapsed: "collapsed"
        case .header: "header"
        case .footer: "footer"
        case .decorations: "decorations"
        case .scroll: "scroll"
        case .paging: "paging"
        case .data: "data"
        }
    }
}

/// The elements of a section that a tree shows.
struct ShownElements {
    /// The indices of the backgrounds, ascending.
    var decorations: [Int]
    var header: Bool
    /// The indices of the items as ascending ranges.
    var items: [Range<Int>]
    var footer: Bool
    /// A Boolean value that indicates whether elements of the section can be missing.
    let isPart: Bool

    var maxCount: Int { items.reduce(decorations.count + 2) { $0 + $1.count } }

    /// Selects every element that the layout has placed.
    init(allOf frames: SectionFrames) {
        decorations = Array(frames.decorations.indices)
        header = true
        items = [frames.items.indices]
        footer = true
        isPart = false
    }

    /// Selects the elements of one section that a search has found, in the order of rule V3.
    ///
    /// - Complexity: O(found).
    init(_ found: ArraySlice<LaidOutElement>) {
        decorations = []
        header = false
        items = []
        footer = false
        isPart = true
        for element in found {
            switch element.part {
            case .decoration(let index): decorations.append(index)
            case .header: header = true
            case .item(let index): add(item: index)
            case .footer: footer = true
            }
        }
    }

    private mutating func add(item index: Int) {
        if let last = items.indices.last, items[last].upperBound == index {
            items[last] = items[last].lowerBound..<index + 1
        } else {
            items.append(index..<index + 1)
        }
    }
}

extension Frame {
    @inline(__always)
    func moved(by parent: Frame) -> Frame {
        Frame(x: x + parent.x, y: y + parent.y, width: width, height: height)
    }
}

extension StructuredJSONWriter {
    mutating func member(_ name: StaticString, _ frame: Frame) {
        inlineObject(name) { output in
            output.member("x", frame.x)
            output.member("y", frame.y)
            output.member("width", frame.width)
            output.member("height", frame.height)
        }
    }

    mutating func member(_ name: StaticString, _ size: Size) {
        inlineObject(name) { output in
            output.member("width", size.width)
            output.member("height", size.height)
        }
    }

    /// Writes the member that specifies how a section scrolls (docs/layout.md, J and C10).
    ///
    /// - Parameters:
    ///   - scroll: The scroller.
    ///   - offsets: Its resting offsets that are written.
    ///   - firstOffset: The index of the first of them in the whole tree, in a part of a tree that
    ///     has one.
    mutating func scroll(
        _ scroll: OrthogonalScroll, _ offsets: RestingOffsets.SubSequence, firstOffset: Int?
    ) {
        object("scroll") { output in
            output.member("axis", scroll.axis == .vertical ? "vertical" : "horizontal")
            output.member("behavior", scroll.behavior.rawValue)
            output.member("contentSize", scroll.contentSize)
            output.member("snapOffsets", offsets)
            if let firstOffset { output.member("firstSnapOffset", firstOffset) }
            output.member("initialOffset", scroll.initialOffset)
            if let properties = scroll.properties { output.scrollProperties(properties) }
        }
    }

    /// Writes the scrolling properties under the name by which they were posted.
    private mutating func scrollProperties(_ properties: CompositionalOptions.ScrollProperties) {
        object("orthogonalScrollingProperties") { output in
            if let rate = properties.decelerationRate {
                output.member("decelerationRate")
                output.raw(Array(rate.utf8))
            }
            if let bounce = properties.bounce { output.member("bounce", bounce) }
        }
    }

    /// Writes the member that specifies the paging of a section (docs/layout.md, J and P1-P7).
    mutating func paging(_ carousel: Carousel) {
        object("paging") { output in
            output.member("isEnabled", carousel.options.isEnabled)
            output.member("isAlignCenter", carousel.options.isAlignCenter)
            output.member("isLooping", carousel.options.isLooping)
            output.member("isInfinitePage", carousel.options.isInfinitePage)
            output.member("isAutoRolling", carousel.options.isAutoRolling)
            output.member("autoRollingTimeInterval", carousel.options.autoRollingTimeInterval)
            output.member("pageLength", carousel.pageLength)
            output.member("pageCount", carousel.pageCount)
            output.member("minOffset", carousel.minOffset)
            output.member("maxOffset", carousel.maxOffset)
            output.member("initialOffset", carousel.initialOffset)
            output.member("finalOffset", carousel.finalOffset)
            output.member("copies", carousel.copies)
        }
    }
}
