/// Arithmetic on lengths in points.
package enum Length {
    /// The largest length, in points (rule G2).
    package static let limit = 1e9

    /// Returns `length` clamped to ±`limit`; NaN and the infinities become 0 (rule G2).
    @inline(__always)
    package static func sanitised(_ length: Double) -> Double {
        guard length.isFinite else { return 0 }
        return min(max(length, -limit), limit)
    }
}
