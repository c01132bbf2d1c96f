import Testing

@testable import Broadsheet

@Suite("Hostile layouts end, stay finite and stay linear")
struct HostileLayoutTests {
    private let absurd: [Double] = [
        .nan, .infinity, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude, -1, 0, 1e9, 1e-12,
    ]

    @Test(
        "G2: Any number is legal in any member of any kind", arguments: SectionLayout.Kind.allCases)
    func absurdMembers(_ kind: SectionLayout.Kind) {
        for number in absurd {
            var section = StubSection(
                [StubSize(number, number), StubSize(10, number), .none],
                header: StubSize(number, number), footer: StubSize(number, number))
            section.layout.kind = kind
            section.layout.flow.inset = Insets(number)
            section.layout.flow.minimumLineSpacing = number
            section.layout.flow.minimumInteritemSpacing = number
            section.layout.compositional.sectionInset = Insets(number)
            section.layout.compositional.itemSize = .uniform(
                columns: 3, width: .fraction(number), height: number)
            section.layout.compositional.uniformEstimatedHeight = number
            section.layout.list.headerTopPadding = number
            section.layout.list.headerMode = .supplementary
            section.layout.decoration = DecorationOptions(kind: "card", inset: Insets(number))
            for scrolling in CompositionalOptions.Scrolling.allCases {
                section.layout.compositional.scrolling = scrolling
                let screen = layOut([section, section], rounding: .pixel) {
                    $0.interSectionSpacing = number
                    $0.itemSize = Size(width: number, height: number)
                }
                #expect(screen.numbers.allSatisfy { $0.isFinite }, "\(number), \(scrolling)")
            }
        }
    }

    @Test("G2, R1: Any viewport and any scale is legal", arguments: SectionLayout.Kind.allCases)
    func absurdViewports(_ kind: SectionLayout.Kind) {
        let section = StubSection(count: 5, nil, 20.3) { $0.kind = kind }
        for number in absurd {
            for (width, height, scale) in [(number, 600, 2), (300, number, 2), (300, 600, number)] {
                for direction in [LayoutDirection.ltr, .rtl] {
                    let screen = layOut(
                        [section], width: width, height: height, scale: scale, direction: direction,
                        rounding: .pixel)
                    #expect(
                        screen.numbers.allSatisfy { $0.isFinite }, "\(width) \(height) \(scale)")
                }
            }
        }
    }

    @Test(
        "G5: A million items of every kind have a million frames",
        arguments: SectionLayout.Kind.allCases)
    func manyItems(_ kind: SectionLayout.Kind) {
        var section = StubSection(count: 1_000_000, 100, 20) {
            $0.kind = kind
            $0.compositional.itemSize = .uniform(columns: 2, width: nil, height: 20)
            $0.list.showsSeparators = false
        }
        section.knowsUniform = true
        let frames = layOutOne(section)
        #expect(frames.items.count == 1_000_000)
        #expect(frames.items.last.map { isClose($0.maxY, frames.frame.height) } ?? false)
    }

    @Test("G5: Ten thousand sections follow each other")
    func manySections() {
        let screen = layOut(Array(repeating: StubSection(count: 1, 375, 0.1), count: 10_000))
        #expect(isClose(screen.contentSize.height, 1000))
        #expect(isClose(screen.sections[9_999].frame.y, 999.9))
    }

    @Test("V: A query of a hostile screen ends")
    func hostileQuery() {
        for number in absurd {
            let section = StubSection(Array(repeating: StubSize(number, number), count: 100))
            let index = VisibilityIndex(layOut([section, section]))
            for other in absurd {
                let found = index.elements(in: Frame(number, other, other, number))
                #expect(found.allSatisfy { $0.frame.width > 0 })
                _ = index.item(atX: number, y: other)
            }
        }
    }
}
