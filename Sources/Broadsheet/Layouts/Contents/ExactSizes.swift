/// The sizes of a section's elements before rounding, in which contents are laid out.
struct ExactSizes: Sendable, Hashable {
    /// The size of each item, in points; empty if rounding changes no size, or without contents.
    var items: ChunkedList<Size> = []
    /// The size of the header, if rounding may change it.
    var header: Size?
    /// The size of the footer, if rounding may change it.
    var footer: Size?

    func isKnownToBeSame(as other: ExactSizes) -> Bool {
        items.isShared(with: other.items) && header == other.header && footer == other.footer
    }
}

extension SectionArrangement {
    /// The exact sizes of the elements of a section with contents, before they are rounded.
    var exactSizes: ExactSizes {
        var sizes = takenSizes
        sizes.reserveCapacity(items.count)
        items.forEachChunk(in: min(sizes.count, items.count)..<items.count) { frames, _ in
            for frame in frames { sizes.append(frame.size) }
        }
        return ExactSizes(items: sizes, header: header?.size, footer: footer?.size)
    }
}

extension LayoutEnvironment {
    var conditions: ContentConditions {
        // A scale that rounds nothing is that of no device (R1).
        let scale = PixelGrid.textScale(viewport.scale, .pixel)
        return ContentConditions(
            textScale: viewport.textScale,
            pixelScale: PixelGrid.textScale(viewport.scale, rounding),
            isMirrored: viewport.direction == .rtl, imageScale: scale > 0 ? scale : 1)
    }
}
