import BroadsheetStores

extension StoreConformance {
    static let revisions = [
        Requirement("a new store has no screens") { store in
            let home = try name("home")
            try await expect(store.load(home, unlessAt: nil), equals: .absent)
            try await expect(store.load(home, unlessAt: 1), equals: .absent)
        },
        Requirement("the first write creates revision 1, and each further write increments it") {
            store in
            let home = try name("home")
            for expected in 1...4 as ClosedRange<UInt64> {
                try await expect(store.put(0, to: home), equals: expected)
                try await expect(store.stored(home).revision, equals: expected)
            }
        },
        Requirement("revisions of different screens are independent") { store in
            try await store.put(0, to: name("a"))
            try await store.put(1, to: name("a"))
            try await expect(store.put(0, to: name("b")), equals: 1)
        },
        Requirement("load returns unchanged at the same revision, and the screen at any other") {
            let home = try name("home")
            try await $0.put(0, to: home)
            try await expect($0.load(home, unlessAt: 1), equals: .unchanged)
            let stored = try await $0.stored(home)
            try await expect($0.load(home, unlessAt: 0), equals: .screen(stored))
            try await expect($0.load(home, unlessAt: 2), equals: .screen(stored))
        },
        Requirement("a write that expects another revision conflicts and changes nothing") {
            store in
            let home = try name("home")
            try await store.put(0, "first", to: home)
            try await store.put(1, to: home)
            let before = try await store.stored(home)
            for stale in [nil, 0, 1, 3, UInt64.max] as [UInt64?] {
                for commit in commitsOfAllKinds {
                    try await expectConflict(at: 2) {
                        try await store.commit(commit, to: home, expecting: stale)
                    }
                }
            }
            try await expect(store.stored(home), equals: before)
        },
        Requirement("a write that expects an absent screen conflicts and creates none") {
            store in
            let home = try name("home")
            for commit in commitsOfAllKinds {
                try await expectConflict(at: nil) {
                    try await store.commit(commit, to: home, expecting: 1)
                }
            }
            try await expect(store.screens(after: nil, limit: 10).isEmpty)
        },
    ]

    private static let commitsOfAllKinds: [ScreenCommit] = [
        .put(page: 0, bytes: [1]), .removePage(0), .removeAllPages, .removeScreen,
    ]
}

extension StoreConformance {
    static let concurrency = [
        Requirement("exactly one of several writes that expect the same revision succeeds") {
            store in
            let home = try name("home")
            let winners = await withTaskGroup(of: Bool.self) { group in
                for writer in 0..<16 {
                    group.addTask {
                        let commit = ScreenCommit.put(page: writer, bytes: [UInt8(writer)])
                        let revision = try? await store.commit(commit, to: home, expecting: nil)
                        return revision != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try expect(winners, equals: 1)
            try await expect(store.stored(home).pages.count, equals: 1)
        },
        Requirement("no write is lost by writers that retry after conflicts") { store in
            let home = try name("home")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    group.addTask { try await writeWithRetries(as: writer, in: home, of: store) }
                }
                try await group.waitForAll()
            }
            let stored = try await store.stored(home)
            try expect(stored.revision, equals: 8 * 16)
            try expect(stored.pages.map(\.number), equals: Array(0..<(8 * 16)))
            try expect(Set(stored.pages.map(\.revision)), equals: Set(1...(8 * 16)))
        },
        Requirement("writers of different screens do not conflict") { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        let screen = try name("screen-\(writer)")
                        for page in 0..<16 { try await store.put(page, to: screen) }
                    }
                }
                try await group.waitForAll()
            }
            try await expect(
                store.screens(after: nil, limit: 99).map(\.revision),
                equals: Array(repeating: 16, count: 8))
        },
    ]

    /// Writes 16 pages by compare-and-set, each with retries after conflicts.
    private static func writeWithRetries(
        as writer: Int, in screen: ScreenName, of store: ScreenStore
    ) async throws {
        var revision = try await store.revision(screen)
        for page in 0..<16 {
            while true {
                do throws(StoreError) {
                    let commit = ScreenCommit.put(page: writer * 16 + page, bytes: [1])
                    revision = try await store.commit(commit, to: screen, expecting: revision)
                    break
                } catch {
                    guard case .conflict(let current) = error else { throw error }
                    revision = current
                }
            }
        }
    }
}

extension StoreConformance {
    static let identity = [
        Requirement("the identity is the same at every call, with a key of the right length") {
            let first = try await $0.identity()
            try await expect($0.identity(), equals: first)
            try expect(first.sealingKey.count, equals: StoreIdentity.keyLength)
            try expect(!first.name.isEmpty)
        },
        Requirement("the identity does not change with writes") { store in
            let first = try await store.identity()
            try await store.put(0, to: name("home"))
            try await store.write(.removeScreen, to: name("home"))
            try await expect(store.identity(), equals: first)
        },
        Requirement("the store is ready once it is open") { try await $0.checkReadiness() },
    ]
}
