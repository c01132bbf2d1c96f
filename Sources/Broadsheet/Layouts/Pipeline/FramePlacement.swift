import Glibc

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

    /// Creates the placement of frames in a parent.
    ///
    /// - Parameters:
    ///   - mirrorWidth: The parent's width if frames are mirrored (R4), in points.
    ///   - grid: The device's pixels.
    ///   - parts: The numbers that are rounded (R2, R3).
    init(mirrorWidth: Double?, grid: PixelGrid, parts: RoundedParts) {
        self.mirrorWidth = mirrorWidth
        self.grid = grid
        self.parts = parts
    }

    /// Returns an element's frame, mirrored and rounded.
    @inline(__always)
    func callAsFunction(_ frame: Frame) -> Frame {
        grid.nearest(mirrored(frame), parts)
    }

    /// Returns the frame of a section or its scroller: the origin is rounded, the size never is
    /// (R3).
    func extent(_ frame: Frame) -> Frame {
        grid.nearest(mirrored(frame), .origins)
    }

    /// Transforms the frames from an index on, in place.
    func callAsFunction(all frames: inout ChunkedList<Frame>, from first: Int) {
        frames.update(from: first) { frames in
            for index in frames.indices { frames[index] = self(frames[index]) }
        }
    }

    /// Transforms the frames from an index on, in place, those that are not `nil`.
    func callAsFunction(all frames: inout ChunkedList<Frame?>, from first: Int) {
        frames.update(from: first) { frames in
            for index in frames.indices { frames[index] = frames[index].map { self($0) } }
        }
    }

    /// Returns a frame, mirrored if requested (R4).
    @inline(__always)
    private func mirrored(_ frame: Frame) -> Frame {
        guard let mirrorWidth else { return frame }
        var frame = frame
        frame.x = mirrorWidth - frame.x - frame.width
        return frame
    }
}

// On processors before SSE 4.1, `rounded(_:)` is a call of libm, which this import links.

/// The relation of finished frames to device pixels (docs/layout.md, section J).
public enum Rounding: String, Sendable, Hashable, CaseIterable {
    /// Frames are rounded to the nearest device pixel, by the viewport's scale (rules R1-R3).
    case pixel
    /// Frames are not rounded: the canonical frames, for storage and comparison.
    case none
}

/// The pixels of a device, to which finished frames are rounded (rule R1).
struct PixelGrid: Sendable {
    /// The number of device pixels per point, or `nil` if nothing is rounded.
    private let scale: Double?

    /// Creates the grid of a viewport; a scale that is not finite and positive rounds nothing (R1).
    init(scale: Double, rounding: Rounding) {
        self.scale = rounding == .pixel && scale > 0 && scale.isFinite ? scale : nil
    }

    /// Returns a frame with its origin, and depending on `parts` its lengths, at pixels.
    @inline(__always)
    func nearest(_ frame: Frame, _ parts: RoundedParts) -> Frame {
        guard let scale else { return frame }
        var frame = frame
        frame.x = Self.nearest(frame.x, scale)
        frame.y = Self.nearest(frame.y, scale)
        if parts == .originsAndSizes {
            frame.width = Self.nearest(frame.width, scale)
            frame.height = Self.nearest(frame.height, scale)
        }
        return frame
    }

    /// Returns the first pixel at or above a length of `value` points, which measured text needs
    /// (T4); a length that exceeds a pixel by less than a millionth of one is at it.
    @inline(__always)
    static func up(_ value: Double, _ scale: Double) -> Double {
        let pixels = -floor(-(value * scale - 1e-6)) / scale
        return pixels.isFinite ? max(0, pixels) : value
    }

    /// Returns the number of device pixels per point that lengths of measured text are rounded up
    /// to; 0 if nothing is rounded.
    static func textScale(_ scale: Double, _ rounding: Rounding) -> Double {
        PixelGrid(scale: scale, rounding: rounding).scale ?? 0
    }

    /// Returns the pixel nearest to `value` points, ties towards +infinity (R1).
    ///
    /// The bias of a millionth of a pixel lets a tie be recognised despite the rounding errors of
    /// sums.
    @inline(__always)
    private static func nearest(_ value: Double, _ scale: Double) -> Double {
        let pixels = floor(value * scale + (0.5 + 1e-6)) / scale
        // A scale may be finite and yet too large to multiply by; then nothing is rounded.
        return pixels.isFinite ? pixels : value
    }

    /// Returns the greatest whole number not above `value`.
    ///
    /// Adding and subtracting 1.5 * 2^52 leaves a Double no bits for a fraction. Rounding takes
    /// most of its time here, and the C library's function would cost a call for each number.
    @inline(__always)
    private static func floor(_ value: Double) -> Double {
        guard value.magnitude < 0x1p51 else { return value.rounded(.down) }
        let nearest = (value + 0x1.8p52) - 0x1.8p52
        return nearest > value ? nearest - 1 : nearest
    }
}

/// The numbers of a frame that rounding changes (rules R2 and R3).
package enum RoundedParts: Sendable {
    /// Origins only; lengths stay fractional, which causes UIKit's hairline gaps (R2).
    case origins
    /// Origins and lengths, each by itself (R3).
    case originsAndSizes
}
