import Synchronization

/// The verifications of tokens by issuer and result, and the verified ones; without an issuer there
/// are no samples.
final class TokenMetrics: Metric {
    private struct Labels: Hashable {
        /// The name of the issuer; empty for a token whose key is not known.
        let issuer: String
        let result: String
    }

    private struct State {
        var counts: [Labels: UInt64] = [:]
        var isUsed = false
    }

    static let valid = "valid"

    private let state = Mutex(State())
    let cached = Gauge("broadsheet_tokens_cached", "Verified tokens that are kept.")
    let expiredStreams = Counter(
        "broadsheet_streams_expired_total", "Streams that ended because their token had expired.")

    /// Counts a verification.
    ///
    /// The names are those of lines, so that there is a bounded number of samples.
    func count(_ result: String, of line: IssuerLine?) {
        let labels = Labels(issuer: line?.name ?? "", result: result)
        state.withLock { $0.counts[labels, default: 0] += 1 }
    }

    /// Writes the samples from now on.
    func use() { state.withLock { $0.isUsed = true } }

    func write(to text: inout MetricsText) {
        let state = state.withLock { $0 }
        guard state.isUsed else { return }
        let name = "broadsheet_token_verifications_total"
        text.begin(
            name, .counter, help: "Verified and refused tokens by the name of their issuer.")
        let counts = state.counts.sorted {
            ($0.key.issuer, $0.key.result) < ($1.key.issuer, $1.key.result)
        }
        for (labels, count) in counts {
            text.sample(
                name, [("issuer", labels.issuer), ("result", labels.result)], count: count)
        }
        cached.write(to: &text)
        expiredStreams.write(to: &text)
    }
}
