import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// An operation of the API: its description and the handler that serves it, in one declaration.
///
/// An operation is declared in the file of its endpoint and listed in ``all``. The router, `Allow`,
/// the labels of metrics and the OpenAPI document derive from the list, and a test compares it with
/// the table of operations in docs/api.md.
struct Operation: Sendable {
    /// A function that serves requests for an operation.
    typealias Handler =
        @Sendable (Call, BroadsheetService) async throws(Problem)
        -> HTTPResponse

    /// The name of the operation in the OpenAPI document and in the labels of metrics.
    let id: String
    /// The method; the router derives HEAD from GET, and OPTIONS from all methods of a path.
    let method: HTTPMethod
    /// The path, with its parameters in braces.
    let path: String
    /// The values of the path's only parameter, if it has no others; the router has each of these
    /// paths, and none with another value.
    var pathValues: [String] = []
    let tag: OperationTag
    /// The summary in the OpenAPI document and in docs/api.md.
    let summary: String
    /// The right that clients need, if the daemon has keys.
    let access: OperationAccess
    /// A Boolean value that indicates whether tokens permit the operation.
    var permitsReaders = false
    /// The parameters besides those of the path and `X-Request-Id`.
    var parameters: [OpenAPIParameter] = []
    /// A Boolean value that indicates whether the operation takes any query parameters and ignores
    /// them, as probes and scrapers may send.
    var acceptsAnyQuery = false
    /// A Boolean value that indicates whether the work follows from the whole stored screen, and
    /// not from the body alone, so that it runs on worker threads if the screen is large.
    var concernsWholeScreen = false
    /// The name of the schema of the request's body; `nil` for an operation that ignores the body.
    var requestSchema: String?
    /// The media types of the request's body, for an operation whose body is a patch.
    var requestPatches: [PatchMedia] = []
    /// The responses of the operation other than problem documents.
    let responses: [OpenAPIResponse]
    /// The problems of the operation, besides those of any request.
    var problems: [ProblemCode] = []
    let handler: Handler
}

extension Operation {
    /// All operations, in the order of the OpenAPI document.
    ///
    /// The position in this list identifies an operation in the router and in the metrics.
    static let all: [Operation] = [
        .compose, .compareLayouts,
        .listScreens, .getScreen, .putScreen, .deleteScreen,
        .getLayout, .getPicture, .getChanges, .getStream,
        .getPageState, .postPage, .deletePages,
        .getPage, .putPage, .patchPage, .deletePage,
        .updateScreen,
        .getRevisions, .deleteRevisions, .revertScreen,
        .postEvents, .getJourney, .getFeed,
        .getCatalog, .listCatalogs, .getCatalogSchema, .getCatalogCells, .getFont,
        .getLiveness, .getReadiness, .getMetrics, .getOpenAPI,
        .getClientFile, .getInspector, .getInspectorFile,
    ]
}

extension Operation {
    /// The query parameters of each operation, at its position in ``all``; `nil` for one that takes
    /// any.
    private static let queryNames: [[String]?] = all.map { operation in
        operation.acceptsAnyQuery
            ? nil : operation.parameters.filter { $0.location == .query }.map(\.name)
    }

    /// Checks that the operation at a position in ``all`` has every parameter of a query.
    ///
    /// Names that begin with `x-` or `utm_`, and `_`, which caches are bypassed with, are those of
    /// other programs.
    ///
    /// - Throws: `INVALID_PARAMETER` for the first unknown parameter, with the nearest name, or all
    ///   names if none is near.
    static func checkNames(of query: Query, at index: Int) throws(Problem) {
        guard !query.items.isEmpty, let known = queryNames[index] else { return }
        for item in query.items where !known.contains(item.name) {
            let name = item.name
            guard !name.hasPrefix("x-"), !name.hasPrefix("utm_"), name != "_" else { continue }
            let hint =
                pageHint(for: name, known)
                ?? NearestName.of(name, among: known).map { "did you mean '\($0)'?" }
                ?? (known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))")
            throw .invalidParameter(
                "'\(name.prefix(maxNameInDetail))'",
                "is not a parameter of this operation; \(hint)")
        }
    }

    /// Returns the ways to another page of an operation that has none by its number.
    private static func pageHint(for name: String, _ known: [String]) -> String? {
        guard name.lowercased() == "page", known.contains("pageToken") else { return nil }
        return "a page is requested with the 'pageToken' of the tree before it"
            + (known.contains("item") ? ", or the part around an item with 'item'" : "")
    }

    /// Returns the catalog of a request for the operation at a position in ``all``.
    ///
    /// - Throws: `INVALID_PARAMETER` for the name of a catalog that does not exist; `FORBIDDEN` for
    ///   one that the client may not name.
    static func catalog(
        for query: Query, at index: Int, among catalogs: ActiveCatalogs, _ caller: Caller
    ) throws(Problem) -> ActiveCatalog {
        let parameter = CatalogParameter.name
        let isBounded = caller.token?.line.options.catalogs != nil
        guard isBounded || !query.items.isEmpty, queryNames[index]?.contains(parameter) == true
        else { return catalogs.unnamed }
        if isBounded { try checkCatalog(of: query, caller) }
        return try catalogs.catalog(in: query)
    }

    /// Checks that a client may name the catalog of a query, or that without a name if it has none.
    ///
    /// A page token has a catalog of its own, which is checked when it is read; beside it, the
    /// query has none.
    private static func checkCatalog(of query: Query, _ caller: Caller) throws(Problem) {
        let reader = ParameterReader(query)
        let text = try reader.text(CatalogParameter.name)
        guard text != nil || !query.items.contains(where: { $0.name == "pageToken" }) else {
            return
        }
        try caller.check(catalog: text.flatMap(CatalogName.init))
    }

    /// The maximum number of characters of a parameter's name that a problem repeats.
    private static let maxNameInDetail = 64
}

extension Operation {
    var paths: [String] {
        let name = path.prefix { $0 != "{" }
        return pathValues.isEmpty ? [path] : pathValues.map { name + $0 }
    }

    var hasBody: Bool { requestSchema != nil || !requestPatches.isEmpty }

    /// The media types of the request's body with their schemas; empty if it is ignored.
    var requestContent: OpenAPIResponse.Content {
        let json = requestSchema.map { [("application/json", OpenAPINode.schema($0))] } ?? []
        return json + requestPatches.map { ($0.rawValue, .schema($0.schema)) }
    }

    /// Returns the response to a request for the operation: on the event loop, or on worker threads
    /// if the body is large, or the screen that it concerns as a whole.
    func respond(
        to call: Call, by service: BroadsheetService
    ) async throws(Problem) -> HTTPResponse {
        let isLarge =
            hasBody && call.request.body.count > Work.maxInlineBody
            || concernsWholeScreen && service.screens.isLarge(call)
        return try await call.work.performAll(if: isLarge) {
            (work) async throws(Problem) in
            var call = call
            call.work = work
            return try await handler(call, service)
        }
    }
}

/// A group of operations in the OpenAPI document.
enum OperationTag: String, CaseIterable {
    /// Layouts of stored and of posted pages.
    case layouts
    case screens
    case daemon

    var summary: String {
        switch self {
        case .layouts: "Laid-out trees of stored or posted pages."
        case .screens: "Screens: paginated view models under a name."
        case .daemon: "The state of the daemon."
        }
    }
}
