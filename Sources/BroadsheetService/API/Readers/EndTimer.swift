import BroadsheetIO
import Synchronization

/// Calls functions when dates have passed: the ends of the tokens of streams and of requests that
/// wait.
///
/// While there are any, the date is read at an interval, so that many ends at the same time take
/// one timer, and a change of the system's date counts.
final class EndTimer: Sendable {
    typealias Body = @Sendable () -> Void

    private struct State {
        /// The functions by the number of the interval after whose end they are called.
        var bodies: [Int64: [ObjectIdentifier: Body]] = [:]
        var isRunning = false
    }

    /// The interval, in milliseconds: a stream ends within a second.
    private static let interval: Int64 = 250

    private let state = Mutex(State())
    private let clock: TimeSource
    private let sleep: @Sendable (Duration) async -> Void

    init(clock: TimeSource, sleep: @escaping @Sendable (Duration) async -> Void) {
        self.clock = clock
        self.sleep = sleep
    }

    /// Calls a function once after an end, unless it is removed before.
    func add(_ id: ObjectIdentifier, at end: Int64, _ body: @escaping Body) {
        let begins = state.withLock { state in
            state.bodies[Self.slot(of: end), default: [:]][id] = body
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard begins else { return }
        Task { [weak self, sleep] in
            repeat { await sleep(.milliseconds(Self.interval)) } while self?.tick() == true
        }
    }

    func remove(_ id: ObjectIdentifier, at end: Int64) {
        let slot = Self.slot(of: end)
        // Freed outside of the lock.
        _ = state.withLock { state in
            let body = state.bodies[slot]?.removeValue(forKey: id)
            if state.bodies[slot]?.isEmpty == true { state.bodies[slot] = nil }
            return body
        }
    }

    /// The number of the first interval that begins at an end or after it.
    private static func slot(of end: Int64) -> Int64 { (max(0, end) + interval - 1) / interval }

    /// Calls the functions whose ends have passed; returns whether there are others.
    private func tick() -> Bool {
        let now = clock.unixMilliseconds / Self.interval
        let (due, isRunning) = state.withLock { state in
            let slots = state.bodies.keys.filter { $0 <= now }
            let due = slots.flatMap { state.bodies.removeValue(forKey: $0).map(Array.init) ?? [] }
            state.isRunning = !state.bodies.isEmpty
            return (due.map(\.value), state.isRunning)
        }
        for body in due { body() }
        return isRunning
    }
}
