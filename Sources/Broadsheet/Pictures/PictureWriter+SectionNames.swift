import BroadsheetClient

extension PictureWriter {
    /// Draws the names of the sections beside them, or above them on a screen that scrolls
    /// horizontally.
    mutating func drawNames() {
        // Sections may be shorter than their names, or begin before the previous one ends.
        var free = -Double.infinity
        for (section, merged) in zip(frames.sections, screen.sections).prefix(Self.maxItems) {
            let frame = geometry.pictureFrame(of: section.frame)
            guard geometry.isDrawn(frame), !isFull else { continue }
            let lines = lines(section, merged)
            let name: StaticString = merged.id == nil ? "unnamed" : "name"
            if geometry.axis == .vertical {
                free = drawNameBeside(lines, style: name, beside: frame, below: free)
            } else {
                drawNameAbove(lines, style: name, above: frame)
            }
        }
    }

    /// Draws as many lines as fit beside a section.
    ///
    /// - Returns: The minimum y coordinate of the next name.
    private mutating func drawNameBeside(
        _ lines: [String], style name: StaticString, beside frame: Frame, below free: Double
    ) -> Double {
        let x = geometry.readsFromLeft ? geometry.screen.x - 8 : geometry.screen.maxX + 8
        svg.line(
            from: (x, frame.y + 1),
            to: (x, max(frame.y + 1, min(frame.maxY, geometry.screen.maxY) - 1)), "bracket")
        let words = geometry.readsFromLeft ? x - 8 : x + 8
        var y = max(frame.y + 13, free)
        // A name below its section would be read as the name of the next one.
        guard y <= frame.maxY + 4 || frame.height < 16 else { return free }
        let width = PictureGeometry.nameGutter - 20
        for (line, text) in lines.enumerated() {
            guard line == 0 || y <= frame.maxY else { break }
            let isName = line == 0
            let font = isName ? PictureFont.name : PictureFont.note
            svg.label(
                PictureText.fitting(text, width: width, size: font.size) ?? "…", x: words, y: y,
                isName ? name : font.name, anchor: geometry.anchor.mirrored)
            y += 14
        }
        return y + 1
    }

    /// Draws the name and, in a second line, the other facts, as far as they fit above a section.
    private mutating func drawNameAbove(
        _ lines: [String], style name: StaticString, above frame: Frame
    ) {
        let y = geometry.screen.y - 8
        let start = max(frame.x, geometry.screen.x)
        let end = min(frame.maxX, geometry.screen.maxX)
        svg.line(from: (start + 1, y), to: (max(start + 1, end - 1), y), "bracket")
        let x = geometry.readsFromLeft ? start + 2 : end - 2
        let width = end - start - 4
        if let words = PictureText.fitting(lines[0], width: width, size: PictureFont.name.size) {
            svg.label(words, x: x, y: y - 20, name, anchor: geometry.anchor)
        }
        let rest = lines.dropFirst().joined(separator: " · ")
        if let words = PictureText.fitting(rest, width: width, size: PictureFont.note.size) {
            svg.label(words, x: x, y: y - 6, "note", anchor: geometry.anchor)
        }
    }

    /// Returns the name of a section and the facts about it, the most important first.
    private func lines(_ section: SectionFrames, _ merged: MergedSection) -> [String] {
        var lines = [merged.id ?? "unnamed"]
        let kind = (merged.layout.kind ?? .flow).rawValue
        lines.append("\(kind) · \(count(merged))")
        lines.append(section.frame.size.brief)
        if let scroll = section.scroll { lines.append(scroll.behavior.words) }
        if let paging = section.paging {
            lines.append("\(paging.pageCount) pages" + (paging.copies > 1 ? " without end" : ""))
        }
        for decoration in section.decorations { lines.append("behind: \(decoration.kind)") }
        return lines
    }

    private func count(_ section: MergedSection) -> String {
        if section.collapsed { return "collapsed" }
        return section.itemCount == 1 ? "1 item" : "\(section.itemCount) items"
    }
}

extension CompositionalOptions.Scrolling {
    fileprivate var words: String {
        switch self {
        case .none: "does not scroll"
        case .continuous: "scrolls freely"
        case .continuousGroupLeadingBoundary: "scrolls, rests at groups"
        case .paging: "scrolls by page"
        case .groupPaging: "scrolls by group"
        case .groupPagingCentered: "scrolls by group, centred"
        }
    }
}
