import BroadsheetStores
import Testing

extension StoreConformance {
    static let pages = [
        Requirement("pages are in ascending order, whatever the order of the writes") { store in
            let home = try name("home")
            for page in [5, 0, 9, 3, 2_147_483_647, 4] { try await store.put(page, to: home) }
            let numbers = try await store.stored(home).pages.map(\.number)
            #expect(numbers == [0, 3, 4, 5, 9, 2_147_483_647])
        },
        Requirement("any bytes are returned as they were posted") { store in
            let home = try name("home")
            let samples: [[UInt8]] = [
                [], [0], [0xEF, 0xBB, 0xBF, 0x7B, 0x7D], Array(0...255),
                [UInt8](repeating: 0xFF, count: 1 << 20),
            ]
            for (page, bytes) in samples.enumerated() {
                try await store.write(.put(page: page, bytes: bytes), to: home)
            }
            #expect(try await store.stored(home).pages.map(\.bytes) == samples)
        },
        Requirement("a page that is put again is replaced, and others are unchanged") { store in
            let home = try name("home")
            for (page, text) in [(0, "a"), (1, "b"), (2, "c"), (1, "B")] {
                try await store.put(page, text, to: home)
            }
            let texts = try await store.stored(home).pages.map {
                String(decoding: $0.bytes, as: UTF8.self)
            }
            #expect(texts == ["a", "B", "c"])
        },
        Requirement("a page has the revision of the write that stored it") { store in
            let home = try name("home")
            for page in [0, 1, 2, 1] { try await store.put(page, to: home) }
            #expect(try await store.stored(home).pages.map(\.revision) == [1, 4, 3])
        },
        Requirement("the latest page is the one that was written last") { store in
            let home = try name("home")
            for page in [7, 3, 9, 3] {
                try await store.put(page, to: home)
                #expect(try await store.stored(home).latestPage == page)
            }
        },
    ]
}

extension StoreConformance {
    static let removals = [
        Requirement("removing a page keeps the others and increments the revision") { store in
            let home = try name("home")
            for page in 0...2 { try await store.put(page, to: home) }
            #expect(try await store.write(.removePage(1), to: home) == 4)
            let stored = try await store.stored(home)
            #expect(stored.pages.map(\.number) == [0, 2])
            #expect(stored.pages.map(\.revision) == [1, 3])
            #expect(stored.revision == 4)
        },
        Requirement("after the removal of the latest page, the highest page is the latest one") {
            store in
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
            let empty = StoredScreen(revision: 4, history: TreeHistory(floor: 4))
            #expect(try await store.stored(home) == empty)
            #expect(try await store.screens(after: nil, limit: 9).count == 1)
        },
        Requirement("removing a screen does not affect the others") { store in
            try await store.put(0, to: name("a"))
            try await store.put(0, to: name("b"))
            #expect(try await store.write(.removeScreen, to: name("a")) == 1)
            #expect(try await store.load(name("a"), unlessAt: nil) == .absent)
            #expect(try await store.revision(name("b")) == 1)
        },
        Requirement("a recreated screen starts above every revision that was removed") {
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
        Requirement("removing from an absent screen conflicts and creates none") { store in
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

extension StoreConformance {
    static let listings = [
        Requirement("screens are listed in the byte order of their names, with their revisions") {
            store in
            for text in ["b", "a", "B", "~", "10", "9", "a.b", "a-b", "-"] {
                try await store.put(0, to: name(text))
            }
            try await store.put(1, to: name("b"))
            let listed = try await store.screens(after: nil, limit: 100)
            #expect(listed.map(\.name.text) == ["-", "10", "9", "B", "a", "a-b", "a.b", "b", "~"])
            #expect(listed.map(\.revision) == [1, 1, 1, 1, 1, 1, 1, 2, 1])
        },
        Requirement("a list continues after any name, existing or not, and ends at its limit") {
            store in
            for text in ["a", "c", "e", "g"] { try await store.put(0, to: name(text)) }
            func listed(_ after: String?, _ limit: Int) async throws -> [String] {
                try await store.screens(after: after.map(name), limit: limit).map(\.name.text)
            }
            #expect(try await listed(nil, 2) == ["a", "c"])
            #expect(try await listed("c", 2) == ["e", "g"])
            #expect(try await listed("d", 1) == ["e"])
            #expect(try await listed("g", 5) == [])
            #expect(try await listed(nil, 0) == [])
        },
        Requirement("a list with a prefix has the screens whose names begin with it, in pages") {
            store in
            for text in ["a", "ab", "ab-", "ab.c", "abc", "ab~", "ab~~", "ac", "b", "AB", "-", "~"]
            {
                try await store.put(0, to: name(text))
            }
            func listed(_ prefix: String, _ after: String?, _ limit: Int) async throws -> [String] {
                try await store.screens(
                    after: after.map(name), prefix: #require(ScreenNamePrefix(prefix)),
                    limit: limit
                ).map(\.name.text)
            }
            let all = ["ab", "ab-", "ab.c", "abc", "ab~", "ab~~"]
            #expect(try await listed("ab", nil, 99) == all)
            #expect(try await listed("ab", nil, 2) == ["ab", "ab-"])
            for (index, text) in all.enumerated() {
                #expect(try await listed("ab", text, 99) == Array(all[(index + 1)...]))
            }
            #expect(try await listed("ab", "AB", 1) == ["ab"])
            #expect(try await listed("ab", "b", 9) == [])
            #expect(try await listed("ab", "abb", 1) == ["abc"])
            #expect(try await listed("ab~", nil, 9) == ["ab~", "ab~~"])
            #expect(try await listed("x", nil, 9) == [])
            #expect(try await listed("", nil, 99).count == 12)
        },
        Requirement("a removed screen is not listed, and a recreated one is") { store in
            try await store.put(0, to: name("a"))
            try await store.put(0, to: name("b"))
            try await store.write(.removeScreen, to: name("a"))
            #expect(try await store.screens(after: nil, limit: 9).map(\.name.text) == ["b"])
            try await store.put(0, to: name("a"))
            #expect(try await store.screens(after: nil, limit: 9).map(\.name.text) == ["a", "b"])
        },
    ]
}
