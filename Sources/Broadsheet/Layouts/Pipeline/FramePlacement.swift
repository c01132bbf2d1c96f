/// The way of a frame from its section's own coordinates to the content's, mirrored and rounded.
///
/// The last steps of the pipeline (G7), in one pass so that a million frames are touched once.
struct FramePlacement: Sendable {
    /// How far the section is from the content's origin, in points.
    var offsetX: Double
    /// How far the section is from the content's origin, in points.
    var offsetY: Double
    /// The content's width when the reader reads from the right, in points (R4).
    var mirrorWidth: Double?
    /// The device's pixels (R1).
    var grid: PixelGrid
    /// What rounding moves (R2, R3).
    var parts: RoundedParts

    /// The placement of a section that starts `start` points along `axis`.
    init(
        start: Double, axis: Axis, mirrorWidth: Double?, grid: PixelGrid, parts: RoundedParts
    ) {
        offsetX = axis == .horizontal ? start : 0
        offsetY = axis == .vertical ? start : 0
        self.mirrorWidth = mirrorWidth
        self.grid = grid
        self.parts = parts
    }

    /// One frame in content coordinates.
    @inline(__always)
    func callAsFunction(_ frame: Frame) -> Frame {
        grid.nearest(mirrored(frame), parts)
    }

    /// A section's own frame, or its scroller's: the origin is rounded, the size never (R3).
    func extent(_ frame: Frame) -> Frame {
        grid.nearest(mirrored(frame), .origins)
    }

    /// All of `frames`, in their place.
    func callAsFunction(all frames: inout [Frame]) {
        for index in frames.indices { frames[index] = self(frames[index]) }
    }

    /// Shifted to where the section stands, then mirrored (R4) when it is asked for.
    @inline(__always)
    private func mirrored(_ frame: Frame) -> Frame {
        var frame = frame
        frame.x += offsetX
        frame.y += offsetY
        if let mirrorWidth { frame.x = mirrorWidth - frame.x - frame.width }
        return frame
    }
}
