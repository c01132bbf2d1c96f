import Broadsheet
import BroadsheetHTTP

extension OpenAPISchemas {
    /// Problem documents (RFC 9457).
    static var problem: [(String, OpenAPINode)] {
        [
            (
                "Problem",
                object(
                    "What is wrong, and what to do about it.",
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
                                "A place of the body that does not fit.",
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
                                "description": .string("\(code.status.code): \(code.title)."),
                            ]
                        }),
                ]
            ),
        ]
    }
}
