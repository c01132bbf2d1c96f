/// Whether one more item fits into a line (rule F9).
enum FitTest {
    /// UIKit seems to have no tolerance, so that thirds of a width wrap or not by the luck of
    /// floating point; this much room, in points, takes the luck out of it.
    static let tolerance = 0.001
}
