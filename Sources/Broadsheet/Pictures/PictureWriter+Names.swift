extension PictureWriter {
    /// Names the sections beside (or, of a sideways screen, above) where they stand.
    mutating func drawNames() {
        // Sections may be shorter than their names, or start before the last one ends.
        var free = -Double.infinity
        for (section, merged) in zip(frames.sections, screen.sections).prefix(Self.maxItems) {
            let lines = lines(section, merged)
            let frame = stage.place(section.frame)
            if stage.axis == .vertical {
                let name: StaticString = merged.id == nil ? "unnamed" : "name"
                free = drawNameBeside(lines, name, frame, below: free)
            } else {
                free = drawNameAbove(lines, frame, behind: free)
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

    private mutating func drawNameAbove(
        _ lines: [String], _ frame: Frame, behind free: Double
    ) -> Double {
        let y = stage.screen.y - 8
        svg.line(from: (frame.x + 1, y), to: (max(frame.x + 1, frame.maxX - 1), y), "bracket")
        guard frame.x >= free else { return free }
        let width = frame.width - 4
        for (line, text) in lines.prefix(2).enumerated() {
            let size = line == 0 ? PictureStyle.nameSize : PictureStyle.noteSize
            guard let words = PictureText.fitting(text, width: width, size: size) else { continue }
            svg.label(
                words, x: frame.x + 2, y: y - 20 + 14 * Double(line), line == 0 ? "name" : "note")
        }
        return frame.x + 1
    }

    /// What there is to say of a section, the most important first.
    private func lines(_ section: SectionFrames, _ merged: MergedSection) -> [String] {
        var lines = [merged.id ?? "unnamed"]
        let kind = (merged.layout.kind ?? .flow).rawValue
        lines.append("\(kind) · \(count(merged))")
        lines.append(section.frame.size.brief)
        if let scroll = section.scroll { lines.append("scrolls: \(scroll.behavior.rawValue)") }
        if let paging = section.paging { lines.append("pager: \(paging.pageCount) pages") }
        for decoration in section.decorations { lines.append("behind: \(decoration.kind)") }
        return lines
    }

    private func count(_ section: MergedSection) -> String {
        if section.collapsed { return "collapsed" }
        return section.itemCount == 1 ? "1 item" : "\(section.itemCount) items"
    }

    /// Says what the colours mean.
    mutating func drawLegend() {
        let y = stage.size.height - PictureStage.legend / 2 - 6
        let keys: [(StaticString, StaticString)] = [
            ("item", "item"), ("header", "header"), ("footer", "footer"),
            ("decoration", "background"), ("gap", "inset, spacing"), ("beyond", "beyond the edge"),
        ]
        var x = PictureStage.margin
        for (kind, words) in keys {
            svg.rectangle(Frame(x: x, y: y, width: 16, height: 12), kind, radius: 2)
            let text = "\(words)"
            svg.label(text, x: x + 21, y: y + 10, "key")
            x += 21 + PictureText.width(of: text, size: 11) + 12
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
