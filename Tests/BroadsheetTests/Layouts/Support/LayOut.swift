@testable import Broadsheet

/// Lays out sections for tests of rules: without rounding, by default in 375 by 667.
func layOut(
    _ sections: [StubSection], width: Double = 375, height: Double = 667, scale: Double = 2,
    direction: LayoutDirection = .ltr, rounding: Rounding = .none,
    _ configure: (inout ScreenLayout) -> Void = { _ in }
) -> ScreenFrames {
    var screen = ScreenLayout()
    configure(&screen)
    let viewport = Viewport(width: width, height: height, scale: scale, direction: direction)
    return ScreenFrames.layOut(
        sections: sections,
        in: LayoutEnvironment(viewport: viewport, screen: screen, rounding: rounding))
}

/// Lays out a screen of a single section, and returns the section's frames.
func layOutOne(
    _ section: StubSection, width: Double = 375, height: Double = 667, scale: Double = 2,
    direction: LayoutDirection = .ltr, rounding: Rounding = .none,
    _ configure: (inout ScreenLayout) -> Void = { _ in }
) -> SectionFrames {
    layOut(
        [section], width: width, height: height, scale: scale, direction: direction,
        rounding: rounding, configure
    ).sections.first ?? SectionFrames()
}

/// Returns whether two numbers agree within the tolerance of unrounded results (rule G5).
func isClose(_ lhs: Double, _ rhs: Double, within tolerance: Double = 1e-6) -> Bool {
    (lhs - rhs).magnitude <= tolerance
}

/// Returns whether two lists of numbers agree, one by one.
func isClose(_ lhs: [Double], _ rhs: [Double], within tolerance: Double = 1e-6) -> Bool {
    lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { isClose($0, $1, within: tolerance) }
}

/// Returns whether two frames agree in all four numbers.
func isClose(_ lhs: Frame, _ rhs: Frame, within tolerance: Double = 1e-6) -> Bool {
    isClose(lhs.numbers, rhs.numbers, within: tolerance)
}

/// Returns whether two frames agree, or both are `nil`.
func isClose(_ lhs: Frame?, _ rhs: Frame?, within tolerance: Double = 1e-6) -> Bool {
    guard let lhs, let rhs else { return lhs == nil && rhs == nil }
    return isClose(lhs, rhs, within: tolerance)
}

/// Returns whether two lists of frames agree, one by one.
func isClose(_ lhs: [Frame], _ rhs: [Frame], within tolerance: Double = 1e-6) -> Bool {
    lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { isClose($0, $1, within: tolerance) }
}

/// Returns whether two sizes agree.
func isClose(_ lhs: Size, _ rhs: Size, within tolerance: Double = 1e-6) -> Bool {
    isClose([lhs.width, lhs.height], [rhs.width, rhs.height], within: tolerance)
}

extension Frame {
    /// The four numbers: x, y, width, height.
    var numbers: [Double] { [x, y, width, height] }

    /// Creates a frame in the short form of tests.
    init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        self.init(x: x, y: y, width: width, height: height)
    }
}
