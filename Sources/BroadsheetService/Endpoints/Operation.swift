import BroadsheetHTTP

/// An operation of the API: its description and the handler that serves it, in one declaration.
///
/// An operation is declared in the file of its endpoint and listed in ``all``. The router, `Allow`,
/// the labels of metrics and the OpenAPI document derive from the list, and a test compares it with
/// the table of operations in docs/api.md.
struct Operation: Sendable {
    /// A function that serves requests for an operation.
    typealias Handler = @Sendable (Call) async throws(Problem) -> HTTPResponse

    /// The name of the operation in the OpenAPI document and in the labels of metrics.
    let id: String
    /// The method; the router derives HEAD from GET, and OPTIONS from all methods of a path.
    let method: HTTPMethod
    /// The path, with its parameters in braces.
    let path: String
    /// The group of the operation in the OpenAPI document.
    let tag: OperationTag
    /// The summary in the OpenAPI document and in docs/api.md.
    let summary: String
    /// The parameters besides those of the path and `X-Request-Id`.
    var parameters: [OpenAPIParameter] = []
    /// The name of the schema of the request's body; `nil` for an operation that ignores the body.
    var requestSchema: String?
    /// The responses of the operation other than problem documents.
    let responses: [OpenAPIResponse]
    /// The problems of the operation, besides those of any request.
    var problems: [ProblemCode] = []
    /// The function that serves the operation.
    let handler: Handler
}

extension Operation {
    /// All operations, in the order of the OpenAPI document.
    ///
    /// The position in this list identifies an operation in the router and in the metrics.
    static let all: [Operation] = [
        .compose,
        .listScreens, .deleteScreen,
        .getLayout, .getPicture,
        .getPageState, .postPage, .deletePages,
        .getPage, .putPage, .deletePage,
        .getCatalog, .getLiveness, .getReadiness, .getMetrics, .getOpenAPI,
    ]
}

/// A group of operations in the OpenAPI document.
enum OperationTag: String, CaseIterable {
    /// Layouts of stored and of posted pages.
    case layouts
    /// Screens and their pages.
    case screens
    /// The state of the daemon.
    case daemon

    /// The description of the group in the OpenAPI document.
    var summary: String {
        switch self {
        case .layouts: "Laid-out trees of stored or posted pages."
        case .screens: "Screens: paginated view models under a name."
        case .daemon: "The state of the daemon."
        }
    }
}
