import BroadsheetStores
import Testing

extension StoreConformance {
    static let revisions = [
        Requirement("a fresh store knows no screen") { store in
            let home = try name("home")
            #expect(try await store.load(home, unlessAt: nil) == .absent)
            #expect(try await store.load(home, unlessAt: 1) == .absent)
        },
        Requirement("the first write gives revision 1, each further one more") { store in
            let home = try name("home")
            for expected in 1...4 as ClosedRange<UInt64> {
                #expect(try await store.put(0, to: home) == expected)
                #expect(try await store.stored(home).revision == expected)
            }
        },
        Requirement("screens count for themselves") { store in
            try await store.put(0, to: name("a"))
            try await store.put(1, to: name("a"))
            #expect(try await store.put(0, to: name("b")) == 1)
        },
        Requirement("load says unchanged at the same revision, and gives the screen at any other") {
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
        Requirement("a write that expects a screen where there is none conflicts and makes none") {
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

    /// One change of each sort.
    private static let changes: [ScreenChange] = [
        .put(page: 0, bytes: [1]), .removePage(0), .removeAllPages, .removeScreen,
    ]
}
