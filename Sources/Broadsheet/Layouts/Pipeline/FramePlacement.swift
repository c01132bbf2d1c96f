#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The mirroring and rounding of frames in their parent: elements in their section, sections in the
/// content.
///
/// The last steps of the pipeline (G7) are one pass, so that each of a million frames is accessed
/// once. Nothing outside of the parent has an effect on the result, so a section that moves changes
/// no frame inside it (R5).
struct FramePlacement: Sendable {
    /// The parent's width in points if the reading direction is right to left, else `nil` (R4).
    private let mirrorWidth: Double?
    private let grid: PixelGrid
    private let parts: RoundedParts
    /// The distances by which elements lie further in the parent before they are mirrored, in
    /// points (G9).
    private let (shiftX, shiftY): (Double, Double)

    init(
        mirrorWidth: Double?, grid: PixelGrid, parts: RoundedParts, shiftedBy shift: Size = .zero
    ) {
        self.mirrorWidth = mirrorWidth
        self.grid = grid
        self.parts = parts
        (shiftX, shiftY) = (shift.width, shift.height)
    }

    /// Returns an element's frame, mirrored and rounded.
    @inline(__always)
    func callAsFunction(_ frame: Frame) -> Frame {
        var frame = frame
        frame.x += shiftX
        frame.y += shiftY
        return grid.nearest(mirrored(frame), parts)
    }

    /// Returns the frame of a section or its scroller: the origin is rounded, the size never is
    /// (R3).
    func extent(_ frame: Frame) -> Frame {
        grid.nearest(mirrored(frame), .origins)
    }

    func callAsFunction(all frames: inout ChunkedList<Frame>, from first: Int) {
        frames.modify(from: first) { frames in
            for index in frames.indices { frames[index] = self(frames[index]) }
        }
    }

    func callAsFunction(all frames: inout ChunkedList<Frame?>, from first: Int) {
        frames.modify(from: first) { frames in
            for index in frames.indices { frames[index] = frames[index].map { self($0) } }
        }
    }

    @inline(__always)
    private func mirrored(_ frame: Frame) -> Frame {
        guard let mirrorWidth else { return frame }
        var frame = frame
        frame.x = mirrorWidth - frame.x - frame.width
        return frame
    }
}

// On processors before SSE 4.1, `rounded(_:)` is a call of libm, which this import links.
