import BroadsheetStores

extension OpenAPISchemas {
    /// Screens, their list and their page state.
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
                    "Screens in the order of their names; a token when there are more.",
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
            ("PageState", pageState),
        ]
    }

    private static var pageState: OpenAPINode {
        object(
            "Which pages a screen has.",
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
