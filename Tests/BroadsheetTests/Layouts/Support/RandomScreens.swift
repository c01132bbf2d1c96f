import BroadsheetClient
import TestSupport

@testable import Broadsheet

/// A generator of random screens: any kind, any member, sizes from usual to extreme.
final class RandomScreens {
    private var random: SeededGenerator
    /// A Boolean value that indicates whether lengths may be any number.
    private let isHostile: Bool

    init(seed: UInt64, isHostile: Bool = false) {
        random = SeededGenerator(seed: seed)
        self.isHostile = isHostile
    }

    /// Returns up to six sections, and an environment for their layout.
    func next() -> (sections: [StubSection], environment: LayoutEnvironment) {
        let sections = (0..<Int.random(in: 0...6, using: &random)).map { _ in section() }
        return (sections, environment())
    }

    func environment() -> LayoutEnvironment {
        var screen = ScreenLayout()
        screen.direction = maybe { one(ScreenAxis.allCases) }
        screen.itemSize = maybe { Size(width: length(80), height: length(80)) }
        screen.inset = maybe { insets() }
        screen.minimumLineSpacing = maybe { length(20) }
        screen.minimumInteritemSpacing = maybe { length(20) }
        screen.interSectionSpacing = maybe { length(30) }
        screen.pinHeaders = maybe { flip() }
        screen.pinFooters = maybe { flip() }
        let viewport = Viewport(
            width: isHostile ? length(400) : double(100...500),
            height: isHostile ? length(800) : double(100...900),
            scale: isHostile ? length(3) : one([1, 2, 3]), direction: one([.ltr, .rtl]),
            safeArea: maybe { insets() })
        return LayoutEnvironment(
            viewport: viewport, screen: screen, rounding: one([.pixel, .none]))
    }

    func section() -> StubSection {
        let isUniform = flip()
        let spans = flip()
        let common = size()
        let count = Int.random(in: 0...40, using: &random)
        var section = StubSection(
            (0..<count).map { _ in isUniform ? common : size(spans) }, header: maybe { size() },
            footer: maybe { size() })
        section.knowsUniform = isUniform && flip()
        section.layout.kind = maybe { one(SectionLayout.Kind.allCases + [.custom]) }
        section.layout.custom = CustomLayoutBox(customLayout())
        section.layout.flow = flow()
        section.layout.compositional = compositional()
        section.layout.list = list()
        section.layout.masonry.placement = maybe { one(MasonryPlacement.allCases) }
        section.layout.contentInsetsReference = maybe {
            one(SectionLayout.ContentInsetsReference.allCases)
        }
        section.layout.maxWidth = maybe { length(300) }
        section.layout.pinHeader = maybe { flip() }
        section.layout.pinFooter = maybe { flip() }
        section.layout.decoration = maybe {
            DecorationOptions(
                kind: "card", mode: maybe { one(DecorationOptions.Mode.allCases) },
                inset: insets(), zIndex: maybe { Int.random(in: -3...3, using: &random) })
        }
        return section
    }

    private func customLayout() -> any CustomLayout {
        if isHostile, flip() { return CarelessLayout(seed: random.next()) }
        return flip() ? Masonry() : Mosaic()
    }

    private func flow() -> FlowOptions {
        var options = FlowOptions()
        options.inset = maybe { insets() }
        options.minimumLineSpacing = maybe { length(20) }
        options.minimumInteritemSpacing = maybe { length(20) }
        options.gridColumnCount = maybe { gridColumnCount() }
        options.itemAlignment = maybe { one(ItemAlignment.allCases) }
        options.paging = maybe {
            var paging = PagingOptions()
            paging.isAlignCenter = flip()
            paging.isInfinitePage = flip()
            return paging
        }
        return options
    }

    private func compositional() -> CompositionalOptions {
        var options = CompositionalOptions()
        options.direction = maybe { one(ScreenAxis.allCases) }
        options.itemSize = maybe {
            flip()
                ? .dynamic
                : .uniform(
                    columns: maybe { gridColumnCount() }, width: maybe { itemWidth() },
                    height: maybe { length(100) })
        }
        options.scrolling = maybe { one(CompositionalOptions.Scrolling.allCases) }
        options.itemSpacing = maybe { length(20) }
        options.lineSpacing = maybe { length(20) }
        options.sectionInset = maybe { insets() }
        options.itemAlignment = maybe { one(ItemAlignment.allCases) }
        options.isUniformAcrossSiblings = maybe { flip() }
        options.uniformEstimatedHeight = maybe { length(100) }
        return options
    }

    private func itemWidth() -> CompositionalOptions.ItemWidth {
        flip() ? .points(length(200)) : .fraction(length(2))
    }

    private func list() -> ListOptions {
        var options = ListOptions()
        options.appearance = maybe { one(ListOptions.Appearance.allCases) }
        options.showsSeparators = maybe { flip() }
        options.headerMode = maybe { one(ListOptions.HeaderMode.allCases) }
        options.footerMode = maybe { one(ListOptions.FooterMode.allCases) }
        options.headerTopPadding = maybe { length(30) }
        return options
    }

    private func size(_ spans: Bool = false) -> StubSize {
        let choices: [CellSpan] = [.columns(1), .columns(2), .columns(columns()), .all]
        return StubSize(
            maybe { length(150) }, maybe { length(100) }, span: spans ? one(choices) : .columns(1))
    }

    private func insets() -> Insets {
        Insets(top: length(20), left: length(20), bottom: length(20), right: length(20))
    }

    private func gridColumnCount() -> GridColumnCount {
        switch Int.random(in: 0...5, using: &random) {
        case 0: .fitting(minItemWidth: max(0.1, length(200)), max: maybe { max(1, columns()) })
        case 1: .breakpoints(GridBreakpoints(default: columns(), [300: columns(), 700: columns()]))
        default: .fixed(columns())
        }
    }

    private func columns() -> Int {
        isHostile
            ? one([Int.min, -1, 0, 1, 3, 1 << 31, 1_000_000_000, Int.max])
            : Int.random(in: 1...4, using: &random)
    }

    /// Returns a length up to `most`; a hostile one may be any number.
    private func length(_ most: Double) -> Double {
        guard isHostile, Int.random(in: 0..<3, using: &random) == 0 else { return double(0...most) }
        return one([
            .nan, .infinity, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude, -0.0, 0, -most, 1e9,
            -1e9, 1e-12, most + 0.5,
        ])
    }

    private func double(_ range: ClosedRange<Double>) -> Double {
        Double.random(in: range, using: &random)
    }

    private func one<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: choices.indices, using: &random)]
    }

    private func flip() -> Bool { Bool.random(using: &random) }

    private func maybe<Value>(_ value: () -> Value) -> Value? { flip() ? value() : nil }
}
