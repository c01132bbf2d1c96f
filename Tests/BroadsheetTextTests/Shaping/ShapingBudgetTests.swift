import Broadsheet
import Testing
import TextTestSupport

@testable import BroadsheetText

@Suite("The glyphs that are made for a text have a limit (docs/text.md, \"Limits\")")
struct ShapingBudgetTests {
    /// The part of each limit that good fonts may use in the tests.
    private static let margin = 0.5

    @Test("A call that makes more glyphs than permitted, or all calls together, exhaust the budget")
    func limits() {
        var one = ShapingBudget(length: 2)
        one.spend(ShapingBudget.maxGlyphsOfCall(length: 1), length: 1)
        #expect(!one.isExhausted)
        one.spend(ShapingBudget.maxGlyphsOfCall(length: 1) + 1, length: 1)
        #expect(one.isExhausted)
        var many = ShapingBudget(length: 2)
        for _ in 0..<ShapingBudget.maxGlyphs(length: 2) { many.spend(1, length: 1) }
        #expect(!many.isExhausted && many.remaining == 0)
        many.spend(1, length: 1)
        #expect(many.isExhausted)
    }

    @Test(
        "Texts with good fonts use less than half of the budget, in any width",
        arguments: TitleCorpus.languages + ["mixed"])
    func goodFonts(language: String) throws {
        let font = try #require(try TestFonts.font(TestFonts.files(language)) as? OpenFont)
        let scratch = try #require(TextScratch(font.libraries))
        var greatest = 0.0
        for title in try TitleCorpus.titles(language, count: 20, seed: 1) {
            let text = font.shape(Array(title.utf8), ShapingOptions(), in: scratch)
            greatest = max(greatest, Self.used(scratch))
            #expect(!text.isPlain)
            for width in [1.0, 60, 200] {
                _ = ExactLines.lines(of: text, LineLimits(TextRequest(width: width)), in: scratch)
                greatest = max(greatest, Self.used(scratch))
            }
        }
        print("\(language): \(greatest * 100) % of the glyphs of the budget")
        #expect(greatest < Self.margin)
    }

    /// Returns the part of the limit that grows with the text which was used.
    private static func used(_ scratch: TextScratch) -> Double {
        let limit = ShapingBudget.maxGlyphs(length: scratch.text.count)
        let fixed = ShapingBudget.maxGlyphs(length: 0)
        return Double(limit - scratch.budget.remaining) / Double(limit - fixed)
    }
}
