/// The rules of a carousel whose pages turn automatically, without a clock of their own (rule P11).
///
/// The owner of a timer passes each event to `action(on:)` and performs the returned action.
public struct AutoRolling: Sendable, Hashable {
    /// An event in the life of a carousel.
    public enum Event: Sendable, Hashable {
        /// The items were loaded, for the first time or again.
        case reloaded
        /// The scheduled time has passed.
        case timerFired
        /// A drag began.
        case dragBegan
        /// The carousel came to rest.
        case cameToRest
    }

    /// An action for the owner of the timer.
    public enum Action: Sendable, Hashable {
        /// A request to restart the timer with this duration, in seconds.
        case schedule(seconds: Double)
        /// A request to step by this number of pages (P9), and to restart the timer with this
        /// duration, in seconds.
        case stepAndSchedule(pages: Int, seconds: Double)
        /// A request to stop the timer.
        case cancel
        /// No action.
        case wait
    }

    /// The time from a reload to the first turn, in seconds, whatever the configuration specifies.
    public static let firstInterval = 3.0

    /// The time from one turn to the next, in seconds.
    public let interval: Double
    private let isOn: Bool

    /// Creates the rules of a carousel with the given configuration.
    ///
    /// - Parameter options: The configuration; an interval that is not above 0 and at most
    ///   ``PagingOptions/maxAutoRollingTimeInterval`` counts as 3 seconds.
    public init(_ options: PagingOptions) {
        let seconds = options.autoRollingTimeInterval
        interval = PagingOptions.isUsable(interval: seconds) ? seconds : Self.firstInterval
        isOn = options.isEnabled && options.isAutoRolling
    }

    /// Returns the action that follows `event`.
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
