import Broadsheet
import BroadsheetHTTP
import BroadsheetStores

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
                "ScreenList",
                object(
                    "The screens in the order of their names; with a token if there are more.",
                    required: ["screens"],
                    ["screens": array(of: "ListedScreen"), "nextPageToken": string])
            ),
            (
                "ListedScreen",
                object(
                    "A screen in a list.", required: ["screen", "revision"],
                    ["screen": .schema("ScreenName"), "revision": count])
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
            (
                "StoredPage",
                object(
                    "A page of a screen.", required: ["page", "hasNext", "sections"],
                    [
                        "page": .schema("PageNumber"), "hasNext": bool,
                        "sections": array(of: "StoredSection"),
                    ])
            ),
            (
                "StoredSection",
                object(
                    "A section of a page, and the number of its items.", required: ["id", "items"],
                    ["id": orNull(string), "items": count])
            ),
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
                "pages": array(of: "StoredPage"),
            ])
    }
}

extension OpenAPISchemas {
    /// The schemas of problem documents (RFC 9457), and that of the document itself.
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
                        "errors": array(of: "Violation").merging([
                            "maxItems": .integer(ContractError.maxViolations)
                        ]),
                    ])
            ),
            (
                "Violation",
                object(
                    "A violation in the body; with page, a section of a stored page that is missing.",
                    required: ["pointer", "detail"],
                    [
                        "page": .schema("PageNumber"), "pointer": .schema("JSONPointer"),
                        "detail": string,
                    ])
            ),
            ("ProblemCode", problemCode),
            ("OpenAPIDocument", object("This document.", [:])),
            ("PageSchema", object("A JSON Schema of pages, by JSON Schema 2020-12.", [:])),
        ]
    }

    private static var problemCode: OpenAPINode {
        let rows = ProblemCode.allCases.map { code in
            "- `\(code.rawValue)` (\(code.status.code)): \(code.summary)."
        }
        return choice(ProblemCode.self).merging([
            "description": .string(rows.joined(separator: "\n"))
        ])
    }
}
