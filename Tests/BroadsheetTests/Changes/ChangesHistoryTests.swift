import BroadsheetClient
import Foundation
import TestSupport
import Testing

@testable import Broadsheet

@Suite("Changes of random histories")
struct ChangesHistoryTests {
    /// Fixed seeds and a random one, which `BROADSHEET_SEED` replaces to reproduce a failure.
    static let seeds: [UInt64] = {
        let given = ProcessInfo.processInfo.environment["BROADSHEET_SEED"].flatMap(UInt64.init)
        return given.map { [$0] } ?? [1, 2, 3, 4, .random(in: 5...UInt64(Int32.max))]
    }()

    private static let histories = 20
    private static let revisions = 8

    /// Two revisions of a history and the changes between them.
    struct Step {
        let old: TreeWriter
        let new: TreeWriter
        let context: String
    }

    /// Returns steps of random histories: over one revision or several, with any parameters, and
    /// with more or fewer pages.
    static func steps(seed: UInt64, histories: Int = histories) throws -> [Step] {
        var steps: [Step] = []
        for number in 0..<histories {
            let history = try RandomHistory(seed: seed &* 1000 &+ UInt64(number))
            let isSharing = number % 2 == 0
            var revisions = [try history.revision(0, sharing: isSharing)]
            for revision in 1...Self.revisions {
                history.change()
                revisions.append(try history.revision(revision, sharing: isSharing))
                let old = history.chance(70) ? revision - 1 : history.one(Array(0..<revision))
                let parameters = history.parameters()
                let page = history.one([nil, nil, 0, 1])
                let next = history.chance(80) ? page : history.one([nil, 0, 1, 2])
                steps.append(
                    Step(
                        old: history.tree(of: revisions[old], upTo: page, parameters),
                        new: history.tree(of: revisions[revision], upTo: next, parameters),
                        context: """
                            BROADSHEET_SEED=\(seed), history \(number), \(old) to \(revision), \
                            pages \(page ?? -1) to \(next ?? -1), \(parameters)
                            """))
            }
        }
        return steps
    }

    @Test("A collection view that applies changes has the new tree", arguments: seeds)
    func collectionView(seed: UInt64) throws {
        for step in try Self.steps(seed: seed) {
            let expected = Tree(step.new).value
            do {
                var view = try CollectionView(Tree(step.old).value)
                try view.apply(try Self.update(step))
                if view.tree != expected {
                    Issue.record("another tree: \(step.context)")
                    return
                }
            } catch {
                Issue.record("\(error): \(step.context)")
                return
            }
        }
    }

    @Test("Changes.apply(to:) makes the new tree of the earlier one", arguments: seeds)
    func apply(seed: UInt64) throws {
        for step in try Self.steps(seed: seed, histories: 8) {
            let expected = Tree(step.new)
            for changes in [Changes(from: step.old, to: step.new), Changes(try Self.update(step))] {
                var tree = Tree(step.old)
                try changes?.apply(to: &tree)
                #expect(tree == expected, Comment(rawValue: step.context))
            }
        }
    }

    @Test("No update has more moves than the longest common order requires", arguments: seeds)
    func minimalMoves(seed: UInt64) throws {
        for step in try Self.steps(seed: seed, histories: 15) {
            var view = try CollectionView(Tree(step.old).value)
            try view.apply(try Self.update(step))
            let expected = MinimalMoves.count(from: Tree(step.old), to: Tree(step.new))
            if let expected {
                #expect(view.moveCount == expected, Comment(rawValue: step.context))
            }
        }
    }

    @Test("The changes of a tree to itself are empty, whatever is shared", arguments: seeds)
    func nothing(seed: UInt64) throws {
        for step in try Self.steps(seed: seed, histories: 8) {
            let comparison = ScreenComparison(from: step.new, to: step.new)
            #expect(comparison.stages.isEmpty && comparison.sections.isEmpty)
            #expect(comparison.frames.isEmpty && !comparison.hasOtherDiagnostics)
        }
    }

    @Test("The parts of a document are the whole document, whatever their size", arguments: seeds)
    func parts(seed: UInt64) throws {
        for step in try Self.steps(seed: seed, histories: 4) {
            let document = ChangesDocument(from: step.old, to: step.new)
            var atOnce = document
            let whole = atOnce.written()
            #expect(document.byteCount(upTo: whole.count) == whole.count)
            #expect(document.byteCount(upTo: whole.count - 1) == nil)
            for size in [1, 100, 1000, 100_000] {
                var (parts, joined) = (document, [UInt8]())
                while let part = parts.next(byteCount: size) { joined += part }
                #expect(joined == whole, Comment(rawValue: step.context))
            }
        }
    }

    @Test("The model in Python accepts the changes, too", arguments: seeds.prefix(2))
    func python(seed: UInt64) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        var lines: [UInt8] = []
        for step in try Self.steps(seed: seed, histories: 12) where !step.new.options.pretty {
            lines += Self.written(step.old) + [0x0A] + (try Self.updateBytes(step)) + [0x0A]
            lines += Self.written(step.new) + [0x0A]
        }
        try Data(lines).write(to: file)
        let outcome = try OracleProcess.run(["collection_view.py", file.path])
        #expect(outcome.status == 0, Comment(rawValue: "BROADSHEET_SEED=\(seed) " + outcome.errors))
    }

    private static func written(_ tree: TreeWriter) -> [UInt8] {
        var parts = TreeParts(tree)
        return parts.written()
    }

    /// Returns the changes as a document that is never a reset, although they may be long.
    private static func updateBytes(_ step: Step) throws -> [UInt8] {
        var document = ChangesDocument(from: step.old, to: step.new, isSame: true)
        return document.written()
    }

    private static func update(_ step: Step) throws -> TreeValue {
        TreeValue(try JSONDocument(updateBytes(step)).root)
    }
}

/// The least number of moves between two trees, found by trying all orders.
private enum MinimalMoves {
    /// Returns the number; `nil` if sections have no ids, so that it is not known which are the
    /// same.
    static func count(from old: Tree, to new: Tree) -> Int? {
        let (ids, newIDs) = (sectionIDs(old), sectionIDs(new))
        guard let ids, let newIDs else { return nil }
        var count = moves(ids, newIDs)
        let common = ids.filter { newIDs.contains($0) }
        var (leaving, coming): ([String], [String]) = ([], [])
        for id in common {
            let items = items(of: id, in: old)
            let newItems = self.items(of: id, in: new)
            count += moves(items, newItems)
            leaving += items.filter { !newItems.contains($0) && !isPlace($0) }
            coming += newItems.filter { !items.contains($0) && !isPlace($0) }
        }
        for id in coming {
            guard let index = leaving.firstIndex(of: id) else { continue }
            leaving.remove(at: index)
            count += 1
        }
        // Posted ids may look like places, which makes them ambiguous here.
        let all = old.sections + new.sections
        let looksLikePlace = all.flatMap(\.items).contains {
            $0.members["id"]?.text?.hasPrefix("p0.u0.e1") == true
        }
        return looksLikePlace ? nil : count
    }

    private static func isPlace(_ id: String) -> Bool { id.hasPrefix("p") && id.contains(".u") }

    private static func sectionIDs(_ tree: Tree) -> [String]? {
        let ids = tree.sections.map { $0.members["id"]?.text }
        return ids.contains(nil) ? nil : ids.compactMap { $0 }
    }

    private static func items(of section: String, in tree: Tree) -> [String] {
        tree.sections.first { $0.members["id"]?.text == section }?.items.compactMap {
            $0.members["id"]?.text
        } ?? []
    }

    /// Returns the number of common elements less the longest common subsequence of them.
    private static func moves(_ one: [String], _ other: [String]) -> Int {
        let (one, other) = (one.filter(other.contains), other.filter(one.contains))
        var table = [[Int]](
            repeating: [Int](repeating: 0, count: other.count + 1), count: one.count + 1)
        for index in one.indices {
            for otherIndex in other.indices {
                table[index + 1][otherIndex + 1] =
                    one[index] == other[otherIndex]
                    ? table[index][otherIndex] + 1
                    : max(table[index][otherIndex + 1], table[index + 1][otherIndex])
            }
        }
        return one.count - (table.last?.last ?? 0)
    }
}
