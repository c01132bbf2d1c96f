extension OpenAPISchemas {
    /// What backends post.
    static var page: [(String, OpenAPINode)] {
        [
            (
                "PageNumber",
                ["type": "integer", "minimum": 0, "maximum": 2_147_483_647]
            ),
            (
                "Page",
                object(
                    "A page as a backend posts it. The catalog's `contract` may rename sections, "
                        + "sectionId, units, unitType and unitData.",
                    required: ["sections"],
                    [
                        "page": .schema("PageNumber"),
                        "hasNext": bool.merging(["default": false]),
                        "sections": [
                            "type": "array",
                            "items": ["oneOf": [.schema("Section"), array(of: "Unit")]],
                        ],
                    ])
            ),
            (
                "Section",
                object(
                    "A section; sections of one id become one, unnamed ones never do.",
                    required: ["units"],
                    [
                        "sectionId": ["type": ["string", "number", "null"]],
                        "layout": ["oneOf": [.schema("SectionLayout"), ["type": "null"]]],
                        "collapsed": ["type": ["boolean", "null"]],
                        "header": ["oneOf": [.schema("Unit"), ["type": "null"]]],
                        "footer": ["oneOf": [.schema("Unit"), ["type": "null"]]],
                        "units": array(of: "Unit"),
                    ])
            ),
            (
                "Unit",
                object(
                    "A unit; without unitData the whole object is its data.",
                    required: ["unitType"], ["unitType": string, "unitData": [:]])
            ),
            (
                "ComposeRequest",
                [
                    "description": "A page, or several with what else they are to be laid out by.",
                    "anyOf": [.schema("Page"), composed],
                ]
            ),
        ]
    }

    private static var composed: OpenAPINode {
        object(
            "Pages; one without a number takes the next free one.", required: ["pages"],
            [
                "pages": array(of: "Page"),
                "catalog": .schema("Catalog"),
                "viewport": .schema("Viewport"),
                "viewports": [
                    "type": "array", "minItems": 1,
                    "maxItems": .integer(ComposedViewports.maxCount),
                    "items": .schema("Viewport"),
                    "description": "A tree for each instead; not together with viewport.",
                ],
            ])
    }
}
