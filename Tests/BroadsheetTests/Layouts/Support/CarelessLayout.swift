import TestSupport

@testable import Broadsheet

/// A custom layout with every mistake that there is, the same ones at each call.
struct CarelessLayout: CustomLayout {
    let seed: UInt64

    func place(_ items: inout CustomLayoutItems, in space: CustomLayoutSpace) {
        var random = SeededGenerator(seed: seed)
        let absurd = [.nan, .infinity, -.infinity, 1e308, -1e308, -40, 1e9, 0, -0.0]
        for _ in 0..<items.count {
            let item = Int.random(in: -1...items.count, using: &random)
            let size = items.size(
                of: item,
                across: [nil, 30, absurd.randomElement(using: &random)]
                    .randomElement(using: &random) ?? nil)
            func number(_ usual: Double) -> Double {
                Int.random(in: 0..<10, using: &random) == 0
                    ? absurd.randomElement(using: &random) ?? 0 : usual
            }
            let frame = Frame(
                number(.random(in: -50...space.crossLength + 50, using: &random)),
                number(.random(in: -50...900, using: &random)), number(size.width),
                number(size.height))
            items.place(item, at: frame)
        }
    }
}
