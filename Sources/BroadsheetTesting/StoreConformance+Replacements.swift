import BroadsheetStores
import TestSupport

/// Writes of all pages of a screen (``ScreenCommit/replacePages(_:keeping:totals:)``).
extension StoreConformance {
    static let replacements = [
        Requirement("pages are stored and removed in one revision, and others keep their own") {
            store in
            let home = try name("home")
            for page in [0, 1, 2, 5] { try await store.put(page, "old \(page)", to: home) }
            try await expect(
                store.write(.replacing([1, 7], keeping: [0, 2]), to: home), equals: 5)
            let stored = try await store.stored(home)
            try expect(stored.pages.map(\.number), equals: [0, 1, 2, 7])
            try expect(stored.pages.map(\.revision), equals: [1, 5, 3, 5])
            try expect(
                stored.pages.map { String(decoding: $0.bytes, as: UTF8.self) },
                equals: ["old 0", "new 1", "old 2", "new 7"])
            try expect(stored.head.highestPage == 7 && stored.latestPage == 7)
            for page in [0, 1, 2, 5, 7] {
                let found = try await require(store.page(page, of: home, atMost: 99))
                try expect(found.bytes, equals: stored.pages.first { $0.number == page }?.bytes)
            }
        },
        Requirement("the highest page is the latest one after a write of all pages") { store in
            let home = try name("home")
            for page in [3, 1, 0] { try await store.put(page, to: home) }
            let commits: [(ScreenCommit, Int)] = [
                (.replacing([], keeping: [0, 1, 3]), 3), (.replacing([0], keeping: [1, 3]), 3),
                (.replacing([], keeping: [0, 1]), 1), (.replacing([4], keeping: []), 4),
                (.replacing([], keeping: [], totals: .zero), 0),
            ]
            for (number, (commit, latest)) in commits.enumerated() {
                try await expect(store.write(commit, to: home), equals: UInt64(4 + number))
                try await expect(store.stored(home).latestPage, equals: latest, "\(commit)")
            }
            try await expect(store.stored(home).head, equals: ScreenHead(revision: 8))
        },
        Requirement("a write of all pages creates a screen, which may have been there before") {
            store in
            let home = try name("home")
            let commit = ScreenCommit.replacing([2, 4], keeping: [])
            try await expect(store.commit(commit, to: home, expecting: nil), equals: 1)
            try await expect(store.stored(home).pages.map(\.number), equals: [2, 4])
            try await store.write(.removeScreen, to: home)
            try await expect(store.commit(commit, to: home, expecting: nil), equals: 2)
            try await expect(store.screens(after: nil, limit: 9).map(\.revision), equals: [2])
        },
        Requirement("a write of all pages at an outdated revision changes nothing") { store in
            let home = try name("home")
            for page in 0...2 { try await store.put(page, to: home) }
            let before = try await store.stored(home)
            for expected in [nil, 2, 4] as [UInt64?] {
                try await expectConflict(at: 3) {
                    try await store.commit(
                        .replacing([1], keeping: [0]), to: home, expecting: expected)
                }
            }
            try await expect(store.stored(home), equals: before)
        },
        Requirement("a write of all pages sets the lifetime, or keeps it") { store, letPass in
            let home = try name("home")
            try await store.put(0, to: home, lifetime: .seconds(5_000))
            try await store.write(.replacing([1], keeping: [0]), to: home)
            let other = try await store.write(.replacing([2], keeping: [1]), to: name("other"))
            try await letPass(4_900)
            try await expect(store.revision(home), equals: 2)
            try await letPass(101)
            try await expect(store.revision(home), equals: nil)
            try await expect(store.revision(name("other")), equals: other)
        },
        Requirement("random writes of all pages leave what the rules of a stored screen give") {
            store in
            for seed in [UInt64.random(in: 0 ... .max), 1, 2] {
                try await checkReplacements(seed: seed, of: store, name("home-\(seed)"))
            }
        },
        Requirement("many pages are replaced in one write, which is read completely or not") {
            store in
            let home = try name("home")
            let numbers = [Array(0..<600), Array(300..<900)]
            try await store.write(.replacing(numbers[0], keeping: []), to: home)
            async let written = store.commit(
                .replacing(numbers[1], keeping: []), to: home, expecting: 1)
            var found = try await store.stored(home)
            while found.revision == 1 {
                try expect(found.pages.map(\.number), equals: numbers[0])
                await Task.yield()
                found = try await store.stored(home)
            }
            try expect(found.pages.map(\.number), equals: numbers[1])
            try await expect(written, equals: 2)
        },
    ]

    /// Compares the screen after each of some random writes with one as a value.
    private static func checkReplacements(
        seed: UInt64, of store: ScreenStore, _ screen: ScreenName
    ) async throws {
        var random = SeededGenerator(seed: seed)
        var model = StoredScreen(revision: 0)
        for step in 0..<40 {
            let commit: ScreenCommit =
                Int.random(in: 0...3, using: &random) == 0
                ? .put(page: Int.random(in: 0...9, using: &random), bytes: [1])
                : replacement(of: Set(model.pages.map(\.number)), using: &random)
            let revision = try await store.write(commit, to: screen)
            model.apply(commit, revision: revision)
            try await expect(
                store.stored(screen), equals: model, "seed \(seed), step \(step): \(commit)")
        }
    }

    /// Returns a random replacement of pages, of which some are kept.
    static func replacement(
        of stored: Set<Int>, using random: inout SeededGenerator
    ) -> ScreenCommit {
        let kept = stored.sorted().filter { _ in Bool.random(using: &random) }
        let put = (0...9).filter { number in
            !kept.contains(number) && Int.random(in: 0...3, using: &random) == 0
        }
        return .replacing(put, keeping: kept)
    }
}

extension ScreenCommit {
    /// Returns the commit that stores pages whose bytes name them, and keeps others.
    fileprivate static func replacing(
        _ numbers: [Int], keeping kept: [Int], totals: ContentCounts? = nil
    ) -> ScreenCommit {
        let pages = numbers.map { number in
            PutPage(
                number: number, bytes: Array("new \(number)".utf8),
                counts: ContentCounts(sections: 1, items: number))
        }
        return .replacePages(pages, keeping: kept, totals: totals)
    }
}
