/// A metric whose value someone else knows, such as the server's open connections: asked for when
/// metrics are scraped.
package struct MetricSource: Sendable {
    /// The metric's name, `broadsheet_…` with its unit at the end.
    let name: String
    /// Whether it only grows.
    let type: MetricType
    /// What it says, in a sentence.
    let help: String
    /// Its value now; called from any thread and must not block.
    let read: @Sendable () -> Double

    /// Makes a source of a counter or a gauge.
    package init(
        name: String, type: MetricType = .gauge, help: String,
        read: @escaping @Sendable () -> Double
    ) {
        self.name = name
        self.type = type
        self.help = help
        self.read = read
    }
}
