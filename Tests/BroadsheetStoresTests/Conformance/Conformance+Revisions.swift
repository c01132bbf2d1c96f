import BroadsheetStores
import Testing

extension StoreConformance {
    static let revisions = [
        Requirement("a new store has no screens") { store in
            let home = try name("home")
            #expect(try await store.load(home, unlessAt: nil) == .absent)
            #expect(try await store.load(home, unlessAt: 1) == .absent)
        },
        Requirement("the first write creates revision 1, and each further write increments it") {
            store in
            let home = try name("home")
            for expected in 1...4 as ClosedRange<UInt64> {
                #expect(try await store.put(0, to: home) == expected)
                #expect(try await store.stored(home).revision == expected)
            }
        },
        Requirement("revisions of different screens are independent") { store in
            try await store.put(0, to: name("a"))
            try await store.put(1, to: name("a"))
            #expect(try await store.put(0, to: name("b")) == 1)
        },
        Requirement("load returns unchanged at the same revision, and the screen at any other") {
            let home = try name("home")
            try await $0.put(0, to: home)
            #expect(try await $0.load(home, unlessAt: 1) == .unchanged)
            let stored = try await $0.stored(home)
            #expect(try await $0.load(home, unlessAt: 0) == .screen(stored))
            #expect(try await $0.load(home, unlessAt: 2) == .screen(stored))
        },
        Requirement("a write that expects another revision conflicts and changes nothing") {
            store in
            let home = try name("home")
            try await store.put(0, "first", to: home)
            try await store.put(1, to: home)
            let before = try await store.stored(home)
            for stale in [nil, 0, 1, 3, UInt64.max] as [UInt64?] {
                for change in changes {
                    await #expect(throws: StoreError.conflict(current: 2)) {
                        try await store.commit(change, to: home, expecting: stale)
                    }
                }
            }
            #expect(try await store.stored(home) == before)
        },
        Requirement("a write that expects an absent screen conflicts and creates none") {
            store in
            let home = try name("home")
            for change in changes {
                await #expect(throws: StoreError.conflict(current: nil)) {
                    try await store.commit(change, to: home, expecting: 1)
                }
            }
            #expect(try await store.screens(after: nil, limit: 10).isEmpty)
        },
    ]

    /// One change of each kind.
    private static let changes: [ScreenChange] = [
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
                        let change = ScreenChange.put(page: writer, bytes: [UInt8(writer)])
                        let revision = try? await store.commit(change, to: home, expecting: nil)
                        return revision != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
            #expect(try await store.stored(home).pages.count == 1)
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
            #expect(stored.revision == 8 * 16)
            #expect(stored.pages.map(\.number) == Array(0..<(8 * 16)))
            #expect(Set(stored.pages.map(\.revision)) == Set(1...(8 * 16)))
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
            #expect(
                try await store.screens(after: nil, limit: 99).map(\.revision)
                    == Array(repeating: 16, count: 8))
        },
    ]

    /// Writes 16 pages by compare-and-set, each with retries after conflicts.
    private static func writeWithRetries(
        as writer: Int, in screen: ScreenName, of store: any ScreenStore
    ) async throws {
        var revision = try await store.revision(screen)
        for page in 0..<16 {
            while true {
                do throws(StoreError) {
                    let change = ScreenChange.put(page: writer * 16 + page, bytes: [1])
                    revision = try await store.commit(change, to: screen, expecting: revision)
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
            #expect(try await $0.identity() == first)
            #expect(first.sealingKey.count == StoreIdentity.keyLength)
            #expect(!first.name.isEmpty)
        },
        Requirement("the identity does not change with writes") { store in
            let first = try await store.identity()
            try await store.put(0, to: name("home"))
            try await store.write(.removeScreen, to: name("home"))
            #expect(try await store.identity() == first)
        },
        Requirement("the store is ready once it is open") { try await $0.checkReadiness() },
    ]
}
