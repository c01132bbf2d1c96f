import BroadsheetHTTP

/// Everything that the API can be asked to do (docs/api.md).
///
/// The router, the metrics' labels and the OpenAPI document are all made of this list, so none of
/// them can miss an operation. Raw values are the OpenAPI document's operation ids.
enum Operation: String, Sendable, Hashable, CaseIterable {
    /// Lays out posted pages and keeps nothing.
    case compose
    /// Lists screens.
    case listScreens
    /// Removes a screen.
    case deleteScreen
    /// Answers a screen's laid-out tree.
    case getLayout
    /// Answers a picture of a screen's layout.
    case getPicture
    /// Answers a screen's page state.
    case getPageState
    /// Stores a page under the number that it names, or the next free one.
    case postPage
    /// Removes all pages of a screen.
    case deletePages
    /// Answers a page as it was posted.
    case getPage
    /// Stores or replaces a page.
    case putPage
    /// Removes a page.
    case deletePage
    /// Answers the active catalog.
    case getCatalog
    /// Whether the process lives.
    case getLiveness
    /// Whether requests can be served.
    case getReadiness
    /// Metrics for Prometheus.
    case getMetrics
    /// The OpenAPI document.
    case getOpenAPI
}

extension Operation {
    /// The method that asks for it.
    ///
    /// HEAD is GET's and OPTIONS is the router's.
    var method: HTTPMethod {
        switch self {
        case .compose, .postPage: .post
        case .putPage: .put
        case .deleteScreen, .deletePages, .deletePage: .delete
        case .listScreens, .getLayout, .getPicture, .getPageState, .getPage, .getCatalog,
            .getLiveness, .getReadiness, .getMetrics, .getOpenAPI:
            .get
        }
    }

    /// The path that asks for it, with its parameters in braces.
    var path: String {
        switch self {
        case .compose: "/v1/layout"
        case .listScreens: "/v1/screens"
        case .deleteScreen: "/v1/screens/{screen}"
        case .getLayout: "/v1/screens/{screen}/layout"
        case .getPicture: "/v1/screens/{screen}/layout.svg"
        case .getPageState, .postPage, .deletePages: "/v1/screens/{screen}/pages"
        case .getPage, .putPage, .deletePage: "/v1/screens/{screen}/pages/{page}"
        case .getCatalog: "/v1/catalog"
        case .getLiveness: "/livez"
        case .getReadiness: "/readyz"
        case .getMetrics: "/metrics"
        case .getOpenAPI: "/openapi.json"
        }
    }
}
