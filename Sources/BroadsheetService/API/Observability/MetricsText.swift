/// The writer of the text format of Prometheus (exposition format 0.0.4).
package struct MetricsText {
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// The labels of a sample, in order.
    typealias Labels = [(name: String, value: String)]

    private(set) var text = ""

    /// Begins a metric; its samples are written next.
    mutating func begin(_ name: String, _ type: MetricType, help: String) {
        let help = help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type.rawValue)\n"
    }

    mutating func sample(_ name: String, _ labels: Labels = [], count: UInt64) {
        sample(name, labels, text: String(count))
    }

    mutating func sample(_ name: String, _ labels: Labels = [], value: Double) {
        let infinite = value < 0 ? "-Inf" : "+Inf"
        sample(name, labels, text: value.isFinite ? "\(value)" : value.isNaN ? "NaN" : infinite)
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
        // Nearly no label needs it, and every replacement reads a text several times.
        guard value.utf8.contains(where: { $0 == 0x5C || $0 == 0x22 || $0 == 0x0A }) else {
            return value
        }
        return value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }
}

/// The type of a metric.
package enum MetricType: String, Sendable {
    case counter
    case gauge
    case histogram
}
