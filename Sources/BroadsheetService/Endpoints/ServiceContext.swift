/// The parts of the service that the handlers of operations share.
final class ServiceContext: Sendable {
    /// The service configuration.
    let configuration: ServiceConfiguration
    /// The stored screens.
    let screens: Screens
    /// The reader of posted pages.
    let pages: PageReader
    /// The renderer of trees and pictures.
    let renderer: LayoutRenderer
    /// The metrics of the service.
    let metrics: ServiceMetrics
    /// The log of the service.
    let log: Log
    /// The metrics whose values other parts of the process provide.
    let metricSources: [MetricSource]
    /// The OpenAPI document as JSON.
    let openAPI = OpenAPIDocument.bytes()

    /// Creates the context of a service.
    init(
        _ configuration: ServiceConfiguration, screens: Screens, renderer: LayoutRenderer,
        log: Log, metricSources: [MetricSource]
    ) {
        self.configuration = configuration
        self.screens = screens
        self.renderer = renderer
        self.log = log
        self.metricSources = metricSources
        metrics = renderer.metrics
        pages = PageReader(
            limits: configuration.limits, metrics: renderer.metrics, clock: renderer.clock)
    }
}
