/// A running sum that loses nothing to its own size (Kahan's summation).
///
/// A position far down a screen is the sum of a million fractional lengths. Added plainly it drifts
/// by thousandths of a point, so that how a page was cut into sections would show in its frames;
/// this way the millionth is as exact as the first.
struct PreciseSum: Sendable {
    /// The sum so far.
    private(set) var value: Double
    /// What the last addition could not hold.
    private var lost = 0.0

    /// A sum that starts at `value`.
    init(_ value: Double = 0) {
        self.value = value
    }

    /// Adds one more finite number.
    @inline(__always)
    static func += (sum: inout PreciseSum, next: Double) {
        let corrected = next - sum.lost
        let total = sum.value + corrected
        sum.lost = (total - sum.value) - corrected
        sum.value = total
    }
}
