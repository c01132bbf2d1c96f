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

/// A laid-out screen whose sections can go on from those of an earlier version.
struct ArrangedScreen {
    let frames: ScreenFrames
    private var sections: [(arranged: ArrangedSection, layout: SectionLayout)] = []

    /// Lays out sections.
    ///
    /// - Parameters:
    ///   - contents: The sections.
    ///   - environment: The environment of both versions.
    ///   - earlier: The earlier version.
    ///   - unchanged: Returns the index in the earlier version of the section at an index, and the
    ///     number of items at the beginning that have not changed; `nil` for a new section.
    init(
        _ contents: [any SectionContent], in environment: LayoutEnvironment,
        after earlier: ArrangedScreen? = nil,
        unchanged: (Int) -> (section: Int, itemCount: Int)? = { _ in nil }
    ) {
        var stack = SectionStack(environment)
        for (index, content) in contents.enumerated() {
            var arrangement: EarlierArrangement?
            if let earlier, let (section, itemCount) = unchanged(index),
                earlier.sections[section].layout == content.layout
            {
                arrangement = earlier.sections[section].arranged.earlier(
                    earlier.frames.sections[section], unchangedCount: itemCount, content.layout,
                    in: environment)
            }
            stack.append(content, isOnly: contents.count == 1, reusing: arrangement)
        }
        var sections: [(arranged: ArrangedSection, layout: SectionLayout)] = []
        frames = stack.finished { sections.append(($1, contents[$0].layout)) }
        self.sections = sections
    }
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
