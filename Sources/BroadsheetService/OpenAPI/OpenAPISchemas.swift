import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

/// The schemas of the OpenAPI document.
///
/// The schemas of each subject are in an extension; the members here create common forms.
enum OpenAPISchemas {
    /// Creates the schema of an object in a response.
    ///
    /// - Parameters:
    ///   - description: The description.
    ///   - required: The names of the members that are always present.
    ///   - properties: The members.
    static func object(
        _ description: String, required: [String] = [], _ properties: OpenAPINode
    ) -> OpenAPINode {
        let head: OpenAPINode = ["type": "object", "description": .string(description)]
        let names: OpenAPINode =
            required.isEmpty ? [:] : ["required": .array(required.map { .string($0) })]
        return head.merging(names).merging(["properties": properties])
    }

    /// Creates the schema of an object in a request; members that are not required may be null.
    static func posted(
        _ description: String, required: [String] = [], _ properties: OpenAPINode
    ) -> OpenAPINode {
        guard case .object(let members) = properties else { return properties }
        let open = members.map { member in
            (member.name, required.contains(member.name) ? member.value : orNull(member.value))
        }
        return object(description, required: required, .object(open))
    }

    /// Creates the schema of an object in a request with arbitrary names, whose values may be null.
    static func table(of schema: OpenAPINode) -> OpenAPINode {
        ["type": "object", "additionalProperties": orNull(schema)]
    }

    /// Creates a schema that also accepts null; a schema without keywords already does.
    static func orNull(_ schema: OpenAPINode) -> OpenAPINode {
        schema == [:] ? schema : ["anyOf": [schema, ["type": "null"]]]
    }

    /// Creates the schema of an array.
    ///
    /// - Parameter schema: The name of the elements' schema.
    static func array(of schema: String) -> OpenAPINode {
        ["type": "array", "items": .schema(schema)]
    }

    /// Creates the schema of the raw values of an enumeration.
    static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ type: Choice.Type
    ) -> OpenAPINode {
        choice(type.allCases.map(\.rawValue))
    }

    /// Creates the schema of a string with a fixed set of values.
    static func choice(_ texts: [String]) -> OpenAPINode { string.merging(constants(texts)) }

    /// Creates the schema of a fixed set of values.
    static func constants(_ texts: [String]) -> OpenAPINode {
        ["enum": .array(texts.map { .string($0) })]
    }

    /// The schema of a number.
    static let number: OpenAPINode = ["type": "number"]
    /// The schema of an integer of at least 0.
    static let count: OpenAPINode = ["type": "integer", "minimum": 0]
    /// The schema of an integer in a request.
    static let integer: OpenAPINode = [
        "type": "integer", "minimum": -2_147_483_648, "maximum": 2_147_483_648,
    ]
    /// The schema of a string.
    static let string: OpenAPINode = ["type": "string"]
    /// The schema of a Boolean value.
    static let bool: OpenAPINode = ["type": "boolean"]
}

extension OpenAPISchemas {
    /// The schemas of screens, their list and their page state.
    static var screens: [(String, OpenAPINode)] {
        [
            (
                "ScreenName",
                [
                    "type": "string", "minLength": 1, "maxLength": .integer(ScreenName.maxLength),
                    "pattern": "^[A-Za-z0-9._~-]+$", "not": ["enum": [".", ".."]],
                ]
            ),
            (
                "RequestId",
                [
                    "type": "string", "minLength": 1, "maxLength": .integer(RequestID.maxLength),
                    "pattern": "^[A-Za-z0-9._~+/=:-]+$",
                ]
            ),
            (
                "ScreenList",
                object(
                    "The screens in the order of their names; with a token if there are more.",
                    required: ["screens"],
                    [
                        "screens": [
                            "type": "array",
                            "items": object(
                                "A screen.", required: ["screen", "revision"],
                                ["screen": .schema("ScreenName"), "revision": count]),
                        ],
                        "nextPageToken": string,
                    ])
            ),
            (
                "Screen",
                object(
                    "A screen; page is the page written last.",
                    required: ["screen", "revision", "page", "pageCount", "hasNext"],
                    [
                        "screen": .schema("ScreenName"), "revision": count,
                        "page": .schema("PageNumber"), "pageCount": count, "hasNext": bool,
                    ])
            ),
            ("PageState", pageState),
        ]
    }

    private static var pageState: OpenAPINode {
        object(
            "The pages of a screen.",
            required: [
                "screen", "revision", "page", "hasNext", "pageCount", "hasPageData", "pages",
            ],
            [
                "screen": .schema("ScreenName"),
                "revision": count,
                "page": .schema("PageNumber"),
                "hasNext": bool,
                "pageCount": count,
                "hasPageData": bool,
                "pages": [
                    "type": "array",
                    "items": object(
                        "A page.", required: ["page", "hasNext", "sections"],
                        [
                            "page": .schema("PageNumber"), "hasNext": bool,
                            "sections": [
                                "type": "array",
                                "items": object(
                                    "A section of the page.", required: ["id", "items"],
                                    ["id": ["type": ["string", "null"]], "items": count]),
                            ],
                        ]),
                ],
            ])
    }
}

extension OpenAPISchemas {
    /// The schemas of problem documents (RFC 9457).
    static var problem: [(String, OpenAPINode)] {
        [
            (
                "Problem",
                object(
                    "A problem with a request, and its solution.",
                    required: ["type", "title", "status", "detail", "instance", "code"],
                    [
                        "type": ["type": "string", "format": "uri"],
                        "title": string,
                        "status": ["type": "integer", "minimum": 400, "maximum": 599],
                        "detail": string,
                        "instance": ["type": "string", "format": "uri"],
                        "code": .schema("ProblemCode"),
                        "offset": count,
                        "line": ["type": "integer", "minimum": 1],
                        "column": ["type": "integer", "minimum": 1],
                        "errors": [
                            "type": "array", "maxItems": .integer(ContractError.maxViolations),
                            "items": object(
                                "A violation in the body.",
                                required: ["pointer", "detail"],
                                ["pointer": .schema("JSONPointer"), "detail": string]),
                        ],
                    ])
            ),
            (
                "ProblemCode",
                [
                    "type": "string",
                    "oneOf": .array(
                        ProblemCode.allCases.map { code in
                            [
                                "const": .string(code.rawValue),
                                "description": .string("\(code.status.code): \(code.summary)."),
                            ]
                        }),
                ]
            ),
        ]
    }
}
