import TestSupport
import Testing

@testable import Broadsheet

/// A section of sizes that knows which of its items an earlier version has.
private struct VersionedSection: SectionContent {
    let name: Int
    /// A number that only equal versions of the section share.
    var version: Int
    var base: StubSection

    var layout: SectionLayout { base.layout }
    var itemCount: Int { base.itemCount }
    var hasHeader: Bool { base.hasHeader }
    var hasFooter: Bool { base.hasFooter }
    var isCollapsed: Bool { base.isCollapsed }
    func itemSizes(_ request: SizeRequest) -> [Size] { base.itemSizes(request) }
    func itemSpans(from first: Int) -> [ItemSpan] { base.itemSpans(from: first) }
    func uniformItemSize(_ request: SizeRequest) -> Size? { base.uniformItemSize(request) }
    func headerSize(_ request: SizeRequest) -> Size { base.headerSize(request) }
    func footerSize(_ request: SizeRequest) -> Size { base.footerSize(request) }

    func isVersion(of other: Self) -> Bool { name == other.name }
    func isSame(as other: Self) -> Bool { name == other.name && version == other.version }
    func commonItemCount(with other: Self) -> Int {
        zip(base.items, other.base.items).prefix { $0.bits == $1.bits && $0.span == $1.span }.count
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
        var sections: [VersionedSection] = []
        private var lastVersion = 0

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
            lastVersion += 1
            sections.insert(
                VersionedSection(name: lastVersion, version: lastVersion, base: section),
                at: Int.random(in: 0...sections.count, using: &random))
        }

        mutating func change() {
            guard let index = sections.indices.randomElement(using: &random),
                Int.random(in: 0...5, using: &random) > 0
            else { return insertSection() }
            lastVersion += 1
            sections[index].version = lastVersion
            var section = sections[index].base
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
            sections[index].base = section
        }
    }

    @Test("The frames of every kind of layout are those made from nothing", arguments: 0..<30)
    func frames(number: UInt64) {
        let seed = number < 20 ? number : .random(in: 20...UInt64(Int32.max))
        var screen = Screen(seed: seed)
        let environment = screen.generator.environment()
        var earlier: LaidOutSections<VersionedSection>?
        for step in 0..<12 {
            let contents = ChunkedList(screen.sections)
            let reused = LaidOutSections(contents, in: environment, reusing: earlier)
            let fresh = ScreenFrames.layOut(sections: contents, in: environment)
            guard reused.frames.hasSameBits(as: fresh) else {
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
        for (number, section) in [lines, rows].enumerated() {
            var changed = section
            changed.items[1] = StubSize(50, 20)
            let versions = [section, changed].enumerated().map { version, base in
                VersionedSection(name: number, version: version, base: base)
            }
            let known = LaidOutSections([versions[0]], in: environment)
            let reused = LaidOutSections([versions[1]], in: environment, reusing: known)
            #expect(reused.frames == LaidOutSections([versions[1]], in: environment).frames)
            #expect(reused.frames.sections[0].items.map(\.y) == [0, 10])
        }
    }
}

extension ScreenFrames {
    /// Returns whether all numbers and members are the same.
    fileprivate func hasSameBits(as other: ScreenFrames) -> Bool {
        diagnostics == other.diagnostics && sections.count == other.sections.count
            && numbers.map(\.bitPattern) == other.numbers.map(\.bitPattern)
            && zip(sections, other.sections).allSatisfy {
                $0.itemZIndex == $1.itemZIndex && $0.isHeaderPinned == $1.isHeaderPinned
                    && $0.isFooterPinned == $1.isFooterPinned && $0.scroll == $1.scroll
                    && $0.paging == $1.paging && $0.decorations.count == $1.decorations.count
            }
    }
}
