import TestSupport
import Testing

@testable import Broadsheet

@Suite("Properties of every layout")
struct LayoutPropertyTests {
    private func screen(
        _ seed: Int, isHostile: Bool = false
    ) -> (
        sections: [StubSection], environment: LayoutEnvironment
    ) {
        let screens = RandomScreens(seed: UInt64(seed), isHostile: isHostile)
        return screens.next()
    }

    @Test(
        "G2, G3: Numbers are finite and lengths not negative, whatever the input",
        arguments: 0..<400)
    func finite(_ seed: Int) {
        let (sections, environment) = screen(seed, isHostile: true)
        let screen = ScreenFrames.layOut(sections: sections, in: environment)
        #expect(screen.numbers.allSatisfy { $0.isFinite }, "seed \(seed)")
        #expect(screen.contentSize.width >= 0 && screen.contentSize.height >= 0, "seed \(seed)")
        for section in screen.sections {
            let frames = section.elementFrames + [section.frame]
            #expect(frames.allSatisfy { $0.width >= 0 && $0.height >= 0 }, "seed \(seed)")
        }
        _ = LayoutLint.diagnose(sections: sections, in: environment)
    }

    @Test(
        "Every item has a frame, unless the viewport has no area for its section",
        arguments: 0..<200)
    func complete(_ seed: Int) {
        let (sections, environment) = screen(seed)
        let screen = ScreenFrames.layOut(sections: sections, in: environment)
        #expect(screen.sections.map(\.items.count) == sections.map(\.itemCount), "seed \(seed)")
        for section in screen.sections where !section.separators.isEmpty {
            #expect(section.separators.count == section.items.count, "seed \(seed)")
        }
    }

    @Test(
        "R4: A right-to-left screen is a mirror image, so that mirroring twice changes nothing",
        arguments: 0..<200)
    func mirror(_ seed: Int) {
        var (sections, environment) = screen(seed)
        environment.rounding = .none
        environment.viewport.direction = .ltr
        let plain = ScreenFrames.layOut(sections: sections, in: environment)
        environment.viewport.direction = .rtl
        // A safe area is physical (G9): its sides are mirrored here by hand.
        environment.viewport.safeArea = environment.viewport.safeArea.map {
            Insets(top: $0.top, left: $0.right, bottom: $0.bottom, right: $0.left)
        }
        let mirrored = ScreenFrames.layOut(sections: sections, in: environment)
        #expect(plain.contentSize == mirrored.contentSize, "seed \(seed)")
        for (one, other) in zip(plain.sections, mirrored.sections) {
            func back(_ frame: Frame, in width: Double) -> Frame {
                Frame(width - frame.x - frame.width, frame.y, frame.width, frame.height)
            }
            let elements = other.elementFrames.map { back($0, in: other.frame.width) }
            #expect(
                isClose(one.frame, back(other.frame, in: plain.contentSize.width)), "seed \(seed)")
            #expect(isClose(one.elementFrames, elements), "seed \(seed)")
        }
    }

    @Test(
        "R1-R3: Rounding moves frames by at most half a pixel, and sections keep their size",
        arguments: 0..<200)
    func rounding(_ seed: Int) {
        var (sections, environment) = screen(seed)
        environment.rounding = .none
        let plain = ScreenFrames.layOut(sections: sections, in: environment)
        environment.rounding = .pixel
        let rounded = ScreenFrames.layOut(sections: sections, in: environment)
        let half = 0.5 / environment.viewport.scale + 1e-6
        #expect(plain.contentSize == rounded.contentSize, "seed \(seed)")
        for (one, other) in zip(plain.sections, rounded.sections) {
            #expect(isClose(one.elementFrames, other.elementFrames, within: half), "seed \(seed)")
            #expect(isClose(one.frame, other.frame, within: half), "seed \(seed)")
            #expect((one.frame.width, one.frame.height) == (other.frame.width, other.frame.height))
        }
    }

    @Test(
        "F14: No item starts before the line of the previous item",
        arguments: 0..<200)
    func order(_ seed: Int) {
        let screens = RandomScreens(seed: UInt64(seed))
        var section = screens.section()
        section.layout.kind = .flow
        section.layout.flow.paging = nil
        section.layout.flow.itemAlignment = nil
        let frames = layOutOne(section)
        var lineEnd = -Double.infinity
        var line: [Frame] = []
        for item in frames.items {
            let centre = item.y + item.height / 2
            if let first = line.first, !isClose(centre, first.y + first.height / 2) {
                lineEnd = line.map(\.maxY).max() ?? lineEnd
                line = []
            }
            #expect(item.y >= lineEnd - 1e-6, "seed \(seed)")
            if let last = line.last { #expect(item.x >= last.x - 1e-6, "seed \(seed)") }
            line.append(item)
        }
    }

    @Test(
        "F10: Frames do not depend on whether the section declares one item size",
        arguments: 0..<200)
    func uniformPath(_ seed: Int) {
        let screens = RandomScreens(seed: UInt64(seed))
        var section = screens.section()
        section.items = Array(repeating: section.items.first ?? .none, count: 17)
        section.layout.kind = SectionLayout.Kind.allCases[seed % 3]
        section.knowsUniform = false
        let asked = layOutOne(section)
        section.knowsUniform = true
        #expect(layOutOne(section) == asked, "seed \(seed)")
    }

    @Test("F11: The lines of a grid equal the justified lines of fitted items", arguments: 0..<200)
    func gridEqualsFittedLines(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let width = Double.random(in: 20...180, using: &random)
        // Twelve of the narrowest fit on a line, so that there is a full one.
        let count = Int.random(in: 13...60, using: &random)
        let uniform = layOutOne(StubSection(count: count, width, 30)).items
        // A last item that fits on no line makes every line before it a common one, F12.
        var sizes = Array(repeating: StubSize(width, 30), count: count)
        let perLine = uniform.filter { $0.y == 0 }.count
        sizes.append(StubSize(900, 10))
        let fitted = layOutOne(StubSection(sizes)).items
        let full = count / perLine * perLine
        #expect(isClose(Array(uniform.prefix(full)), Array(fitted.prefix(full))), "seed \(seed)")
    }

    @Test(
        "F16: The sections of a flow screen have the frames of single sections, one after another",
        arguments: 0..<100)
    func sectionsAreIndependent(_ seed: Int) {
        var (sections, environment) = screen(seed)
        environment.rounding = .none
        environment.viewport.direction = .ltr
        for index in sections.indices {
            sections[index].layout.kind = .flow
            sections[index].layout.flow.paging = nil
        }
        let screen = ScreenFrames.layOut(sections: sections, in: environment)
        var start = 0.0
        for (section, frames) in zip(sections, screen.sections) {
            let alone = ScreenFrames.layOut(sections: [section], in: environment).sections[0]
            #expect(isClose(frames.frame.start(screen.axis), start), "seed \(seed)")
            #expect(frames.elementFrames == alone.elementFrames, "seed \(seed)")
            start += alone.frame.length(screen.axis)
        }
        #expect(isClose(screen.contentSize[screen.axis], start), "seed \(seed)")
    }

    @Test("Equal inputs give equal frames", arguments: 0..<50)
    func repeatable(_ seed: Int) {
        let (sections, environment) = screen(seed)
        let screen = ScreenFrames.layOut(sections: sections, in: environment)
        #expect(screen == ScreenFrames.layOut(sections: sections, in: environment), "seed \(seed)")
    }

    @Test("A sum of a million fractional lengths is as exact as a sum of a few")
    func preciseSums() {
        var section = StubSection(count: 200_000, nil, 0.1) { $0.kind = .list }
        section.items[0] = StubSize(nil, 0.2)
        let frames = layOutOne(section)
        #expect(isClose(frames.frame.height, 20_000.1, within: 1e-9))
        let fitted = StubSection([0.2] + Array(repeating: 0.1, count: 100_000), spacing: 0.1)
        #expect(isClose(layOutOne(fitted).frame.height, 20_000.2, within: 1e-9))
    }
}

extension StubSection {
    /// Returns rows of these heights, each in a line of its own, with the given spacing.
    fileprivate init(_ heights: [Double], spacing: Double) {
        self.init(heights.map { StubSize(300, $0) }) { $0.flow.minimumLineSpacing = spacing }
    }
}
