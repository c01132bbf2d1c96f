import Testing

@testable import Broadsheet

/// Returns a compositional section of `count` items.
func compositional(
    count: Int, _ itemSize: CompositionalOptions.ItemSize? = nil, header: StubSize? = nil,
    footer: StubSize? = nil, _ configure: (inout SectionLayout) -> Void = { _ in }
) -> StubSection {
    StubSection(count: count, header: header, footer: footer) {
        $0.kind = .compositional
        $0.compositional.itemSize = itemSize
        configure(&$0)
    }
}

@Suite("C1-C8: Groups and their items")
struct CompositionalGroupsTests {
    @Test("C1: By default a section has one column of 50, without spacing, insets and scroller")
    func defaults() {
        let screen = layOut([compositional(count: 2, header: StubSize.none)]) {
            // These are flow's; a compositional section falls back on its own members alone.
            $0.minimumLineSpacing = 9
            $0.inset = Insets(9)
        }
        let frames = screen.sections[0]
        #expect(frames.items == [Frame(0, 50, 375, 50), Frame(0, 100, 375, 50)])
        #expect(frames.header == Frame(0, 0, 375, 50))
        #expect(frames.scroll == nil)
        #expect(screen.contentSize == Size(width: 375, height: 150))
    }

    @Test("C2: A section that specifies only its kind has the configuration of C1")
    func unconfigured() {
        let screen = layOut([compositional(count: 0), compositional(count: 1)])
        #expect(screen.sections.map(\.frame.height) == [0, 50])
    }

    @Test("C3: Spacings and insets fall back on the section's flow members")
    func fallbacks() {
        func section(_ size: CompositionalOptions.ItemSize) -> StubSection {
            StubSection(count: 3, 100, 20) {
                $0.kind = .compositional
                $0.compositional.itemSize = size
                $0.compositional.direction = size == .dynamic ? .vertical : .horizontal
                $0.flow.minimumInteritemSpacing = 5
                $0.flow.minimumLineSpacing = 7
                $0.flow.inset = Insets(top: 10, left: 20, bottom: 30, right: 50)
            }
        }
        let uniform = section(.uniform(columns: 2, width: nil, height: 20))
        #expect(
            layOutOne(uniform).items
                == [Frame(20, 10, 150, 20), Frame(175, 10, 150, 20), Frame(20, 37, 150, 20)])
        #expect(layOutOne(section(.dynamic)).items.map(\.y) == [10, 35, 60])
        var own = uniform
        own.layout.compositional.itemSpacing = 15
        own.layout.compositional.lineSpacing = 1
        own.layout.compositional.sectionInset = .zero
        #expect(
            layOutOne(own).items
                == [Frame(0, 0, 180, 20), Frame(195, 0, 180, 20), Frame(0, 21, 180, 20)])
    }

    @Test("C4: Groups are as wide as the content box, which is never negative")
    func containers() {
        let section = compositional(count: 1) {
            $0.compositional.sectionInset = Insets(top: 0, left: 300, bottom: 0, right: 300)
        }
        #expect(layOutOne(section).items == [Frame(300, 0, 0, 50)])
    }

    @Test("C5: A horizontal group has n equal items, and ignores an explicit width")
    func horizontalGroups() {
        let section = compositional(count: 4, .uniform(columns: 3, width: 12, height: 40)) {
            $0.compositional.direction = .horizontal
            $0.compositional.itemSpacing = 9
        }
        // (375 - 18) / 3 = 119.
        #expect(
            layOutOne(section).items == [
                Frame(0, 0, 119, 40), Frame(128, 0, 119, 40), Frame(256, 0, 119, 40),
                Frame(0, 40, 119, 40),
            ])
        let overfull = compositional(count: 2, .uniform(columns: 2, width: nil, height: 40)) {
            $0.compositional.itemSpacing = 400
        }
        #expect(layOutOne(overfull).items.map(\.width) == [0, 0])
        #expect(layOutOne(overfull).items.map(\.x) == [0, 400])
    }

    @Test("C6: In a vertical group n items share the height; the width is explicit, or one nth")
    func verticalGroups() {
        let section = compositional(count: 3, .uniform(columns: 2, width: nil, height: 110)) {
            $0.compositional.direction = .vertical
            $0.compositional.itemSpacing = 10
            $0.compositional.lineSpacing = 6
        }
        let frames = layOutOne(section, width: 300)
        #expect(
            frames.items == [Frame(0, 0, 150, 50), Frame(0, 60, 150, 50), Frame(0, 116, 150, 50)])
        // The partial group keeps its 110.
        #expect(frames.frame.height == 226)
        let wide = compositional(count: 1, .uniform(columns: 1, width: 400, height: 40)) {
            $0.compositional.direction = .vertical
        }
        #expect(layOutOne(wide).items == [Frame(0, 0, 400, 40)])
    }

    @Test("C6: A height of 0 counts, a missing height is 50, and the cells' own are not used")
    func heights() {
        let none = compositional(count: 1, .uniform(columns: 1, width: nil, height: 0))
        #expect(layOutOne(none).items == [Frame(0, 0, 375, 0)])
        var own = compositional(count: 1, .uniform(columns: 1, width: nil, height: nil))
        own.items = [StubSize(10, 10)]
        #expect(layOutOne(own).items == [Frame(0, 0, 375, 50)])
    }

    @Test("C7: A dynamic vertical group stacks items of their own size")
    func dynamicVertical() {
        var section = compositional(count: 0, .dynamic) {
            $0.compositional.direction = .vertical
            $0.compositional.itemSpacing = 8
            $0.compositional.lineSpacing = 100
            $0.compositional.sectionInset = Insets(10)
        }
        section.items = [StubSize(100, 30), .none, StubSize(400, 20)]
        let frames = layOutOne(section)
        #expect(
            frames.items == [
                Frame(10, 10, 100, 30), Frame(10, 48, 355, 50), Frame(10, 106, 400, 20),
            ])
        #expect(frames.frame.height == 136)
    }

    @Test("C7, G3: Negative spacing may make the items' sum negative, never the section's length")
    func negativeSum() {
        var section = compositional(count: 0, .dynamic) {
            $0.compositional.direction = .vertical
            $0.compositional.itemSpacing = -8
            $0.compositional.sectionInset = Insets(top: 20, left: 0, bottom: 0, right: 0)
        }
        section.items = [StubSize(100, 2), StubSize(100, 2), StubSize(100, 2)]
        let frames = layOutOne(section)
        #expect(
            frames.items == [Frame(0, 20, 100, 2), Frame(0, 14, 100, 2), Frame(0, 8, 100, 2)])
        // 20 + 3 * 2 - 2 * 8
        #expect(frames.frame.height == 10)
        section.items += [StubSize(100, 2), StubSize(100, 2)]
        #expect(layOutOne(section).frame.height == 0)
    }

    @Test("C7: A dynamic horizontal group does not wrap, and is as tall as the content box")
    func dynamicHorizontal() {
        var section = compositional(count: 0, .dynamic) {
            $0.compositional.direction = .horizontal
            $0.compositional.itemSpacing = 8
            $0.compositional.sectionInset = Insets(10)
        }
        section.items = [StubSize(100, 30), .none, StubSize(400, 20)]
        let frames = layOutOne(section)
        #expect(
            frames.items == [
                Frame(10, 10, 100, 30), Frame(118, 10, 50, 647), Frame(176, 10, 400, 20),
            ])
        #expect(frames.frame == Frame(0, 0, 375, 667))
    }

    @Test("C7: A length that a cell omits is the content box across, and the default along")
    func dynamicAbsentLengths() {
        var section = compositional(count: 0, .dynamic) {
            $0.compositional.direction = .vertical
            $0.compositional.sectionInset = Insets(10)
        }
        section.items = [StubSize(nil, 30), StubSize(60, nil)]
        #expect(layOutOne(section).items == [Frame(10, 10, 355, 30), Frame(10, 40, 60, 50)])
        section.layout.compositional.direction = .horizontal
        #expect(layOutOne(section).items == [Frame(10, 10, 355, 30), Frame(365, 10, 60, 647)])
    }

    @Test("C8: Groups stack below each other, lineSpacing apart, without spacing after the last")
    func stackedGroups() {
        let section = compositional(count: 5, .uniform(columns: 2, width: nil, height: 30)) {
            $0.compositional.lineSpacing = 4
            $0.compositional.sectionInset = Insets(top: 6, left: 25, bottom: 8, right: 50)
        }
        let frames = layOutOne(section)
        #expect(frames.items.map(\.x) == [25, 175, 25, 175, 25])
        #expect(frames.items.map(\.y) == [6, 6, 40, 40, 74])
        #expect(frames.frame.height == 112)
    }
}
