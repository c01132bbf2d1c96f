import BroadsheetStores
import TestSupport
import Testing

@Suite("The revisions of trees by their bounds (docs/api.md, Revisions)")
struct TreeHistoryTests {
    /// The pages of a screen, whose trees are compared as a whole.
    private struct Model {
        /// A stored page; each write of it is another one.
        struct Page: Hashable {
            let declaresNext: Bool
            let revision: UInt64
        }

        /// The content of a tree.
        struct Tree: Hashable {
            let pages: [Int: Page]
            let hasNext: Bool
        }

        var pages: [Int: Page] = [:]

        /// Returns the highest page of the tree up to a bound; without one, of that of all pages.
        func last(upTo bound: Int?) -> Int? {
            guard let bound else { return pages.keys.max() }
            return pages.keys.filter { $0 <= bound }.max() ?? pages.keys.min()
        }

        func tree(upTo bound: Int?) -> Tree {
            guard let last = last(upTo: bound) else { return Tree(pages: [:], hasNext: false) }
            let hasNext =
                pages[last]?.declaresNext == true || pages.keys.contains { $0 > last }
            return Tree(pages: pages.filter { $0.key <= last }, hasNext: hasNext)
        }
    }

    /// A history, and the model of it.
    private struct Screen {
        var model = Model()
        var history = TreeHistory()

        mutating func put(_ page: Int, declaresNext: Bool, at revision: UInt64) {
            model.pages[page] = Model.Page(declaresNext: declaresNext, revision: revision)
            history.put(page, at: revision)
        }

        mutating func remove(_ page: Int, at revision: UInt64) {
            model.pages[page] = nil
            history.remove(page, at: revision)
        }

        /// The revision of the tree up to a bound.
        func revision(upTo bound: Int?) -> UInt64 {
            let last = model.last(upTo: bound)
            let own = history.treeRevision(
                upTo: last, declaresNext: last.flatMap { model.pages[$0] }?.declaresNext ?? false)
            guard let last, last < bound ?? .max else { return own }
            return max(own, history.lastChange(above: last))
        }
    }

    @Test(
        "With the same bound a revision has one tree, whatever a revision stores and removes",
        arguments: SeededGenerator.seeds(of: "revisions of trees", count: 200))
    func oneTree(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var screen = Screen()
        let bounds = [nil] + (0...9).map(Optional.some)
        var trees: [Int?: [UInt64: Model.Tree]] = [:]
        var former: [Int?: (tree: Model.Tree, revision: UInt64)] = [:]
        var lastWrite: UInt64 = 0
        for revision in 1...40 as ClosedRange<UInt64> {
            if Self.write(&screen, at: revision, &random) { lastWrite = revision }
            for bound in bounds {
                let place = Comment(
                    rawValue: "BROADSHEET_SEED=\(seed), \(revision), up to \(bound ?? -1)")
                let (tree, found) = (screen.model.tree(upTo: bound), screen.revision(upTo: bound))
                #expect(trees[bound, default: [:]][found, default: tree] == tree, place)
                trees[bound, default: [:]][found] = tree
                let changed = former[bound].map { $0.tree != tree } ?? false
                #expect(found >= former[bound]?.revision ?? 0, place)
                #expect(found <= lastWrite && (!changed || found == revision), place)
                former[bound] = (tree, found)
            }
            #expect(screen.revision(upTo: nil) == lastWrite)
        }
    }

    /// Changes up to six pages at one revision, and returns whether there was anything to change.
    private static func write(
        _ screen: inout Screen, at revision: UInt64, _ random: inout SeededGenerator
    ) -> Bool {
        var pages = Array(0...9).shuffled(using: &random)
        let kind = Int.random(in: 0...9, using: &random)
        if kind == 0 {
            let hasPages = !screen.model.pages.isEmpty
            screen.model.pages = [:]
            screen.history.removeAll(at: revision)
            return hasPages
        }
        let put = kind < 6 ? pages.prefix(Int.random(in: 1...3, using: &random)) : []
        pages.removeFirst(put.count)
        let removed = (kind > 3 ? pages.prefix(Int.random(in: 1...3, using: &random)) : [])
            .filter { screen.model.pages[$0] != nil }
        for page in put {
            screen.put(page, declaresNext: Bool.random(using: &random), at: revision)
        }
        for page in removed { screen.remove(page, at: revision) }
        return !(put.isEmpty && removed.isEmpty)
    }

    @Test("Pages that replace others at one revision leave the tree of a page below unchanged")
    func replaced() {
        var screen = Screen()
        for page in 0...2 { screen.put(page, declaresNext: false, at: UInt64(page + 1)) }
        // What is stored comes first, so that page 0 has a higher page at all times.
        screen.put(5, declaresNext: false, at: 4)
        for page in [2, 1] { screen.remove(page, at: 4) }
        #expect(screen.revision(upTo: 0) == 2)
        #expect(screen.revision(upTo: 1) == 4)
        #expect(screen.revision(upTo: nil) == 4)
    }
}
