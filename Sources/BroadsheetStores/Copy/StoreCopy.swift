import BroadsheetIO

/// A copy of all screens of a store to another one, of whatever kinds.
///
/// The copy has the identity of the source, so that tokens stay valid, and revisions far above its
/// own, so that no entity tag matches what it was not made for. Histories and feeds are not copied.
package struct StoreCopy: Sendable {
    /// The numbers of what was copied.
    package struct Summary: Hashable, Sendable {
        package var screens = 0
        package var pages = 0
        package var bytes = 0
    }

    /// The distance between the revisions of the source and those of the copy.
    static let revisionGap: UInt64 = 1_000_000
    /// The maximum number of page bytes in a commit, unless a single page has more.
    static let maxCommitBytes = 64 << 20
    private static let screensPerRound = 1000

    private let source: ScreenStore
    private let target: ScreenStore
    /// A Boolean value that indicates whether stored events are left out.
    private let dropsFeeds: Bool
    var onScreen: @Sendable (ScreenName) async -> Void = { _ in }
    var commitBytes = maxCommitBytes

    package init(
        from source: ScreenStore, to target: ScreenStore, dropsFeeds: Bool
    ) {
        self.source = source
        self.target = target
        self.dropsFeeds = dropsFeeds
    }

    /// Copies all screens.
    ///
    /// - Throws: ``StoreCopyError``. Once it has begun, no daemon opens the target, and the next
    ///   copy to it empties it.
    package func run() async throws(StoreCopyError) -> Summary {
        let isIncomplete = try await writing { target async throws(StoreError) in
            try await target.isIncomplete()
        }
        if !isIncomplete, try await !listing(ofSource: false).isEmpty { throw .targetNotEmpty }
        let screens = try await listing(ofSource: true)
        try await checkFeeds(screens)
        let identity = try await reading { source async throws(StoreError) in
            try await source.identity()
        }
        let floor = try await reading { source async throws(StoreError) in
            try await source.floor()
        }
        try await empty(above: screens.reduce(floor) { max($0, $1.revision) })
        var (summary, copied) = (Summary(), [ScreenName: Copied]())
        for start in stride(from: 0, to: screens.count, by: Self.screensPerRound) {
            let round = screens[start..<min(start + Self.screensPerRound, screens.count)]
            try await copy(round.map(\.name), &summary, &copied)
        }
        try await check(copied)
        try await writing { target async throws(StoreError) in
            try await target.markComplete(as: identity)
        }
        return summary
    }

    /// A screen that was copied.
    private struct Copied {
        /// The revision of the source; `nil` for a screen that was gone.
        var revision: UInt64?
        var expiry: MonotonicInstant?
    }

    /// Marks the target, removes what an interrupted copy left, and sets its floor.
    private func empty(above revision: UInt64) async throws(StoreCopyError) {
        try await writing { target async throws(StoreError) in
            try await target.markIncomplete()
        }
        for screen in try await listing(ofSource: false) {
            _ = try await writing(screen.name) { target async throws(StoreError) in
                try await target.commit(
                    .removeScreen, to: screen.name, expecting: screen.revision)
            }
        }
        let (floor, isTooHigh) = revision.addingReportingOverflow(Self.revisionGap)
        guard !isTooHigh else { throw .source("it has a revision that is too high", screen: nil) }
        try await writing { target async throws(StoreError) in
            try await target.raiseFloor(to: floor)
        }
    }

    private func copy(
        _ names: [ScreenName], _ summary: inout Summary, _ copied: inout [ScreenName: Copied]
    ) async throws(StoreCopyError) {
        let now = TimeSource.system.now
        let left = try await reading { source async throws(StoreError) in
            try await source.millisecondsLeft(of: names)
        }
        for name in names {
            let expiry = left[name].map { now.advanced(by: .milliseconds($0)) }
            copied[name] = Copied(revision: nil, expiry: expiry)
            let load = try await reading(name) { source async throws(StoreError) in
                try await source.load(name, unlessAt: nil)
            }
            guard case .screen(let screen) = load else { continue }
            copied[name]?.revision = screen.revision
            try await create(screen, name, until: expiry)
            summary.screens += 1
            summary.pages += screen.pages.count
            summary.bytes += screen.head.size.byteCount
            await onScreen(name)
        }
    }

    /// Stores a screen with all its pages, the page that was written last as the last one.
    private func create(
        _ screen: StoredScreen, _ name: ScreenName, until expiry: MonotonicInstant?
    ) async throws(StoreCopyError) {
        let pages =
            screen.pages.filter { $0.number != screen.latestPage }
            + screen.pages.filter { $0.number == screen.latestPage }
        var commits = [[PutPage]()]
        var byteCount = 0
        for page in pages {
            byteCount += page.bytes.count
            if byteCount > commitBytes, commits.last?.isEmpty == false {
                commits.append([])
                byteCount = page.bytes.count
            }
            commits[commits.count - 1].append(
                PutPage(number: page.number, bytes: page.bytes, counts: page.counts))
        }
        var revision: UInt64?
        for (index, pages) in commits.enumerated() {
            let totals = index == commits.count - 1 ? screen.head.size.counts : nil
            let commit: ScreenCommit =
                pages.isEmpty
                ? .replacePages([], keeping: [], totals: nil) : .putPages(pages, totals: totals)
            let expected = revision
            revision = try await writing(name) { target async throws(StoreError) in
                try await target.commit(
                    commit, to: name, expecting: expected, lifetime: Self.lifetime(until: expiry))
            }
        }
    }

    /// Returns what is left of a lifetime, in whole seconds.
    private static func lifetime(until expiry: MonotonicInstant?) -> ScreenLifetime {
        guard let expiry else { return .indefinite }
        let left = TimeSource.system.now.duration(to: expiry).components
        return .seconds(max(1, Int(clamping: left.seconds) + (left.attoseconds > 0 ? 1 : 0)))
    }
}

/// The checks.
extension StoreCopy {
    /// Checks that no events would be lost, unless they may be.
    private func checkFeeds(_ screens: [ScreenListing]) async throws(StoreCopyError) {
        guard !dropsFeeds else { return }
        var (events, feeds) = (UInt64(0), 0)
        for screen in screens {
            let part = try await reading(screen.name) { source async throws(StoreError) in
                try await source.feed(of: screen.name, after: 0, byteCount: 0)
            }
            guard let part, part.last >= part.first else { continue }
            events += part.last - part.first + 1
            feeds += 1
        }
        guard events == 0 else { throw .unreadEvents(events, feeds: feeds) }
    }

    /// Checks that no screen was written since it was read, and that no event came.
    private func check(_ copied: [ScreenName: Copied]) async throws(StoreCopyError) {
        let screens = try await listing(ofSource: true)
        for screen in screens where copied[screen.name]?.revision != screen.revision {
            throw .written(screen.name)
        }
        let names = Set(screens.map(\.name))
        let now = TimeSource.system.now
        for (name, screen) in copied.sorted(by: { $0.key.text < $1.key.text })
        where !names.contains(name) && screen.expiry.map({ $0 > now }) ?? true {
            throw .written(name)
        }
        try await checkFeeds(screens)
    }

    private func listing(ofSource isSource: Bool) async throws(StoreCopyError) -> [ScreenListing] {
        var found: [ScreenListing] = []
        while true {
            let after = found.last?.name
            let body = { (store: ScreenStore) async throws(StoreError) in
                try await store.screens(after: after, limit: Self.screensPerRound)
            }
            let next = isSource ? try await reading(nil, body) : try await writing(nil, body)
            guard !next.isEmpty else { return found }
            found += next
        }
    }

    private func reading<Value: Sendable>(
        _ screen: ScreenName? = nil,
        _ body: (ScreenStore) async throws(StoreError) -> Value
    ) async throws(StoreCopyError) -> Value {
        do throws(StoreError) {
            return try await body(source)
        } catch {
            throw .source(error.reason, screen: screen)
        }
    }

    @discardableResult
    private func writing<Value: Sendable>(
        _ screen: ScreenName? = nil,
        _ body: (ScreenStore) async throws(StoreError) -> Value
    ) async throws(StoreCopyError) -> Value {
        do throws(StoreError) {
            return try await body(target)
        } catch {
            throw .target(error.reason, screen: screen)
        }
    }
}

/// The reason why a copy was not completed.
package enum StoreCopyError: Error, Hashable, Sendable {
    case source(String, screen: ScreenName?)
    /// The target cannot be read or written.
    case target(String, screen: ScreenName?)
    /// The target has screens; nothing was changed.
    case targetNotEmpty
    /// The source has events that no copy would have; nothing was copied, or not all of it.
    case unreadEvents(UInt64, feeds: Int)
    /// A screen was written while it was copied.
    case written(ScreenName)
}

extension StoreCopyError: CustomStringConvertible {
    /// The cause and the remedy, in one line.
    package var description: String {
        switch self {
        case .source(let reason, let screen):
            "the store to copy\(Self.words(screen)) cannot be read: \(reason)"
        case .target(let reason, let screen):
            "the store to copy to\(Self.words(screen)) cannot be written: \(reason)"
        case .targetNotEmpty: "the store to copy to has screens; name an empty one"
        case .unreadEvents(let events, let feeds):
            "the feeds of \(feeds) screens have \(events) events, which a copy does not have; "
                + "read them, or use --drop-feeds"
        case .written(let screen):
            "screen \(screen) was written during the copy; stop all daemons and copy again"
        }
    }

    private static func words(_ screen: ScreenName?) -> String {
        screen.map { ", screen \($0)," } ?? ""
    }
}
