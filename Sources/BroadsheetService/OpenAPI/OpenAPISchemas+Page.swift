import Broadsheet

extension OpenAPISchemas {
    /// The schemas of posted pages.
    static var page: [(String, OpenAPINode)] {
        [
            (
                "PageNumber",
                [
                    "type": "integer", "minimum": 0, "maximum": .integer(ServerStatePage.maxNumber),
                ]
            ),
            (
                "Page",
                posted(
                    "A page. The catalog's `contract` may rename sections, "
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
                    "A section; sections with the same id merge, those without an id do not.",
                    required: ["units"],
                    [
                        "sectionId": ["type": ["string", "number"]],
                        "layout": .schema("SectionLayout"),
                        "collapsed": bool,
                        "data": [:],
                        "header": .schema("Unit"),
                        "footer": .schema("Unit"),
                        "units": array(of: "Unit"),
                    ])
            ),
            (
                "Unit",
                posted(
                    "A unit; without unitData the whole object is the data.",
                    required: ["unitType"], ["unitType": string, "unitData": [:]])
            ),
            (
                "ComposeRequest",
                [
                    "description": "A page, or several with a catalog and viewports.",
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
                    "maxItems": .integer(ComposeViewports.maxCount),
                    "items": orNull(.schema("Viewport")),
                    "description": "Viewports of one tree each; not together with viewport.",
                ],
            ])
    }
}
