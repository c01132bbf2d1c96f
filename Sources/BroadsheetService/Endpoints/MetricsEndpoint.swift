import BroadsheetHTTP

/// `/metrics`: what Prometheus scrapes.
struct MetricsEndpoint: Sendable {
    let metrics: ServiceMetrics
    let sources: [MetricSource]

    /// All metrics as they are now.
    func get() -> HTTPResponse {
        HTTPResponse(
            status: .ok, headers: [.contentType: MetricsText.mediaType],
            body: Array(metrics.text(sources: sources).utf8))
    }
}
