extension OpenAPISchemas {
    /// How sections and screens ask to be laid out.
    static var layout: [(String, OpenAPINode)] {
        [
            (
                "Insets",
                [
                    "description": "Points on every edge, or edge by edge.",
                    "oneOf": [
                        number,
                        posted(
                            "Edges that are left out are 0.",
                            ["top": number, "left": number, "bottom": number, "right": number]),
                    ],
                ]
            ),
            (
                "SectionLayout",
                posted(
                    "How a section is laid out; what is left out, or null, is nobody's wish.",
                    everySection.merging(flow).merging(compositional).merging(list))
            ),
            ("ScreenLayout", screenLayout),
        ]
    }

    private static var everySection: OpenAPINode {
        [
            "kind": choice(["flow", "compositional", "list"]),
            "decoration": posted(
                "A background behind the section.", required: ["kind"],
                [
                    "kind": string, "mode": choice(["section", "items"]),
                    "inset": .schema("Insets"), "zIndex": integer, "data": [:],
                ]),
            "pinHeader": bool,
            "pinFooter": bool,
        ]
    }

    private static var flow: OpenAPINode {
        [
            "inset": .schema("Insets"),
            "minimumLineSpacing": number,
            "minimumInteritemSpacing": number,
            "gridColumnCount": integer,
            "paging": posted(
                "A carousel.",
                [
                    "isEnabled": bool, "isAlignCenter": bool, "isLooping": bool,
                    "isInfinitePage": bool, "isAutoRolling": bool,
                    "autoRollingTimeInterval": number,
                ]),
        ]
    }

    private static var compositional: OpenAPINode {
        [
            "direction": choice(["horizontal", "vertical"]),
            "itemSize": [
                "oneOf": [
                    ["const": "dynamic"],
                    posted(
                        "Equal items.", required: ["uniform"],
                        [
                            "uniform": posted(
                                "Their number in a group, and their lengths in points.",
                                ["columns": integer, "width": number, "height": number])
                        ]),
                ]
            ],
            "scrolling": choice([
                "none", "continuous", "continuousGroupLeadingBoundary", "paging", "groupPaging",
                "groupPagingCentered",
            ]),
            "itemSpacing": number,
            "lineSpacing": number,
            "sectionInset": .schema("Insets"),
            "contentInsetsReference": choice(["automatic", "none", "safeArea", "layoutMargins"]),
            "orthogonalScrollingProperties": posted(
                "Carried through to the tree.", scrollingProperties),
            "isUniformAcrossSiblings": bool,
            "uniformEstimatedHeight": number,
        ]
    }

    /// What a client's scroller is told, both ways.
    static var scrollingProperties: OpenAPINode {
        ["decelerationRate": ["type": ["string", "number"]], "bounce": bool]
    }

    private static var list: OpenAPINode {
        [
            "appearance": choice(["plain", "grouped", "insetGrouped", "sidebar", "sidebarPlain"]),
            "showsSeparators": bool,
            "headerMode": choice(["none", "supplementary", "firstItemInSection"]),
            "footerMode": choice(["none", "supplementary"]),
            "headerTopPadding": number,
        ]
    }

    private static var screenLayout: OpenAPINode {
        posted(
            "What holds for a whole screen.",
            [
                "direction": choice(["vertical", "horizontal"]),
                "itemSize": posted(
                    "The size of items without their own.", ["width": number, "height": number]),
                "inset": .schema("Insets"),
                "minimumLineSpacing": number,
                "minimumInteritemSpacing": number,
                "interSectionSpacing": number,
                "pinHeaders": bool,
                "pinFooters": bool,
            ])
    }
}
