/// Makes sizes, insets and sums usable before a layout sees them (rule G2; `Length` does lengths).
///
/// UIKit raises or is undefined for such input; here it always means something, so that every
/// later step may add and multiply without looking.
enum Sanitation {
    /// A size's length: as any length, and never negative.
    @inline(__always)
    static func size(_ value: Double) -> Double {
        value >= 0 && value <= Length.limit ? value : max(0, Length.sanitised(value))
    }

    /// Both lengths of a size.
    @inline(__always)
    static func size(_ value: Size) -> Size {
        Size(width: size(value.width), height: size(value.height))
    }

    /// All four lengths of an inset; negative ones are legal (G3).
    static func insets(_ value: Insets) -> Insets {
        Insets(
            top: Length.sanitised(value.top), left: Length.sanitised(value.left),
            bottom: Length.sanitised(value.bottom), right: Length.sanitised(value.right))
    }
}
