import BroadsheetClient

/// Draws a laid-out screen as an SVG picture: a wireframe, or the screen alone as an app shows it.
///
/// In a wireframe, names of sections are in a gutter; insets and spacing are hatched; a dashed line
/// marks the end of the viewport; backgrounds are behind the items; and items that a carousel hides
/// beyond the screen's edge fade out next to it. Headers, items and footers have the texts and the
/// images that their types' pictures point to (``CellPicture``); those of other types are labelled
/// with their types and ids. Equal screens give equal bytes.
///
/// - Complexity: O(items + bytes of the drawn items' data).
public struct PictureWriter {
    /// The maximum number of items that are drawn; the heading specifies how many are not.
    public static let maxItems = 5000
    /// The maximum number of bytes of a picture; the heading specifies how many items are left out.
    public static let maxByteCount = 8 << 20

    let screen: MergedScreen
    let frames: ScreenFrames
    let viewport: Viewport
    private let title: String
    let options: PictureOptions
    let geometry: PictureGeometry
    var svg: SVGWriter
    private var drawnItems = 0

    /// The bytes that are kept free for the elements around the screen, and for the one element
    /// that is written when fewer are left.
    private static let reservedByteCount = 64 << 10

    private init(
        _ screen: MergedScreen, _ frames: ScreenFrames, viewport: Viewport, title: String,
        options: PictureOptions
    ) {
        self.screen = screen
        self.frames = frames
        self.viewport = viewport
        self.title = title
        self.options = options
        geometry = PictureGeometry(frames, viewport: viewport, options: options)
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
    ///   - options: The options of the picture.
    /// - Returns: The SVG document, of at most ``maxByteCount`` bytes.
    public static func write(
        _ screen: MergedScreen, _ frames: ScreenFrames, viewport: Viewport, title: String,
        options: PictureOptions = PictureOptions()
    ) -> [UInt8] {
        var writer = PictureWriter(
            screen, frames, viewport: viewport, title: title, options: options)
        writer.begin()
        writer.drawScreen()
        if options.style == .wireframe {
            writer.drawHidden()
            writer.drawViewportEnd()
            writer.drawNames()
            writer.drawHeading()
            writer.drawLegend()
        }
        writer.drawCut()
        writer.svg.raw("</svg>\n")
        return writer.svg.bytes
    }

    var isFull: Bool { svg.count >= Self.maxByteCount - Self.reservedByteCount }

    /// The number of items with a frame that are not drawn.
    private var omittedItems: Int {
        zip(frames.sections, screen.sections).reduce(-drawnItems) {
            $0 + min($1.0.items.count, $1.1.itemCount)
        }
    }

    private mutating func begin() {
        let isApp = options.style == .app
        svg.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ")
        svg.number(geometry.size.width)
        svg.raw(" ")
        svg.number(geometry.size.height)
        svg.raw("\"")
        svg.attribute("width", geometry.size.width)
        svg.attribute("height", geometry.size.height)
        svg.raw(isApp ? " class=\"app\"><title>" : "><title>")
        svg.text(title)
        svg.raw("</title>\n")
        svg.raw(PictureStyle.sheet)
        clip("screen", to: geometry.screen, radius: screenRadius)
        if !isApp { fade(acrossHidden: geometry.hiddenArea) }
        svg.raw("</defs>\n")
        svg.rectangle(
            Frame(x: 0, y: 0, width: geometry.size.width, height: geometry.size.height), "ground",
            radius: isApp ? screenRadius + PictureGeometry.appMargin : 0)
    }

    private var screenRadius: Double { options.style == .app ? 16 : 6 }

    private mutating func clip(_ id: StaticString, to frame: Frame, radius: Double) {
        svg.raw("<clipPath id=\"")
        svg.raw(id)
        svg.raw("\">")
        svg.rectangle(frame, "clip", radius: radius)
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
            PictureText.fitting(title, width: width, size: PictureFont.title.size) ?? "",
            x: margin, y: 22, PictureFont.title.name)
        var facts = "viewport \(viewport.size.brief) @\(viewport.scale.brief)x"
        facts += " · content \(frames.contentSize.brief) · \(screen.itemCount) items"
        if omittedItems > 0 { facts += " (\(omittedItems) not drawn)" }
        svg.label(facts, x: margin, y: 38, "sub")
    }

    private mutating func drawScreen() {
        svg.rectangle(geometry.screen, "paper", radius: screenRadius)
        svg.raw("<g clip-path=\"url(#screen)\">\n")
        for section in frames.sections { drawBackground(of: section) }
        for (section, merged) in zip(frames.sections, screen.sections) {
            drawSection(section, merged)
        }
        svg.raw("</g>\n")
    }

    private mutating func drawBackground(of section: SectionFrames) {
        let frame = geometry.pictureFrame(of: section.frame)
        // A decoration may extend beyond its section.
        if geometry.isDrawn(frame), !isFull { svg.rectangle(frame, "gap") }
        for index in section.decorations.indices.sorted(by: section.isDecoration(_:behind:)) {
            let frame = picture(section.decorations[index].frame, of: section)
            guard geometry.isDrawn(frame), !isFull else { continue }
            svg.rectangle(frame, "decoration", radius: 4)
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
            drawView(
                header, in: picture(frame, of: section), size: section.exactSizes.header,
                as: .header,
                isPinned: section.isHeaderPinned)
        }
        if let frame = section.footer, let footer = merged.footer {
            drawView(
                footer, in: picture(frame, of: section), size: section.exactSizes.footer,
                as: .footer,
                isPinned: section.isFooterPinned)
        }
    }

    private mutating func drawItems(_ section: SectionFrames, _ merged: MergedSection) {
        var item = 0
        var suffixes = merged.suffixes[...]
        for part in merged.parts {
            for cell in part.cells {
                guard item < section.items.count, drawnItems < Self.maxItems, !isFull else {
                    return
                }
                var number = 1
                if let suffix = suffixes.first, suffix.item == item {
                    number = suffix.number
                    suffixes.removeFirst()
                }
                let frame = picture(section.items[item], of: section)
                if geometry.isDrawn(frame) {
                    drawnItems += 1
                    drawItem(
                        cell, number: number, of: part.page, in: frame,
                        size: section.exactSize(ofItem: item))
                    drawSeparator(of: item, section)
                }
                item += 1
            }
        }
    }

    private mutating func drawSeparator(of item: Int, _ section: SectionFrames) {
        guard item < section.separators.count, let frame = section.separators[item] else { return }
        let line = picture(frame, of: section)
        svg.line(from: (line.x, line.y), to: (line.maxX, line.y), "separator")
    }

    private func picture(_ element: Frame, of section: SectionFrames) -> Frame {
        geometry.pictureFrame(of: section.contentFrame(of: element))
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
                guard drawn < Self.maxItems, !isFull else { break }
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

    private mutating func drawViewportEnd() {
        let screen = geometry.screen
        guard geometry.viewportLength <= screen.size[geometry.axis] else { return }
        let words = "fold \(geometry.viewportLength.brief)"
        if geometry.axis == .vertical {
            let y = screen.y + geometry.viewportLength
            svg.line(from: (screen.x - 8, y), to: (screen.maxX + 8, y), "fold")
            let x = geometry.readsFromLeft ? screen.maxX + 12 : screen.x - 12
            svg.label(words, x: x, y: y + 3.5, "foldname", anchor: geometry.anchor)
        } else {
            let x =
                geometry.readsFromLeft
                ? screen.x + geometry.viewportLength : screen.maxX - geometry.viewportLength
            svg.line(from: (x, screen.y - 8), to: (x, screen.maxY + 8), "fold")
            svg.label(words, x: x + 4, y: screen.maxY + 12, "foldname")
        }
    }

    private mutating func drawCut() {
        guard geometry.omittedLength > 0 else { return }
        let screen = geometry.screen
        var note = "cut here: \(geometry.omittedLength.brief) more points"
        if omittedItems > 0 { note += ", \(omittedItems) more items" }
        if geometry.axis == .vertical {
            svg.line(from: (screen.x, screen.maxY), to: (screen.maxX, screen.maxY), "cut")
            let x = geometry.readsFromLeft ? screen.x : screen.maxX
            svg.label(
                note, x: x, y: screen.maxY + 12, PictureFont.note.name, anchor: geometry.anchor)
        } else {
            let x = geometry.readsFromLeft ? screen.maxX : screen.x
            svg.line(from: (x, screen.y), to: (x, screen.maxY), "cut")
            svg.label(
                note, x: x, y: screen.maxY + 12, PictureFont.note.name,
                anchor: geometry.anchor.mirrored)
        }
    }

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
