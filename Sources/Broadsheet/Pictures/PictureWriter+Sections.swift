extension PictureWriter {
    /// Draws a section's items, header and footer, those in front last (rule G8).
    mutating func drawSection(_ section: SectionFrames, _ merged: MergedSection) {
        if section.headerZIndex < section.itemZIndex { drawSupplementaries(section, merged) }
        drawItems(section, merged)
        if section.headerZIndex >= section.itemZIndex { drawSupplementaries(section, merged) }
    }

    private mutating func drawSupplementaries(_ section: SectionFrames, _ merged: MergedSection) {
        if let frame = section.header, let header = merged.header {
            let pin = section.isHeaderPinned ? " (pinned)" : ""
            drawBox(stage.place(frame), "header", header.typeName + pin, "header")
        }
        if let frame = section.footer, let footer = merged.footer {
            let pin = section.isFooterPinned ? " (pinned)" : ""
            drawBox(stage.place(frame), "footer", footer.typeName + pin, "footer")
        }
    }

    private mutating func drawItems(_ section: SectionFrames, _ merged: MergedSection) {
        var item = 0
        var suffixes = merged.suffixes[...]
        for part in merged.parts {
            for cell in part.cells {
                guard item < section.items.count, itemsLeft > 0 else { return }
                itemsLeft -= 1
                var id = String(decoding: part.page.text(of: cell.id), as: UTF8.self)
                if let suffix = suffixes.first, suffix.item == item {
                    id += "#\(suffix.number)"
                    suffixes.removeFirst()
                }
                drawBox(
                    stage.place(section.items[item]), "item", part.page.kinds[cell.kind].name, id)
                drawSeparator(of: item, section)
                item += 1
            }
        }
    }

    private mutating func drawSeparator(of item: Int, _ section: SectionFrames) {
        guard item < section.separators.count, let frame = section.separators[item] else { return }
        let line = stage.place(frame)
        svg.line(from: (line.x, line.y), to: (line.maxX, line.y), "separator")
    }

    /// Draws a box with its type and, below or beside it, what identifies it, as far as they fit.
    private mutating func drawBox(
        _ frame: Frame, _ kind: StaticString, _ type: String, _ id: String
    ) {
        svg.rectangle(frame, kind, radius: 4)
        // Words stand in the part that can be seen.
        let left = max(frame.x, stage.screen.x)
        let right = min(frame.maxX, stage.screen.maxX)
        let padding = min(8, frame.width / 10)
        let width = right - left - 2 * padding
        let x = stage.readsFromLeft ? left + padding : right - padding
        let isTall = frame.height >= 34
        let baseline = isTall ? frame.y + 16 : frame.y + frame.height / 2 + 3.5
        guard frame.height >= 13 else { return }
        if let words = PictureText.fitting(type, width: width, size: PictureStyle.typeSize) {
            svg.label(words, x: x, y: baseline, "type", anchoredAtEnd: !stage.readsFromLeft)
        }
        guard isTall,
            let words = PictureText.fitting(id, width: width, size: PictureStyle.idSize)
        else { return }
        svg.label(words, x: x, y: baseline + 13, "id", anchoredAtEnd: !stage.readsFromLeft)
    }
}
