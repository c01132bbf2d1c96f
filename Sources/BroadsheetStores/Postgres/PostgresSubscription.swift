import BroadsheetIO
import Synchronization

/// The knowledge whether the notifications of other daemons arrive.
///
/// A lost one delays a stream and never makes a response wrong. So `missed` is delivered every five
/// seconds, and every second while there is no subscription.
final class PostgresSubscription: Sendable {
    private struct State {
        var lostReason: String? = ""
        var isConnected = false
        /// The time at which an empty notification was sent that did not come back yet.
        var probe: MonotonicInstant?
        var lastMissed: MonotonicInstant?
    }

    /// An effect of an event.
    private struct Effect {
        var isMissed = false
        var sendsProbe = false
        /// The reason of a loss to report.
        var lost: String?
    }

    /// The time between two `missed`, and between two empty notifications.
    static let interval = Duration.seconds(5)
    /// The time between two `missed` without a subscription, and that an empty notification takes
    /// at most.
    static let lostInterval = Duration.seconds(1)

    private let state = Mutex(State())
    private let isOff: Bool
    private let invalidations: Observer<StoreInvalidation>
    private let notifier: PostgresNotifier
    private let statistics: PostgresStatistics
    private let onEvent: StoreEvent.Handler
    private let clock: TimeSource

    /// If `isOff`, there will be no connection for notifications.
    init(
        isOff: Bool, _ invalidations: Observer<StoreInvalidation>, _ notifier: PostgresNotifier,
        _ statistics: PostgresStatistics, _ options: PostgresStoreOptions
    ) {
        self.isOff = isOff
        self.invalidations = invalidations
        self.notifier = notifier
        self.statistics = statistics
        onEvent = options.onEvent
        clock = options.clock
    }

    func connected() {
        update { state, now, effect in
            state.isConnected = true
            state.probe = now
            state.lastMissed = now
            effect = Effect(isMissed: true, sendsProbe: true)
        }
    }

    /// Records that the connection for notifications is lost, or cannot be established.
    func disconnected(_ reason: String) {
        update { state, _, effect in
            state.isConnected = false
            state.probe = nil
            if state.lostReason != reason { effect.lost = reason }
            state.lostReason = reason
        }
    }

    func receive(_ payload: String) {
        guard !payload.isEmpty else {
            return update { state, now, effect in
                state.probe = nil
                // Notifications from before the subscription was complete may be lost.
                effect.isMissed = state.lostReason != nil
                if effect.isMissed { state.lastMissed = now }
                state.lostReason = nil
            }
        }
        statistics.count(.received)
        for line in payload.split(separator: "\n") {
            if let event = StoreInvalidation(message: line) { invalidations.notify(event) }
        }
    }

    /// Delivers `missed` when it is time, and finds out whether the subscription is lost.
    func tick() {
        update { state, now, effect in
            if let probe = state.probe, probe.advanced(by: Self.lostInterval) <= now {
                let reason = "an empty notification has not come back; see --store-listen"
                if state.lostReason != reason { effect.lost = reason }
                state.lostReason = reason
                state.probe = nil
            }
            let isLost = isOff || state.lostReason != nil
            let interval = isLost ? Self.lostInterval : Self.interval
            guard state.lastMissed.map({ $0.advanced(by: interval) <= now }) ?? true else { return }
            state.lastMissed = now
            effect.isMissed = true
            guard state.isConnected else { return }
            effect.sendsProbe = true
            if state.probe == nil { state.probe = now }
        }
    }

    private func update(_ body: (inout State, MonotonicInstant, inout Effect) -> Void) {
        let now = clock.now
        let effect = state.withLock { state in
            var effect = Effect()
            body(&state, now, &effect)
            return effect
        }
        if let reason = effect.lost {
            statistics.count(.lost)
            onEvent(.subscriptionLost(reason))
        }
        if effect.isMissed { invalidations.notify(.missed) }
        if effect.sendsProbe { notifier.sendProbe() }
    }
}
