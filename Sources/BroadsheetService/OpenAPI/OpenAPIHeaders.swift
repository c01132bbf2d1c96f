/// The headers of answers, as components of the OpenAPI document.
enum OpenAPIHeaders {
    /// All of them by the names that answers refer to.
    static var components: [(String, OpenAPINode)] {
        [
            ("X-Request-Id", header("What the request is called in the log.")),
            ("ETag", header("The strong entity tag of the answer, or of the screen's revision.")),
            ("Vary", header("Accept, which decides between the tree and its picture.")),
            ("Location", header("The path of the page that was stored.")),
            ("Preference-Applied", header("return=minimal, when that was asked for.")),
            ("Allow", header("The methods that the path takes.")),
            ("Retry-After", header("Seconds after which the same request may work.")),
        ]
    }

    /// References to components, for an answer that has these headers.
    static func references(_ names: [String]) -> OpenAPINode {
        .object(names.map { ($0, ["$ref": .string("#/components/headers/\($0)")]) })
    }

    private static func header(_ description: String) -> OpenAPINode {
        ["description": .string(description), "schema": ["type": "string"]]
    }
}
