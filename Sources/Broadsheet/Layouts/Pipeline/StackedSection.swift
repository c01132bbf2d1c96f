import BroadsheetClient

/// A section that has been arranged and has a place in its screen, but is not finished yet.
struct StackedSection {
    /// The kind that arranged it.
    let kind: any LayoutKind
    /// How it was asked to be laid out.
    let layout: SectionLayout
    /// Its frames, from its own start.
    var arrangement: SectionArrangement
    /// How far its start is from the content's along main, in points.
    let start: Double
    /// Its pager, if it is one (P1).
    let carousel: Carousel?

    /// Where the section ends along main, in points.
    var end: Double { start + arrangement.length }

    /// Decorates, mirrors and rounds the section, and marks what pins (G7's last steps).
    mutating func finish(
        _ context: LayoutContext, mirrorWidth: Double?, grid: PixelGrid
    ) -> SectionFrames {
        let place = FramePlacement(
            start: start, axis: context.axis, mirrorWidth: mirrorWidth, grid: grid,
            parts: kind.roundedParts)
        var frames = SectionFrames(
            frame: place.extent(
                Frame(
                    axis: context.axis, main: 0, cross: 0, mainLength: arrangement.length,
                    crossLength: context.crossViewport)))
        decorate(&frames, place, context)
        placeElements(in: &frames, place)
        markPinned(&frames, context.screen)
        return frames
    }

    /// D1-D3 and G8: the background, and the depth that it lifts the items to.
    private func decorate(
        _ frames: inout SectionFrames, _ place: FramePlacement, _ context: LayoutContext
    ) {
        guard
            let options = layout.decoration,
            let frame = Decorating.frame(
                options, kind: kind, of: arrangement, axis: context.axis,
                crossViewport: context.crossViewport)
        else { return }
        let decoration = DecorationFrame(
            kind: options.kind, frame: place(frame),
            zIndex: options.zIndex ?? kind.decorationZIndex, data: options.data)
        frames.decorations = [decoration]
        frames.itemZIndex = ZIndex.itemOverDecoration
    }

    /// Moves the elements over, without copying the items.
    private mutating func placeElements(in frames: inout SectionFrames, _ place: FramePlacement) {
        frames.header = arrangement.header.map { place($0) }
        frames.footer = arrangement.footer.map { place($0) }
        if let carousel, carousel.copies > 1 {
            // The copies took part in everything up to here; a tree lists the first alone (J).
            arrangement.items.removeLast(max(0, arrangement.items.count - carousel.pageCount))
        }
        swap(&frames.items, &arrangement.items)
        place(all: &frames.items)
        frames.separators = arrangement.separators.map { $0.map { place($0) } }
        frames.scroll = arrangement.scroll
        if let scroll = frames.scroll { frames.scroll?.frame = place.extent(scroll.frame) }
        frames.paging = carousel
    }

    /// D5, D6, L7 and G8: what stays in view, and above what it then stands.
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
