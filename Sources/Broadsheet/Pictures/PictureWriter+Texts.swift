/// Texts that sizes are measured from, in the lines that were measured.
extension PictureWriter {
    private static let maxLines = 200
    /// The least height of an image above a text, in points.
    private static let minImageHeight = 24.0

    struct MeasuredCell {
        let kind: CellKind
        /// The range of its data in the page's bytes.
        let data: Range<Int>
        /// The index of its first size input.
        let inputs: UInt32
        let page: ResolvedPage
    }

    /// Draws the measured texts of an element, and its image above them.
    ///
    /// - Returns: `false` if there is nothing to draw, so that the element needs other contents.
    /// - Complexity: O(bytes of the data), and that of breaking the texts into lines.
    mutating func drawTexts(of cell: MeasuredCell, in frame: Frame, _ labels: BoxLabels) -> Bool {
        guard cell.kind.measuresText, case .byRules(let rules) = cell.kind.sizing,
            let document = try? JSONDocument(
                Array(cell.page.bytes[cell.data]), maxDepth: Int(Int32.max))
        else { return false }
        let container = Container(
            viewport: viewport.size, available: viewport.size, axis: frames.axis,
            textScale: viewport.textScale)
        var scope = cell.page.scope(
            SizeRequest(container: container, absent: .zero), start: Int(cell.inputs))
        scope.length = viewport.size.height
        let texts = rules.texts(ofCell: frame.size, in: &scope).filter { text in
            scope.text(text.input) != nil
        }
        guard !texts.isEmpty else { return false }
        svg.beginPart(frame)
        if options.style == .wireframe {
            svg.tooltip(PictureText.bounded(labels.type) + " " + PictureText.bounded(labels.id))
        }
        let top = texts.reduce(frame.height) { min($0, $1.y) }
        drawImage(of: cell, Size(width: frame.width, height: top))
        for text in texts {
            draw(
                text, of: document.root, source: rules.inputs[text.input].text, scope,
                cellWidth: frame.width)
        }
        svg.endPart()
        return true
    }

    private mutating func drawImage(of cell: MeasuredCell, _ size: Size) {
        guard size.height >= Self.minImageHeight, let picture = cell.kind.picture,
            let image = CellContent(picture, data: cell.data, in: cell.page)?.image
        else { return }
        let frame = Frame(x: 0, y: 0, width: size.width, height: size.height)
        svg.rectangle(frame, PictureStyle.imageClass(Int(image)), radius: 4)
        drawPhoto(in: frame, above: nil)
    }

    mutating func draw(
        _ text: PlacedText, of data: JSONValue, source: TextSource?, _ scope: SizeScope,
        cellWidth: Double
    ) {
        guard let shaped = scope.text(text.input), let source else { return }
        var utf8: [UInt8] = []
        var isUsable = true
        _ = source.append(data, to: &utf8, &isUsable)
        let metrics = text.rule.font
        let factor = metrics.factor(scope.textScale)
        let size = source.font.declaration.size * factor
        let lineHeight = metrics.lineHeight * factor
        let ranges = shaped.lineRanges(text.rule.request(width: text.width, factor: factor))
        let isRightToLeft = PictureText.isRightToLeft(String(decoding: utf8, as: UTF8.self))
        for (index, range) in ranges.prefix(Self.maxLines).enumerated() where !isFull {
            let words = String(decoding: utf8[range.clamped(to: utf8.indices)], as: UTF8.self)
            let x = geometry.readsFromLeft ? text.x : cellWidth - text.x
            let middle = text.y + (Double(index) + 0.5) * lineHeight
            svg.words(
                PictureText.line(PictureText.bounded(words), isRightToLeft: isRightToLeft),
                x: x, y: middle + 0.35 * size, size: size,
                anchor: geometry.anchor)
        }
    }
}
