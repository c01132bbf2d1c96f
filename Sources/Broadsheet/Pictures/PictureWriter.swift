/// Draws a laid-out screen as a wireframe: an SVG that shows at a glance what a client would.
///
/// Sections are named in a gutter; headers, items and footers carry their types and ids; what is
/// left between them (insets and spacing) is hatched; the fold of the viewport is a dashed line;
/// backgrounds lie behind; and what a carousel hides beyond the screen's edge is hinted at. The same
/// screen gives the same bytes. O(items drawn), of which there are at most ``maxItems``.
public struct PictureWriter {
    /// The most items that are drawn; the heading says how many are not.
    public static let maxItems = 5000

    let screen: MergedScreen
    let frames: ScreenFrames
    let viewport: Viewport
    let title: String
    let stage: PictureStage
    var svg: SVGWriter
    /// How many more items may be drawn.
    var itemsLeft = PictureWriter.maxItems

    private init(
        _ screen: MergedScreen, _ frames: ScreenFrames, viewport: Viewport, title: String
    ) {
        self.screen = screen
        self.frames = frames
        self.viewport = viewport
        self.title = title
        stage = PictureStage(frames, viewport: viewport)
        svg = SVGWriter(reservingCapacity: 4096 + 420 * min(screen.itemCount, Self.maxItems))
    }

    /// Draws `screen`, laid out as `frames` for `viewport`, under a title of its own.
    ///
    /// `frames` are those of `screen`, section by section and item by item; what one has and the other
    /// has not is left out.
    public static func write(
        _ screen: MergedScreen, _ frames: ScreenFrames, viewport: Viewport, title: String
    ) -> [UInt8] {
        var writer = PictureWriter(screen, frames, viewport: viewport, title: title)
        writer.begin()
        writer.drawScreen()
        writer.drawHidden()
        writer.drawFold()
        writer.drawNames()
        writer.drawLegend()
        writer.svg.raw("</svg>\n")
        return writer.svg.bytes
    }

    private mutating func begin() {
        svg.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ")
        svg.number(stage.size.width)
        svg.raw(" ")
        svg.number(stage.size.height)
        svg.raw("\"")
        svg.attribute("width", stage.size.width)
        svg.attribute("height", stage.size.height)
        svg.raw("><title>")
        svg.text(title)
        svg.raw("</title>\n")
        svg.raw(PictureStyle.sheet)
        clip("screen", to: stage.screen)
        fade(towardsEndOf: stage.hintArea)
        svg.raw("</defs>\n")
        svg.rectangle(
            Frame(x: 0, y: 0, width: stage.size.width, height: stage.size.height), "ground")
        drawHeading()
    }

    private mutating func clip(_ id: StaticString, to frame: Frame) {
        svg.raw("<clipPath id=\"")
        svg.raw(id)
        svg.raw("\">")
        svg.rectangle(frame, "clip")
        svg.raw("</clipPath>")
    }

    /// The mask `around` lets what is hinted at fade away from the screen's edge.
    private mutating func fade(towardsEndOf area: Frame) {
        svg.raw("<linearGradient id=\"out\"")
        svg.raw(stage.readsFromLeft ? "" : " x1=\"1\" x2=\"0\"")
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
        let margin = PictureStage.margin
        let width = stage.size.width - 2 * margin
        svg.label(
            PictureText.fitting(title, width: width, size: 15) ?? "", x: margin, y: 22, "title")
        let hidden = max(0, screen.itemCount - Self.maxItems)
        var facts = "viewport \(viewport.size.brief) @\(viewport.scale.brief)x"
        facts += " · content \(frames.contentSize.brief) · \(screen.itemCount) items"
        if hidden > 0 { facts += " (\(hidden) not drawn)" }
        svg.label(facts, x: margin, y: 38, "sub")
    }

    /// The screen as a device shows it: nothing beyond its edges.
    private mutating func drawScreen() {
        svg.rectangle(stage.screen, "paper", radius: 6)
        svg.raw("<g clip-path=\"url(#screen)\">\n")
        for section in frames.sections { drawGround(of: section) }
        for (section, merged) in zip(frames.sections, screen.sections) {
            drawSection(section, merged)
        }
        svg.raw("</g>\n")
    }

    private mutating func drawGround(of section: SectionFrames) {
        svg.rectangle(stage.place(section.frame), "gap")
        for decoration in section.decorations {
            svg.rectangle(stage.place(decoration.frame), "decoration", radius: 4)
        }
    }

    /// Where the viewport ends.
    private mutating func drawFold() {
        let screen = stage.screen
        if stage.axis == .vertical {
            let y = screen.y + stage.fold
            svg.line(from: (screen.x - 8, y), to: (screen.maxX + 8, y), "fold")
            let x = stage.readsFromLeft ? screen.maxX + 12 : screen.x - 12
            svg.label(
                "fold \(stage.fold.brief)", x: x, y: y + 3.5, "foldname",
                anchoredAtEnd: !stage.readsFromLeft)
        } else {
            let x = stage.readsFromLeft ? screen.x + stage.fold : screen.maxX - stage.fold
            svg.line(from: (x, screen.y - 8), to: (x, screen.maxY + 8), "fold")
            svg.label("fold \(stage.fold.brief)", x: x + 4, y: screen.maxY + 12, "foldname")
        }
    }
}

extension Size {
    /// Both lengths, for people.
    var brief: String { "\(width.brief) × \(height.brief)" }
}

extension Double {
    /// The number rounded to tenths, without a point when it is whole.
    var brief: String {
        let tenths = (self * 10).rounded() / 10
        // Written as an integer while that is exact; beyond, as it comes.
        guard tenths == tenths.rounded(), tenths.magnitude < 0x1p53 else { return "\(tenths)" }
        return "\(Int(tenths))"
    }
}
