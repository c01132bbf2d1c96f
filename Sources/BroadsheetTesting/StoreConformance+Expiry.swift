import BroadsheetStores

extension StoreConformance {
    static let expiry = [
        Requirement("a screen exists until it expires, and is absent from then on") {
            store, letPass in
            let home = try name("home")
            try await store.put(0, to: home, lifetime: .seconds(10_000))
            try await letPass(9_900)
            try await expect(store.revision(home), equals: 1)
            try await letPass(101)
            try await expect(store.load(home, unlessAt: nil), equals: .absent)
            try await expect(store.load(home, unlessAt: 1), equals: .absent)
        },
        Requirement("a revision is known without waiting only while load returns unchanged") {
            store, letPass in
            let home = try name("home")
            func check(_ revision: UInt64) async throws {
                let isKnown = store.isKnown(home, toBeAt: revision)
                let load = try await store.load(home, unlessAt: revision)
                try expect(!isKnown || load == .unchanged, "revision \(revision)")
            }
            for revision in [0, 1] as [UInt64] { try await check(revision) }
            try await store.put(0, to: home, lifetime: .seconds(10_000))
            for revision in [0, 1, 2] as [UInt64] { try await check(revision) }
            try await store.put(1, to: home)
            for revision in [1, 2] as [UInt64] { try await check(revision) }
            try await letPass(10_001)
            try expect(!store.isKnown(home, toBeAt: 2))
            try await store.put(0, to: home)
            for revision in [1, 2, 3] as [UInt64] { try await check(revision) }
            try await store.write(.removeScreen, to: home)
            try expect(!store.isKnown(home, toBeAt: 3))
        },
        Requirement("a write keeps the lifetime unless it sets one") {
            store, letPass in
            let (kept, renewed, freed) = try (name("kept"), name("renewed"), name("freed"))
            for screen in [kept, renewed, freed] {
                try await store.put(0, to: screen, lifetime: .seconds(10_000))
            }
            try await letPass(6_000)
            try await store.put(1, to: kept)
            try await store.put(1, to: renewed, lifetime: .seconds(10_000))
            try await store.put(1, to: freed, lifetime: .indefinite)
            try await letPass(6_000)
            try await expect(store.load(kept, unlessAt: nil), equals: .absent)
            try await expect(store.stored(renewed).pages.count, equals: 2)
            try await expect(store.stored(freed).pages.count, equals: 2)
            try await letPass(10_000)
            try await expect(store.load(renewed, unlessAt: nil), equals: .absent)
            try await expect(store.stored(freed).pages.count, equals: 2)
        },
        Requirement("removing pages keeps the lifetime unless it sets one") {
            store, letPass in
            let (one, all, set) = try (name("one"), name("all"), name("set"))
            for screen in [one, all] {
                try await store.put(0, to: screen, lifetime: .seconds(5_000))
            }
            try await store.put(0, to: set)
            try await store.write(.removePage(0), to: one)
            try await store.write(.removeAllPages, to: all)
            try await store.write(.removeAllPages, to: set, lifetime: .seconds(5_000))
            try await expect(store.screens(after: nil, limit: 9).count, equals: 3)
            try await letPass(5_001)
            try await expect(store.screens(after: nil, limit: 9).isEmpty)
        },
        Requirement("an expired screen is not listed, and the others are") {
            store, letPass in
            for (text, lifetime) in [("a", 1_000), ("b", 90_000), ("c", 1_000), ("d", 90_000)] {
                try await store.put(0, to: name(text), lifetime: .seconds(lifetime))
            }
            try await letPass(1_001)
            func listed(_ after: String?, _ limit: Int) async throws -> [String] {
                try await store.screens(after: after.map(name), limit: limit).map(\.name.text)
            }
            try await expect(listed(nil, 9), equals: ["b", "d"])
            try await expect(listed(nil, 1), equals: ["b"])
            try await expect(listed("b", 1), equals: ["d"])
        },
        Requirement("a write to an expired screen finds none") { store, letPass in
            let home = try name("home")
            try await store.put(0, to: home, lifetime: .seconds(1_000))
            try await letPass(1_001)
            for commit in [
                .put(page: 0, bytes: [1]), .removePage(0), .removeAllPages, .removeScreen,
            ]
                as [ScreenCommit]
            {
                try await expectConflict(at: nil) {
                    try await store.commit(commit, to: home, expecting: 1)
                }
            }
        },
        Requirement(
            "a screen recreated after its expiry is empty and starts above its last revision"
        ) {
            store, letPass in
            let home = try name("home")
            for page in 0..<5 { try await store.put(page, to: home, lifetime: .seconds(1_000)) }
            try await letPass(1_001)
            try await expect(store.put(7, to: home) > 5)
            try await expect(store.stored(home).pages.map(\.number), equals: [7])
            try await letPass(1_000)
            try await expect(store.stored(home).pages.count, equals: 1)
        },
        Requirement("a recreated screen does not keep the lifetime of the removed one") {
            store, letPass in
            let home = try name("home")
            try await store.put(0, to: home, lifetime: .seconds(1_000))
            try await store.write(.removeScreen, to: home)
            try await store.put(0, to: home)
            try await letPass(2_000)
            try await expect(store.stored(home).pages.count, equals: 1)
        },
        Requirement("a lifetime out of range is clamped") { store, letPass in
            try await store.put(0, to: name("short"), lifetime: .seconds(-5))
            try await store.put(0, to: name("long"), lifetime: .seconds(.max))
            try await letPass(2)
            try await expect(store.screens(after: nil, limit: 9).map(\.name.text), equals: ["long"])
            try await letPass(ScreenLifetime.secondsRange.upperBound)
            try await expect(store.screens(after: nil, limit: 9).isEmpty)
        },
    ]
}
