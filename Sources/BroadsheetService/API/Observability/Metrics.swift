import Synchronization

/// A metric: its name, its help text, its type and its samples.
package protocol Metric: Sendable {
    /// Writes the metric in the exposition format of Prometheus.
    func write(to text: inout MetricsText)
}

/// A metric whose value is read at each scrape, such as the number of open connections.
package struct MetricSource: Metric {
    private let name: String
    private let type: MetricType
    private let help: String
    private let read: @Sendable () -> [(labels: MetricsText.Labels, value: Double)]

    /// The name ends with the unit; `read` is called from any thread and must not block.
    package init(
        name: String, type: MetricType = .gauge, help: String,
        read: @escaping @Sendable () -> Double
    ) {
        self.name = name
        self.type = type
        self.help = help
        self.read = { [([], read())] }
    }

    /// The name ends with the unit; `read` is called from any thread and must not block.
    package init(
        name: String, type: MetricType = .gauge, label: String, help: String,
        read: @escaping @Sendable () -> [(String, Double)]
    ) {
        self.name = name
        self.type = type
        self.help = help
        self.read = { read().map { ([(label, $0)], $1) } }
    }

    init(
        name: String, help: String,
        samples read: @escaping @Sendable () -> [(labels: MetricsText.Labels, value: Double)]
    ) {
        self.name = name
        type = .gauge
        self.help = help
        self.read = read
    }

    package func write(to text: inout MetricsText) {
        text.begin(name, type, help: help)
        for sample in read() { text.sample(name, sample.labels, value: sample.value) }
    }
}

/// A number that only grows, counted from any thread without a lock.
final class Counter: Metric {
    private let name: String
    private let help: String
    private let total = Atomic<UInt64>(0)

    init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }

    var value: UInt64 { total.load(ordering: .relaxed) }

    func add(_ amount: UInt64 = 1) { total.wrappingAdd(amount, ordering: .relaxed) }

    func add(bytes: Int) { add(UInt64(max(0, bytes))) }

    func write(to text: inout MetricsText) {
        text.begin(name, .counter, help: help)
        text.sample(name, value: Double(value))
    }
}

/// A number that grows and shrinks.
final class Gauge: Metric {
    private let name: String
    private let help: String
    private let current = Atomic<Int64>(0)

    init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }

    func add(_ amount: Int64) { current.wrappingAdd(amount, ordering: .relaxed) }

    var value: Int64 { current.load(ordering: .relaxed) }

    func set(_ value: Int64) { current.store(value, ordering: .relaxed) }

    func write(to text: inout MetricsText) {
        text.begin(name, .gauge, help: help)
        text.sample(name, value: Double(value))
    }
}

/// Counters by the values of one label, which are all known in advance.
final class LabelledCounter: Metric {
    private let name: String
    private let help: String
    private let label: String
    private let values: LabelValues
    /// The values that have no sample before they occur.
    private let rare: Set<String>

    init(
        _ name: String, _ help: String, label: String, _ values: [String], rare: Set<String> = []
    ) {
        self.name = name
        self.help = help
        self.label = label
        self.values = LabelValues(values)
        self.rare = rare
    }

    /// Counts `amount` more of `value`; an unknown value is ignored.
    func add(_ value: String, _ amount: UInt64 = 1) { values.add(value, amount) }

    /// Counts 1 more of the value at a position in the declaration.
    func add(at index: Int) { values.add(at: index) }

    func write(to text: inout MetricsText) {
        text.begin(name, .counter, help: help)
        for (value, count) in values.counts where count > 0 || !rare.contains(value) {
            text.sample(name, [(label, value)], count: count)
        }
    }
}

/// The counts of a label's values.
final class LabelValues: Sendable {
    private final class Count: Sendable {
        let total = Atomic<UInt64>(0)
    }

    private let indices: [String: Int]
    private let values: [(value: String, count: Count)]

    init(_ values: [String]) {
        self.values = values.map { ($0, Count()) }
        indices = Dictionary(
            values.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Counts `amount` more of `value`; an unknown value is ignored.
    func add(_ value: String, _ amount: UInt64 = 1) {
        if let index = indices[value] {
            values[index].count.total.wrappingAdd(amount, ordering: .relaxed)
        }
    }

    func add(at index: Int) { values[index].count.total.wrappingAdd(1, ordering: .relaxed) }

    var counts: [(value: String, count: UInt64)] {
        values.map { ($0.value, $0.count.total.load(ordering: .relaxed)) }
    }
}

/// The distribution of durations over fixed buckets.
final class DurationHistogram: Metric {
    /// The upper bound of a bucket, as a number and as the text of its `le` label.
    struct Bound: Sendable {
        /// The bound in nanoseconds, inclusive.
        let nanoseconds: UInt64
        /// The bound in seconds, as Prometheus writes it.
        let label: String
    }

    /// The bounds, from a tenth of a millisecond, the duration of a small layout, to ten seconds, a
    /// usual timeout of clients.
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

    private final class Bucket: Sendable {
        let total = Atomic<UInt64>(0)
    }

    private let name: String
    private let help: String
    /// One for each bound, and one for durations above the last bound.
    private let buckets = (0...bounds.count).map { _ in Bucket() }
    private let limits = bounds.map(\.nanoseconds)
    private let sum = Atomic<UInt64>(0)

    init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }

    func observe(nanoseconds: UInt64) {
        let bucket = limits.firstIndex { nanoseconds <= $0 } ?? limits.count
        buckets[bucket].total.wrappingAdd(1, ordering: .relaxed)
        sum.wrappingAdd(nanoseconds, ordering: .relaxed)
    }

    func write(to text: inout MetricsText) {
        text.begin(name, .histogram, help: help)
        writeSamples(to: &text, name, [])
    }

    func writeSamples(to text: inout MetricsText, _ name: String, _ labels: MetricsText.Labels) {
        let buckets = cumulative
        for bucket in buckets {
            text.sample(name + "_bucket", labels + [("le", bucket.label)], count: bucket.count)
        }
        text.sample(
            name + "_sum", labels, value: Double(sum.load(ordering: .relaxed)) / 1e9)
        text.sample(name + "_count", labels, count: buckets.last?.count ?? 0)
    }

    /// The number of durations up to each bound, and the number of all durations.
    var cumulative: [(label: String, count: UInt64)] {
        var total: UInt64 = 0
        return zip(Self.bounds.map(\.label) + ["+Inf"], buckets).map { label, bucket in
            total += bucket.total.load(ordering: .relaxed)
            return (label, total)
        }
    }
}
