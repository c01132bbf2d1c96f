/// The axis, and the way along it, in which many frames follow each other.
///
/// Items of a scroller advance along x whatever the screen does, and right-to-left ones backwards
/// (R4), so it is read off the frames themselves.
struct FrameOrder: Sendable {
    /// The axis along which they advance most from first to last.
    let axis: Axis
    /// Whether they advance towards smaller coordinates.
    let isBackwards: Bool

    /// The order of frames of which these are the first and the last.
    ///
    /// - Parameter axis: The axis they are known to follow; nil to read it off them.
    init(first: Frame, last: Frame, axis known: Axis? = nil) {
        let (x, y) = (last.x - first.x, last.y - first.y)
        axis = known ?? (x.magnitude > y.magnitude ? .horizontal : .vertical)
        isBackwards = axis == .horizontal ? x < 0 : y < 0
    }

    /// Where `frame` starts and ends in this order, in points.
    @inline(__always)
    func span(_ frame: Frame) -> (start: Double, end: Double) {
        isBackwards
            ? (-frame.end(axis), -frame.start(axis)) : (frame.start(axis), frame.end(axis))
    }

    /// What `rectangle` spans in this order, in points.
    func span(_ rectangle: QueryRectangle) -> (low: Double, high: Double) {
        let span = rectangle[axis]
        return isBackwards ? (-span.high, -span.low) : (span.low, span.high)
    }
}
