extension Operation {
    /// The operation as the OpenAPI document describes it.
    var node: OpenAPINode {
        var members: [(String, OpenAPINode)] = [
            ("operationId", .string(rawValue)),
            ("tags", [.string(tag.rawValue)]),
            ("summary", .string(summary)),
            ("parameters", .array(parameterNames.map(OpenAPIParameters.reference))),
        ]
        if let requestSchema { members.append(("requestBody", Self.requestBody(requestSchema))) }
        members.append(("responses", .object(successes + problemResponses)))
        return .object(members)
    }

    private var tag: OperationTag {
        switch self {
        case .compose, .getLayout, .getPicture: .layouts
        case .listScreens, .deleteScreen, .getPageState, .postPage, .deletePages, .getPage,
            .putPage, .deletePage:
            .screens
        case .getCatalog, .getLiveness, .getReadiness, .getMetrics, .getOpenAPI: .daemon
        }
    }

    private var summary: String {
        switch self {
        case .compose: "Lays out posted pages without storing them."
        case .listScreens: "Lists the screens in the order of their names."
        case .deleteScreen: "Removes a screen."
        case .getLayout: "Answers the tree of a screen's stored pages."
        case .getPicture: "Answers a picture of a screen's stored pages, laid out."
        case .getPageState: "Answers which pages a screen has and what is in them."
        case .postPage: "Stores a page under the number it names, or the next free one."
        case .deletePages: "Removes all pages of a screen and keeps the screen."
        case .getPage: "Answers a page as it was posted, byte for byte."
        case .putPage: "Stores a page, or replaces it."
        case .deletePage: "Removes a page."
        case .getCatalog: "Answers the active catalog."
        case .getLiveness: "Whether the process lives."
        case .getReadiness: "Whether requests can be served."
        case .getMetrics: "Metrics in the text format of Prometheus."
        case .getOpenAPI: "This document."
        }
    }

    /// The components that the operation's parameters are.
    private var parameterNames: [String] {
        let path = ["screen", "page"].filter { self.path.contains("{\($0)}") }
        let layout = LayoutParameter.allCases.map(\.rawValue)
        let read = ["ifMatch", "ifNoneMatch"]
        let write = read + ["lifetime", "prefer"]
        let own: [String] =
            switch self {
            case .compose: layout + ["accept"]
            case .listScreens: ["pageSize", "listPageToken"]
            case .getLayout: ["pages", "pageToken", "rect"] + layout + read
            case .getPicture: ["pages", "pageToken"] + layout + read
            case .getPageState: ["sectionId"] + read
            case .getPage: read
            case .putPage, .postPage: layout + write
            case .deletePages, .deletePage: read + ["lifetime"]
            case .deleteScreen: read
            case .getCatalog, .getLiveness, .getReadiness, .getMetrics, .getOpenAPI: []
            }
        return path + own + ["requestId"]
    }

    private var requestSchema: String? {
        switch self {
        case .compose: "ComposeRequest"
        case .putPage, .postPage: "Page"
        default: nil
        }
    }

    private static func requestBody(_ schema: String) -> OpenAPINode {
        ["required": true, "content": ["application/json": ["schema": .schema(schema)]]]
    }
}
