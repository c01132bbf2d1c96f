import BroadsheetHTTP

/// Every endpoint, and which of them serves an operation.
struct Endpoints: Sendable {
    let compose: ComposeEndpoint
    let screens: ScreensEndpoint
    let layout: ScreenLayoutEndpoint
    let pageState: PageStateEndpoint
    let pages: PagesEndpoint
    let catalog: CatalogEndpoint
    let health: HealthEndpoint
    let metrics: MetricsEndpoint
    let openAPI: OpenAPIEndpoint

    /// Does what is asked for.
    func respond(
        to call: Call, _ operation: Operation
    ) async throws(Problem) -> HTTPResponse {
        switch operation {
        case .compose: try compose.post(call)
        case .listScreens: try await screens.list(call)
        case .deleteScreen: try await screens.delete(call)
        case .getLayout: try await layout.get(call)
        case .getPicture: try await layout.getPicture(call)
        case .getPageState: try await pageState.get(call)
        case .postPage: try await pages.post(call)
        case .deletePages: try await pageState.delete(call)
        case .getPage: try await pages.get(call)
        case .putPage: try await pages.put(call)
        case .deletePage: try await pages.delete(call)
        case .getCatalog: catalog.get(call)
        case .getLiveness: health.liveness()
        case .getReadiness: await health.readiness()
        case .getMetrics: metrics.get()
        case .getOpenAPI: openAPI.get()
        }
    }
}
