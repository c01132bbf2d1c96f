import Synchronization
import TestSupport
import Testing

import BroadsheetIO
import BroadsheetTesting
import StoreTestSupport
@testable import BroadsheetStores

@Suite("A copy of a store", .serialized, .timeLimit(.minutes(hangMinutes)))
struct StoreCopyTests {
    @Test(
        "A copy has the identity and the screens of its source, at revisions a million higher",
        arguments: CopyPlace.Kind.allCases, CopyPlace.Kind.allCases)
    func contents(from: CopyPlace.Kind, to: CopyPlace.Kind) async throws {
        let (source, target) = (try CopyPlace(from), try CopyPlace(to))
        var before: [ScreenName: StoredScreen] = [:]
        var identity: StoreIdentity?
        try await source.withStore { store async throws in
            try await Self.fill(store)
            identity = try await store.identity()
            for screen in try await store.screens(after: nil, limit: 9) {
                before[screen.name] = try await store.stored(screen.name)
            }
            try await target.withStore(asTarget: true) { copy async throws in
                var run = StoreCopy(from: store, to: copy, dropsFeeds: false)
                run.commitBytes = 10
                #expect(
                    try await run.run() == StoreCopy.Summary(screens: 3, pages: 5, bytes: 24))
            }
        }
        let highest = before.values.map(\.revision).max() ?? 0
        try await target.withStore { copy async throws in
            #expect(try await copy.identity() == identity)
            #expect(
                try await copy.screens(after: nil, limit: 9).map(\.name.text) == [
                    "empty", "home", "short",
                ])
            for (name, screen) in before {
                let found = try await copy.stored(name)
                #expect(found.revision > highest + 1_000_000)
                #expect(found.pages.map(\.number) == screen.pages.map(\.number))
                #expect(found.pages.map(\.bytes) == screen.pages.map(\.bytes))
                #expect(found.pages.map(\.counts) == screen.pages.map(\.counts))
                #expect(found.latestPage == screen.latestPage)
                #expect(found.head.size == screen.head.size)
            }
            let left = try await copy.millisecondsLeft(of: Array(before.keys))
            #expect(left.keys.map(\.text) == ["short"])
            #expect((90_000_000...100_001_000).contains(left.values.first ?? 0))
            #expect(try await copy.put(0, to: name("new")) > highest + 1_000_000)
        }
    }

    @Test(
        "After an interruption no daemon opens the copy, and the next copy begins again",
        arguments: CopyPlace.Kind.allCases)
    func interrupted(to: CopyPlace.Kind) async throws {
        let (source, target) = (try CopyPlace(.sqlite), try CopyPlace(to))
        try await source.withStore { store async throws in
            try await Self.fill(store)
            let copy = try target.open(asTarget: true)
            var run = StoreCopy(from: store, to: copy, dropsFeeds: false)
            run.onScreen = { _ in await copy.close() }
            let error = await #expect(throws: StoreCopyError.self) { try await run.run() }
            guard case .target? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            let refusal = await #expect(throws: (any Error).self) {
                try await target.withStore { store in _ = try await store.identity() }
            }
            #expect("\(refusal.map { "\($0)" } ?? "")".contains("store copy"))
            try await store.write(.removeScreen, to: name("empty"))
            try await target.withStore(asTarget: true) { copy async throws in
                let summary = try await StoreCopy(from: store, to: copy, dropsFeeds: false).run()
                #expect(summary == StoreCopy.Summary(screens: 2, pages: 5, bytes: 24))
            }
            try await target.withStore { copy async throws in
                let names = try await copy.screens(after: nil, limit: 9).map(\.name.text)
                #expect(names == ["home", "short"])
                #expect(try await copy.identity() == store.identity())
            }
        }
    }

    @Test(
        "A target with screens is refused, and stays as it is",
        arguments: CopyPlace.Kind.allCases)
    func notEmpty(to: CopyPlace.Kind) async throws {
        let (source, target) = (try CopyPlace(.sqlite), try CopyPlace(to))
        try await source.withStore { store async throws in
            try await Self.fill(store)
            try await target.withStore(asTarget: true) { copy async throws in
                try await copy.put(0, "own", to: name("own"))
                let identity = try await copy.identity()
                await #expect(throws: StoreCopyError.targetNotEmpty) {
                    try await StoreCopy(from: store, to: copy, dropsFeeds: false).run()
                }
                #expect(try await copy.identity() == identity)
                #expect(try await copy.screens(after: nil, limit: 9).map(\.name.text) == ["own"])
            }
        }
    }

    /// A write to the source during a copy.
    enum Meanwhile: CaseIterable {
        case changed
        case created
        case removed
    }

    @Test("A screen that is written during the copy is named", arguments: Meanwhile.allCases)
    func written(meanwhile: Meanwhile) async throws {
        let (source, target) = (try CopyPlace(.redis), try CopyPlace(.sqlite))
        let (home, late) = (try name("home"), try name("late"))
        try await source.withStore { store async throws in
            try await Self.fill(store)
            try await target.withStore(asTarget: true) { copy async throws in
                var run = StoreCopy(from: store, to: copy, dropsFeeds: false)
                run.onScreen = { name in
                    guard name == home else { return }
                    switch meanwhile {
                    case .changed: _ = try? await store.put(7, to: home)
                    case .created: _ = try? await store.put(0, to: late)
                    case .removed: _ = try? await store.write(.removeScreen, to: home)
                    }
                }
                let expected = meanwhile == .created ? late : home
                await #expect(throws: StoreCopyError.written(expected)) { try await run.run() }
                #expect(try await copy.isIncomplete())
            }
        }
    }

    @Test(
        "Events of a feed prevent a copy, unless they may be left out",
        arguments: CopyPlace.Kind.allCases)
    func feeds(from: CopyPlace.Kind) async throws {
        let (source, target) = (try CopyPlace(from), try CopyPlace(.sqlite))
        let home = try name("home")
        try await source.withStore { store async throws in
            try await Self.fill(store)
            _ = try await store.append([[1], [2]], to: home)
            try await target.withStore(asTarget: true) { copy async throws in
                await #expect(throws: StoreCopyError.unreadEvents(2, feeds: 1)) {
                    try await StoreCopy(from: store, to: copy, dropsFeeds: false).run()
                }
                #expect(try await !copy.isIncomplete())
                _ = try await StoreCopy(from: store, to: copy, dropsFeeds: true).run()
                #expect(try await copy.feed(of: home, after: 0, byteCount: 9) == FeedPart())
            }
        }
    }

    /// Stores a screen of several pages, one without pages, and one that expires.
    private static func fill(_ store: ScreenStore) async throws {
        let home = try name("home")
        for page in [4, 0, 9] { try await store.put(page, "page \(page)", to: home) }
        let counted = PutPage(
            number: 2, bytes: [1], counts: ContentCounts(sections: 1, items: 3))
        try await store.write(.putPages([counted], totals: nil), to: home)
        try await store.put(0, to: name("empty"))
        try await store.write(.removeAllPages, to: name("empty"))
        try await store.write(
            .putPages(
                [PutPage(number: 0, bytes: Array("short".utf8), counts: counted.counts)],
                totals: nil), to: name("short"), lifetime: .seconds(100_000))
    }
}

/// A place of a store, which is removed with the object.
final class CopyPlace: Sendable {
    /// The kinds of stores that can be copied.
    enum Kind: String, CaseIterable, Sendable {
        case sqlite
        case redis
        case postgres
        /// A backend that only tests use, with the rules of the core alone.
        case dictionary
    }

    private let dictionary: DictionaryBackend?
    private let file: DatabaseFile?
    private let redis: RedisServer?
    private let postgres: (server: PostgresServer, database: String)?

    /// Makes an empty place.
    init(_ kind: Kind) throws {
        dictionary =
            kind == .dictionary
            ? DictionaryBackend(now: { TimeSource.system.unixMilliseconds }) : nil
        file = kind == .sqlite ? try DatabaseFile() : nil
        redis = kind == .redis ? try RedisServer() : nil
        guard kind == .postgres else {
            postgres = nil
            return
        }
        let server = try PostgresServer.shared()
        postgres = (server, try server.newDatabase())
    }

    deinit {
        if let (server, database) = postgres {
            _ = try? server.execute("DROP DATABASE \(database) WITH (FORCE)")
        }
    }

    /// Opens the store.
    func open(asTarget isTarget: Bool = false) throws -> ScreenStore {
        if let dictionary {
            return ScreenStore(InterceptingBackend(dictionary), history: .none)
        }
        if let file {
            var options = SQLiteStoreOptions(feeds: FeedBounds())
            options.allowsIncomplete = isTarget
            return try ScreenStore(path: file.path, options: options)
        }
        if let redis {
            return try ScreenStore(
                redis.endpoint(),
                options: RedisStoreOptions(timeout: .seconds(60), feeds: FeedBounds()))
        }
        let (server, database) = try #require(postgres)
        var options = PostgresStoreOptions(
            connections: 2, timeout: .seconds(60), listening: .off, feeds: FeedBounds())
        options.allowsIncomplete = isTarget
        return try ScreenStore(server.address(database), options: options)
    }

    /// Opens the store, passes it to `body`, and closes it in any case.
    func withStore(
        asTarget isTarget: Bool = false, _ body: (ScreenStore) async throws -> Void
    ) async throws {
        let store = try open(asTarget: isTarget)
        do {
            try await body(store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }
}
