/// The frames of headers and footers while a screen scrolls (rules D5, D6 and V2).
extension ScreenFrames {
    /// Returns the header's frame at `position` in content coordinates, or `nil` if there is no
    /// header.
    ///
    /// - Parameters:
    ///   - index: The section's index; a section out of bounds has no header.
    ///   - position: The scroll position; `nil` gives the frame at rest.
    public func headerFrame(ofSection index: Int, at position: ScrollPosition?) -> Frame? {
        guard sections.indices.contains(index), let header = sections[index].header else {
            return nil
        }
        let section = sections[index]
        let frame = section.contentFrame(of: header)
        guard let position, section.isHeaderPinned else { return frame }
        return moved(
            frame,
            to: Pinning.headerStart(
                rest: mainStart(frame), length: frame.length(axis),
                sectionEnd: mainStart(section.frame) + section.frame.length(axis),
                at: position))
    }

    /// Returns the footer's frame at `position` in content coordinates, or `nil` if there is no
    /// footer.
    ///
    /// - Parameters:
    ///   - index: The section's index; a section out of bounds has no footer.
    ///   - position: The scroll position; `nil` gives the frame at rest.
    public func footerFrame(ofSection index: Int, at position: ScrollPosition?) -> Frame? {
        guard sections.indices.contains(index), let footer = sections[index].footer else {
            return nil
        }
        let section = sections[index]
        let frame = section.contentFrame(of: footer)
        guard let position, section.isFooterPinned else { return frame }
        let header = section.isHeaderPinned ? section.header?.length(axis) ?? 0 : 0
        return moved(
            frame,
            to: Pinning.footerStart(
                rest: mainStart(frame), length: frame.length(axis),
                sectionStart: mainStart(section.frame), pinnedHeaderLength: header, at: position))
    }

    /// A Boolean value that indicates whether the main axis itself is mirrored, so that the content
    /// starts at the right edge (R4).
    private var isMainMirrored: Bool { axis == .horizontal && direction == .rtl }

    /// Returns the start of `frame` along the main axis in the reading direction, in points.
    private func mainStart(_ frame: Frame) -> Double {
        isMainMirrored ? contentSize.width - frame.maxX : frame.start(axis)
    }

    private func moved(_ frame: Frame, to start: Double) -> Frame {
        var frame = frame
        if isMainMirrored {
            frame.x = contentSize.width - start - frame.width
        } else if axis == .vertical {
            frame.y = start
        } else {
            frame.x = start
        }
        return frame
    }
}
