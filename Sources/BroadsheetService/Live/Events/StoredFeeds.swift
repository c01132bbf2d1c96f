import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Synchronization

/// The feeds of a store that keeps them, and the streams that read them.
///
/// A stream reads when an event may have been stored: by this daemon, or by another one, whose
/// writes the store reports as changes of the screen.
final class StoredFeeds: Sendable {
    private let store: any FeedStore
    private let metrics: ServiceMetrics
    private let streams = Mutex<[ScreenName: [ObjectIdentifier: StoredFeedSource]]>([:])
    /// Suspends a task for a duration.
    private let sleep: @Sendable (Duration) async -> Void

    /// The time after which a read that failed is repeated.
    static let retryInterval = Duration.seconds(1)

    /// Creates the feeds of a store; `nil` if it keeps none.
    init?(
        _ store: any ScreenStore, _ metrics: ServiceMetrics,
        sleep: @escaping @Sendable (Duration) async -> Void
    ) {
        guard let store = store as? any FeedStore, !store.feedBounds.isNone else { return nil }
        self.store = store
        self.metrics = metrics
        self.sleep = sleep
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
        notify(screen)
    }

    /// Returns a part of the feed of a screen; `nil` if there is no such screen.
    func part(
        of screen: ScreenName, after number: UInt64, byteCount: Int
    ) async throws(StoreError) -> FeedPart? {
        try await store.feed(of: screen, after: number, byteCount: byteCount)
    }

    /// Counts events that were dropped before a stream had them.
    func noteDropped(_ count: UInt64) { metrics.feedDropped.add(count) }

    /// Waits until a read that failed may be repeated.
    func waitToRetry() async { await sleep(Self.retryInterval) }

    /// Adds a stream.
    func add(_ stream: StoredFeedSource) {
        streams.withLock { $0[stream.screen, default: [:]][ObjectIdentifier(stream)] = stream }
    }

    /// Removes a stream that has ended.
    func remove(_ stream: StoredFeedSource) {
        streams.withLock { streams in
            streams[stream.screen]?[ObjectIdentifier(stream)] = nil
            if streams[stream.screen]?.isEmpty == true { streams[stream.screen] = nil }
        }
    }

    /// Makes the streams of a screen read what was stored.
    func receive(_ event: ScreenEvent) {
        switch event {
        case .changed(let screen), .removed(let screen): notify(screen)
        case .anyChanged:
            let all = streams.withLock { $0.values.flatMap(\.values) }
            for stream in all { stream.check() }
        }
    }

    private func notify(_ screen: ScreenName) {
        let found = streams.withLock { $0[screen].map { Array($0.values) } ?? [] }
        for stream in found { stream.check() }
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

    fileprivate struct State {
        var position: Position
        var signal: StreamSignal?
        var part: StreamPart?
        var isReading = false
        /// A Boolean value that indicates whether there may be events after those that were read.
        var isDue = true
        var isEnded = false
        var isOver = false
    }

    /// The screen.
    let screen: ScreenName
    private let feeds: StoredFeeds
    private let state: Mutex<State>

    /// The maximum size of a part of several events, in bytes.
    static let partByteCount = 64 << 10

    /// Creates a source of the events after a position.
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
        let (step, reads) = state.withLock { state -> (StreamStep, Bool) in
            if let part = state.part {
                state.part = nil
                return (.part(part), state.beginReading())
            }
            if state.isEnded, !state.isReading { return (.end, false) }
            return (.wait, state.beginReading())
        }
        if reads { Task { await read() } }
        return step
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

    /// Reads the next part, as often as that fails because of the store.
    private func read() async {
        while true {
            let (position, isOver) = state.withLock { ($0.position, $0.isOver || $0.isEnded) }
            guard !isOver else { return finish(nil, at: position) }
            do throws(StoreError) {
                let part = try await feeds.part(
                    of: screen, after: position.number, byteCount: Self.partByteCount)
                return take(part, after: position)
            } catch {
                await feeds.waitToRetry()
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
        var next = position
        next.instance = part.instance
        if part.instance != nil, part.first > position.number + 1 {
            let count = part.first - position.number - 1
            feeds.noteDropped(count)
            bytes += StreamEvent(.dropped, id: nil, data: Self.data(dropped: count, screen)).bytes
            next.number = part.first - 1
        }
        for event in part.events {
            let id = "\(part.instance ?? "")-\(event.number)"
            bytes += StreamEvent(.client, id: id, data: event.data).bytes
            next.number = event.number
        }
        finish(bytes.isEmpty ? nil : StreamPart(bytes), at: next, hasMore: next.number < part.last)
    }

    private func finish(_ part: StreamPart?, at position: Position, hasMore: Bool = false) {
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
    /// Returns whether a read begins now.
    fileprivate mutating func beginReading() -> Bool {
        guard isDue, !isReading, !isEnded, !isOver, part == nil else { return false }
        (isReading, isDue) = (true, false)
        return true
    }
}

extension StoredFeedSource.Position {
    /// Creates the position of a backend in a feed.
    ///
    /// - Parameters:
    ///   - id: The id of the last event that it has; `nil` for a backend that wants the events from
    ///     now on. An id of another feed, or of no event yet, is before all events that are stored.
    ///   - part: The feed as it is.
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
