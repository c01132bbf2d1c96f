import Foundation
import TestSupport
import Testing

@testable import Broadsheet

@Suite("Engine, oracle and Chromium")
struct CSSLayoutTests {
    /// A section with the frames of its items in Chromium (`Tests/Browsers/css_layouts.py`).
    private struct Case: Decodable {
        let catalog: String
        let page: String
        let query: [String: String]
        /// The numbers that CSS determines as the rules do, of x, y, w and h.
        let compares: String
        let frames: [[Double]]
    }

    /// Chromium rounds lengths to a 64th of a pixel, once for each column.
    private static let tolerance = 0.3

    @Test(
        "F20, F21, C18, C19: Items have the frames that CSS gives them",
        arguments: [7, Int.random(in: 8...Int(Int32.max))])
    func frames(fixed: Int) throws {
        let given = ProcessInfo.processInfo.environment["BROADSHEET_SEED"].flatMap { Int($0) }
        let seed = given ?? fixed
        let outcome = try OracleProcess.run([
            "../Browsers/css_layouts.py", "chromium", "--seed", "\(seed)", "--count", "80",
        ])
        #expect(outcome.status == 0, "BROADSHEET_SEED=\(seed): the oracle\n\(outcome.errors)")
        let cases = try outcome.output.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Case.self, from: $0)
        }
        #expect(cases.count == 80)
        for (number, random) in cases.enumerated() {
            let index = try Engine.visibilityIndex(
                catalog: Array(random.catalog.utf8), pages: [Array(random.page.utf8)],
                query: random.query)
            let own = index.screen.sections[0].items.map { [$0.x, $0.y, $0.width, $0.height] }
            let isSame =
                own.count == random.frames.count
                && zip(own, random.frames).allSatisfy { own, other in
                    zip("xywh", zip(own, other)).allSatisfy { name, numbers in
                        !random.compares.contains(name)
                            || abs(numbers.0 - numbers.1) <= Self.tolerance
                    }
                }
            #expect(isSame, "BROADSHEET_SEED=\(seed), case \(number): \(random.page)")
        }
    }
}
