import BroadsheetClient

@testable import Broadsheet

extension SectionFrames {
    /// Every frame of the section but its own and its scroller's, in the order of V3.
    var elementFrames: [Frame] {
        var frames = decorations.map(\.frame)
        if let header { frames.append(header) }
        frames += items
        frames += separators.compactMap { $0 }
        if let footer { frames.append(footer) }
        return frames
    }

    /// Every number of the section that a tree contains.
    fileprivate var numbers: [Double] {
        var numbers = frame.numbers
        for frame in elementFrames { numbers += frame.numbers }
        if let scroll {
            numbers += scroll.frame.numbers + scroll.snapOffsets
            numbers += [
                scroll.initialOffset, scroll.contentSize.width, scroll.contentSize.height,
            ]
        }
        if let paging {
            numbers += [paging.pageLength, paging.minOffset, paging.maxOffset]
            numbers += [paging.initialOffset, paging.finalOffset]
        }
        return numbers
    }
}

extension ScreenFrames {
    /// Every number of the screen that a tree contains.
    var numbers: [Double] {
        [contentSize.width, contentSize.height] + sections.flatMap(\.numbers)
    }

    /// Returns the elements in a rectangle by V1-V4, by a scan of all elements.
    func scanned(_ rectangle: Frame, _ state: ScrollState) -> [LaidOutElement] {
        guard !rectangle.numbers.contains(where: \.isNaN) else { return [] }
        let (low, high) = (
            (min(rectangle.x, rectangle.maxX), min(rectangle.y, rectangle.maxY)),
            (max(rectangle.x, rectangle.maxX), max(rectangle.y, rectangle.maxY))
        )
        return elements(state).filter { element in
            let frame = element.frame
            return frame.width > 0 && frame.height > 0 && low.0 < high.0 && low.1 < high.1
                && frame.x < high.0 && low.0 < frame.maxX && frame.y < high.1 && low.1 < frame.maxY
        }
    }

    /// Returns every element at its scroll position, in the order of V3.
    func elements(_ state: ScrollState) -> [LaidOutElement] {
        sections.indices.flatMap { index -> [LaidOutElement] in
            let section = sections[index]
            let offset = section.scroll == nil ? 0 : state.orthogonalOffsets[index] ?? 0
            let shift = direction == .rtl ? offset : -offset
            var found: [LaidOutElement] = []
            for (number, decoration) in section.decorations.enumerated() {
                found.append(
                    LaidOutElement(
                        section: index, part: .decoration(number),
                        frame: section.contentFrame(of: decoration.frame)))
            }
            if let header = headerFrame(ofSection: index, at: state.position) {
                found.append(LaidOutElement(section: index, part: .header, frame: header))
            }
            for (item, frame) in section.items.enumerated() {
                var frame = section.contentFrame(of: frame)
                frame.x += shift
                found.append(LaidOutElement(section: index, part: .item(item), frame: frame))
            }
            if let footer = footerFrame(ofSection: index, at: state.position) {
                found.append(LaidOutElement(section: index, part: .footer, frame: footer))
            }
            return found
        }
    }
}
