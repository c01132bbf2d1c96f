extension PictureWriter {
    /// The kinds of elements that have texts.
    enum Box {
        case item, header, footer

        var name: StaticString {
            switch self {
            case .item: "item"
            case .header: "header"
            case .footer: "footer"
            }
        }
    }

    /// The texts of an element that has none of its data.
    struct BoxLabels {
        let type: String
        let id: String
    }

    /// Draws an item.
    ///
    /// - Parameters:
    ///   - cell: The item.
    ///   - number: The number that distinguishes the item from earlier ones with its id.
    ///   - page: The page of the item.
    ///   - frame: The frame in the picture.
    ///   - size: The size before rounding.
    mutating func drawItem(
        _ cell: CellInfo, number: Int, of page: ResolvedPage, in frame: Frame, size: Size
    ) {
        svg.rectangle(frame, Box.item.name, radius: 4)
        guard geometry.isVisible(frame) else { return }
        let kind = page.kinds[cell.kind]
        let id = String(decoding: page.text(of: cell.id), as: UTF8.self)
        let labels = BoxLabels(type: kind.name, id: number == 1 ? id : "\(id)#\(number)")
        let measured = MeasuredCell(
            kind: kind, data: cell.dataRange, inputs: cell.inputs, page: page)
        if drawContents(of: measured, size: size, in: frame, labels) { return }
        if drawTexts(of: measured, in: frame, labels) { return }
        let content = kind.picture.flatMap { CellContent($0, data: cell.dataRange, in: page) }
        if let content {
            draw(content, frame, .item, labels)
        } else {
            drawLabels(labels, frame)
        }
    }

    /// Without `size`, the size before rounding is that of `frame`.
    mutating func drawView(
        _ view: MergedView, in frame: Frame, size: Size?, as box: Box, isPinned: Bool
    ) {
        guard geometry.isDrawn(frame), !isFull else { return }
        svg.rectangle(frame, box.name, radius: 4)
        guard geometry.isVisible(frame) else { return }
        let kind = view.page.kinds[view.info.kind]
        let type = kind.name + (isPinned ? " (pinned)" : "")
        let labels = BoxLabels(type: type, id: box == .header ? "header" : "footer")
        let measured = MeasuredCell(
            kind: kind, data: view.info.dataRange, inputs: view.info.inputs, page: view.page)
        if drawContents(of: measured, size: size ?? frame.size, in: frame, labels) { return }
        if drawTexts(of: measured, in: frame, labels) { return }
        if var content = kind.picture.flatMap({
            CellContent($0, data: view.info.dataRange, in: view.page)
        }) {
            if isPinned, content.subtitle == nil, options.style == .wireframe {
                content.subtitle = "pinned"
            }
            draw(content, frame, box, labels)
        } else {
            drawLabels(labels, frame)
        }
    }

    /// Draws the texts and the image of an element, clipped to its frame.
    private mutating func draw(
        _ content: CellContent, _ frame: Frame, _ box: Box, _ labels: BoxLabels
    ) {
        let arrangement = CellArrangement(
            content, in: frame.size, isHeader: box == .header,
            readsFromLeft: geometry.readsFromLeft)
        svg.beginPart(frame)
        if options.style == .wireframe {
            // The texts leave no space for the type and the id.
            svg.tooltip(
                PictureText.bounded(labels.type) + " " + PictureText.bounded(labels.id))
        }
        if let image = arrangement.image {
            svg.rectangle(
                image, PictureStyle.imageClass(Int(content.image ?? 0)), radius: 4)
            drawPhoto(in: image, above: arrangement.caption)
        }
        if let caption = arrangement.caption { svg.rectangle(caption, "caption") }
        for text in arrangement.texts {
            svg.label(
                text.words, x: text.x, y: text.y, text.font.name, anchor: text.anchor,
                isVertical: text.isVertical)
        }
        svg.endPart()
    }

    mutating func drawPhoto(in image: Frame, above caption: Frame?) {
        let height = min(image.height, caption.map { $0.y - image.y } ?? .infinity)
        let side = min(48, 0.5 * min(image.width, height))
        guard side >= 8 else { return }
        svg.photo(
            Frame(
                x: image.x + (image.width - side) / 2, y: image.y + (height - side) / 2,
                width: side, height: side))
    }

    /// Draws the type of an element and, below it, its id, as far as they fit in the visible part.
    private mutating func drawLabels(_ labels: BoxLabels, _ frame: Frame) {
        let left = max(frame.x, geometry.screen.x)
        let right = min(frame.maxX, geometry.screen.maxX)
        let padding = min(8, frame.width / 10)
        let width = right - left - 2 * padding
        let x = geometry.readsFromLeft ? left + padding : right - padding
        let isTall = frame.height >= 34
        let baseline = isTall ? frame.y + 16 : frame.y + frame.height / 2 + 3.5
        guard frame.height >= 13 else { return }
        if let words = PictureText.fitting(
            labels.type, width: width, size: PictureFont.type.size)
        {
            svg.label(words, x: x, y: baseline, PictureFont.type.name, anchor: geometry.anchor)
        }
        guard isTall,
            let words = PictureText.fitting(labels.id, width: width, size: PictureFont.id.size)
        else { return }
        svg.label(words, x: x, y: baseline + 13, PictureFont.id.name, anchor: geometry.anchor)
    }
}
