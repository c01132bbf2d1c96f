/// The time that a screen exists after a write.
///
/// An expired screen is absent, as if it had been removed. A later screen of the same name starts
/// above its revision.
package enum ScreenLifetime: Hashable, Sendable {
    /// The lifetime that the screen had before the write; unlimited for a new screen.
    case unchanged
    /// Until the screen is removed.
    case indefinite
    /// A number of seconds, beginning with the write. Stores clamp it to ``secondsRange``.
    case seconds(Int)

    /// The valid lifetimes in seconds: up to ten years.
    package static let secondsRange = 1...315_360_000

    /// Creates a lifetime of `seconds`, or `nil` outside of ``secondsRange``.
    package init?(seconds: Int) {
        guard Self.secondsRange.contains(seconds) else { return nil }
        self = .seconds(seconds)
    }

    /// The seconds of ``seconds(_:)``, clamped to ``secondsRange``; `nil` for the other cases.
    var wholeSeconds: Int? {
        guard case .seconds(let seconds) = self else { return nil }
        return min(max(seconds, Self.secondsRange.lowerBound), Self.secondsRange.upperBound)
    }

    /// Returns the time at which a screen expires that is written at `now`.
    ///
    /// - Parameters:
    ///   - now: The time of the write, in milliseconds since 1970.
    ///   - before: The time at which the screen would have expired without the write; `nil` for
    ///     never.
    /// - Returns: The time in milliseconds since 1970, or `nil` for never.
    func expiry(at now: Int64, before: Int64?) -> Int64? {
        switch self {
        case .unchanged: before
        case .indefinite: nil
        case .seconds: now &+ Int64(wholeSeconds ?? 0) &* 1000
        }
    }
}
