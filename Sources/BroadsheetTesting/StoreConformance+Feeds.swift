import BroadsheetStores

extension StoreConformance {
    /// The requirements for every store with feeds, checked on a newly opened, empty store with the
    /// default `FeedBounds`.
    public static let feedRequirements: [Requirement] = events + feedBounds

    private static let events = [
        Requirement("events have consecutive numbers from 1 on, of commits and others") {
            store in
            let home = try name("home")
            try await store.put(0, to: home)
            try await expect(
                store.feed(of: home, after: 0, byteCount: 99), equals: FeedPart())
            _ = try await store.append(texts("a", "b"), to: home)
            try await write(texts("c"), to: home, in: store)
            _ = try await store.append(texts("d"), to: home)
            let part = try require(
                try await store.feed(of: home, after: 0, byteCount: 99))
            try expect(part.events, equals: numbered("a", "b", "c", "d"))
            try expect([part.first, part.last], equals: [1, 4])
            let rest = try require(try await store.feed(of: home, after: 2, byteCount: 99))
            try expect(rest.events, equals: Array(numbered("a", "b", "c", "d").dropFirst(2)))
            try expect(rest.instance, equals: part.instance)
            let none = try require(try await store.feed(of: home, after: 4, byteCount: 99))
            try expect(none.events, equals: [])
        },
        Requirement("a part has about as many bytes as wanted, and one event at least") {
            store in
            let home = try name("home")
            try await store.put(0, to: home)
            _ = try await store.append(texts("aaaa", "bbbb", "cccc"), to: home)
            for (byteCount, count) in [(0, 1), (4, 1), (8, 2), (11, 2), (12, 3)] {
                let part = try require(
                    try await store.feed(of: home, after: 0, byteCount: byteCount))
                try expect(part.events.count, equals: count, "\(byteCount) bytes")
                try expect(part.last, equals: 3)
            }
        },
        Requirement("an instance is 1 to 32 letters and digits, and stays") { store in
            let home = try name("home")
            try await store.put(0, to: home)
            var found: Set<String> = []
            for text in ["a", "b", "c"] {
                _ = try await store.append(texts(text), to: home)
                try await store.put(0, text, to: home)
                let part = try require(
                    try await store.feed(of: home, after: 0, byteCount: 9))
                found.insert(try require(part.instance))
            }
            try expect(found.count, equals: 1)
            let isValid = found.allSatisfy { instance in
                (1...32).contains(instance.utf8.count)
                    && instance.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
            try expect(isValid, "\(found)")
        },
        Requirement("a write that conflicts stores no event") { store in
            let home = try name("home")
            try await store.put(0, to: home)
            try await expectConflict(at: 1) {
                try await store.commit(
                    .put(page: 0, bytes: [2]), to: home, expecting: 9, lifetime: .unchanged,
                    as: note(texts("a")))
            }
            try await expect(
                store.feed(of: home, after: 0, byteCount: 99), equals: FeedPart())
        },
        Requirement("there is no feed without a screen") { store in
            let home = try name("home")
            try await expect(store.append(texts("a"), to: home), equals: false)
            try await expect(store.feed(of: home, after: 0, byteCount: 99), equals: nil)
        },
        Requirement("events change no revision") { store in
            let home = try name("home")
            try await store.put(0, to: home)
            try await expect(store.append(texts("a"), to: home), equals: true)
            try await expect(store.stored(home).revision, equals: 1)
            try await store.put(0, "b", to: home)
            try await expect(store.stored(home).revision, equals: 2)
        },
        Requirement("the feed ends with its screen, and a later one is another one") {
            store in
            let home = try name("home")
            try await store.put(0, to: home)
            _ = try await store.append(texts("a", "b"), to: home)
            let before = try require(try await store.feed(of: home, after: 0, byteCount: 99))
            try await store.write(.removeScreen, to: home)
            try await expect(store.feed(of: home, after: 0, byteCount: 99), equals: nil)
            try await store.put(0, to: home)
            try await expect(
                store.feed(of: home, after: 0, byteCount: 99), equals: FeedPart())
            _ = try await store.append(texts("c"), to: home)
            let after = try require(try await store.feed(of: home, after: 0, byteCount: 99))
            try expect(after.events, equals: numbered("c"))
            try expect(after.instance != before.instance, "the instance is the same")
        },
        Requirement("the feeds of screens are separate") { store in
            let (one, two) = (try name("one"), try name("two"))
            for screen in [one, two] { try await store.put(0, to: screen) }
            _ = try await store.append(texts("a"), to: one)
            _ = try await store.append(texts("b"), to: two)
            for (screen, text) in [(one, "a"), (two, "b")] {
                let part = try require(
                    try await store.feed(of: screen, after: 0, byteCount: 9))
                try expect(part.events, equals: numbered(text))
            }
        },
        Requirement("the feed of a screen that has expired is gone") { store, letPass in
            let home = try name("home")
            _ = try await store.commit(
                .put(page: 0, bytes: [1]), to: home, expecting: nil, lifetime: .seconds(6_000))
            _ = try await store.append(texts("a"), to: home)
            try await letPass(6_001)
            try await expect(store.feed(of: home, after: 0, byteCount: 9), equals: nil)
            try await expect(store.append(texts("b"), to: home), equals: false)
            try await store.put(0, to: home)
            try await expect(store.feed(of: home, after: 0, byteCount: 9), equals: FeedPart())
        },
    ]

    private static let feedBounds = [
        Requirement("beyond 10,000 events the oldest are dropped, and counted") { store in
            let home = try name("home")
            try await store.put(0, to: home)
            for start in stride(from: 0, to: 10_100, by: 100) {
                let batch = (start..<start + 100).map { Array(String($0 + 1).utf8) }
                _ = try await store.append(batch, to: home)
            }
            let part = try require(try await store.feed(of: home, after: 0, byteCount: 0))
            try expect([part.first, part.last], equals: [101, 10_100])
            try expect(part.events, equals: [FeedEvent(number: 101, data: Array("101".utf8))])
            try expect(store.droppedEventCount, equals: 100)
        },
        Requirement("beyond 16 MiB the oldest events are dropped, by commits, too") { store in
            let home = try name("home")
            try await store.put(0, to: home)
            let data = [UInt8](repeating: UInt8(ascii: "a"), count: 3 << 20)
            for _ in 0..<6 { _ = try await store.append([data], to: home) }
            try expect(store.droppedEventCount, equals: 1)
            try await write([data], to: home, in: store)
            let part = try require(try await store.feed(of: home, after: 0, byteCount: 0))
            try expect([part.first, part.last], equals: [3, 7])
            try expect(store.droppedEventCount, equals: 2)
            // Events that are removed with their screen do not count as dropped.
            try await store.write(.removeScreen, to: home)
            try expect(store.droppedEventCount, equals: 2)
        },
    ]

    private static func texts(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private static func numbered(_ texts: String...) -> [FeedEvent] {
        texts.enumerated().map {
            FeedEvent(number: UInt64($0.offset + 1), data: Array($0.element.utf8))
        }
    }

    private static func note(_ events: [[UInt8]]) -> RevisionNote {
        var note = RevisionNote(operation: "postEvents")
        note.forwarded = events
        return note
    }

    private static func write(
        _ events: [[UInt8]], to screen: ScreenName, in store: ScreenStore
    ) async throws {
        let revision = try await store.stored(screen).revision
        _ = try await store.commit(
            .put(page: 0, bytes: Array("written".utf8)), to: screen, expecting: revision,
            lifetime: .unchanged, as: note(events))
    }
}
