extension PictureWriter {
    /// Hints at the items that a carousel, or a line that is too long, hides beyond the edge.
    mutating func drawHidden() {
        let area = stage.hintArea
        var drawn = 0
        svg.raw("<g mask=\"url(#around)\">\n")
        for section in frames.sections {
            for frame in section.items {
                let box = stage.place(hidden(frame, of: section))
                guard box.x < area.maxX, box.maxX > area.x, box.width > 0 else { continue }
                guard drawn < Self.maxItems else { break }
                drawn += 1
                svg.rectangle(box, "beyond", radius: 4)
            }
        }
        svg.raw("</g>\n")
    }

    /// Where an item that does not end at the edge goes on: at its own place, or a round later in a
    /// carousel that scrolls sideways without an end (P1).
    private func hidden(_ frame: Frame, of section: SectionFrames) -> Frame {
        guard stage.axis == .horizontal, let pager = section.paging, pager.copies > 1 else {
            return frame
        }
        let round = pager.pageLength * Double(pager.pageCount)
        var copy = frame
        copy.x += stage.readsFromLeft ? round : -round
        return copy
    }
}
