import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Synchronization

/// The feeds of a store that keeps them, and the streams that read them.
///
/// A stream reads when an event may have been stored: by this daemon, or by another one, whose
/// writes the store reports as changes of the screen. A screen that expires has no event, so each
/// stream also reads at an interval.
final class StoredFeeds: Sendable {
    private struct State {
        var streams: [ScreenName: [ObjectIdentifier: StoredFeedSource]] = [:]
        var isTicking = false
        /// The numbers of events that no stream has sent.
        var unsent: [ScreenName: UInt64] = [:]
    }

    /// The maximum number of screens whose unsent events are counted; fixed.
    static let maxCounted = 10_000

    private let store: ScreenStore
    /// The streams of screens, which end with the same events.
    private let hub: ScreenStreams
    private let metrics: ServiceMetrics
    private let state = Mutex(State())
    private let sleep: ScreenObservers.Sleep

    /// The time after which a read that failed is repeated.
    static let retryInterval = Duration.seconds(1)

    init?(
        _ store: ScreenStore, _ metrics: ServiceMetrics, besides hub: ScreenStreams
    ) {
        guard !store.feedBounds.isNone else { return nil }
        self.store = store
        self.metrics = metrics
        self.hub = hub
        sleep = hub.sleep
    }

    /// Stores events of a screen without a revision.
    ///
    /// - Throws: `SCREEN_NOT_FOUND`; the problem of the store, which has then stored none.
    func append(
        _ events: [[UInt8]], to screen: ScreenName, _ screens: Screens
    ) async throws(Problem) {
        let isThere: Bool
        do throws(StoreError) {
            isThere = try await store.append(events, to: screen)
        } catch {
            throw screens.problem(of: error)
        }
        guard isThere else { throw .screenNotFound(screen) }
        noteStored(events.count, of: screen)
    }

    /// Counts events that were stored, and reports them to the streams of their screen.
    func noteStored(_ count: Int, of screen: ScreenName) {
        guard count > 0 else { return }
        metrics.feedEvents.add(UInt64(count))
        // Of a store that daemons share, a backend may read the feed at another one.
        let isShared = store.isShared
        state.withLock { state in
            guard !isShared || state.streams[screen] != nil,
                state.unsent[screen] != nil || state.unsent.count < Self.maxCounted
            else { return }
            let sum = state.unsent[screen, default: 0] + UInt64(count)
            state.unsent[screen] = min(sum, UInt64(max(0, store.feedBounds.maxEvents)))
        }
        notify(screen)
    }

    /// The number of stored events that no stream of this daemon has sent.
    var backlog: UInt64 { state.withLock { $0.unsent.values.reduce(0, +) } }

    /// Records the number of events that are stored after those that a stream has sent.
    fileprivate func noteUnsent(_ count: UInt64, of screen: ScreenName) {
        state.withLock { $0.unsent[screen] = count > 0 ? count : nil }
    }

    func part(
        of screen: ScreenName, after number: UInt64, byteCount: Int
    ) async throws(StoreError) -> FeedPart? {
        try await store.feed(of: screen, after: number, byteCount: byteCount)
    }

    func noteSent(_ count: UInt64, of type: StreamEventType) {
        metrics.streamEvents.add(type.rawValue, count)
    }

    /// Returns the last event of a stream whose feed is damaged: the problem, which the log has
    /// with its cause.
    func lastPart(after error: StoreError, of screen: ScreenName) -> StreamPart? {
        metrics.storeFailures.add()
        let output = hub.lastEvent(after: Problem(error), of: screen)
        hub.count(output)
        guard case .event(let part, type: _) = output else { return nil }
        return part
    }

    func waitToRetry() async { await sleep(Self.retryInterval) }

    func add(_ stream: StoredFeedSource) {
        let isFirst = state.withLock { state in
            state.streams[stream.screen, default: [:]][ObjectIdentifier(stream)] = stream
            defer { state.isTicking = true }
            return !state.isTicking
        }
        if isFirst { beginTicking() }
    }

    func remove(_ stream: StoredFeedSource) {
        state.withLock { state in
            state.streams[stream.screen]?[ObjectIdentifier(stream)] = nil
            if state.streams[stream.screen]?.isEmpty == true {
                state.streams[stream.screen] = nil
                if store.isShared { state.unsent[stream.screen] = nil }
            }
        }
    }

    /// Makes the streams of a screen read what was stored.
    func receive(_ event: ScreenEvent) {
        switch event {
        case .changed(let screen): notify(screen)
        case .removed(let screen):
            state.withLock { $0.unsent[screen] = nil }
            notify(screen)
        case .anyChanged: checkAll()
        }
    }

    private func notify(_ screen: ScreenName) {
        let found = state.withLock { $0.streams[screen].map { Array($0.values) } ?? [] }
        for stream in found { stream.check() }
    }

    private func checkAll() {
        for stream in state.withLock({ $0.streams.values.flatMap(\.values) }) { stream.check() }
    }

    private func beginTicking() {
        Task { [weak self, sleep] in
            repeat { await sleep(ScreenStreams.checkInterval) } while self?.tick() == true
        }
    }

    /// Makes all streams read, and returns whether there are any.
    private func tick() -> Bool {
        let isNeeded = state.withLock { state in
            state.isTicking = !state.streams.isEmpty
            return state.isTicking
        }
        if isNeeded { checkAll() }
        return isNeeded
    }
}

/// The stored events of one screen for one backend.
///
/// It has at most one part in memory: it reads the next one when that is taken.
final class StoredFeedSource: StreamSource {
    /// The events that the backend has.
    struct Position: Sendable, Hashable {
        /// The feed; `nil` for that which the screen has, whichever it is.
        var instance: String?
        /// The number of the last event that it has.
        var number: UInt64
    }

    /// Events that were read and not sent.
    fileprivate struct Part {
        let part: StreamPart
        var counts: [StreamEventType: UInt64] = [:]
        /// The number of events that are stored after them.
        var rest: UInt64 = 0
    }

    fileprivate struct State {
        var position: Position
        var signal: StreamSignal?
        var part: Part?
        var isReading = false
        /// A Boolean value that indicates whether there may be events after those that were read.
        var isDue = true
        var isEnded = false
        var isOver = false
    }

    let screen: ScreenName
    private let feeds: StoredFeeds
    private let state: Mutex<State>

    /// The maximum size of a part of several events, in bytes.
    static let partByteCount = 64 << 10

    init(of screen: ScreenName, after position: Position, _ feeds: StoredFeeds) {
        self.screen = screen
        self.feeds = feeds
        state = Mutex(State(position: position))
    }

    func begin(_ signal: StreamSignal) {
        state.withLock { $0.signal = signal }
        feeds.add(self)
        signal.send()
    }

    func next() -> StreamStep {
        let (part, isOver, reads) = state.withLock { state -> (Part?, Bool, Bool) in
            if let part = state.part {
                state.part = nil
                return (part, false, state.beginReading())
            }
            if state.isEnded, !state.isReading { return (nil, true, false) }
            return (nil, false, state.beginReading())
        }
        if reads { Task { await read() } }
        guard let part else { return isOver ? .end : .wait }
        for (type, count) in part.counts { feeds.noteSent(count, of: type) }
        feeds.noteUnsent(part.rest, of: screen)
        return .part(part.part)
    }

    func drain() {
        state.withLock { state in
            state.isEnded = true
            return state.signal
        }?.send()
    }

    func end() {
        state.withLock { $0.isOver = true }
        feeds.remove(self)
    }

    /// Reports that there may be events.
    func check() {
        state.withLock { state in
            state.isDue = true
            return state.signal
        }?.send()
    }

    /// Reads the next part, as often as that fails because the store is away.
    private func read() async {
        while true {
            let (position, isOver) = state.withLock { ($0.position, $0.isOver || $0.isEnded) }
            guard !isOver else { return finish(nil, at: position) }
            do throws(StoreError) {
                let part = try await feeds.part(
                    of: screen, after: position.number, byteCount: Self.partByteCount)
                return take(part, after: position)
            } catch {
                guard case .corrupt = error else {
                    await feeds.waitToRetry()
                    continue
                }
                // It would fail each time: the backend decides how to go on.
                let last = feeds.lastPart(after: error, of: screen)
                state.withLock { $0.isEnded = true }
                return finish(last.map { Part(part: $0) }, at: position)
            }
        }
    }

    private func take(_ part: FeedPart?, after position: Position) {
        // Of another feed, the ids that the backend has mean nothing: it connects again.
        guard let part, position.instance == nil || position.instance == part.instance else {
            state.withLock { $0.isEnded = true }
            return finish(nil, at: position)
        }
        var bytes: [UInt8] = []
        var counts: [StreamEventType: UInt64] = [:]
        var next = position
        next.instance = part.instance
        if part.instance != nil, part.first > position.number + 1 {
            let count = part.first - position.number - 1
            counts[.dropped] = 1
            bytes += StreamEvent(.dropped, id: nil, data: Self.data(dropped: count, screen)).bytes
            next.number = part.first - 1
        }
        for event in part.events {
            let id = "\(part.instance ?? "")-\(event.number)"
            bytes += StreamEvent(.client, id: id, data: event.data).bytes
            next.number = event.number
        }
        if !part.events.isEmpty { counts[.client] = UInt64(part.events.count) }
        let rest = part.last - min(part.last, next.number)
        if bytes.isEmpty { feeds.noteUnsent(rest, of: screen) }
        finish(
            bytes.isEmpty ? nil : Part(part: StreamPart(bytes), counts: counts, rest: rest),
            at: next, hasMore: rest > 0)
    }

    private func finish(_ part: Part?, at position: Position, hasMore: Bool = false) {
        state.withLock { state in
            state.position = position
            state.part = part
            state.isReading = false
            if hasMore { state.isDue = true }
            return state.signal
        }?.send()
    }

    private static func data(dropped count: UInt64, _ screen: ScreenName) -> [UInt8] {
        var output = StructuredJSONWriter(reservingCapacity: 64)
        output.object { output in
            output.member("screen", screen.text)
            output.member("count", count)
        }
        return output.bytes
    }
}

extension StoredFeedSource.State {
    fileprivate mutating func beginReading() -> Bool {
        guard isDue, !isReading, !isEnded, !isOver, part == nil else { return false }
        (isReading, isDue) = (true, false)
        return true
    }
}

extension StoredFeedSource.Position {
    /// Creates the position of a backend in a feed.
    ///
    /// - Parameter id: The id of the last event that it has; `nil` for a backend that wants the
    ///   events from now on. An id of another feed, or of no event yet, is before all events that
    ///   are stored.
    init(after id: String?, in part: FeedPart) {
        instance = part.instance
        number = part.last
        guard let id else { return }
        // Dropped events count as missed only after an id of this feed.
        number = part.first - 1
        let words = id.split(separator: "-", omittingEmptySubsequences: false)
        guard words.count == 2, let known = part.instance, words[0] == known,
            let last = UInt64(words[1]), String(last) == words[1], last > 0, last <= part.last
        else { return }
        number = last
    }
}
