/// Contents: texts in their frames and lines, images as boxes with a glyph, views as outlines.
extension PictureWriter {
    private struct DrawnBox {
        let kind: ContentBox.Kind
        let frame: Frame
    }

    /// Draws the content of an element.
    ///
    /// - Parameters:
    ///   - cell: The element.
    ///   - size: The size of the element before rounding.
    ///   - frame: The element's frame in the picture.
    ///   - labels: The texts of an element that has none of its data.
    /// - Returns: `false` if the element has no content that shows anything.
    /// - Complexity: O(boxes + bytes of the data), and that of breaking the texts into lines.
    mutating func drawContents(
        of cell: MeasuredCell, size: Size, in frame: Frame, _ labels: BoxLabels
    ) -> Bool {
        guard let contents = cell.kind.contents,
            let document = try? JSONDocument(
                Array(cell.page.bytes[cell.data]), maxDepth: Int(Int32.max))
        else { return false }
        let arranger = PartsArranger(frames.conditions)
        let (boxes, scope) = arranger.withArrangement(
            of: contents, at: cell.inputs, in: cell.page, size
        ) { arranger in
            (
                Self.drawnBoxes(arranger, size, isMirrored: frames.conditions.isMirrored),
                arranger.scope
            )
        }
        guard !boxes.isEmpty else { return false }
        svg.beginPart(frame)
        if options.style == .wireframe {
            svg.tooltip(PictureText.bounded(labels.type) + " " + PictureText.bounded(labels.id))
        }
        for box in boxes where !isFull {
            draw(box, of: document.root, contents, scope, cellWidth: frame.width)
        }
        svg.endPart()
        return true
    }

    private static func drawnBoxes(
        _ arranger: borrowing ContentArranger, _ size: Size, isMirrored: Bool
    ) -> [DrawnBox] {
        var boxes: [DrawnBox] = []
        for index in arranger.boxes.indices where arranger.states[index].isThere {
            let kind = arranger.boxes[index].kind
            switch kind {
            case .text, .image:
                let part = arranger.part(index, ofWidth: size.width, isMirrored: isMirrored)
                boxes.append(DrawnBox(kind: kind, frame: part.frame))
            case .column, .row, .overlay, .space, .choice: break
            }
        }
        return boxes
    }

    private mutating func draw(
        _ box: DrawnBox, of data: JSONValue, _ contents: ContentTree, _ scope: SizeScope,
        cellWidth: Double
    ) {
        switch box.kind {
        case .text(let input, let rule):
            let x = geometry.readsFromLeft ? box.frame.x : cellWidth - box.frame.maxX
            let text = PlacedText(
                input: Int(input), rule: rule, x: x, y: box.frame.y,
                width: box.frame.width + ContentArranger.tolerance)
            draw(
                text, of: data, source: contents.inputs[Int(input)].text, scope,
                cellWidth: cellWidth)
        case .image(_, isView: true):
            svg.rectangle(box.frame, "cut", radius: 2)
        case .image(let input, isView: false):
            let value = contents.inputs[Int(input)].pointers.first?.evaluate(on: data)
            let colour = value.flatMap(\.shownImage) ?? 0
            svg.rectangle(box.frame, PictureStyle.imageClass(Int(colour)), radius: 4)
            drawPhoto(in: box.frame, above: nil)
        case .column, .row, .overlay, .space, .choice: break
        }
    }
}
