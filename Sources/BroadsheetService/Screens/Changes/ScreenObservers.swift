import BroadsheetIO
import BroadsheetStores
import Synchronization

/// An event of the stored screens.
enum ScreenEvent: Sendable, Hashable {
    /// A screen may have changed.
    case changed(ScreenName)
    case anyChanged
    /// A screen was removed, or does not exist.
    case removed(ScreenName)
}

/// The requests that wait for a change of a screen, and the parts of the service that events of
/// screens are passed on to.
///
/// A request registers before it reads the screen, so that no change between the two is missed.
final class ScreenObservers: Sendable {
    /// The reason why a request waits no longer.
    enum Outcome: Sendable, Hashable {
        /// The screen, or the key of the client, may have changed.
        case changed
        /// The time is over, the client has gone, or the daemon drains.
        case ended
    }

    /// Suspends a task for a duration, unless it is cancelled.
    typealias Sleep = @Sendable (Duration) async -> Void
    /// A function that receives events of screens; it may be called from any thread.
    typealias Listener = @Sendable (ScreenEvent) -> Void

    private struct State {
        var observers: [ScreenName: [ObjectIdentifier: ScreenObserver]] = [:]
        var shares: ClientShares
        var count = 0
        var isDraining = false
    }

    private let state: Mutex<State>
    let sleep: Sleep
    private let listeners: [Listener]
    /// The maximum number of requests that wait at one time.
    let limit: Int

    /// `sleep` suspends a task for a duration, unless it is cancelled.
    init(limit: Int, sleep: @escaping Sleep, listeners: [Listener] = []) {
        self.limit = limit
        self.sleep = sleep
        self.listeners = listeners
        state = Mutex(State(shares: ClientShares(of: limit)))
    }

    var isDraining: Bool { state.withLock { $0.isDraining } }

    var count: Int { state.withLock { $0.count } }

    /// Registers a request; the caller removes it.
    ///
    /// - Throws: `OVERLOADED` if too many requests wait, of all clients or of this one.
    func add(_ call: Call, to screen: ScreenName) throws(Problem) -> ScreenObserver {
        let observer = ScreenObserver(screen, call.work.client)
        guard add(observer, upTo: limit) else { throw .tooManyWaiting }
        return observer
    }

    /// Registers a task of the program; the caller removes it.
    func addUnlimited(to screen: ScreenName) -> ScreenObserver? {
        let observer = ScreenObserver(screen, .address(.unspecified))
        return add(observer, upTo: .max) ? observer : nil
    }

    private func add(_ observer: ScreenObserver, upTo limit: Int) -> Bool {
        let screen = observer.screen
        let isDraining: Bool? = state.withLock { state in
            guard state.count < limit, state.shares.take(for: observer.client) else { return nil }
            state.count += 1
            state.observers[screen, default: [:]][ObjectIdentifier(observer)] = observer
            return state.isDraining
        }
        guard let isDraining else { return false }
        if isDraining { observer.end(.ended) }
        return true
    }

    func remove(_ observer: ScreenObserver) {
        state.withLock { state in
            let screen = observer.screen
            guard state.observers[screen]?.removeValue(forKey: ObjectIdentifier(observer)) != nil
            else { return }
            state.count -= 1
            state.shares.giveBack(of: observer.client)
            if state.observers[screen]?.isEmpty == true { state.observers[screen] = nil }
        }
    }

    /// Waits until the screen may have changed since the request was registered, the time is over,
    /// or the request's task is cancelled.
    func wait(_ observer: ScreenObserver, atMost duration: Duration) async -> Outcome {
        let timer = Task { [sleep] in
            await sleep(duration)
            observer.end(.ended)
        }
        defer { timer.cancel() }
        return await observer.outcome()
    }

    /// Passes an event on, and continues the requests that wait for it.
    func notify(_ event: ScreenEvent) {
        for listener in listeners { listener(event) }
        let observers: [ScreenObserver] =
            switch event {
            case .changed(let screen):
                state.withLock { $0.observers[screen].map { Array($0.values) } ?? [] }
            case .anyChanged: state.withLock { $0.observers.values.flatMap(\.values) }
            case .removed: []
            }
        for observer in observers { observer.end(.changed) }
    }

    /// Ends the waiting of all requests, also of later ones: the daemon drains.
    func drain() {
        let observers = state.withLock { state in
            state.isDraining = true
            return state.observers
        }
        for observer in observers.values.flatMap(\.values) { observer.end(.ended) }
    }
}

/// A request that is registered for the changes of a screen.
final class ScreenObserver: Sendable {
    private struct State {
        var outcome: ScreenObservers.Outcome?
        var waiter: Waiter<ScreenObservers.Outcome>?
    }

    let screen: ScreenName
    /// The client that limits count.
    fileprivate let client: ClientKey
    private let state = Mutex(State())

    fileprivate init(_ screen: ScreenName, _ client: ClientKey) {
        self.screen = screen
        self.client = client
    }

    /// Ends the waiting; only the first call has an effect.
    func end(_ outcome: ScreenObservers.Outcome) {
        let waiter = state.withLock { state in
            guard state.outcome == nil else { return nil as Waiter<ScreenObservers.Outcome>? }
            state.outcome = outcome
            return state.waiter.take()
        }
        waiter?.resume(outcome)
    }

    /// Waits for the outcome, or for the cancellation of the task.
    fileprivate func outcome() async -> ScreenObservers.Outcome {
        await Waiter.wait(orElse: .ended) { waiter in
            let known = state.withLock { state in
                if state.outcome == nil { state.waiter = waiter }
                return state.outcome
            }
            if let known { waiter.resume(known) }
        } onCancel: {
            end(.ended)
        }
    }
}

extension Problem {
    fileprivate static var tooManyWaiting: Problem {
        .overloaded("Too many requests are waiting for changes")
    }
}
