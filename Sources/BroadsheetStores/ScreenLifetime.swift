/// How long a screen lives, as one write decides.
///
/// A screen whose time has come is gone as though it had been removed: whoever asks finds none, and
/// one that is made anew starts above the revision it had.
package enum ScreenLifetime: Hashable, Sendable {
    /// As long as it would have without this write; a new screen for ever.
    case unchanged
    /// Until it is removed.
    case indefinite
    /// So many seconds from this write on; stores take a number outside ``secondsRange`` for the
    /// nearest one inside.
    case seconds(Int)

    /// The lifetimes there are, in seconds: up to ten years.
    package static let secondsRange = 1...315_360_000

    /// A lifetime of `seconds`; nil outside ``secondsRange``.
    package init?(seconds: Int) {
        guard Self.secondsRange.contains(seconds) else { return nil }
        self = .seconds(seconds)
    }

    /// The seconds of ``seconds(_:)``, within ``secondsRange``; nil for the other cases.
    var wholeSeconds: Int? {
        guard case .seconds(let seconds) = self else { return nil }
        return min(max(seconds, Self.secondsRange.lowerBound), Self.secondsRange.upperBound)
    }

    /// When a screen is over that is written at `now` and would have been over at `before`, both in
    /// milliseconds since 1970; nil for never.
    func expiry(at now: Int64, before: Int64?) -> Int64? {
        switch self {
        case .unchanged: before
        case .indefinite: nil
        case .seconds: now &+ Int64(wholeSeconds ?? 0) &* 1000
        }
    }
}
