import BroadsheetClient
import TestSupport
import Testing

@testable import Broadsheet

@Suite("Layouts that reuse those of earlier versions")
struct ReuseHistoryTests {
    private static let histories = 15
    private static let revisions = 12

    /// Returns frames without the exact sizes of items: those of items without contents are not
    /// used, and depend on what was reused; those of other items show in the tree.
    private func visible(_ frames: ScreenFrames) -> ScreenFrames {
        var result = frames
        result.sections = []
        for section in frames.sections {
            var section = section
            section.exactSizes.items = []
            result.sections.append(section)
        }
        return result
    }

    /// Expects that a layout equals the one made from nothing, value for value.
    private func expectSame(
        _ reused: TreeWriter, _ fresh: TreeWriter, _ context: String
    ) -> Bool {
        var (one, other) = (TreeParts(reused), TreeParts(fresh))
        let isSame =
            visible(reused.frames) == visible(fresh.frames)
            && reused.diagnostics == fresh.diagnostics
            && reused.screen.itemCount == fresh.screen.itemCount
            && reused.screen.postedByteCount == fresh.screen.postedByteCount
            && one.written() == other.written()
        if !isSame { Issue.record("the layouts differ: \(context)") }
        return isSame
    }

    @Test(
        "Whatever is reused, layouts and changes are those made from nothing",
        arguments: ChangesHistoryTests.seeds)
    func histories(seed: UInt64) throws {
        for number in 0..<Self.histories {
            let seed = seed &* 1000 &+ UInt64(number)
            // Half of the sections have a custom layout, or masonry, in some histories.
            let layouts: [SectionLayout] = [
                SectionLayout(), .custom(Masonry(), columns: 3, lineSpacing: 3),
                .custom(CarelessLayout(seed: seed)),
                .masonry(MasonryOptions(columns: 3, lineSpacing: 3)),
            ]
            let history = try RandomHistory(seed: seed, layout: layouts[number % layouts.count])
            let parameters = history.parameters()
            var known: [(layout: ReusableLayout, fresh: TreeWriter, reused: TreeWriter)] = []
            for step in 0..<Self.revisions {
                if step > 0, !history.chance(30) { history.change() }
                let revision = try history.revision(step, sharing: true)
                let page = history.one([nil, nil, 0, 1, 2])
                let base = known.isEmpty ? nil : history.one(known.suffix(3))
                // Another viewport now and then, of which nothing can be reused.
                let own = history.chance(8) ? history.parameters() : parameters
                let layout = history.layout(of: revision, upTo: page, own, reusing: base?.layout)
                let reused = history.tree(of: revision, layout, own)
                let fresh = history.tree(of: revision, upTo: page, own)
                let context = "BROADSHEET_SEED=\(seed), history \(number), step \(step), \(own)"
                guard expectSame(reused, fresh, context) else { return }
                if let base, own == parameters {
                    var changes = ChangesDocument(from: base.reused, to: reused)
                    var expected = ChangesDocument(from: base.fresh, to: fresh)
                    guard changes.written() == expected.written() else {
                        Issue.record("the changes differ: \(context)")
                        return
                    }
                }
                if own == parameters { known.append((layout, fresh, reused)) }
            }
        }
    }
}
