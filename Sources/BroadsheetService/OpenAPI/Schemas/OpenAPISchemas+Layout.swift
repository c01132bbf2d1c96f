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
                        object(
                            "Edges that are left out are 0.",
                            ["top": number, "left": number, "bottom": number, "right": number]),
                    ],
                ]
            ),
            (
                "SectionLayout",
                object(
                    "How a section is laid out; what is left out, or null, is nobody's wish.",
                    everySection.merging(flow).merging(compositional).merging(list))
            ),
            ("ScreenLayout", screenLayout),
        ]
    }

    private static var everySection: OpenAPINode {
        [
            "kind": choice(["flow", "compositional", "list"]),
            "decoration": object(
                "A background behind the section.", required: ["kind"],
                [
                    "kind": string, "mode": choice(["section", "items"]),
                    "inset": .schema("Insets"), "zIndex": ["type": "integer"], "data": [:],
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
            "gridColumnCount": ["type": "integer"],
            "paging": object(
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
                    object(
                        "Equal items.", required: ["uniform"],
                        [
                            "uniform": object(
                                "Their number in a group, and their lengths in points.",
                                ["columns": ["type": "integer"], "width": number, "height": number])
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
            "orthogonalScrollingProperties": object(
                "Carried through to the tree.", ["decelerationRate": [:], "bounce": [:]]),
            "isUniformAcrossSiblings": bool,
            "uniformEstimatedHeight": number,
        ]
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
        object(
            "What holds for a whole screen.",
            [
                "direction": choice(["vertical", "horizontal"]),
                "itemSize": object(
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
