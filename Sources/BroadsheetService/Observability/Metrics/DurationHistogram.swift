/// How long something took, counted by bounds that are fixed when it is made.
final class DurationHistogram: Sendable {
    /// A bucket's upper bound, both as a number and as the text of its `le` label.
    struct Bound: Sendable {
        /// In nanoseconds, inclusive.
        let nanoseconds: UInt64
        /// The same in seconds, as Prometheus writes it.
        let label: String
    }

    /// From a tenth of a millisecond, where a small layout lies, to ten seconds, where clients give
    /// up.
    static let bounds = [
        Bound(nanoseconds: 100_000, label: "0.0001"),
        Bound(nanoseconds: 250_000, label: "0.00025"),
        Bound(nanoseconds: 500_000, label: "0.0005"),
        Bound(nanoseconds: 1_000_000, label: "0.001"),
        Bound(nanoseconds: 2_500_000, label: "0.0025"),
        Bound(nanoseconds: 5_000_000, label: "0.005"),
        Bound(nanoseconds: 10_000_000, label: "0.01"),
        Bound(nanoseconds: 25_000_000, label: "0.025"),
        Bound(nanoseconds: 50_000_000, label: "0.05"),
        Bound(nanoseconds: 100_000_000, label: "0.1"),
        Bound(nanoseconds: 250_000_000, label: "0.25"),
        Bound(nanoseconds: 500_000_000, label: "0.5"),
        Bound(nanoseconds: 1_000_000_000, label: "1"),
        Bound(nanoseconds: 2_500_000_000, label: "2.5"),
        Bound(nanoseconds: 10_000_000_000, label: "10"),
    ]

    /// One for each bound, and one for what is above the last.
    private let buckets = (0...bounds.count).map { _ in Counter() }
    private let sum = Counter()

    /// Counts one duration.
    ///
    /// O(bounds).
    func observe(nanoseconds: UInt64) {
        let bounds = Self.bounds
        let bucket = bounds.firstIndex { nanoseconds <= $0.nanoseconds } ?? bounds.count
        buckets[bucket].add()
        sum.add(nanoseconds)
    }

    /// The state as Prometheus wants it: for each bound, and at last without one, how many durations
    /// were no longer.
    var cumulative: [(label: String, count: UInt64)] {
        var total: UInt64 = 0
        return zip(Self.bounds.map(\.label) + ["+Inf"], buckets).map { label, bucket in
            total += bucket.value
            return (label, total)
        }
    }

    /// All durations together, in seconds.
    var seconds: Double { Double(sum.value) / 1e9 }
}
