import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// A routed request, as its handler receives it.
struct Call: Sendable {
    /// The request.
    let request: HTTPRequest
    /// The values of the parameters in the operation's path.
    let path: PathParameters
    /// The parameters of the query.
    let query: Query
    /// The catalog that was in service when the request arrived.
    let catalog: ActiveCatalog
    /// The parts of the service that handlers share.
    let service: ServiceContext

    /// Returns the screen that the path names.
    ///
    /// - Throws: `INVALID_PARAMETER` for a malformed name.
    func screen() throws(Problem) -> ScreenName {
        guard let name = path["screen"].flatMap(ScreenName.init) else {
            throw .invalidParameter(
                "screen", "must be 1 to 128 of A-Z a-z 0-9 . _ ~ -, but not . or ..")
        }
        return name
    }

    /// Returns the number of the page that the path names.
    ///
    /// - Throws: `INVALID_PARAMETER` for anything that is not a page number.
    func page() throws(Problem) -> Int {
        guard let number = path["page"].flatMap(WholeNumber.init)?.value,
            number <= ServerStatePage.maxNumber
        else {
            throw .invalidParameter(
                "page", "must be a whole number from 0 to \(ServerStatePage.maxNumber)")
        }
        return number
    }
}

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
    /// The metrics whose values other parts of the process provide.
    let metricSources: [MetricSource]
    /// The OpenAPI document as JSON.
    let openAPI = OpenAPIDocument.bytes()

    /// Creates the context of a service.
    init(
        _ configuration: ServiceConfiguration, screens: Screens, renderer: LayoutRenderer,
        metricSources: [MetricSource]
    ) {
        self.configuration = configuration
        self.screens = screens
        self.renderer = renderer
        self.metricSources = metricSources
        metrics = renderer.metrics
        pages = PageReader(
            limits: configuration.limits, metrics: renderer.metrics, clock: renderer.clock)
    }
}
