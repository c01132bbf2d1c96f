import BroadsheetStores
import Testing

extension StoreConformance {
    static let removals = [
        Requirement("a page is removed, the others stay, the revision counts on") { store in
            let home = try name("home")
            for page in 0...2 { try await store.put(page, to: home) }
            #expect(try await store.write(.removePage(1), to: home) == 4)
            let stored = try await store.stored(home)
            #expect(stored.pages.map(\.number) == [0, 2])
            #expect(stored.pages.map(\.revision) == [1, 3])
            #expect(stored.revision == 4)
        },
        Requirement("the latest page, once removed, becomes the highest that is left") { store in
            let home = try name("home")
            for page in [0, 8, 4] { try await store.put(page, to: home) }
            try await store.write(.removePage(0), to: home)
            #expect(try await store.stored(home).latestPage == 4)
            try await store.write(.removePage(4), to: home)
            #expect(try await store.stored(home).latestPage == 8)
            try await store.write(.removePage(8), to: home)
            #expect(try await store.stored(home).latestPage == 0)
        },
        Requirement("removing all pages keeps the screen") { store in
            let home = try name("home")
            for page in 1...3 { try await store.put(page, to: home) }
            #expect(try await store.write(.removeAllPages, to: home) == 4)
            #expect(try await store.stored(home) == StoredScreen(revision: 4))
            #expect(try await store.screens(after: nil, limit: 9).count == 1)
        },
        Requirement("a removed screen is gone and leaves the others") { store in
            try await store.put(0, to: name("a"))
            try await store.put(0, to: name("b"))
            #expect(try await store.write(.removeScreen, to: name("a")) == 1)
            #expect(try await store.load(name("a"), unlessAt: nil) == .absent)
            #expect(try await store.revision(name("b")) == 1)
        },
        Requirement("a screen made anew starts above every revision that was ever removed") {
            store in
            let home = try name("home")
            for page in 0...4 { try await store.put(page, to: home) }
            try await store.write(.removeScreen, to: home)
            #expect(try await store.put(0, to: home) > 5)
            #expect(try await store.stored(home).pages.map(\.number) == [0])
            let before = try await store.revision(home)
            try await store.write(.removeScreen, to: home)
            #expect(try await store.put(0, to: home) > (before ?? 0))
        },
        Requirement("removing from a screen that is not there conflicts and makes none") { store in
            let home = try name("home")
            for change in [.removePage(0), .removeAllPages, .removeScreen] as [ScreenChange] {
                await #expect(throws: StoreError.conflict(current: nil)) {
                    try await store.commit(change, to: home, expecting: nil)
                }
            }
            #expect(try await store.screens(after: nil, limit: 9).isEmpty)
        },
    ]
}
