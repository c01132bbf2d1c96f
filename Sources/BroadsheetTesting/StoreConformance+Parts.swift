package import BroadsheetStores
import TestSupport

extension StoreConformance {
    static let parts = [
        Requirement("a page is read without the other pages, with its revision and its length") {
            store in
            let home = try name("home")
            for page in [0, 7, 3] { try await store.put(page, "page \(page)", to: home) }
            let found = try await require(store.page(7, of: home, atMost: 6))
            try expect(found.screen.revision, equals: 3)
            try expect(found.screen.latestPage, equals: 3)
            try expect(found.screen.highestPage, equals: 7)
            try expect(found.page, equals: PageHead(number: 7, revision: 2, byteCount: 6))
            try expect(found.bytes, equals: Array("page 7".utf8))
            let highest = try await require(store.page(nil, of: home, atMost: 100))
            try expect(highest, equals: found)
        },
        Requirement("the bytes of a page are only read if they are requested and not too many") {
            store in
            let home = try name("home")
            try await store.put(1, "1234", to: home)
            for limit in [nil, 0, 3] {
                let found = try await require(store.page(1, of: home, atMost: limit))
                try expect(found.page, equals: PageHead(number: 1, revision: 1, byteCount: 4))
                try expect(found.bytes, equals: nil)
            }
            try await expect(store.page(1, of: home, atMost: 4)?.bytes?.count, equals: 4)
        },
        Requirement("a page that is not stored is nil, and so is a screen that does not exist") {
            store in
            let home = try name("home")
            try await expect(store.page(0, of: home, atMost: 9), equals: nil)
            try await expect(store.page(nil, of: home, atMost: 9), equals: nil)
            try await store.put(5, to: home)
            for number in [0, 4, 6, Int(Int32.max)] {
                let found = try await require(store.page(number, of: home, atMost: 9))
                try expect(found.page == nil && found.bytes == nil)
                try expect(found.screen.highestPage, equals: 5)
            }
            try await store.write(.removeAllPages, to: home)
            let empty = PageLoad(screen: ScreenHead(revision: 2))
            try await expect(store.page(nil, of: home, atMost: 9), equals: empty)
            try await expect(store.page(5, of: home, atMost: 9), equals: empty)
        },
        Requirement("a part has consecutive pages and their history, and the size of the screen") {
            store in
            let home = try name("home")
            for page in [2, 3, 5, 9, 3] { try await store.put(page, "\(page)", to: home) }
            try await store.write(.removePage(5), to: home)
            let whole = try await store.stored(home)
            let parts: [(ScreenPart, [Int])] = [
                (.none, []), (ScreenPart(upTo: .lowest), [2]),
                (ScreenPart(upTo: .after(0)), [2]), (ScreenPart(upTo: .after(2)), [2, 3]),
                (ScreenPart(upTo: .after(4)), [2, 3, 9]), (ScreenPart(upTo: .after(9)), [2, 3, 9]),
                (ScreenPart(upTo: .after(.max)), [2, 3, 9]),
                (ScreenPart(from: 3, upTo: .after(3)), [3, 9]),
                (ScreenPart(from: 4, upTo: .highest), [9]),
                (ScreenPart(from: 10, upTo: .highest), []), (.all, [2, 3, 9]),
            ]
            for (part, numbers) in parts {
                let found = try await store.part(part, of: home)
                try expect(
                    found.pages, equals: whole.pages.filter { numbers.contains($0.number) },
                    "\(part)")
                try expect(found.head, equals: whole.head, "\(part)")
                try expect(found.history.floor, equals: whole.history.floor)
                try expect(found.history.pages.map(\.number), equals: numbers, "\(part)")
                for page in numbers where part.start == 0 {
                    try expect(
                        found.history.treeRevision(upTo: page, declaresNext: false),
                        equals: whole.history.treeRevision(upTo: page, declaresNext: false))
                    guard page != numbers.last || page == 9 else { continue }
                    try expect(
                        found.history.lastChange(above: page),
                        equals: whole.history.lastChange(above: page))
                }
            }
        },
        Requirement("a part of a screen is unchanged, or absent, as the whole screen is") { store in
            let home = try name("home")
            let part = ScreenPart(upTo: .lowest)
            try await expect(
                store.load(home, unlessAt: 1, part, within: .unlimited), equals: .absent)
            try await store.put(0, to: home)
            try await expect(
                store.load(home, unlessAt: 1, part, within: .unlimited), equals: .unchanged)
            try await store.put(1, to: home)
            guard case .screen = try await store.load(home, unlessAt: 1, .none, within: .unlimited)
            else {
                throw StoreConformance.Violation("not read again")
            }
        },
    ]

    static let sizes = [
        Requirement("the size of a screen is that of its pages, after random writes") { store in
            for seed in [UInt64.random(in: 0 ... .max), 1, 2] {
                try await checkSizes(seed: seed, of: store, name("home-\(seed)"))
            }
        },
        Requirement("counts are unknown after a write without them, until all are known") { store in
            let home = try name("home")
            let counted = PutPage(number: 0, bytes: [1], counts: .init(sections: 2, items: 3))
            try await store.write(.putPages([counted], totals: nil), to: home)
            try await expect(
                store.stored(home).head.size.counts, equals: .init(sections: 2, items: 3))
            try await store.put(1, to: home)
            try await expect(store.stored(home).head.size.counts, equals: nil)
            try await store.write(
                .putPages([counted], totals: .init(sections: 4, items: 9)), to: home)
            try await expect(
                store.stored(home).head.size.counts, equals: .init(sections: 4, items: 9))
            try await store.write(.removePage(0), to: home)
            try await expect(
                store.stored(home).head.size.counts, equals: .init(sections: 2, items: 6))
            try await store.write(.removePage(1), to: home)
            try await expect(store.stored(home).head.size, equals: ScreenSize())
        },
        Requirement("a screen that exceeds a limit is not read, and its pages within it are") {
            store in
            let home = try name("home")
            let counts = ContentCounts(sections: 1, items: 5)
            for number in 0..<3 {
                let bytes = [UInt8](repeating: 1, count: 10 + number)
                let page = PutPage(number: number, bytes: bytes, counts: counts)
                try await store.write(.putPages([page], totals: nil), to: home)
            }
            for (quantity, count, change) in excesses {
                var limits = ReadLimits(
                    screen: ScreenSize(
                        pageCount: 3, byteCount: 33, counts: .init(sections: 3, items: 15)),
                    pageBytes: 12)
                guard case .screen = try await store.load(home, unlessAt: nil, .all, within: limits)
                else {
                    throw StoreConformance.Violation("not read within the limits")
                }
                change(&limits)
                let found = try await store.load(home, unlessAt: nil, .all, within: limits)
                guard case .tooLarge(let head, let excess) = found else {
                    throw StoreConformance.Violation("\(quantity): \(found)")
                }
                try expect(excess, equals: ReadExcess(of: quantity, count, limit: count - 1))
                try expect(head.revision == 3 && head.size.byteCount == 33)
                // A part without pages has no limit.
                guard case .screen = try await store.load(home, unlessAt: 1, .none, within: limits)
                else {
                    throw StoreConformance.Violation("the head was not read")
                }
                try await expect(store.page(1, of: home, atMost: 11)?.bytes?.count, equals: 11)
            }
        },
    ]

    private static let excesses:
        [(ReadExcess.Quantity, Int, @Sendable (inout ReadLimits) -> Void)] =
            [
                (.pages, 3, { $0.screen.pageCount = 2 }),
                (.screenBytes, 33, { $0.screen.byteCount = 32 }),
                (.pageBytes(page: 2), 12, { $0.pageBytes = 11 }),
                (.sections, 3, { $0.screen.counts?.sections = 2 }),
                (.items, 15, { $0.screen.counts?.items = 14 }),
            ]

    /// Compares the size after each of some random writes with that of the pages.
    private static func checkSizes(
        seed: UInt64, of store: ScreenStore, _ screen: ScreenName
    ) async throws {
        var random = SeededGenerator(seed: seed)
        var pages: [Int: PutPage] = [:]
        for step in 0..<40 {
            let numbers = Set((0...2).map { _ in Int.random(in: 0...6, using: &random) })
            let put = numbers.sorted().map { number in
                PutPage(
                    number: number,
                    bytes: [UInt8](repeating: 1, count: Int.random(in: 0...50, using: &random)),
                    counts: .init(
                        sections: Int.random(in: 0...3, using: &random),
                        items: Int.random(in: 0...9, using: &random)))
            }
            let removed = Int.random(in: 0...6, using: &random)
            switch Int.random(in: 0...9, using: &random) {
            case 0 where !pages.isEmpty:
                pages = [:]
                try await store.write(.removeAllPages, to: screen)
            case 1...4 where !pages.isEmpty:
                pages[removed] = nil
                try await store.write(.removePage(removed), to: screen)
            default:
                for page in put { pages[page.number] = page }
                try await store.write(.putPages(put, totals: nil), to: screen)
            }
            let expected = ScreenSize(
                pageCount: pages.count, byteCount: pages.values.reduce(0) { $0 + $1.bytes.count },
                counts: ContentCounts(
                    sections: pages.values.reduce(0) { $0 + ($1.counts?.sections ?? 0) },
                    items: pages.values.reduce(0) { $0 + ($1.counts?.items ?? 0) }))
            let head = try await require(store.page(nil, of: screen, atMost: nil)).screen
            try expect(head.size, equals: expected, "seed \(seed), step \(step)")
            try expect(head.highestPage, equals: pages.keys.max(), "seed \(seed), step \(step)")
            try await expect(store.stored(screen).head, equals: head, "seed \(seed), step \(step)")
        }
    }

    static let commitsOfManyPages = [
        Requirement("pages that are stored together have one revision, and the last is the latest")
        { store in
            let home = try name("home")
            try await store.put(4, "old", to: home)
            let pages = [4, 9, 2].map { PutPage(number: $0, bytes: Array("new \($0)".utf8)) }
            try await expect(store.write(.putPages(pages, totals: nil), to: home), equals: 2)
            let stored = try await store.stored(home)
            try expect(stored.revision, equals: 2)
            try expect(stored.latestPage, equals: 2)
            try expect(stored.pages.map(\.number), equals: [2, 4, 9])
            try expect(stored.pages.allSatisfy { $0.revision == 2 })
            try expect(
                stored.pages.map { String(decoding: $0.bytes, as: UTF8.self) },
                equals: [
                    "new 2", "new 4", "new 9",
                ])
        },
        Requirement("pages that are stored together at an outdated revision change nothing") {
            store in
            let home = try name("home")
            try await store.put(0, "a", to: home)
            let before = try await store.stored(home)
            let pages = [0, 1].map { PutPage(number: $0, bytes: [1]) }
            for expected in [nil, 2] as [UInt64?] {
                try await expectConflict(at: 1) {
                    try await store.commit(
                        .putPages(pages, totals: nil), to: home, expecting: expected)
                }
            }
            try await expect(store.stored(home), equals: before)
        },
        Requirement("many pages create a screen in one write, which is read completely or not") {
            store in
            let home = try name("home")
            let pages = (0..<1500).map { PutPage(number: $0, bytes: Array("\($0)".utf8)) }
            async let written = store.commit(
                .putPages(pages, totals: nil), to: home, expecting: nil)
            while case .absent = try await store.load(home, unlessAt: nil) { await Task.yield() }
            try await expect(store.stored(home).pages.count, equals: 1500)
            try await expect(written, equals: 1)
        },
    ]
}

extension ScreenStore {
    /// Loads a part of a screen that must exist.
    package func part(_ part: ScreenPart, of screen: ScreenName) async throws -> StoredScreen {
        guard
            case .screen(let stored) = try await load(
                screen, unlessAt: nil, part, within: .unlimited)
        else { throw Missing(screen: screen) }
        return stored
    }
}
