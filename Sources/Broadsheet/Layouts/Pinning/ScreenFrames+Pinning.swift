/// Headers and footers where they stand while the screen is scrolled (rules D5, D6 and V2).
extension ScreenFrames {
    /// The header's frame at `position`, in content coordinates; at rest when it is not pinned or
    /// nothing is scrolled, nil when there is none.
    ///
    /// - Parameter index: The section's index; one out of bounds has no header.
    public func headerFrame(ofSection index: Int, at position: ScrollPosition?) -> Frame? {
        guard sections.indices.contains(index), let frame = sections[index].header else {
            return nil
        }
        guard let position, sections[index].isHeaderPinned else { return frame }
        return moved(
            frame,
            to: Pinning.headerStart(
                rest: mainStart(frame), length: frame.length(axis),
                sectionEnd: mainStart(sections[index].frame)
                    + sections[index].frame.length(axis),
                at: position))
    }

    /// The footer's frame at `position`, in content coordinates; at rest when it is not pinned or
    /// nothing is scrolled, nil when there is none.
    ///
    /// - Parameter index: The section's index; one out of bounds has no footer.
    public func footerFrame(ofSection index: Int, at position: ScrollPosition?) -> Frame? {
        guard sections.indices.contains(index), let frame = sections[index].footer else {
            return nil
        }
        let section = sections[index]
        guard let position, section.isFooterPinned else { return frame }
        let header = section.isHeaderPinned ? section.header?.length(axis) ?? 0 : 0
        return moved(
            frame,
            to: Pinning.footerStart(
                rest: mainStart(frame), length: frame.length(axis),
                sectionStart: mainStart(section.frame), pinnedHeaderLength: header, at: position))
    }

    /// Whether the main axis itself is mirrored, so that the content starts at the right (R4).
    private var isMainMirrored: Bool { axis == .horizontal && direction == .rtl }

    /// Where `frame` starts along main in the reading direction, in points.
    private func mainStart(_ frame: Frame) -> Double {
        isMainMirrored ? contentSize.width - frame.maxX : frame.start(axis)
    }

    /// `frame` with its start along main, in the reading direction, at `start`.
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
