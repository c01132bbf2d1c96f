@testable import Broadsheet

/// Lays out sections as rule tests want it: unrounded, and 375 by 667 unless they say otherwise.
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

/// The same for a screen of a single section, of which it answers the frames.
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
