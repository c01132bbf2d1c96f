extension PictureWriter {
    /// Names the sections beside (or, of a sideways screen, above) where they stand.
    mutating func drawNames() {
        // Sections may be shorter than their names, or start before the last one ends.
        var free = -Double.infinity
        for (section, merged) in zip(frames.sections, screen.sections).prefix(Self.maxItems) {
            let lines = lines(section, merged)
            let name: StaticString = merged.id == nil ? "unnamed" : "name"
            let frame = stage.place(section.frame)
            if stage.axis == .vertical {
                free = drawNameBeside(lines, name, frame, below: free)
            } else {
                drawNameAbove(lines, name, frame)
            }
        }
    }

    /// Draws as many lines as there is room for, and answers where the next name may begin.
    private mutating func drawNameBeside(
        _ lines: [String], _ name: StaticString, _ frame: Frame, below free: Double
    ) -> Double {
        let x = stage.readsFromLeft ? stage.screen.x - 8 : stage.screen.maxX + 8
        svg.line(from: (x, frame.y + 1), to: (x, max(frame.y + 1, frame.maxY - 1)), "bracket")
        let words = stage.readsFromLeft ? x - 8 : x + 8
        var y = max(frame.y + 13, free)
        // A name that has slipped below its section would name the next one.
        guard y <= frame.maxY + 4 || frame.height < 16 else { return free }
        let width = PictureStage.nameGutter - 20
        for (line, text) in lines.enumerated() {
            guard line == 0 || y <= frame.maxY else { break }
            let isName = line == 0
            let size = isName ? PictureStyle.nameSize : PictureStyle.noteSize
            svg.label(
                PictureText.fitting(text, width: width, size: size) ?? "…", x: words, y: y,
                isName ? name : "note",
                anchoredAtEnd: stage.readsFromLeft)
            y += 14
        }
        return y + 1
    }

    /// Draws the name, and in a second line the rest, as far as the section is long.
    private mutating func drawNameAbove(
        _ lines: [String], _ name: StaticString, _ frame: Frame
    ) {
        let y = stage.screen.y - 8
        let start = max(frame.x, stage.screen.x)
        let end = min(frame.maxX, stage.screen.maxX)
        svg.line(from: (start + 1, y), to: (max(start + 1, end - 1), y), "bracket")
        let x = stage.readsFromLeft ? start + 2 : end - 2
        let width = end - start - 4
        if let words = PictureText.fitting(lines[0], width: width, size: PictureStyle.nameSize) {
            svg.label(words, x: x, y: y - 20, name, anchoredAtEnd: !stage.readsFromLeft)
        }
        let rest = lines.dropFirst().joined(separator: " · ")
        if let words = PictureText.fitting(rest, width: width, size: PictureStyle.noteSize) {
            svg.label(words, x: x, y: y - 6, "note", anchoredAtEnd: !stage.readsFromLeft)
        }
    }

    /// What there is to say of a section, the most important first.
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
    /// The behaviour in as many words as the gutter has room for.
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

extension MergedView {
    /// The name of the view's type.
    var typeName: String { page.kinds[info.kind].name }
}

extension Frame {
    /// The lengths alone.
    var size: Size { Size(width: width, height: height) }
}
