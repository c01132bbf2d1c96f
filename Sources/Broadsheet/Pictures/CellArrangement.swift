/// The places of an item's texts and of its image in a picture, in the item's own coordinates.
///
/// Shape and size of the item decide: a tall item has its image above its texts, a wide and low one
/// beside them, and a large one behind them. Items of one size and type are arranged alike.
struct CellArrangement {
    struct Text {
        let words: String
        var x: Double
        let y: Double
        let font: PictureFont
        var anchor: SVGWriter.Anchor
        /// A Boolean value that indicates whether the text runs upwards.
        var isVertical = false
    }

    private(set) var image: Frame?
    /// The frame of the area that sets texts off from the image behind them.
    private(set) var caption: Frame?
    private(set) var texts: [Text] = []

    private let content: CellContent
    private let size: Size
    private let titleFont: PictureFont
    private let padding: Double
    private let verticalPadding: Double

    /// The height of an item with an image beside its texts, at most, in points.
    static let maxRowHeight = 150.0
    /// The minimum length of an image's edge, in points.
    static let minImage = 14.0
    /// The maximum height of an item whose texts share a line, in points.
    static let maxLineHeight = 64.0

    /// Arranges the content of an item, mirrored if it does not read from the left.
    init(_ content: CellContent, in size: Size, isHeader: Bool, readsFromLeft: Bool) {
        self.content = content
        self.size = size
        titleFont = isHeader ? .headerTitle : .itemTitle
        padding = min(isHeader ? 14 : 12, size.width / 12)
        verticalPadding = min(12, size.height / 6)
        if content.image != nil, min(size.width, size.height) >= Self.minImage {
            placeImage()
        } else if !placeUpwards(), isHeader || !placeInMiddle() {
            placeTexts(in: inner)
        }
        if !readsFromLeft { mirror() }
    }

    private var inner: Frame {
        Frame(
            x: padding, y: verticalPadding / 2, width: size.width - 2 * padding,
            height: size.height - verticalPadding)
    }

    // MARK: Images

    private mutating func placeImage() {
        let isWide = size.width >= 1.6 * size.height
        let texts = textHeight
        if !content.hasText {
            image = Frame(x: 0, y: 0, width: size.width, height: size.height)
        } else if isWide, size.height <= Self.maxRowHeight {
            placeImageBeside()
        } else if !isWide, size.height - texts >= 0.4 * size.height {
            let above = Frame(
                x: 4, y: 4, width: max(0, size.width - 8), height: size.height - texts - 4)
            image = above
            placeTexts(
                in: Frame(x: padding, y: above.maxY + 4, width: inner.width, height: texts - 6),
                atTop: true)
        } else {
            image = Frame(x: 0, y: 0, width: size.width, height: size.height)
            let area = Frame(
                x: 0, y: max(0, size.height - texts), width: size.width,
                height: min(texts, size.height))
            caption = area
            placeTexts(in: Frame(x: padding, y: area.y, width: inner.width, height: area.height))
        }
    }

    private mutating func placeImageBeside() {
        let side = min(size.height - verticalPadding, 0.4 * size.width)
        let inset = min(verticalPadding / 2, 6)
        let beside = Frame(x: inset, y: inset, width: side, height: size.height - 2 * inset)
        image = beside
        let start = beside.maxX + max(8, padding)
        placeTexts(
            in: Frame(
                x: start, y: inset, width: max(0, size.width - padding - start),
                height: size.height - 2 * inset))
    }

    /// The height of the texts below or before an image: it depends on the shape of the item and
    /// not on its texts, so that the images of a row end at one height.
    private var textHeight: Double {
        let subtitle = content.canHaveSubtitle ? PictureFont.subtitle.lineHeight : 0
        let one = titleFont.lineHeight + subtitle + 14
        let two = one + titleFont.lineHeight
        return size.height - size.width >= two - 8 ? two : one
    }

    // MARK: Texts

    /// Places a title alone in the middle of a small item, such as a button.
    ///
    /// - Returns: Whether the item is one that has its title in the middle.
    private mutating func placeInMiddle() -> Bool {
        guard !content.canHaveSubtitle, let title = content.title, size.height <= 56,
            size.width <= 200
        else { return false }
        let width = size.width - 8
        for font in [titleFont, .smallTitle] where font.lineHeight <= size.height + 4 {
            guard let words = PictureText.fitting(title, width: width, size: font.size) else {
                continue
            }
            guard words == title || font.size == PictureFont.smallTitle.size else { continue }
            let y = size.height / 2 + font.size * 0.35
            texts = [Text(words: words, x: size.width / 2, y: y, font: font, anchor: .middle)]
            break
        }
        return true
    }

    /// Places a title that runs upwards in an item that is narrow and tall, such as the header of a
    /// screen that scrolls horizontally.
    ///
    /// - Returns: Whether the item is one whose title runs upwards.
    private mutating func placeUpwards() -> Bool {
        guard let title = content.title ?? content.subtitle, size.width < 60,
            size.height >= 2 * size.width, size.width >= PictureFont.smallTitle.size
        else { return false }
        let font = titleFont.lineHeight <= size.width ? titleFont : .smallTitle
        if let words = PictureText.fitting(title, width: size.height - 8, size: font.size) {
            texts = [
                Text(
                    words: words, x: size.width / 2 + font.size * 0.35, y: size.height / 2,
                    font: font, anchor: .middle, isVertical: true)
            ]
        }
        return true
    }

    /// Places the title and, below it or at the other end of its line, the subtitle.
    private mutating func placeTexts(in area: Frame, atTop: Bool = false) {
        guard area.height >= PictureFont.smallTitle.size else { return }
        if placeInOneLine(area) { return }
        let subtitleHeight = PictureFont.subtitle.lineHeight
        let hasSubtitle =
            content.subtitle != nil
            && (content.title == nil || area.height >= titleFont.lineHeight + subtitleHeight)
        let left = area.height - (hasSubtitle ? subtitleHeight : 0)
        let (titles, font) = titleLines(in: area.width, height: left)
        let height =
            Double(titles.count) * font.lineHeight + (hasSubtitle ? subtitleHeight : 0)
        let above = atTop ? 0 : max(0, min(Self.maxLineHeight, (area.height - height) / 2))
        var y = area.y + above
        let isRightToLeft = PictureText.isRightToLeft(content.title ?? "")
        for line in titles {
            let words = PictureText.line(line, isRightToLeft: isRightToLeft)
            append(words, font, x: area.x, y: y)
            y += font.lineHeight
        }
        if hasSubtitle, let subtitle = content.subtitle,
            let words = PictureText.fitting(
                subtitle, width: area.width, size: PictureFont.subtitle.size)
        {
            append(words, .subtitle, x: area.x, y: y)
        }
    }

    /// Places both texts in one line, at its two ends, if they fit.
    private mutating func placeInOneLine(_ area: Frame) -> Bool {
        guard image == nil, area.height <= Self.maxLineHeight, let title = content.title,
            let subtitle = content.subtitle,
            PictureText.width(of: title, size: titleFont.size)
                + PictureText.width(of: subtitle, size: PictureFont.subtitle.size) + 16
                <= area.width
        else { return false }
        let y = area.y + area.height / 2
        append(title, titleFont, x: area.x, y: y - titleFont.lineHeight / 2)
        append(subtitle, .subtitle, x: area.maxX, y: y - PictureFont.subtitle.lineHeight / 2)
        texts[1].anchor = .end
        return true
    }

    /// Returns the title in the font in which it is whole, or else in the small one.
    private func titleLines(
        in width: Double, height: Double
    ) -> (lines: [String], font: PictureFont) {
        guard let title = content.title else { return ([], titleFont) }
        var last: (lines: [String], font: PictureFont) = ([], .smallTitle)
        for font in [titleFont, .smallTitle] {
            let count = min(2, max(1, Int((min(height, 100) / font.lineHeight).rounded(.down))))
            let (lines, areWhole) = PictureText.lines(
                title, width: width, size: font.size, atMost: count)
            last = (lines, font)
            if areWhole { break }
        }
        return last
    }

    private mutating func append(_ words: String, _ font: PictureFont, x: Double, y: Double) {
        let baseline = y + font.lineHeight / 2 + font.size * 0.35
        texts.append(Text(words: words, x: x, y: baseline, font: font, anchor: .start))
    }

    private mutating func mirror() {
        image = image.map(mirrored)
        for index in texts.indices {
            texts[index].x = size.width - texts[index].x
            texts[index].anchor = texts[index].anchor.mirrored
        }
    }

    private func mirrored(_ frame: Frame) -> Frame {
        Frame(
            x: size.width - frame.maxX, y: frame.y, width: frame.width, height: frame.height)
    }
}
