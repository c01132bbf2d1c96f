import BroadsheetStores

extension StoreConformance {
    static let pages = [
        Requirement("pages are in ascending order, whatever the order of the writes") { store in
            let home = try name("home")
            for page in [5, 0, 9, 3, 2_147_483_647, 4] { try await store.put(page, to: home) }
            let numbers = try await store.stored(home).pages.map(\.number)
            try expect(numbers, equals: [0, 3, 4, 5, 9, 2_147_483_647])
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
            try await expect(store.stored(home).pages.map(\.bytes), equals: samples)
        },
        Requirement("a page that is put again is replaced, and others are unchanged") { store in
            let home = try name("home")
            for (page, text) in [(0, "a"), (1, "b"), (2, "c"), (1, "B")] {
                try await store.put(page, text, to: home)
            }
            let texts = try await store.stored(home).pages.map {
                String(decoding: $0.bytes, as: UTF8.self)
            }
            try expect(texts, equals: ["a", "B", "c"])
        },
        Requirement("a page has the revision of the write that stored it") { store in
            let home = try name("home")
            for page in [0, 1, 2, 1] { try await store.put(page, to: home) }
            try await expect(store.stored(home).pages.map(\.revision), equals: [1, 4, 3])
        },
        Requirement("the latest page is the one that was written last") { store in
            let home = try name("home")
            for page in [7, 3, 9, 3] {
                try await store.put(page, to: home)
                try await expect(store.stored(home).latestPage, equals: page)
            }
        },
    ]
}

extension StoreConformance {
    static let removals = [
        Requirement("removing a page keeps the others and increments the revision") { store in
            let home = try name("home")
            for page in 0...2 { try await store.put(page, to: home) }
            try await expect(store.write(.removePage(1), to: home), equals: 4)
            let stored = try await store.stored(home)
            try expect(stored.pages.map(\.number), equals: [0, 2])
            try expect(stored.pages.map(\.revision), equals: [1, 3])
            try expect(stored.revision, equals: 4)
        },
        Requirement("after the removal of the latest page, the highest page is the latest one") {
            store in
            let home = try name("home")
            for page in [0, 8, 4] { try await store.put(page, to: home) }
            try await store.write(.removePage(0), to: home)
            try await expect(store.stored(home).latestPage, equals: 4)
            try await store.write(.removePage(4), to: home)
            try await expect(store.stored(home).latestPage, equals: 8)
            try await store.write(.removePage(8), to: home)
            try await expect(store.stored(home).latestPage, equals: 0)
        },
        Requirement("removing all pages keeps the screen") { store in
            let home = try name("home")
            for page in 1...3 { try await store.put(page, to: home) }
            try await expect(store.write(.removeAllPages, to: home), equals: 4)
            let empty = StoredScreen(revision: 4, history: TreeHistory(floor: 4))
            try await expect(store.stored(home), equals: empty)
            try await expect(store.screens(after: nil, limit: 9).count, equals: 1)
        },
        Requirement("removing a screen does not affect the others") { store in
            try await store.put(0, to: name("a"))
            try await store.put(0, to: name("b"))
            try await expect(store.write(.removeScreen, to: name("a")), equals: 1)
            try await expect(store.load(name("a"), unlessAt: nil), equals: .absent)
            try await expect(store.revision(name("b")), equals: 1)
        },
        Requirement("a recreated screen starts above every revision that was removed") {
            store in
            let home = try name("home")
            for page in 0...4 { try await store.put(page, to: home) }
            try await store.write(.removeScreen, to: home)
            try await expect(store.put(0, to: home) > 5)
            try await expect(store.stored(home).pages.map(\.number), equals: [0])
            let before = try await store.revision(home)
            try await store.write(.removeScreen, to: home)
            try await expect(store.put(0, to: home) > (before ?? 0))
        },
        Requirement("removing from an absent screen conflicts and creates none") { store in
            let home = try name("home")
            for commit in [.removePage(0), .removeAllPages, .removeScreen] as [ScreenCommit] {
                try await expectConflict(at: nil) {
                    try await store.commit(commit, to: home, expecting: nil)
                }
            }
            try await expect(store.screens(after: nil, limit: 9).isEmpty)
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
            try expect(
                listed.map(\.name.text), equals: ["-", "10", "9", "B", "a", "a-b", "a.b", "b", "~"])
            try expect(listed.map(\.revision), equals: [1, 1, 1, 1, 1, 1, 1, 2, 1])
            // A store may leave out the sizes, which metrics add up.
            for listing in listed {
                guard let byteCount = listing.byteCount else { continue }
                try await expect(
                    store.stored(listing.name).head.size.byteCount, equals: byteCount)
            }
        },
        Requirement("a list continues after any name, existing or not, and ends at its limit") {
            store in
            for text in ["a", "c", "e", "g"] { try await store.put(0, to: name(text)) }
            func listed(_ after: String?, _ limit: Int) async throws -> [String] {
                try await store.screens(after: after.map(name), limit: limit).map(\.name.text)
            }
            try await expect(listed(nil, 2), equals: ["a", "c"])
            try await expect(listed("c", 2), equals: ["e", "g"])
            try await expect(listed("d", 1), equals: ["e"])
            try await expect(listed("g", 5), equals: [])
            try await expect(listed(nil, 0), equals: [])
        },
        Requirement("a list with a prefix has the screens whose names begin with it, in pages") {
            store in
            for text in ["a", "ab", "ab-", "ab.c", "abc", "ab~", "ab~~", "ac", "b", "AB", "-", "~"]
            {
                try await store.put(0, to: name(text))
            }
            func listed(_ prefix: String, _ after: String?, _ limit: Int) async throws -> [String] {
                try await store.screens(
                    after: after.map(name), prefix: require(ScreenNamePrefix(prefix)),
                    limit: limit
                ).map(\.name.text)
            }
            let all = ["ab", "ab-", "ab.c", "abc", "ab~", "ab~~"]
            try await expect(listed("ab", nil, 99), equals: all)
            try await expect(listed("ab", nil, 2), equals: ["ab", "ab-"])
            for (index, text) in all.enumerated() {
                try await expect(listed("ab", text, 99), equals: Array(all[(index + 1)...]))
            }
            try await expect(listed("ab", "AB", 1), equals: ["ab"])
            try await expect(listed("ab", "b", 9), equals: [])
            try await expect(listed("ab", "abb", 1), equals: ["abc"])
            try await expect(listed("ab~", nil, 9), equals: ["ab~", "ab~~"])
            try await expect(listed("x", nil, 9), equals: [])
            try await expect(listed("", nil, 99).count, equals: 12)
        },
        Requirement("a removed screen is not listed, and a recreated one is") { store in
            try await store.put(0, to: name("a"))
            try await store.put(0, to: name("b"))
            try await store.write(.removeScreen, to: name("a"))
            try await expect(store.screens(after: nil, limit: 9).map(\.name.text), equals: ["b"])
            try await store.put(0, to: name("a"))
            try await expect(
                store.screens(after: nil, limit: 9).map(\.name.text), equals: ["a", "b"])
        },
    ]
}
