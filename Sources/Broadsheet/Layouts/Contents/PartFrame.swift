/// The frame of a box in its item, and the lines of a text.
struct PartFrame: Sendable, Hashable {
    /// The frame in the item's coordinates, mirrored and rounded, in points.
    let frame: Frame
    /// The number of lines shown; `nil` if the box is not a text.
    let lines: Int?
    /// A Boolean value that indicates whether `maxLines` cut the text.
    let isTruncated: Bool
    /// The index of the input that an image's URL is made of; -1 without a URL.
    let url: Int32
}

extension ContentArranger {
    /// Calls `body` with the index and the part of each box that is there and has a name, in the
    /// order of the content, once the item is arranged.
    ///
    /// - Parameters:
    ///   - width: The width of the item before rounding, in points.
    ///   - isMirrored: A Boolean value that indicates whether reading starts at the right.
    func forEachPart(
        ofWidth width: Double, isMirrored: Bool, _ body: (_ name: Int, PartFrame) -> Void
    ) {
        for index in boxes.indices where states[index].isThere && boxes[index].name >= 0 {
            body(Int(boxes[index].name), part(index, ofWidth: width, isMirrored: isMirrored))
        }
    }

    /// Returns the part of a box that is there, whether or not it has a name.
    @inline(__always)
    func part(_ index: Int, ofWidth width: Double, isMirrored: Bool) -> PartFrame {
        var frame = roundedFrame(index)
        if isMirrored {
            frame.x = Length.sanitised(width - frame.x - frame.width)
            if scope.pixelScale > 0 { frame.x = PixelGrid.nearest(frame.x, scope.pixelScale) }
        }
        var lines: Int?
        if case .text = boxes[index].kind { lines = states[index].lines }
        return PartFrame(
            frame: frame, lines: lines, isTruncated: states[index].isTruncated,
            url: boxes[index].url)
    }

    @inline(__always)
    private func roundedFrame(_ index: Int) -> Frame {
        let state = states[index]
        let (x, y) = (Length.sanitised(state.x), Length.sanitised(state.y))
        let scale = scope.pixelScale
        guard scale > 0 else { return Frame(x: x, y: y, width: state.width, height: state.height) }
        let (left, top) = (PixelGrid.nearest(x, scale), PixelGrid.nearest(y, scale))
        return Frame(
            x: left, y: top,
            width: max(0, PixelGrid.nearest(x + state.width, scale) - left),
            height: max(0, PixelGrid.nearest(y + state.height, scale) - top))
    }
}
