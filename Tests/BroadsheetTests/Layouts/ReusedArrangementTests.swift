import TestSupport
import Testing

@testable import Broadsheet

/// A section of sizes that keeps its name in later versions of a screen.
private struct NamedSection {
    let name: Int
    var stub: StubSection
}

/// A laid-out screen of named sections.
private struct NamedScreen {
    let sections: [NamedSection]
    let screen: ArrangedScreen

    init(
        _ sections: [NamedSection], in environment: LayoutEnvironment,
        after earlier: NamedScreen? = nil
    ) {
        self.sections = sections
        screen = ArrangedScreen(
            sections.map(\.stub), in: environment, after: earlier?.screen
        ) { earlier?.unchanged(in: sections[$0]) }
    }

    /// Returns the index of the section of which another one is a version, and the number of items
    /// at the beginning of both that are the same.
    private func unchanged(in later: NamedSection) -> (section: Int, itemCount: Int)? {
        sections.firstIndex { $0.name == later.name }.map { index in
            let items = zip(sections[index].stub.items, later.stub.items)
            return (index, items.prefix { $0.bits == $1.bits && $0.span == $1.span }.count)
        }
    }
}

extension StubSize {
    /// The lengths as bits, so that a length that is not a number equals itself.
    fileprivate var bits: [UInt64?] { [width?.bitPattern, height?.bitPattern] }
}

@Suite("Arrangements that go on from earlier ones")
struct ReusedArrangementTests {
    /// Sections that come, go, grow and change.
    private struct Screen {
        var random: SeededGenerator
        let generator: RandomScreens
        var sections: [NamedSection] = []
        private var lastName = 0

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            generator = RandomScreens(seed: seed, isHostile: seed.isMultiple(of: 3))
            for _ in 0..<Int.random(in: 1...3, using: &random) { insertSection() }
        }

        /// Returns a number of items: usually few, sometimes more than there are between states.
        private mutating func count() -> Int {
            Int.random(in: 0...3, using: &random) > 0
                ? Int.random(in: 0...9, using: &random) : Int.random(in: 400...1300, using: &random)
        }

        private mutating func insertSection() {
            var section = generator.section()
            let choices = section.items
            section.items =
                choices.isEmpty
                ? [] : (0..<count()).map { _ in choices.randomElement(using: &random) ?? .none }
            lastName += 1
            sections.insert(
                NamedSection(name: lastName, stub: section),
                at: Int.random(in: 0...sections.count, using: &random))
        }

        mutating func change() {
            guard let index = sections.indices.randomElement(using: &random),
                Int.random(in: 0...5, using: &random) > 0
            else { return insertSection() }
            var section = sections[index].stub
            let other = generator.section()
            // A section that knows its common size keeps to it.
            let sizes = section.knowsUniform ? Array(section.items.prefix(1)) : other.items
            switch Int.random(in: 0...9, using: &random) {
            case 0:
                sections.remove(at: index)
                return
            case 1: section.header = other.header
            case 2: section.footer = other.footer
            case 3: section.layout = other.layout
            case 4: section.items.removeLast(min(section.items.count, count()))
            case 5 where !section.items.isEmpty && !section.knowsUniform:
                let place = section.items.indices.randomElement(using: &random) ?? 0
                section.items[place] = sizes.first ?? .none
            default:
                for _ in 0..<count() {
                    guard let size = sizes.randomElement(using: &random) else { break }
                    section.items.append(size)
                }
            }
            sections[index].stub = section
        }
    }

    @Test("The frames of every kind of layout are those made from nothing", arguments: 0..<30)
    func frames(number: UInt64) {
        let seed = number < 20 ? number : .random(in: 20...UInt64(Int32.max))
        var screen = Screen(seed: seed)
        let environment = screen.generator.environment()
        var earlier: NamedScreen?
        for step in 0..<12 {
            let reused = NamedScreen(screen.sections, in: environment, after: earlier)
            let fresh = ScreenFrames.layOut(sections: screen.sections.map(\.stub), in: environment)
            guard reused.screen.frames.hasSameNumbers(as: fresh) else {
                Issue.record("seed \(seed), step \(step): the frames differ")
                return
            }
            earlier = reused
            for _ in 0..<Int.random(in: 0...2, using: &screen.random) { screen.change() }
        }
    }

    @Test("F9, F20: An item that begins the last line and changes may fit into the line before")
    func firstOfLine() {
        let lines = StubSection([StubSize(200, 40), StubSize(250, 20)])
        let rows = StubSection([
            StubSize(nil, 40, span: .columns(2)), StubSize(nil, 20, span: .columns(2)),
        ]) { $0.flow.gridColumnCount = 3 }
        let environment = LayoutEnvironment(viewport: Viewport())
        for section in [lines, rows] {
            var changed = section
            changed.items[1] = StubSize(50, 20)
            let known = NamedScreen([NamedSection(name: 0, stub: section)], in: environment)
            let reused = NamedScreen(
                [NamedSection(name: 0, stub: changed)], in: environment, after: known
            ).screen.frames
            #expect(reused == ScreenFrames.layOut(sections: [changed], in: environment))
            #expect(reused.sections[0].items.map(\.y) == [0, 10])
        }
    }
}

extension ScreenFrames {
    /// Returns whether all numbers and members are the same; a tree has no -0.
    fileprivate func hasSameNumbers(as other: ScreenFrames) -> Bool {
        diagnostics == other.diagnostics && sections.count == other.sections.count
            && numbers.count == other.numbers.count
            && zip(numbers, other.numbers).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN }
            && zip(sections, other.sections).allSatisfy {
                $0.itemZIndex == $1.itemZIndex && $0.isHeaderPinned == $1.isHeaderPinned
                    && $0.isFooterPinned == $1.isFooterPinned && $0.scroll == $1.scroll
                    && $0.paging == $1.paging && $0.decorations.count == $1.decorations.count
            }
    }
}
