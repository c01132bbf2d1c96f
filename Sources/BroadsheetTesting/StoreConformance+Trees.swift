package import BroadsheetStores
import TestSupport

/// The revisions of trees (docs/api.md, "Revisions").
extension StoreConformance {
    static let trees = [
        Requirement("a write to a page changes no tree below it, except one that gets a next page")
        {
            store in
            let home = try name("home")
            for page in [0, 1, 3] { try await store.put(page, to: home) }
            try await expect(store.treeRevisions(of: home), equals: [0: 2, 1: 3, 3: 3])
            try await store.put(3, to: home)
            try await expect(store.treeRevisions(of: home), equals: [0: 2, 1: 3, 3: 4])
            try await store.put(2, to: home)
            try await expect(store.treeRevisions(of: home), equals: [0: 2, 1: 3, 2: 5, 3: 5])
            // A page that declares a next one has one already.
            try await expect(store.treeRevisions(of: home, declaringNext: true)[0], equals: 1)
        },
        Requirement("a removal changes the trees above it, and the highest that has no next page") {
            store in
            let home = try name("home")
            for page in 0...3 { try await store.put(page, to: home) }
            try await store.write(.removePage(1), to: home)
            try await expect(store.treeRevisions(of: home), equals: [0: 2, 2: 5, 3: 5])
            try await store.write(.removePage(3), to: home)
            try await expect(store.treeRevisions(of: home), equals: [0: 2, 2: 6])
            try await store.write(.removePage(0), to: home)
            try await expect(store.treeRevisions(of: home), equals: [2: 7])
            // Removing nothing changes nothing.
            try await expect(store.write(.removePage(0), to: home), equals: 8)
            try await expect(store.treeRevisions(of: home), equals: [2: 7])
        },
        Requirement("the tree of a screen without pages is as old as the removal of the last one") {
            store in
            let home = try name("home")
            for commit in [.removePage(4), .removeAllPages] as [ScreenCommit] {
                let stored = try await store.put(4, to: home)
                let removed = try await store.write(commit, to: home)
                try expect(removed, equals: stored + 1)
                try await store.write(.removeAllPages, to: home)
                let empty = try await store.stored(home)
                try expect(empty.revision, equals: removed + 1)
                try expect(
                    empty.history.treeRevision(upTo: nil, declaresNext: false), equals: removed)
            }
        },
        Requirement("a page that was removed is known although one was inserted behind it") {
            store in
            let home = try name("home")
            for page in [0, 2, 5] { try await store.put(page, to: home) }
            try await store.write(.removePage(2), to: home)
            try await store.put(4, to: home)
            // The tree up to page 3 lost page 2 at revision 4.
            let stored = try await store.stored(home)
            try expect(stored.history.lastChange(above: 0) >= 4)
            try await expect(store.treeRevisions(of: home), equals: [0: 2, 4: 5, 5: 5])
        },
        Requirement("trees have the revision that a model of the history gives, for random writes")
        {
            store in
            for seed in [UInt64.random(in: 0 ... .max), 1, 2, 3] {
                try await checkHistory(seed: seed, of: store, name("home-\(seed)"))
            }
        },
    ]

    /// Compares the trees after each of some random writes with a model.
    private static func checkHistory(
        seed: UInt64, of store: ScreenStore, _ screen: ScreenName
    ) async throws {
        var random = SeededGenerator(seed: seed)
        var model = TreeModel()
        for step in 0..<60 {
            let page = Int.random(in: 0...9, using: &random)
            let commit: ScreenCommit =
                switch Int.random(in: 0...19, using: &random) {
                case 0 where !model.writes.isEmpty: .removeAllPages
                case 1 where !model.writes.isEmpty: .removeScreen
                case 2...8 where !model.writes.isEmpty: .removePage(page)
                case 9...11:
                    .putPages(
                        [page, page + 1].map { PutPage(number: $0, bytes: Array("{}".utf8)) },
                        totals: nil)
                case 12...14: replacement(of: model.pages, using: &random)
                default: .put(page: page, bytes: Array("{}".utf8))
                }
            let revision = try await store.write(commit, to: screen)
            model.apply(commit, at: revision)
            guard commit != .removeScreen else { continue }
            let found = try await store.treeRevisions(of: screen)
            try expect(found, equals: model.treeRevisions, "seed \(seed), step \(step): \(commit)")
            try await expect(
                store.revisionOfAllPages(of: screen), equals: model.revisionOfAllPages,
                "seed \(seed), step \(step): \(commit)")
            let declaring = try await store.treeRevisions(of: screen, declaringNext: true)
            try expect(
                declaring, equals: model.treeRevisionsDeclaringNext, "seed \(seed), step \(step)")
        }
    }
}

/// All writes of a screen, from which the revision of each tree is derived by its definition.
struct TreeModel {
    private(set) var writes: [(revision: UInt64, page: Int?, before: Set<Int>, after: Set<Int>)] =
        []

    var pages: Set<Int> { writes.last?.after ?? [] }

    mutating func apply(_ commit: ScreenCommit, at revision: UInt64) {
        let before = pages
        switch commit {
        case .putPages(let pages, _):
            let numbers = pages.map(\.number)
            writes.append((revision, numbers.min(), before, before.union(numbers)))
        case .replacePages(let put, let kept, _):
            let after = before.intersection(kept).union(put.map(\.number))
            let touched = before.subtracting(after).union(put.map(\.number))
            writes.append((revision, touched.min(), before, after))
        case .removePage(let page):
            let stored = before.contains(page) ? page : nil
            writes.append((revision, stored, before, before.subtracting([page])))
        case .removeAllPages: writes.append((revision, before.min(), before, []))
        case .removeScreen: writes = []
        }
    }

    /// The revisions of the trees up to each page, if no page declares a next one.
    var treeRevisions: [Int: UInt64] { revisions { $0 != $1 } }

    var treeRevisionsDeclaringNext: [Int: UInt64] { revisions { _, _ in false } }

    /// The last revision that stored or removed a page; 0 for a screen that never had any.
    var revisionOfAllPages: UInt64? {
        writes.isEmpty ? nil : writes.last { $0.page != nil }?.revision ?? 0
    }

    private func revisions(changes: (Bool, Bool) -> Bool) -> [Int: UInt64] {
        pages.reduce(into: [:]) { found, last in
            found[last] =
                writes.last { write in
                    let hadNext = write.before.contains { $0 > last }
                    let hasNext = write.after.contains { $0 > last }
                    return (write.page ?? .max) <= last || changes(hadNext, hasNext)
                }?.revision
        }
    }
}

extension ScreenStore {
    /// Returns the revisions of the trees up to each page of a screen.
    package func treeRevisions(
        of screen: ScreenName, declaringNext: Bool = false
    ) async throws -> [Int: UInt64] {
        let stored = try await stored(screen)
        try expect(stored.history.pages.map(\.number), equals: stored.pages.map(\.number))
        try expect(stored.history.pages.map(\.stored), equals: stored.pages.map(\.revision))
        return stored.pages.reduce(into: [:]) { revisions, page in
            revisions[page.number] = stored.history.treeRevision(
                upTo: page.number, declaresNext: declaringNext)
        }
    }

    /// Returns the revision of the tree of all pages of a screen, if its highest page declares a
    /// next one.
    package func revisionOfAllPages(of screen: ScreenName) async throws -> UInt64? {
        let history = try await stored(screen).history
        guard let last = history.pages.map(\.number).last else { return history.floor }
        let own = history.treeRevision(upTo: last, declaresNext: true)
        return max(own, history.lastChange(above: last))
    }
}
