import BroadsheetHTTP

/// `/openapi.json`: the API for machines.
struct OpenAPIEndpoint: Sendable {
    private let document = OpenAPIDocument.bytes()

    /// The document, which is the same for as long as the daemon runs.
    func get() -> HTTPResponse { .json(document) }
}
