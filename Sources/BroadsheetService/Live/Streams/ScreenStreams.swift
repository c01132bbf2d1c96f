import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Synchronization

/// The open streams of screens, in groups of equal ones.
///
/// The groups of a screen are checked when it may have changed, on the events that also continue
/// requests which wait for changes: a write of this daemon or of another one. A screen that expires
/// has no event, so each screen with streams is also checked at an interval.
final class ScreenStreams: Sendable {
    private struct State {
        var screens: [ScreenName: [StreamKey.Content: StreamGroup]] = [:]
        var isTicking = false
    }

    /// The interval at which screens without events are checked.
    static let checkInterval = Duration.seconds(15)

    let sleep: ScreenObservers.Sleep
    let memory: MemoryBudget
    private let metrics: ServiceMetrics
    private let log: Log
    private let ids: RequestIDSource
    private let state = Mutex(State())

    init(
        memory: MemoryBudget, metrics: ServiceMetrics, log: Log,
        sleep: @escaping ScreenObservers.Sleep
    ) {
        var generator = SystemRandomNumberGenerator()
        ids = RequestIDSource(using: &generator)
        self.log = log
        self.memory = memory
        self.metrics = metrics
        self.sleep = sleep
    }

    /// Adds a stream to the group of its key, and returns the group.
    ///
    /// - Parameter content: The content of the group if there is none yet, or if it is at its end.
    func add(
        _ stream: ScreenStream, to key: StreamKey, _ content: any StreamContent
    ) -> StreamGroup {
        let (group, isFirst) = state.withLock { state in
            let known = state.screens[key.screen]?[key.content]
            let group =
                known.flatMap { $0.isOver ? nil : $0 } ?? StreamGroup(content, key, in: self)
            state.screens[key.screen, default: [:]][key.content] = group
            group.add(stream)
            defer { state.isTicking = true }
            return (group, !state.isTicking)
        }
        if isFirst { beginTicking() }
        return group
    }

    func remove(_ stream: ScreenStream, from group: StreamGroup) {
        let key = group.key
        state.withLock { state in
            group.remove(stream)
            guard group.isEmpty, state.screens[key.screen]?[key.content] === group else { return }
            state.screens[key.screen]?[key.content] = nil
            if state.screens[key.screen]?.isEmpty == true { state.screens[key.screen] = nil }
        }
    }

    var groupCount: Int { state.withLock { $0.screens.values.reduce(0) { $0 + $1.count } } }

    func receive(_ event: ScreenEvent) {
        switch event {
        case .changed(let screen): check(screen)
        case .anyChanged: checkAll()
        case .removed: break
        }
    }

    private func check(_ screen: ScreenName) {
        let groups = state.withLock { $0.screens[screen].map { Array($0.values) } } ?? []
        check(groups)
    }

    /// Checks all streams: any screen may have changed, or the catalog has.
    func checkAll() {
        check(state.withLock { $0.screens.values.flatMap(\.values) })
    }

    /// Begins the rounds of groups on another thread, since there may be thousands, and not for the
    /// client whose request has changed the screen.
    private func check(_ groups: [StreamGroup]) {
        guard !groups.isEmpty else { return }
        Task.detached { for group in groups { group.check() } }
    }

    private func beginTicking() {
        Task { [weak self, sleep] in
            repeat { await sleep(Self.checkInterval) } while self?.tick() == true
        }
    }

    private func tick() -> Bool {
        let isNeeded = state.withLock { state in
            state.isTicking = !state.screens.isEmpty
            return state.isTicking
        }
        if isNeeded { checkAll() }
        return isNeeded
    }

    func count(_ output: StreamOutput) {
        switch output {
        case .nothing: break
        case .event(_, let type), .large(_, let type), .last(_, let type):
            metrics.streamEvents.add(type.rawValue)
        }
    }

    /// Returns the last event of streams that a problem ends: the removal of their screen, or the
    /// problem document.
    func lastEvent(after problem: Problem, of screen: ScreenName) -> StreamOutput {
        guard problem.code != .screenNotFound else {
            let data = RevisionContent.data(of: screen, revision: nil)
            return .event(
                StreamEvent(.removed, id: nil, data: data).shortPart, type: .removed)
        }
        let id = ids.next()
        metrics.problems.add(problem.code.rawValue)
        log.write(LogRecord(problem, of: id, address: nil, client: nil))
        let event = StreamEvent(.problem, id: nil, data: problem.response(to: id).body)
        return .event(event.shortPart, type: .problem)
    }
}

/// The content that equal streams share.
struct StreamKey: Sendable, Hashable {
    /// The kind of content.
    enum Content: Sendable, Hashable {
        case revisions
        case changes(PageExtent, LayoutParameters, catalog: CatalogName?)
        /// The changes of windows that were opened alike, by the catalog of a name.
        case window(WindowOpening, LayoutParameters, catalog: CatalogName?)
    }

    let screen: ScreenName
    let content: Content
}
