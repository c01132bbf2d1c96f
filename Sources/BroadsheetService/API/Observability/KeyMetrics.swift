import Synchronization

/// The requests and the open streams by the names of keys, of which there is a bounded number.
final class KeyMetrics: Metric {
    private struct Counts {
        var requests: UInt64 = 0
        var streams = 0
    }

    /// The maximum number of names, which is fixed; the keys beyond have one value together.
    static let maxNames = 100
    /// The values of clients without a key, and of further keys, which no name has.
    static let (none, other) = ("(none)", "(other)")

    private let counts = Mutex<[String: Counts]>([KeyMetrics.none: Counts()])

    /// Counts a request that was completed.
    func count(_ key: String?) { change(key) { $0.requests += 1 } }

    /// Counts streams that have begun, or ended for -1.
    func addStreams(_ count: Int, of key: String?) { change(key) { $0.streams += count } }

    private func change(_ key: String?, _ body: (inout Counts) -> Void) {
        let name = key ?? Self.none
        counts.withLock { counts in
            let isKnown = counts[name] != nil || counts.count <= Self.maxNames
            body(&counts[isKnown ? name : Self.other, default: Counts()])
        }
    }

    func write(to text: inout MetricsText) {
        let counts = counts.withLock { $0.sorted { $0.key < $1.key } }
        let (requests, streams) = ("broadsheet_key_requests_total", "broadsheet_key_streams_open")
        text.begin(requests, .counter, help: "Completed requests by the name of their key.")
        for (name, counts) in counts {
            text.sample(requests, [("key", name)], count: counts.requests)
        }
        text.begin(streams, .gauge, help: "Streams that are open by the name of their key.")
        for (name, counts) in counts {
            text.sample(streams, [("key", name)], value: Double(counts.streams))
        }
    }
}
