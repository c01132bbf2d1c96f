/// The sanitation of sizes and insets before a layout uses them (rule G2; `Length` sanitises single
/// lengths).
///
/// UIKit raises or is undefined for invalid numbers. Here every number has a meaning, so that later
/// steps add and multiply without checks.
enum Sanitation {
    /// Returns the length of a size: as any length, and never negative.
    @inline(__always)
    static func size(_ value: Double) -> Double {
        value >= 0 && value <= Length.limit ? value : max(0, Length.sanitised(value))
    }

    /// Returns a size with both lengths sanitised.
    @inline(__always)
    static func size(_ value: Size) -> Size {
        Size(width: size(value.width), height: size(value.height))
    }

    /// Returns insets with all four lengths sanitised; negative ones are legal (G3).
    static func insets(_ value: Insets) -> Insets {
        Insets(
            top: Length.sanitised(value.top), left: Length.sanitised(value.left),
            bottom: Length.sanitised(value.bottom), right: Length.sanitised(value.right))
    }
}
