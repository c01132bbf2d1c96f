/// The clockwork of a carousel whose pages turn by themselves, without a clock (rule P11).
///
/// Whoever owns a timer tells it what happened and does what it answers.
public struct AutoRolling: Sendable, Hashable {
    /// What happened to the carousel.
    public enum Event: Sendable, Hashable {
        /// Its items were loaded, for the first time or anew.
        case reloaded
        /// The time that was asked for has passed.
        case timerFired
        /// A finger took hold of it.
        case dragBegan
        /// It stands still again.
        case cameToRest
    }

    /// What is to be done about it.
    public enum Action: Sendable, Hashable {
        /// Start the timer anew, for so many seconds.
        case schedule(seconds: Double)
        /// Turn one page on by P9, and start the timer anew for so many seconds.
        case stepAndSchedule(pages: Int, seconds: Double)
        /// Stop the timer.
        case cancel
        /// Nothing.
        case wait
    }

    /// Seconds until the first turn after a reload, whatever the configuration says.
    public static let firstInterval = 3.0

    /// Seconds from one turn to the next.
    public let interval: Double
    private let isOn: Bool

    /// The clockwork of a carousel so configured; an interval that is not above 0 is 3 seconds.
    public init(_ options: PagingOptions) {
        let seconds = options.autoRollingTimeInterval
        interval = seconds > 0 && seconds.isFinite ? seconds : Self.firstInterval
        isOn = options.isEnabled && options.isAutoRolling
    }

    /// What to do when `event` has happened.
    public func action(on event: Event) -> Action {
        guard isOn else { return .wait }
        return switch event {
        case .reloaded: .schedule(seconds: Self.firstInterval)
        case .timerFired: .stepAndSchedule(pages: 1, seconds: interval)
        case .dragBegan: .cancel
        case .cameToRest: .schedule(seconds: interval)
        }
    }
}
