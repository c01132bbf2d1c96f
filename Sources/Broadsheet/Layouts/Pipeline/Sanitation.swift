/// Makes any number usable before a layout sees it (rule G2).
///
/// UIKit raises or is undefined for such input; here it always means something, so that every
/// later step may add and multiply without looking.
enum Sanitation {
    /// The greatest magnitude of a length, in points.
    static let limit = 1e9

    /// A length: not a number and the infinities are 0, the rest is clamped to ±1e9.
    @inline(__always)
    static func length(_ value: Double) -> Double {
        value.magnitude <= limit ? value : outOfRange(value)
    }

    /// A size's length: as any length, and never negative.
    @inline(__always)
    static func size(_ value: Double) -> Double {
        value >= 0 && value <= limit ? value : max(0, outOfRange(value))
    }

    /// Both lengths of a size.
    @inline(__always)
    static func size(_ value: Size) -> Size {
        Size(width: size(value.width), height: size(value.height))
    }

    /// All four lengths of an inset; negative ones are legal (G3).
    static func insets(_ value: Insets) -> Insets {
        Insets(
            top: length(value.top), left: length(value.left), bottom: length(value.bottom),
            right: length(value.right))
    }

    /// A sum or an offset, which may well be longer than any single length: not a number and the
    /// infinities are 0, and the rest leaves room to be multiplied.
    static func finite(_ value: Double) -> Double {
        value.isFinite ? min(max(value, -1e18), 1e18) : 0
    }

    private static func outOfRange(_ value: Double) -> Double {
        value.isFinite ? min(max(value, -limit), limit) : 0
    }
}
