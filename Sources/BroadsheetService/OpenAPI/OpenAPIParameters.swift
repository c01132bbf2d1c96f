import Broadsheet
import BroadsheetHTTP

/// The parameters of the API, as components of the OpenAPI document.
enum OpenAPIParameters {
    /// All of them by the names that operations refer to.
    static var components: [(String, OpenAPINode)] {
        path + layout + query + header
    }

    /// A reference to a component.
    static func reference(_ name: String) -> OpenAPINode {
        ["$ref": .string("#/components/parameters/\(name)")]
    }

    private static var path: [(String, OpenAPINode)] {
        [
            (
                "screen",
                parameter(
                    "screen", in: "path", "The screen's name; not \".\" or \"..\".",
                    .schema("ScreenName"))
            ),
            ("page", parameter("page", in: "path", "The page's number.", .schema("PageNumber"))),
        ]
    }

    private static var layout: [(String, OpenAPINode)] {
        LayoutParameter.allCases.map { known in
            (
                known.rawValue,
                parameter(known.rawValue, in: "query", known.summary, known.schema)
                    .merging(known.isList ? ["style": "form", "explode": false] : [:])
            )
        }
    }

    private static var query: [(String, OpenAPINode)] {
        [
            (
                "pages",
                parameter(
                    "pages", in: "query",
                    "All stored pages in one tree. Not together with a page token.",
                    ["type": "string", "enum": ["all"]])
            ),
            (
                "pageToken",
                parameter(
                    "pageToken", in: "query",
                    "The nextPageToken of an earlier answer; it stands for every other parameter "
                        + "but pretty, lint and rect.",
                    ["type": "string"])
            ),
            (
                "rect",
                parameter(
                    "rect", in: "query",
                    "x,y,width,height in content coordinates: answers with the elements that "
                        + "overlap it only, and without diagnostics.",
                    [
                        "type": "array", "minItems": 4, "maxItems": 4,
                        "items": ["type": "number", "minimum": -1e9, "maximum": 1e9],
                    ]
                ).merging(["style": "form", "explode": false])
            ),
            (
                "listPageToken",
                parameter(
                    "pageToken", in: "query", "The nextPageToken of an earlier answer.",
                    ["type": "string"])
            ),
            (
                "pageSize",
                parameter(
                    "pageSize", in: "query", "Screens in one answer.",
                    [
                        "type": "integer", "minimum": 1,
                        "maximum": .integer(ParameterLimits().maxPageSize),
                        "default": .integer(ParameterLimits().defaultPageSize),
                    ])
            ),
            (
                "sectionId",
                parameter(
                    "sectionId", in: "query",
                    "Keeps the pages that hold a section of this id, highest first.",
                    ["type": "string"])
            ),
        ]
    }

    private static var header: [(String, OpenAPINode)] {
        [
            (
                "ifMatch",
                parameter(
                    "If-Match", in: "header",
                    "Entity tags of the screen's revision, such as \"r3\", or *, which holds when "
                        + "the screen exists. On reads: of the answer itself.",
                    ["type": "string"])
            ),
            (
                "ifNoneMatch",
                parameter(
                    "If-None-Match", in: "header",
                    "On reads: entity tags that the client has; 304 when one is current. On "
                        + "writes: * lets a page be made but not replaced.",
                    ["type": "string"])
            ),
            (
                "accept",
                parameter(
                    "Accept", in: "header",
                    "image/svg+xml, when wanted more than application/json, asks for a picture "
                        + "instead of the tree of one viewport.",
                    ["type": "string"])
            ),
            (
                "lifetime",
                parameter(
                    HTTPFieldName.screenLifetime.spelling, in: "header",
                    "How many seconds the screen lives from this write on, up to ten years, or "
                        + "none for no end. Without it: as --screen-ttl says, else as before.",
                    ["type": "string", "pattern": "^(none|[1-9][0-9]{0,8})$"])
            ),
            (
                "prefer",
                parameter(
                    "Prefer", in: "header", "return=minimal leaves the tree out of the answer.",
                    ["type": "string"])
            ),
            (
                "requestId",
                parameter(
                    "X-Request-Id", in: "header",
                    "Taken over into the answer and the log; anything else is replaced.",
                    .schema("RequestId"))
            ),
        ]
    }

    private static func parameter(
        _ name: String, in place: String, _ description: String, _ schema: OpenAPINode
    ) -> OpenAPINode {
        [
            "name": .string(name), "in": .string(place), "required": .bool(place == "path"),
            "description": .string(description), "schema": schema,
        ]
    }
}

extension LayoutParameter {
    /// What it is, in a sentence.
    fileprivate var summary: String {
        switch self {
        case .width: "The viewport's width in points."
        case .height: "The viewport's height in points."
        case .scale: "Device pixels per point."
        case .direction: "The reading direction."
        case .coordinates: "Whose coordinates frames are in: their parent's, or the content's."
        case .collapsed: "Section ids to collapse, on top of what is stored; %2C within an id."
        case .fields: "Whether items come with their data."
        case .rounding: "Whether frames are rounded to device pixels."
        case .pretty: "Whether the tree is indented."
        case .lint: "Whether diagnostics also say what a designer would want to know."
        }
    }

    /// Whether it is a list parted by commas.
    fileprivate var isList: Bool { self == .collapsed }

    /// The values that it takes.
    fileprivate var schema: OpenAPINode {
        let defaults = LayoutParameters()
        switch self {
        case .width: return Self.length(defaults.viewport.size.width)
        case .height: return Self.length(defaults.viewport.size.height)
        case .scale:
            return [
                "type": "number", "enum": .array(Self.scales.map { .number($0) }),
                "default": .number(defaults.viewport.scale),
            ]
        case .direction: return ["type": "string", "enum": ["ltr", "rtl"], "default": "ltr"]
        case .coordinates:
            return ["type": "string", "enum": ["section", "content"], "default": "section"]
        case .collapsed: return ["type": "array", "items": ["type": "string"]]
        case .fields: return ["type": "string", "enum": ["all", "frames"], "default": "all"]
        case .rounding: return ["type": "string", "enum": ["pixel", "none"], "default": "pixel"]
        case .pretty, .lint: return ["type": "boolean", "default": false]
        }
    }

    private static func length(_ fallback: Double) -> OpenAPINode {
        [
            "type": "number", "exclusiveMinimum": 0, "maximum": .number(maxLength),
            "default": .number(fallback),
        ]
    }
}
