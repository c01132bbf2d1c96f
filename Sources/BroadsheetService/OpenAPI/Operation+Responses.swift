import BroadsheetHTTP

extension Operation {
    /// The answers of an operation that did what it was asked, by status.
    var successes: [(String, OpenAPINode)] {
        switch self {
        case .compose: [("200", Self.composed)]
        case .getPicture: [("200", Self.picture), Self.notModified]
        case .getLayout:
            [("200", Self.json("Tree", "The tree.", headers: ["ETag"])), Self.notModified]
        case .getPageState:
            [
                ("200", Self.json("PageState", "The page state.", headers: ["ETag"])),
                Self.notModified,
            ]
        case .getPage:
            [("200", Self.json("Page", "The page.", headers: ["ETag"])), Self.notModified]
        case .putPage:
            [
                ("200", Self.written("The page was replaced.", headers: [])),
                ("201", Self.written("The page is new.", headers: [])),
            ]
        case .postPage:
            [
                ("200", Self.written("The page was replaced.", headers: ["Location"])),
                ("201", Self.written("The page is new.", headers: ["Location"])),
            ]
        case .deletePage, .deletePages: [("204", Self.response("Removed.", headers: ["ETag"]))]
        case .deleteScreen: [("204", Self.response("Removed."))]
        case .listScreens: [("200", Self.json("ScreenList", "The screens."))]
        case .getCatalog: [("200", Self.json("Catalog", "The catalog."))]
        case .getOpenAPI: [("200", Self.json(nil, "This document."))]
        case .getLiveness: [("200", Self.text("It lives."))]
        case .getReadiness:
            [("200", Self.text("It is ready.")), ("503", Self.notReady)]
        case .getMetrics: [("200", Self.text("The metrics."))]
        }
    }

    /// What the operation may find wrong besides what any request may meet, which is in `default`.
    var problems: [ProblemCode] {
        let screen: [ProblemCode] = [.invalidParameter, .screenNotFound]
        let body: [ProblemCode] = [
            .invalidJSON, .lengthRequired, .bodyTooLarge, .unsupportedMediaType, .invalidContract,
        ]
        let condition: [ProblemCode] = [.preconditionFailed]
        let store: [ProblemCode] = [.overloaded, .storeUnavailable]
        return switch self {
        case .compose: body + [.invalidParameter, .invalidCatalog]
        case .listScreens: [.invalidParameter, .invalidPageToken, .storeUnavailable]
        case .getLayout, .getPicture:
            screen + [.invalidPageToken, .pageTokenMismatch, .pageNotLoaded] + condition + store
        case .getPageState: screen + condition + store
        case .getPage, .deletePage: screen + [.pageNotFound] + condition + store
        case .deletePages, .deleteScreen: screen + condition + store
        case .putPage: body + [.invalidParameter, .pageMismatch] + condition + store
        case .postPage: body + [.invalidParameter] + condition + store
        case .getCatalog, .getLiveness, .getReadiness, .getMetrics, .getOpenAPI: []
        }
    }

    /// What any request may meet under a status that operations have problems of their own for.
    private static let ofAnyRequest: [ProblemCode] = [.badRequest, .overloaded]

    /// The problems by status, and one answer for all that any request may meet.
    ///
    /// An answer of its own status takes the place of that one, so it names both sorts.
    var problemResponses: [(String, OpenAPINode)] {
        let shared = Self.ofAnyRequest.filter { code in
            !problems.contains(code) && problems.contains { $0.status == code.status }
        }
        let byStatus = Dictionary(grouping: problems + shared, by: \.status.code)
        let own = byStatus.keys.sorted().compactMap { status in
            byStatus[status].map { (String(status), Self.problem($0)) }
        }
        return own + [("default", Self.anyProblem)]
    }

    private static let notModified = (
        "304", response("The client has it already.", headers: ["ETag"])
    )

    private static var composed: OpenAPINode {
        response("The tree, or a tree for each viewport, or a picture.", headers: ["Vary"])
            .merging([
                "content": [
                    "application/json": [
                        "schema": ["oneOf": [.schema("Tree"), .schema("TreeList")]]
                    ],
                    "image/svg+xml": ["schema": ["type": "string"]],
                ]
            ])
    }

    private static var picture: OpenAPINode {
        response("The picture.", headers: ["ETag"])
            .merging(["content": ["image/svg+xml": ["schema": ["type": "string"]]]])
    }

    private static var notReady: OpenAPINode {
        let plain: OpenAPINode = ["schema": ["type": "string"]]
        let problem: OpenAPINode = ["schema": .schema("Problem")]
        return response("It is not ready, or there is too much to do.", headers: ["Retry-After"])
            .merging([
                "content": .object([("text/plain", plain), (Problem.mediaType, problem)])
            ])
    }

    private static func written(_ description: String, headers: [String]) -> OpenAPINode {
        json(
            "Tree", "\(description) The tree up to it; no content with return=minimal.",
            headers: ["ETag", "Preference-Applied"] + headers)
    }

    private static func json(
        _ schema: String?, _ description: String, headers: [String] = []
    ) -> OpenAPINode {
        let schema: OpenAPINode = schema.map(OpenAPINode.schema) ?? ["type": "object"]
        return response(description, headers: headers)
            .merging(["content": ["application/json": ["schema": schema]]])
    }

    private static func text(_ description: String) -> OpenAPINode {
        response(description)
            .merging(["content": ["text/plain": ["schema": ["type": "string"]]]])
    }

    private static func problem(_ codes: [ProblemCode]) -> OpenAPINode {
        let names = codes.map(\.rawValue)
        let mayRetry = codes.contains { $0 == .pageNotLoaded || $0.status == .serviceUnavailable }
        let narrowed: OpenAPINode = [
            "allOf": [
                .schema("Problem"),
                ["properties": ["code": ["enum": .array(names.map { .string($0) })]]],
            ]
        ]
        return problem(
            names.joined(separator: ", "), narrowed, headers: mayRetry ? ["Retry-After"] : [])
    }

    private static let anyProblem = problem(
        "Any other problem.", .schema("Problem"), headers: ["Allow", "Retry-After"])

    private static func problem(
        _ description: String, _ schema: OpenAPINode, headers: [String]
    ) -> OpenAPINode {
        let content: OpenAPINode = ["schema": schema]
        return response(description, headers: headers)
            .merging(["content": .object([(Problem.mediaType, content)])])
    }

    private static func response(_ description: String, headers: [String] = []) -> OpenAPINode {
        [
            "description": .string(description),
            "headers": OpenAPIHeaders.references(["X-Request-Id"] + headers),
        ]
    }
}
