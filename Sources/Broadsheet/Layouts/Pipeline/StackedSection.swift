import BroadsheetClient

/// An arranged section at its position in the screen, not yet finished.
struct StackedSection {
    /// The layout that arranged the section.
    let kind: any LayoutKind.Type
    /// The section's layout as requested.
    let layout: SectionLayout
    /// The section's frames, from its own start.
    var arrangement: SectionArrangement
    /// The distance from the content's start to the section's along the main axis, in points.
    let start: Double
    /// The section's carousel, or `nil` if it does not turn pages (P1).
    let carousel: Carousel?

    /// The end of the section along the main axis, in points.
    var end: Double { start + arrangement.length }

    /// Returns the section decorated, mirrored, rounded and pinned (the last steps of G7).
    ///
    /// - Parameters:
    ///   - context: The values of the screen.
    ///   - mirrorWidth: The content's width if frames are mirrored (R4), in points.
    ///   - grid: The device's pixels.
    mutating func finish(
        _ context: LayoutContext, mirrorWidth: Double?, grid: PixelGrid
    ) -> SectionFrames {
        let section = Frame(
            axis: context.axis, main: start, cross: 0, mainLength: arrangement.length,
            crossLength: context.crossViewport)
        let placeSection = FramePlacement(
            mirrorWidth: mirrorWidth, grid: grid, parts: kind.roundedParts)
        var frames = SectionFrames(frame: placeSection.extent(section))
        // R5: elements are mirrored and rounded in their section.
        let place = FramePlacement(
            mirrorWidth: mirrorWidth.map { _ in section.width }, grid: grid,
            parts: kind.roundedParts)
        decorate(&frames, place, context)
        placeElements(in: &frames, place)
        markPinned(&frames, context.screen)
        return frames
    }

    /// D1-D3 and G8: adds the decoration, and puts the items in front of it.
    private func decorate(
        _ frames: inout SectionFrames, _ place: FramePlacement, _ context: LayoutContext
    ) {
        guard let options = layout.decoration,
            let frame = options.frame(
                behind: arrangement, mode: options.mode ?? kind.decorationMode,
                axis: context.axis, crossViewport: context.crossViewport)
        else { return }
        let decoration = DecorationFrame(
            kind: options.kind, frame: place(frame),
            zIndex: options.zIndex ?? kind.decorationZIndex, data: options.data)
        frames.decorations = [decoration]
        frames.itemZIndex = ZIndex.itemOverDecoration
    }

    /// Adds the elements, mirrored and rounded, without a copy of the items.
    private mutating func placeElements(in frames: inout SectionFrames, _ place: FramePlacement) {
        frames.header = arrangement.header.map { place($0) }
        frames.footer = arrangement.footer.map { place($0) }
        if let carousel, carousel.copies > 1 {
            // The copies take part in the layout; a tree lists the first one only (J).
            arrangement.items.removeLast(max(0, arrangement.items.count - carousel.pageCount))
        }
        swap(&frames.items, &arrangement.items)
        place(all: &frames.items)
        frames.separators = arrangement.separators.map { $0.map { place($0) } }
        frames.scroll = arrangement.scroll
        if let scroll = frames.scroll { frames.scroll?.frame = place.extent(scroll.frame) }
        frames.paging = carousel
    }

    /// D5, D6, L7 and G8: marks pinned elements, and raises them to their z-index.
    private func markPinned(_ frames: inout SectionFrames, _ screen: ScreenLayout) {
        if frames.header != nil,
            layout.pinHeader ?? screen.pinHeaders ?? kind.pinsHeaders(layout)
        {
            frames.isHeaderPinned = true
            frames.headerZIndex = max(frames.headerZIndex, ZIndex.pinned)
        }
        if frames.footer != nil, layout.pinFooter ?? screen.pinFooters ?? false {
            frames.isFooterPinned = true
            frames.footerZIndex = max(frames.footerZIndex, ZIndex.pinned)
        }
    }
}

/// The frame of a decoration (rules D1-D3).
extension DecorationOptions {
    /// Returns the decoration's frame in the section's own coordinates, or `nil` if it is not an
    /// element (D3).
    ///
    /// - Parameters:
    ///   - section: The section's arrangement.
    ///   - mode: The extent in effect.
    ///   - axis: The axis along which the screen scrolls.
    ///   - crossViewport: The viewport's cross length, in points.
    fileprivate func frame(
        behind section: SectionArrangement, mode: Mode, axis: Axis, crossViewport: Double
    ) -> Frame? {
        guard let span = Self.span(mode, of: section, axis: axis) else { return nil }
        let base = Frame(
            axis: axis, main: span.lowerBound, cross: 0,
            mainLength: span.upperBound - span.lowerBound, crossLength: crossViewport)
        let insets = Sanitation.insets(inset)
        // D2: negative insets enlarge the rectangle.
        let frame = Frame(
            x: base.x + insets.left, y: base.y + insets.top,
            width: base.width - insets.left - insets.right,
            height: base.height - insets.top - insets.bottom)
        return frame.width > 0 && frame.height > 0 ? frame : nil
    }

    /// D1: returns the extent along the main axis, or `nil` behind items if there are none (D3).
    private static func span(
        _ mode: Mode, of section: SectionArrangement, axis: Axis
    ) -> ClosedRange<Double>? {
        guard mode == .items else { return 0...section.length }
        guard let first = section.items.first else { return nil }
        var (low, high) = (first.start(axis), first.end(axis))
        for item in section.items {
            low = min(low, item.start(axis))
            high = max(high, item.end(axis))
        }
        return low...high
    }
}
