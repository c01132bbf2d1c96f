import BroadsheetStores

extension StoreConformance {
    /// The requirements for every store with a history, checked on a newly opened, empty store with
    /// the default `HistoryBounds`.
    public static let historyRequirements: [Requirement] = earlierStates + revisionLists + bounds

    private static let earlierStates = [
        Requirement("every kept revision is the screen as it was, page for page") { store in
            let home = try name("home")
            var states: [StoredScreen] = []
            var state = StoredScreen(revision: 0)
            for commit in commits {
                let expected = states.last?.revision
                let revision = try await store.commit(commit, to: home, expecting: expected)
                state.apply(commit, revision: revision)
                states.append(state)
                for earlier in states {
                    let found = try await store.load(
                        home, at: earlier.revision, .all, within: .unlimited)
                    try expect(
                        found, equals: .screen(earlier),
                        "revision \(earlier.revision) at \(revision)")
                }
            }
        },
        Requirement("a part of an earlier revision has the pages of that part only") {
            store in
            let home = try name("home")
            for page in [0, 1, 4] { try await store.put(page, "\(page)", to: home) }
            let before = try await store.stored(home)
            try await store.write(.removePage(1), to: home)
            try await store.put(4, "new", to: home)
            for end in [.none, .lowest, .after(0), .after(1), .highest] as [ScreenPart.End] {
                let part = ScreenPart(upTo: end)
                try await expect(
                    store.load(home, at: before.revision, part, within: .unlimited),
                    equals: before.load(part, within: .unlimited), "\(end)")
            }
        },
        Requirement("a page of an earlier revision is not read beyond a limit") { store in
            let home = try name("home")
            try await store.put(0, String(repeating: "a", count: 100), to: home)
            try await store.put(0, "small", to: home)
            let found = try await store.load(
                home, at: 1, .all, within: ReadLimits(pageBytes: 99))
            guard case .tooLarge(let head, let excess) = found else {
                throw Violation("found \(found)")
            }
            try expect(head.revision, equals: 1)
            try expect(excess.quantity, equals: .pageBytes(page: 0))
        },
        Requirement("a revision of the future, and one of no screen, is absent") { store in
            let home = try name("home")
            try await expect(
                store.load(home, at: 1, .all, within: .unlimited), equals: .absent)
            try await store.put(0, to: home)
            for revision in [0, 2, UInt64(1) << 53] {
                try await expect(
                    store.load(home, at: revision, .all, within: .unlimited), equals: .absent)
            }
        },
        Requirement("a write that conflicts keeps nothing") { store in
            let home = try name("home")
            try await store.put(0, "first", to: home)
            try await expectConflict(at: 1) {
                try await store.commit(
                    .put(page: 0, bytes: [2]), to: home, expecting: 9, lifetime: .unchanged,
                    as: RevisionNote(operation: "putPage"))
            }
            let list = try require(try await store.revisions(of: home, before: nil, limit: 9))
            try expect(list.entries.map(\.revision), equals: [1])
        },
        Requirement("the history ends with its screen, and a later one begins without") {
            store in
            let home = try name("home")
            for text in ["a", "b", "c"] { try await store.put(0, text, to: home) }
            try await store.write(.removeScreen, to: home)
            try await expect(
                store.load(home, at: 1, .all, within: .unlimited), equals: .absent)
            let none = try await store.revisions(of: home, before: nil, limit: 9)
            try expect(none, equals: nil)
            let revision = try await store.put(0, "d", to: home)
            let list = try require(try await store.revisions(of: home, before: nil, limit: 9))
            try expect(list.first, equals: revision)
            for earlier in 1..<revision {
                try await expect(
                    store.load(home, at: earlier, .all, within: .unlimited), equals: .absent)
            }
        },
    ]

    private static let revisionLists = [
        Requirement("the list has the revisions, the newest first, with their notes") {
            store in
            let home = try name("home")
            let note = RevisionNote(
                at: 1_763_800_031_250, operation: "updateScreen", key: "backend",
                request: "a.b~c+/=:-", operations: ["patchItem": 2, "deleteItems": 1],
                revertedTo: 1)
            _ = try await store.commit(
                .put(page: 3, bytes: [1, 2]), to: home, expecting: nil)
            _ = try await store.commit(
                .putPages(
                    [PutPage(number: 0, bytes: [1]), PutPage(number: 5, bytes: [])], totals: nil),
                to: home, expecting: 1, lifetime: .unchanged, as: note)
            _ = try await store.commit(
                .replacePages([PutPage(number: 1, bytes: [9])], keeping: [5], totals: nil),
                to: home, expecting: 2)
            let list = try require(try await store.revisions(of: home, before: nil, limit: 9))
            try expect(list.revision, equals: 3)
            try expect(list.first, equals: 1)
            try expect(list.entries.map(\.revision), equals: [3, 2, 1])
            try expect(list.entries.map(\.pageCount), equals: [2, 3, 1])
            try expect(
                list.entries.map { $0.pages.map { "\($0.number):\($0.byteCount ?? -1)" } },
                equals: [["0:-1", "1:1", "3:-1"], ["0:1", "5:0"], ["3:2"]])
            try expect(list.entries[1].note, equals: note)
        },
        Requirement("a page of the list has the revisions before one, and at most a number") {
            store in
            let home = try name("home")
            for _ in 0..<5 { try await store.put(0, to: home) }
            for (before, limit, expected) in [
                (nil, 2, [5, 4]), (4, 2, [3, 2]), (2, 9, [1]), (1, 9, []), (9, 1, [5]),
            ] as [(UInt64?, Int, [UInt64])] {
                let list = try require(
                    try await store.revisions(of: home, before: before, limit: limit))
                try expect(list.entries.map(\.revision), equals: expected)
            }
        },
        Requirement("a list names at most 100 pages of a revision, and counts the others") {
            store in
            let home = try name("home")
            let pages = (0..<103).map { PutPage(number: $0, bytes: [1]) }
            _ = try await store.commit(.putPages(pages, totals: nil), to: home, expecting: nil)
            _ = try await store.commit(.removeAllPages, to: home, expecting: 1)
            let list = try require(try await store.revisions(of: home, before: nil, limit: 9))
            for entry in list.entries {
                try expect(entry.pages.map(\.number), equals: Array(0..<100))
                try expect(entry.morePages, equals: 3)
            }
            try expect(list.entries.map(\.pageCount), equals: [0, 103])
        },
        Requirement("the earlier revisions can be removed, and later ones are kept again") {
            store in
            let home = try name("home")
            let missing = try await store.removeRevisions(of: home)
            try expect(missing, equals: false)
            for text in ["a", "b", "c"] { try await store.put(0, text, to: home) }
            let removed = try await store.removeRevisions(of: home)
            try expect(removed, equals: true)
            try await expect(store.stored(home).revision, equals: 3)
            for revision in [1, 2] as [UInt64] {
                try await expect(
                    store.load(home, at: revision, .all, within: .unlimited), equals: .absent)
            }
            try await expect(store.historyByteCount(), equals: 0)
            try await store.put(0, "d", to: home)
            let list = try require(try await store.revisions(of: home, before: nil, limit: 9))
            try expect(list.entries.map(\.revision), equals: [4, 3])
            let found = try await store.load(home, at: 3, .all, within: .unlimited)
            guard case .screen(let stored) = found else { throw Violation("found \(found)") }
            try expect(stored.pages.map(\.bytes), equals: [Array("c".utf8)])
        },
    ]

    private static let bounds = [
        Requirement("earlier pages have at most the bytes of the current ones, or 256 KiB") {
            store in
            let home = try name("home")
            let size = 100_000
            for _ in 0..<6 {
                try await store.put(0, String(repeating: "a", count: size), to: home)
            }
            let list = try require(try await store.revisions(of: home, before: nil, limit: 9))
            try expect(list.first, equals: 4)
            let byteCount = try await store.historyByteCount()
            try expect((2 * size...2 * size + 1024).contains(byteCount), "\(byteCount)")
            try await expect(
                store.load(home, at: 3, .all, within: .unlimited), equals: .absent)
        },
        Requirement("of a page above 256 KiB the revision before one as large is kept") {
            store in
            let home = try name("home")
            let size = HistoryBounds.minBytes + 40_000
            var states: [StoredScreen] = []
            for letter in ["a", "b", "c", "d"] {
                try await store.put(0, String(repeating: letter, count: size), to: home)
                states.append(try await store.stored(home))
            }
            let list = try require(try await store.revisions(of: home, before: nil, limit: 9))
            try expect(list.entries.map(\.revision), equals: [4, 3])
            for state in states {
                try await expect(
                    store.load(home, at: state.revision, .all, within: .unlimited),
                    equals: state.revision < 3 ? .absent : .screen(state),
                    "revision \(state.revision)")
            }
            // A new page replaces none, so that the earlier ones have as many bytes as before.
            try await store.put(1, "e", to: home)
            try await expect(
                store.load(home, at: 3, .all, within: .unlimited), equals: .screen(states[2]))
        },
        Requirement("a revision is kept for a day after it was replaced") { store, letPass in
            let home = try name("home")
            try await store.put(0, "a", to: home)
            try await letPass(86_400)
            try await store.put(0, "b", to: home)
            try await letPass(43_200)
            try await store.put(0, "c", to: home)
            try await letPass(43_199)
            for revision in [1, 2, 3] as [UInt64] {
                let found = try await store.load(home, at: revision, .all, within: .unlimited)
                try expect(found != .absent, "revision \(revision)")
            }
            try await letPass(1)
            try await expect(
                store.load(home, at: 1, .all, within: .unlimited), equals: .absent)
            let list = try require(try await store.revisions(of: home, before: nil, limit: 9))
            try expect(list.entries.map(\.revision), equals: [3, 2])
            try await letPass(86_400)
            let rest = try require(try await store.revisions(of: home, before: nil, limit: 9))
            try expect(rest.entries.map(\.revision), equals: [3])
        },
    ]

    /// Commits of every kind, to one screen, with neighbours that appear and disappear.
    private static let commits: [ScreenCommit] = [
        .put(page: 0, bytes: [0]), .put(page: 1, bytes: [1]), .put(page: 0, bytes: [2, 2]),
        .put(page: 5, bytes: [3]), .removePage(1), .removePage(9), .put(page: 1, bytes: [4]),
        .removePage(5),
        .putPages(
            [
                PutPage(number: 2, bytes: [5], counts: ContentCounts(sections: 1, items: 2)),
                PutPage(number: 7, bytes: [6], counts: ContentCounts(sections: 3, items: 4)),
            ], totals: nil),
        .replacePages(
            [PutPage(number: 3, bytes: [7])], keeping: [0, 7],
            totals: ContentCounts(sections: 4, items: 5)),
        .replacePages([PutPage(number: 9, bytes: [8])], keeping: [0], totals: nil),
        .removeAllPages, .put(page: 0, bytes: [9]), .removePage(0), .put(page: 4, bytes: []),
        .put(page: 2, bytes: [10]), .replacePages([], keeping: [2, 4], totals: nil),
        .removeAllPages, .removeAllPages, .put(page: 0, bytes: [11]),
        .put(page: 0, bytes: [12]),
    ]
}
