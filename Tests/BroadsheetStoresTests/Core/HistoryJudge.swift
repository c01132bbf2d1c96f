import Synchronization
import BroadsheetTesting
import Testing

@testable import BroadsheetStores

/// An operation on a screen, and the batches by which it was applied.
final class StoreOperation: Sendable {
    enum Kind: Sendable {
        case commit(ScreenCommit, expecting: UInt64?, lifetime: ScreenLifetime)
        case append
        case forget(everything: Bool)
    }

    /// The operation whose task applies a batch.
    @TaskLocal static var current: StoreOperation?

    let kind: Kind
    let events: [[UInt8]]
    let bounds: StoreBounds
    private let state = Mutex((revisions: [UInt64](), lost: 0))

    init(_ kind: Kind, events: [[UInt8]] = [], bounds: StoreBounds) {
        self.kind = kind
        self.events = events
        self.bounds = bounds
    }

    /// The revisions that it was applied as, including those that a failover has lost.
    var revisions: [UInt64] { state.withLock { $0.revisions } }
    /// The number of times that it was applied, and not lost.
    var count: Int { state.withLock { $0.revisions.count - $0.lost } }

    func add(_ revision: UInt64) { state.withLock { $0.revisions.append(revision) } }
    func lose() { state.withLock { $0.lost += 1 } }
}

/// The screens that a backend must have by their value semantics, from the batches that it applied.
final class HistoryJudge: Sendable {
    struct Kept: Sendable {
        var value: StoredScreen
        var replacedAt: Int64
        var byteCount: Int
    }

    struct Screen: Sendable {
        var value: StoredScreen
        var kept: [Kept] = []
        var expiry: Int64?
        var events: [FeedEvent] = []
        var last: UInt64 = 0
    }

    private struct State {
        var screens: [ScreenName: Screen] = [:]
        var contents: [ScreenName: [UInt64: StoredScreen]] = [:]
        var highest: [ScreenName: UInt64] = [:]
        /// The values that a screen had, `nil` for none.
        var timeline: [ScreenName: [StoredScreen?]] = [:]
        var undo: [(operation: StoreOperation?, name: ScreenName, screen: Screen?)] = []
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Int64

    init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// Returns a screen that has not expired.
    func alive(_ name: ScreenName) -> Screen? {
        guard let screen = state.withLock({ $0.screens[name] }), screen.expiry ?? .max > now()
        else { return nil }
        return screen
    }

    /// Returns the number of values that a screen had.
    func moment(of name: ScreenName) -> Int {
        state.withLock { max(0, ($0.timeline[name] ?? []).count - 1) }
    }

    /// Returns the values that a screen had since a moment.
    func values(of name: ScreenName, since moment: Int) -> [StoredScreen?] {
        state.withLock { Array(($0.timeline[name] ?? [nil])[moment...]) }
    }

    /// Returns the contents of a revision.
    func contents(of name: ScreenName, at revision: UInt64) -> StoredScreen? {
        state.withLock { $0.contents[name]?[revision] }
    }

    /// Applies a batch of an operation.
    func apply(_ batch: StoreBatch, of operation: StoreOperation?) {
        let (name, time) = (batch.screen, now())
        let before = state.withLock { state in
            state.undo = Array(state.undo.suffix(DictionaryBackend.maxLost - 1))
            state.undo.append((operation, name, state.screens[name]))
            return state.screens[name]
        }
        if case .none = batch.change, batch.feed == nil { return }
        guard let operation else { return }
        var next = alive(name)
        switch operation.kind {
        case .append:
            #expect(next != nil, "events of no screen")
            next?.append(operation.events, operation.bounds.feeds)
        case .forget(let everything):
            if case .remove = batch.change {
                #expect(before != nil && next == nil, "a screen was removed that has not expired")
            } else if everything {
                next?.kept = []
            } else {
                next?.prune(operation.bounds.history, at: time)
            }
        case .commit(.removeScreen, let expected, _):
            #expect(next?.value.revision == expected)
            next = nil
        case .commit(let commit, let expected, let lifetime):
            #expect(next?.value.revision == expected, "applied to another revision")
            next = applied(commit, lifetime, to: next, batch, operation)
        }
        operation.add(revision(of: batch, before))
        set(next, name)
    }

    private func revision(of batch: StoreBatch, _ before: Screen?) -> UInt64 {
        if case .write(let record) = batch.change { return record.version.revision }
        return before?.value.revision ?? 0
    }

    private func applied(
        _ commit: ScreenCommit, _ lifetime: ScreenLifetime, to screen: Screen?,
        _ batch: StoreBatch, _ operation: StoreOperation
    ) -> Screen? {
        guard case .write(let record) = batch.change else {
            Issue.record("a commit without a record")
            return nil
        }
        let (name, revision) = (batch.screen, record.version.revision)
        let highest = state.withLock { $0.highest[name] ?? 0 }
        #expect(revision > highest, "the revision was used before")
        var next = screen ?? Screen(value: StoredScreen(revision: 0))
        let former = next.value
        next.value.apply(commit, revision: revision)
        if screen != nil, !operation.bounds.history.isNone {
            let kept = Dictionary(
                uniqueKeysWithValues: next.value.pages.map { ($0.number, $0.revision) })
            let replaced = former.pages.filter { kept[$0.number] != $0.revision }
            next.kept.append(
                Kept(
                    value: former, replacedAt: now(),
                    byteCount: replaced.reduce(0) { $0 + $1.bytes.count }))
        }
        next.prune(operation.bounds.history, at: now())
        next.expiry = lifetime.expiry(at: now(), before: next.expiry)
        next.append(operation.events, operation.bounds.feeds)
        let value = next.value
        state.withLock { state in
            state.highest[name] = revision
            state.contents[name, default: [:]][revision] = value
        }
        return next
    }

    private func set(_ screen: Screen?, _ name: ScreenName) {
        state.withLock { state in
            state.screens[name] = screen
            state.timeline[name, default: [nil]].append(screen?.value)
        }
    }

    /// Takes the last batches back, which a failover has lost.
    func failOver(losing count: Int) {
        for _ in 0..<count {
            guard let lost = state.withLock({ $0.undo.popLast() }) else { return }
            if let operation = lost.operation,
                lost.screen?.value != alive(lost.name)?.value
                    || lost.screen?.last != alive(lost.name)?.last
            {
                operation.lose()
            }
            set(lost.screen, lost.name)
        }
        state.withLock { $0.undo = [] }
    }

    /// Returns the screen that a backend has, also if it has expired.
    func stored(_ name: ScreenName) -> Screen? { state.withLock { $0.screens[name] } }
}

extension HistoryJudge.Screen {
    fileprivate mutating func prune(_ bounds: HistoryBounds, at now: Int64) {
        let most = bounds.maxBytes(beside: value.head.size.byteCount)
        while let oldest = kept.first,
            bounds.isNone || kept.count > bounds.maxRevisions
                || kept.reduce(0, { $0 + $1.byteCount }) > most
                || oldest.replacedAt <= bounds.cutoff(at: now) || runCount > StoreBounds.maxRuns
        {
            kept.removeFirst()
        }
    }

    private var runCount: Int {
        zip(kept, kept.dropFirst()).filter { $0.value.revision + 1 != $1.value.revision }.count + 1
    }

    fileprivate mutating func append(_ data: [[UInt8]], _ bounds: FeedBounds) {
        for data in data {
            last += 1
            events.append(FeedEvent(number: last, data: data))
            while events.count > 1,
                events.count > bounds.maxEvents
                    || events.reduce(0, { $0 + $1.data.count }) > bounds.maxBytes
            {
                events.removeFirst()
            }
        }
    }
}

extension HistoryJudge {
    /// Compares all that a backend has of a screen, and expects no object that nothing refers to.
    func check(_ backend: DictionaryBackend, _ name: ScreenName) throws {
        let expected = backend.limits.removesExpired ? alive(name) : stored(name)
        // The record first: a server removes an expired screen when it is asked for.
        let record = backend.record(of: name)
        let objects = backend.objects(of: name)
        guard let stored = record else {
            #expect(expected == nil, "a screen is missing")
            return #expect(objects.isEmpty)
        }
        let screen = try #require(expected, "a screen was not removed")
        try expect(try ScreenRecord(stored.bytes, of: name), stored, screen, name, objects)
    }

    private func expect(
        _ record: ScreenRecord, _ stored: StoredRecord, _ screen: Screen, _ name: ScreenName,
        _ objects: [ObjectKey: [UInt8]]
    ) throws {
        var reached: Set<ObjectKey> = []
        try expect(record.state, is: screen.value, of: name, objects, &reached)
        #expect(record.runs.flatMap { $0 } == screen.kept.map(\.value.revision))
        #expect(record.keptBytes == screen.kept.reduce(0) { $0 + $1.byteCount })
        #expect(record.oldest == screen.kept.first?.replacedAt)
        for kept in screen.kept {
            let key = try #require(record.earlierKey(kept.value.revision))
            let bytes = try #require(objects[key], "an earlier record is missing")
            reached.insert(key)
            let earlier = try ScreenState.readEarlier(bytes, of: name, at: key)
            #expect(earlier.garbage.replacedAt == kept.replacedAt)
            #expect(earlier.garbage.byteCount == kept.byteCount)
            try expect(earlier.state, is: kept.value, of: name, objects, &reached)
        }
        try expectFeed(stored, screen, of: name, objects, &reached)
        #expect(Set(objects.keys) == reached, "objects are left that nothing refers to")
    }

    private func expect(
        _ state: ScreenState, is value: StoredScreen, of name: ScreenName,
        _ objects: [ObjectKey: [UInt8]], _ reached: inout Set<ObjectKey>
    ) throws {
        var history = TreeHistory(floor: state.treeFloor)
        var pages: [StoredPage] = []
        for node in state.nodes {
            var entries = node.entries ?? []
            if let key = node.key {
                entries = try DirectoryNode.read(
                    try #require(objects[key], "a node is missing"), of: name, at: key)
                reached.insert(key)
                #expect(node.count == entries.count && node.change == entries.lastChange)
            }
            for entry in entries {
                let bytes = try #require(objects[entry.key], "a page is missing")
                #expect(entry.matches(bytes, of: name))
                reached.insert(entry.key)
                history.append(entry.tree)
                pages.append(
                    StoredPage(
                        number: entry.number, revision: entry.tree.stored, bytes: bytes,
                        counts: entry.size.counts))
            }
        }
        #expect(StoredScreen(head: state.head, pages: pages, history: history) == value)
    }

    private func expectFeed(
        _ stored: StoredRecord, _ screen: Screen, of name: ScreenName,
        _ objects: [ObjectKey: [UInt8]], _ reached: inout Set<ObjectKey>
    ) throws {
        guard let bytes = stored.feed else {
            return #expect(screen.events.isEmpty, "the feed is missing")
        }
        let feed = try FeedRecord(bytes, of: name)
        #expect(feed.first == screen.events.first?.number && feed.last == screen.last)
        #expect(feed.byteCount == screen.events.reduce(0) { $0 + $1.data.count })
        for event in screen.events {
            let key = ObjectKey.event(event.number, base: feed.base)
            let object = try #require(objects[key], "an event is missing")
            #expect(try FeedRecord.read(object, of: name, at: key) == event)
            reached.insert(key)
        }
    }
}
