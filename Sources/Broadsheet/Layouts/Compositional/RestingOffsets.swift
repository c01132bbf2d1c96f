/// The offsets at which the scroller of a section rests, in points (rule C10).
///
/// They are equally spaced between two bounds, so each is computed when it is needed: a section of
/// a few bytes has up to ``Scroller/offsetLimit`` of them in every viewport, and they must not take
/// memory that its page does not explain.
struct RestingOffsets: RandomAccessCollection, BitwiseCopyable, Sendable, Hashable {
    let count: Int
    /// The distance from the section's leading edge to the first page or group, in points.
    private let origin: Double
    /// The distance from one page or group to the next, in points.
    private let pitch: Double
    /// The length added to the position of each, and the length then subtracted, in points: one
    /// number for both would be rounded differently.
    private let (added, subtracted): (Double, Double)
    /// The bounds of the offsets, in points.
    private let (lowest, highest): (Double, Double)

    /// No offsets: the scroller rests anywhere.
    static let anywhere = RestingOffsets(count: 0, pitch: 0)

    init(
        count: Int, origin: Double = 0, pitch: Double,
        alignment: (added: Double, subtracted: Double) = (0, 0),
        bounds: (lowest: Double, highest: Double) = (-.infinity, .infinity)
    ) {
        self.count = count
        self.origin = origin
        self.pitch = pitch
        (added, subtracted) = alignment
        (lowest, highest) = bounds
    }

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(index: Int) -> Double {
        let offset = origin + Double(index) * pitch + added - subtracted
        return Swift.min(Swift.max(lowest, offset), highest)
    }
}
