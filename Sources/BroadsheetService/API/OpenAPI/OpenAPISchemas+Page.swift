import Broadsheet

extension OpenAPISchemas {
    /// The schemas of posted pages.
    static var page: [(String, OpenAPINode)] {
        [
            ("PageNumber", pageNumber),
            (
                "Page",
                posted(
                    "A page. The catalog's `contract` may rename sections, "
                        + "sectionId, units, unitType, unitData, when, fallback and essential.",
                    required: ["sections"],
                    [
                        "page": pageNumber,
                        "hasNext": bool.merging(["default": false]),
                        "hasPrevious": bool.merging(["default": false]),
                        "sections": array(of: "PageSection"),
                    ])
            ),
            (
                "PageSection",
                [
                    "description": "A section, or only its units.",
                    "oneOf": [.schema("Section"), .schema("UnitList")],
                ]
            ),
            ("Section", section),
            ("SectionId", alternatives("The id of a section.", [orNull(string), number])),
            ("UnitList", array(ofPresent: "Unit")),
            (
                "Unit",
                nullable(
                    "A unit; without unitData the whole object is the data.",
                    required: ["unitType"],
                    [
                        "unitType": string, "unitData": [:], "when": .schema("Condition"),
                        "fallback": .schema("FallbackUnit"), "essential": bool,
                    ])
            ),
            (
                // Apart from the unit, because generators of clients cannot read a schema that
                // accepts null and contains itself.
                "FallbackUnit",
                nullable(
                    "A unit in place of another one, which may have a fallback in turn.",
                    required: ["unitType"],
                    [
                        "unitType": string, "unitData": [:], "when": .schema("Condition"),
                        "fallback": [:], "essential": bool,
                    ])
            ),
            (
                "ScreenPages",
                posted(
                    "All pages of a screen, ascending by number; one without a number has that "
                        + "after the page before it, and the first one 0.",
                    required: ["pages"],
                    ["pages": array(of: "Page").merging(["minItems": 1])])
            ),
            (
                "ComposeRequest",
                [
                    "description": "A page, or several with a catalog and viewports.",
                    "anyOf": [.schema("Page"), .schema("Composition")],
                ]
            ),
            ("Composition", composition),
        ]
    }

    /// The schema of a page number.
    static let pageNumber: OpenAPINode = [
        "type": "integer", "minimum": 0, "maximum": .integer(ServerStatePage.maxNumber),
    ]

    private static var section: OpenAPINode {
        posted(
            "A section; sections with the same id merge, those without an id do not.",
            required: ["units"],
            [
                "sectionId": .schema("SectionId"),
                "layout": .schema("SectionLayout"),
                "collapsed": bool,
                "data": [:],
                "header": .schema("Unit"),
                "footer": .schema("Unit"),
                "units": .schema("UnitList"),
                "when": .schema("Condition"),
                "essential": bool,
            ])
    }

    private static var composition: OpenAPINode {
        posted(
            "Pages; one without a number takes the next free one.", required: ["pages"],
            [
                "pages": array(of: "Page"),
                "catalog": .schema("Catalog"),
                "viewport": .schema("Viewport"),
                "viewports": [
                    "type": "array", "minItems": 1,
                    "maxItems": .integer(ParameterLimits.maxViewports),
                    "items": .schema("Viewport"),
                    "description": "Viewports of one tree each; not together with viewport.",
                ],
            ])
    }
}
