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
                posted(
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
                posted(
                    "A section; sections of one id become one, unnamed ones never do.",
                    required: ["units"],
                    [
                        "sectionId": ["type": ["string", "number"]],
                        "layout": .schema("SectionLayout"),
                        "collapsed": bool,
                        "header": .schema("Unit"),
                        "footer": .schema("Unit"),
                        "units": array(of: "Unit"),
                    ])
            ),
            (
                "Unit",
                posted(
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
        posted(
            "Pages; one without a number takes the next free one.", required: ["pages"],
            [
                "pages": array(of: "Page"),
                "catalog": .schema("Catalog"),
                "viewport": .schema("Viewport"),
                "viewports": [
                    "type": "array", "minItems": 1,
                    "maxItems": .integer(ComposedViewports.maxCount),
                    "items": orNull(.schema("Viewport")),
                    "description": "A tree for each instead; not together with viewport.",
                ],
            ])
    }
}
