/// Writes metrics in the text format that Prometheus scrapes (exposition format 0.0.4).
struct MetricsText {
    /// The media type of what is written.
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// The labels of one sample, in the order they are written.
    typealias Labels = [(name: String, value: String)]

    /// What has been written.
    private(set) var text = ""

    /// Begins a metric.
    ///
    /// What is written next are its samples.
    mutating func begin(_ name: String, _ type: MetricType, help: String) {
        let help = help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type.rawValue)\n"
    }

    /// Writes one sample.
    mutating func sample(_ name: String, _ labels: Labels = [], count: UInt64) {
        sample(name, labels, text: String(count))
    }

    /// Writes one sample.
    mutating func sample(_ name: String, _ labels: Labels = [], value: Double) {
        let infinite = value < 0 ? "-Inf" : "+Inf"
        sample(name, labels, text: value.isFinite ? "\(value)" : value.isNaN ? "NaN" : infinite)
    }

    /// Writes the samples of a histogram of durations.
    mutating func samples(_ name: String, _ labels: Labels = [], of histogram: DurationHistogram) {
        let buckets = histogram.cumulative
        for bucket in buckets {
            sample(name + "_bucket", labels + [("le", bucket.label)], count: bucket.count)
        }
        sample(name + "_sum", labels, value: histogram.seconds)
        sample(name + "_count", labels, count: buckets.last?.count ?? 0)
    }

    private mutating func sample(_ name: String, _ labels: Labels, text value: String) {
        text += name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
            text += "{\(pairs.joined(separator: ","))}"
        }
        text += " \(value)\n"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }
}

/// The sorts of metrics that there are here.
package enum MetricType: String, Sendable {
    /// Only grows.
    case counter
    /// Goes up and down.
    case gauge
    /// Counts by bounds.
    case histogram
}
