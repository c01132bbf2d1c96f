@testable import Broadsheet

/// Whether two numbers agree as unrounded results must (rule G5).
func isClose(_ lhs: Double, _ rhs: Double, within tolerance: Double = 1e-6) -> Bool {
    (lhs - rhs).magnitude <= tolerance
}

/// Whether two lists of numbers agree, one by one.
func isClose(_ lhs: [Double], _ rhs: [Double], within tolerance: Double = 1e-6) -> Bool {
    lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { isClose($0, $1, within: tolerance) }
}

/// Whether two frames agree on all four numbers.
func isClose(_ lhs: Frame, _ rhs: Frame, within tolerance: Double = 1e-6) -> Bool {
    isClose(lhs.numbers, rhs.numbers, within: tolerance)
}

/// Whether two frames agree, or neither is there.
func isClose(_ lhs: Frame?, _ rhs: Frame?, within tolerance: Double = 1e-6) -> Bool {
    guard let lhs, let rhs else { return lhs == nil && rhs == nil }
    return isClose(lhs, rhs, within: tolerance)
}

/// Whether two lists of frames agree, one by one.
func isClose(_ lhs: [Frame], _ rhs: [Frame], within tolerance: Double = 1e-6) -> Bool {
    lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { isClose($0, $1, within: tolerance) }
}

/// Whether two sizes agree.
func isClose(_ lhs: Size, _ rhs: Size, within tolerance: Double = 1e-6) -> Bool {
    isClose([lhs.width, lhs.height], [rhs.width, rhs.height], within: tolerance)
}

extension Frame {
    /// x, y, width, height.
    var numbers: [Double] { [x, y, width, height] }

    /// A frame as tests write it.
    init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        self.init(x: x, y: y, width: width, height: height)
    }
}
