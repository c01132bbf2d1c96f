// `rounded(_:)` becomes a call of libm on processors before SSE 4.1; this is what links it.
import Glibc

/// What rounding moves (rules R2 and R3).
package enum RoundedParts: Sendable {
    /// Origins only; lengths stay fractional, hence UIKit's hairline gaps (R2).
    case origins
    /// Origins and lengths, each on its own (R3).
    case originsAndSizes
}

/// The device's pixels: where frames come to stand when everything else is done (rule R1).
struct PixelGrid: Sendable {
    /// Device pixels per point; nil when nothing is rounded.
    let scale: Double?

    /// The grid of a viewport; a scale that is not above 0 and finite rounds nothing (R1).
    init(scale: Double, rounding: Rounding) {
        self.scale = rounding == .pixel && scale > 0 && scale.isFinite ? scale : nil
    }

    /// The nearest pixel to `value` points, ties towards +infinity (R1).
    ///
    /// The bias of a millionth of a pixel makes a tie one whatever noise the sums before it left.
    @inline(__always)
    func nearest(_ value: Double) -> Double {
        guard let scale else { return value }
        return Self.nearest(value, scale)
    }

    /// A frame with its origin, and its lengths if `parts` says so, on pixels.
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

    @inline(__always)
    private static func nearest(_ value: Double, _ scale: Double) -> Double {
        let pixels = floor(value * scale + (0.5 + 1e-6)) / scale
        // A scale may be finite and yet too large to multiply with; then nothing is rounded.
        return pixels.isFinite ? pixels : value
    }

    /// The greatest whole number not above `value`.
    ///
    /// Adding and taking away 1.5 * 2^52 leaves a Double no room for a fraction. It is what rounding
    /// takes most of its time for, and the C library's function costs a call for each.
    @inline(__always)
    private static func floor(_ value: Double) -> Double {
        guard value.magnitude < 0x1p51 else { return value.rounded(.down) }
        let nearest = (value + 0x1.8p52) - 0x1.8p52
        return nearest > value ? nearest - 1 : nearest
    }
}
