import BroadsheetHTTP

/// A response of an operation, as the OpenAPI document describes it.
struct OpenAPIResponse: Sendable {
    /// The content of a response: media types and their schemas.
    typealias Content = [(mediaType: String, schema: OpenAPINode)]

    /// The status as a key of `responses`.
    let status: String
    let node: OpenAPINode

    /// `headers` are those besides the headers of all responses.
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
        let names =
            Self.headersOfAll + (content.isEmpty ? [] : ["Content-Encoding", "Vary"]) + headers
        let head: OpenAPINode = [
            "description": .string(description),
            "headers": .object(
                names.map { ($0, ["$ref": .string("#/components/headers/\($0)")]) }),
        ]
        let types = content.map { type, schema -> (String, OpenAPINode) in
            (type, ["schema": schema])
        }
        node = content.isEmpty ? head : head.merging(["content": .object(types)])
    }
}

/// Responses that several operations have.
extension OpenAPIResponse {
    static func json(
        _ schema: String, _ description: String, status: HTTPStatus = .ok,
        headers: [String] = []
    ) -> OpenAPIResponse {
        OpenAPIResponse(
            status, description, headers: headers,
            content: [("application/json", .schema(schema))])
    }

    static func text(_ description: String) -> OpenAPIResponse {
        OpenAPIResponse(.ok, description, content: [("text/plain", OpenAPISchemas.string)])
    }

    /// A response of Server-Sent Events.
    static func events(_ description: String) -> OpenAPIResponse {
        OpenAPIResponse(
            .ok, description, headers: ["Cache-Control"],
            content: [(EventStreamMedia.type, OpenAPISchemas.string)])
    }

    static func removed(headers: [String]) -> OpenAPIResponse {
        OpenAPIResponse(.noContent, "Removed.", headers: headers)
    }

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
        let mayRetry = codes.contains {
            $0 == .pageNotLoaded || [.serviceUnavailable, .tooManyRequests].contains($0.status)
        }
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
