import BroadsheetHTTP

/// A response of an operation, as the OpenAPI document describes it.
struct OpenAPIResponse: Sendable {
    /// The content of a response: media types and their schemas.
    typealias Content = [(mediaType: String, schema: OpenAPINode)]

    /// The status as a key of `responses`.
    let status: String
    /// The response as the OpenAPI document describes it.
    let node: OpenAPINode

    /// Creates a description of a response.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - description: The description.
    ///   - headers: The names of its headers besides those of all responses.
    ///   - content: The content; empty for a response without one.
    init(
        _ status: HTTPStatus, _ description: String, headers: [String] = [],
        content: Content = []
    ) {
        self.init(String(status.code), description, headers: headers, content: content)
    }

    private static let headersOfAll = ["X-Request-Id", "X-Content-Type-Options"]

    private init(
        _ status: String, _ description: String, headers: [String], content: Content
    ) {
        self.status = status
        let head: OpenAPINode = [
            "description": .string(description),
            "headers": OpenAPIHeaders.references(
                Self.headersOfAll + (content.isEmpty ? [] : ["Content-Encoding", "Vary"]) + headers),
        ]
        let types = content.map { type, schema -> (String, OpenAPINode) in
            (type, ["schema": schema])
        }
        node = content.isEmpty ? head : head.merging(["content": .object(types)])
    }
}

/// Responses that several operations have.
extension OpenAPIResponse {
    /// A JSON response.
    ///
    /// - Parameter schema: The name of its schema.
    static func json(
        _ schema: String, _ description: String, status: HTTPStatus = .ok,
        headers: [String] = []
    ) -> OpenAPIResponse {
        OpenAPIResponse(
            status, description, headers: headers,
            content: [("application/json", .schema(schema))])
    }

    /// A response of plain text.
    static func text(_ description: String) -> OpenAPIResponse {
        OpenAPIResponse(.ok, description, content: [("text/plain", OpenAPISchemas.string)])
    }

    /// A response of Server-Sent Events.
    static func events(_ description: String) -> OpenAPIResponse {
        OpenAPIResponse(
            .ok, description, headers: ["Cache-Control"],
            content: [(EventStreamMedia.type, OpenAPISchemas.string)])
    }

    /// The response to a removal.
    static func removed(headers: [String]) -> OpenAPIResponse {
        OpenAPIResponse(.noContent, "Removed.", headers: headers)
    }

    /// The response to a client that already has the current representation.
    static let notModified = notModified(headers: [])

    /// The response to a client that already has the current representation, with the names of its
    /// headers besides `ETag` and `Vary`.
    static func notModified(headers: [String]) -> OpenAPIResponse {
        OpenAPIResponse(
            .notModified, "The client already has the current representation.",
            headers: ["ETag", "Vary"] + headers)
    }
}

/// Problem documents.
extension OpenAPIResponse {
    /// The problems of any request whose status operations have problems of their own for.
    private static let problemsOfAnyRequest: [ProblemCode] = [.badRequest, .overloaded]

    /// Returns the problem documents of an operation: one response for each status of its problems,
    /// and `default` for the problems of any request.
    ///
    /// OpenAPI uses `default` only for a status that has no response of its own, so such a response
    /// covers both kinds of problem.
    static func problems(_ problems: [ProblemCode]) -> [OpenAPIResponse] {
        let shared = problemsOfAnyRequest.filter { code in
            !problems.contains(code) && problems.contains { $0.status == code.status }
        }
        let byStatus = Dictionary(grouping: problems + shared, by: \.status.code)
        let own = byStatus.sorted { $0.key < $1.key }.map { problem(String($0.key), $0.value) }
        return own + [anyProblem]
    }

    private static func problem(_ status: String, _ codes: [ProblemCode]) -> OpenAPIResponse {
        let names = codes.map(\.rawValue)
        let mayRetry = codes.contains { $0 == .pageNotLoaded || $0.status == .serviceUnavailable }
        let isChallenge = codes.contains { $0 == .unauthenticated || $0 == .forbidden }
        return OpenAPIResponse(
            status, names.joined(separator: ", "),
            headers: (mayRetry ? ["Retry-After"] : []) + (isChallenge ? ["WWW-Authenticate"] : []),
            content: [(Problem.mediaType, .schema("Problem"))])
    }

    private static let anyProblem = OpenAPIResponse(
        "default", "Any other problem.", headers: ["Allow", "Retry-After"],
        content: [(Problem.mediaType, .schema("Problem"))])
}

/// The headers of responses, as components of the OpenAPI document.
enum OpenAPIHeaders {
    /// The headers by the names that responses refer to.
    static var components: [(String, OpenAPINode)] {
        [
            (
                "X-Request-Id",
                [
                    "description": "The id of the request in the log.",
                    "schema": .schema("RequestId"),
                ]
            ),
            (
                "ETag",
                header("The strong entity tag of the representation, or of the screen's revision.")
            ),
            (
                "Broadsheet-Diagnostics",
                [
                    "description": .string(
                        "The number of diagnostics of the written page, of the trees, or of the "
                            + "reported events."),
                    "schema": OpenAPISchemas.count,
                ]
            ),
            ("Cache-Control", header("no-cache: ask with If-None-Match before each use.")),
            ("Vary", header("Accept and Accept-Encoding, as far as they select the content.")),
            ("Content-Encoding", header("gzip, if the content is compressed.")),
            ("Location", header("The path of the stored page.")),
            ("Preference-Applied", header("return=minimal, if requested.")),
            ("X-Content-Type-Options", header("nosniff: the content has its type and no other.")),
            (
                "Content-Security-Policy",
                header("The rules for a browser that opens the response as a document.")
            ),
            (
                "Cross-Origin-Opener-Policy",
                header("same-origin: other pages have no handle of it.")
            ),
            ("Referrer-Policy", header("no-referrer: requests of the page do not name it.")),
            (
                "Access-Control-Allow-Origin",
                header("*: the scripts of all pages may read the response.")
            ),
            (
                "Cross-Origin-Resource-Policy",
                header(
                    "cross-origin: all pages may use the response; same-origin: only those of the daemon."
                )
            ),
            ("Allow", header("The methods that the resource supports.")),
            (
                "WWW-Authenticate",
                header("Bearer, with the error and the scopes of which the key needs one.")
            ),
            ("Accept-Patch", header("The media types of patches of the page.")),
            ("Retry-After", header("The seconds after which the same request may succeed.")),
        ]
    }

    /// Returns references to components.
    fileprivate static func references(_ names: [String]) -> OpenAPINode {
        .object(names.map { ($0, ["$ref": .string("#/components/headers/\($0)")]) })
    }

    private static func header(_ description: String) -> OpenAPINode {
        ["description": .string(description), "schema": ["type": "string"]]
    }
}
