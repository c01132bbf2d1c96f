import BroadsheetClient

/// Draws a laid-out screen as a wireframe in SVG.
///
/// Names of sections are in a gutter; headers, items and footers are labelled with their types and
/// ids; insets and spacing are hatched; a dashed line marks the end of the viewport; backgrounds
/// are behind the items; and items that a carousel hides beyond the screen's edge fade out next to
/// it. Equal screens give equal bytes.
///
/// - Complexity: O(items drawn), of which there are at most ``maxItems``.
public struct PictureWriter {
    /// The maximum number of items that are drawn; the heading specifies how many are not.
    public static let maxItems = 5000

    let screen: MergedScreen
    let frames: ScreenFrames
    private let viewport: Viewport
    private let title: String
    let geometry: PictureGeometry
    var svg: SVGWriter
    /// The number of items that may still be drawn.
    private var itemsLeft = PictureWriter.maxItems

    private init(
        _ screen: MergedScreen, _ frames: ScreenFrames, viewport: Viewport, title: String
    ) {
        self.screen = screen
        self.frames = frames
        self.viewport = viewport
        self.title = title
        geometry = PictureGeometry(frames, viewport: viewport)
        svg = SVGWriter(reservingCapacity: 4096 + 420 * min(screen.itemCount, Self.maxItems))
    }

    /// Draws a screen.
    ///
    /// Sections and items that only one of `screen` and `frames` has are left out.
    ///
    /// - Parameters:
    ///   - screen: The screen.
    ///   - frames: The layout of the screen in `viewport`.
    ///   - viewport: The viewport.
    ///   - title: The heading of the picture.
    /// - Returns: The SVG document.
    public static func write(
        _ screen: MergedScreen, _ frames: ScreenFrames, viewport: Viewport, title: String
    ) -> [UInt8] {
        var writer = PictureWriter(screen, frames, viewport: viewport, title: title)
        writer.begin()
        writer.drawScreen()
        writer.drawHidden()
        writer.drawViewportEnd()
        writer.drawNames()
        writer.drawLegend()
        writer.svg.raw("</svg>\n")
        return writer.svg.bytes
    }

    private mutating func begin() {
        svg.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ")
        svg.number(geometry.size.width)
        svg.raw(" ")
        svg.number(geometry.size.height)
        svg.raw("\"")
        svg.attribute("width", geometry.size.width)
        svg.attribute("height", geometry.size.height)
        svg.raw("><title>")
        svg.text(title)
        svg.raw("</title>\n")
        svg.raw(PictureStyle.sheet)
        clip("screen", to: geometry.screen)
        fade(acrossHidden: geometry.hiddenArea)
        svg.raw("</defs>\n")
        svg.rectangle(
            Frame(x: 0, y: 0, width: geometry.size.width, height: geometry.size.height), "ground")
        drawHeading()
    }

    private mutating func clip(_ id: StaticString, to frame: Frame) {
        svg.raw("<clipPath id=\"")
        svg.raw(id)
        svg.raw("\">")
        svg.rectangle(frame, "clip")
        svg.raw("</clipPath>")
    }

    /// Writes the mask `around`, in which hidden items fade out with their distance from the
    /// screen.
    private mutating func fade(acrossHidden area: Frame) {
        svg.raw("<linearGradient id=\"out\"")
        svg.raw(geometry.readsFromLeft ? "" : " x1=\"1\" x2=\"0\"")
        svg.raw("><stop stop-color=\"#fff\"/><stop offset=\"1\" stop-color=\"#fff\" ")
        svg.raw(
            "stop-opacity=\"0\"/></linearGradient><mask id=\"around\" maskUnits=\"userSpaceOnUse\"")
        svg.attribute("x", area.x)
        svg.attribute("y", area.y)
        svg.attribute("width", area.width)
        svg.attribute("height", area.height)
        svg.raw(">")
        svg.rectangle(area, "fade")
        svg.raw("</mask>")
    }

    private mutating func drawHeading() {
        let margin = PictureGeometry.margin
        let width = geometry.size.width - 2 * margin
        svg.label(
            PictureText.fitting(title, width: width, size: 15) ?? "", x: margin, y: 22, "title")
        let hidden = max(0, screen.itemCount - Self.maxItems)
        var facts = "viewport \(viewport.size.brief) @\(viewport.scale.brief)x"
        facts += " · content \(frames.contentSize.brief) · \(screen.itemCount) items"
        if hidden > 0 { facts += " (\(hidden) not drawn)" }
        svg.label(facts, x: margin, y: 38, "sub")
    }

    /// Draws the screen as a device shows it: clipped to its edges.
    private mutating func drawScreen() {
        svg.rectangle(geometry.screen, "paper", radius: 6)
        svg.raw("<g clip-path=\"url(#screen)\">\n")
        for section in frames.sections { drawBackground(of: section) }
        for (section, merged) in zip(frames.sections, screen.sections) {
            drawSection(section, merged)
        }
        svg.raw("</g>\n")
    }

    private mutating func drawBackground(of section: SectionFrames) {
        svg.rectangle(geometry.pictureFrame(of: section.frame), "gap")
        for index in section.decorations.indices.sorted(by: section.isDecoration(_:behind:)) {
            svg.rectangle(
                picture(section.decorations[index].frame, of: section), "decoration", radius: 4)
        }
    }

    // MARK: Sections

    /// Draws a section's items, header and footer, those in front last (rule G8).
    private mutating func drawSection(_ section: SectionFrames, _ merged: MergedSection) {
        if section.headerZIndex < section.itemZIndex { drawSupplementaries(section, merged) }
        drawItems(section, merged)
        if section.headerZIndex >= section.itemZIndex { drawSupplementaries(section, merged) }
    }

    private mutating func drawSupplementaries(_ section: SectionFrames, _ merged: MergedSection) {
        if let frame = section.header, let header = merged.header {
            let pin = section.isHeaderPinned ? " (pinned)" : ""
            drawBox(picture(frame, of: section), "header", header.typeName + pin, "header")
        }
        if let frame = section.footer, let footer = merged.footer {
            let pin = section.isFooterPinned ? " (pinned)" : ""
            drawBox(picture(frame, of: section), "footer", footer.typeName + pin, "footer")
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
                    picture(section.items[item], of: section), "item",
                    part.page.kinds[cell.kind].name, id
                )
                drawSeparator(of: item, section)
                item += 1
            }
        }
    }

    private mutating func drawSeparator(of item: Int, _ section: SectionFrames) {
        guard item < section.separators.count, let frame = section.separators[item] else { return }
        let line = picture(frame, of: section)
        svg.line(from: (line.x, line.y), to: (line.maxX, line.y), "separator")
    }

    /// Returns the frame in the picture of an element of a section.
    private func picture(_ element: Frame, of section: SectionFrames) -> Frame {
        geometry.pictureFrame(of: section.contentFrame(of: element))
    }

    /// Draws a box with its type and, below it, its id, as far as they fit.
    private mutating func drawBox(
        _ frame: Frame, _ kind: StaticString, _ type: String, _ id: String
    ) {
        svg.rectangle(frame, kind, radius: 4)
        // Labels are placed in the visible part of the box.
        let left = max(frame.x, geometry.screen.x)
        let right = min(frame.maxX, geometry.screen.maxX)
        let padding = min(8, frame.width / 10)
        let width = right - left - 2 * padding
        let x = geometry.readsFromLeft ? left + padding : right - padding
        let isTall = frame.height >= 34
        let baseline = isTall ? frame.y + 16 : frame.y + frame.height / 2 + 3.5
        guard frame.height >= 13 else { return }
        if let words = PictureText.fitting(type, width: width, size: PictureStyle.typeSize) {
            svg.label(words, x: x, y: baseline, "type", anchoredAtEnd: !geometry.readsFromLeft)
        }
        guard isTall,
            let words = PictureText.fitting(id, width: width, size: PictureStyle.idSize)
        else { return }
        svg.label(words, x: x, y: baseline + 13, "id", anchoredAtEnd: !geometry.readsFromLeft)
    }

    // MARK: Around the screen

    /// Draws the items that a carousel, or a line that is too long, hides beyond the edge.
    private mutating func drawHidden() {
        let area = geometry.hiddenArea
        var drawn = 0
        svg.raw("<g mask=\"url(#around)\">\n")
        for section in frames.sections {
            for frame in section.items {
                let box = picture(hidden(frame, of: section), of: section)
                guard box.x < area.maxX, box.maxX > area.x, box.width > 0 else { continue }
                guard drawn < Self.maxItems else { break }
                drawn += 1
                svg.rectangle(box, "beyond", radius: 4)
            }
        }
        svg.raw("</g>\n")
    }

    /// Returns the frame of an item in the area beyond the edge: its own frame, or the one of its
    /// next copy in an infinite carousel that scrolls horizontally (P1).
    private func hidden(_ frame: Frame, of section: SectionFrames) -> Frame {
        guard geometry.axis == .horizontal, let pager = section.paging, pager.copies > 1 else {
            return frame
        }
        let round = pager.pageLength * Double(pager.pageCount)
        var copy = frame
        copy.x += geometry.readsFromLeft ? round : -round
        return copy
    }

    /// Draws the line at the end of the viewport.
    private mutating func drawViewportEnd() {
        let screen = geometry.screen
        if geometry.axis == .vertical {
            let y = screen.y + geometry.viewportLength
            svg.line(from: (screen.x - 8, y), to: (screen.maxX + 8, y), "fold")
            let x = geometry.readsFromLeft ? screen.maxX + 12 : screen.x - 12
            svg.label(
                "fold \(geometry.viewportLength.brief)", x: x, y: y + 3.5, "foldname",
                anchoredAtEnd: !geometry.readsFromLeft)
        } else {
            let x =
                geometry.readsFromLeft
                ? screen.x + geometry.viewportLength : screen.maxX - geometry.viewportLength
            svg.line(from: (x, screen.y - 8), to: (x, screen.maxY + 8), "fold")
            svg.label(
                "fold \(geometry.viewportLength.brief)", x: x + 4, y: screen.maxY + 12,
                "foldname")
        }
    }

    /// Draws the legend of the colours.
    private mutating func drawLegend() {
        let y = geometry.size.height - PictureGeometry.legend / 2 - 6
        let keys: [(StaticString, StaticString)] = [
            ("item", "item"), ("header", "header"), ("footer", "footer"),
            ("decoration", "background"), ("gap outlined", "inset, spacing"),
            ("beyond", "beyond the edge"),
        ]
        var x = PictureGeometry.margin
        for (kind, words) in keys {
            svg.rectangle(Frame(x: x, y: y, width: 16, height: 12), kind, radius: 2)
            let text = "\(words)"
            svg.label(text, x: x + 21, y: y + 10, "key")
            x += 21 + PictureText.width(of: text, size: 11) + 12
        }
    }
}

extension Size {
    /// Both lengths, as text.
    var brief: String { "\(width.brief) × \(height.brief)" }
}

extension Double {
    /// The number rounded to tenths, without decimals when it is whole.
    var brief: String {
        let tenths = (self * 10).rounded() / 10
        // Above 2^53 not every integer has its own value, and Int could overflow.
        guard tenths == tenths.rounded(), tenths.magnitude < 0x1p53 else { return "\(tenths)" }
        return "\(Int(tenths))"
    }
}
