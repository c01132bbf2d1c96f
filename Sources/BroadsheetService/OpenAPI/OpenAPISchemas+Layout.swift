import Broadsheet

extension OpenAPISchemas {
    /// The schemas of the layouts of sections and screens.
    static var layout: [(String, OpenAPINode)] {
        [
            (
                "Insets",
                [
                    "description": "Points on all edges, or for each edge.",
                    "oneOf": [
                        number,
                        posted(
                            "Omitted edges are 0.",
                            ["top": number, "left": number, "bottom": number, "right": number]),
                    ],
                ]
            ),
            (
                "SectionLayout",
                posted(
                    "The layout of a section; omitted members and null leave the default.",
                    everySection.merging(flow).merging(compositional).merging(list))
            ),
            ("GridColumnCount", gridColumnCount),
            (
                "Decorations",
                [
                    "description": "The backgrounds behind a section, those in front last.",
                    "oneOf": [
                        .schema("DecorationOptions"),
                        array(of: "DecorationOptions").merging([
                            "maxItems": .integer(SectionLayout.maxDecorations)
                        ]),
                    ],
                ]
            ),
            (
                "DecorationOptions",
                posted(
                    "A background behind a section.", required: ["kind"],
                    [
                        "kind": string, "mode": choice(DecorationOptions.Mode.self),
                        "inset": .schema("Insets"), "zIndex": integer, "data": [:],
                    ])
            ),
            ("ItemWidth", itemWidth),
            ("ScreenLayout", screenLayout),
        ]
    }

    private static var everySection: OpenAPINode {
        [
            "kind": choice(SectionLayout.Kind.self),
            "decoration": .schema("Decorations"),
            "pinHeader": bool,
            "pinFooter": bool,
        ]
    }

    private static var flow: OpenAPINode {
        [
            "inset": .schema("Insets"),
            "minimumLineSpacing": number,
            "minimumInteritemSpacing": number,
            "gridColumnCount": .schema("GridColumnCount"),
            "paging": posted(
                "A carousel.",
                [
                    "isEnabled": bool, "isAlignCenter": bool, "isLooping": bool,
                    "isInfinitePage": bool, "isAutoRolling": bool,
                    "autoRollingTimeInterval": number,
                ]),
        ]
    }

    private static var gridColumnCount: OpenAPINode {
        let breakpoints: OpenAPINode = [
            "type": "object",
            "description": "The number of columns from each width of the viewport on.",
            "required": ["default"],
            "properties": ["default": integer],
            "additionalProperties": orNull(integer),
        ]
        return [
            "description": "The number of columns of equal width.",
            "oneOf": [
                integer,
                posted(
                    "As many columns of a minimum width as fit.", required: ["minItemWidth"],
                    [
                        "minItemWidth": ["type": "number", "exclusiveMinimum": 0],
                        "max": ["type": "integer", "minimum": 1, "maximum": 2_147_483_648],
                    ]),
                breakpoints,
            ],
        ]
    }

    private static var itemWidth: OpenAPINode {
        [
            "description": """
            The width of the items of a vertical group, or of cards that scroll sideways.
            """,
            "oneOf": [
                number,
                posted(
                    "A fraction of the section's content box.", required: ["fraction"],
                    ["fraction": number]),
            ],
        ]
    }

    private static var compositional: OpenAPINode {
        [
            "direction": choice(["horizontal", "vertical"]),
            "itemSize": [
                "oneOf": [
                    ["const": "dynamic"],
                    posted(
                        "Items of equal size.", required: ["uniform"],
                        [
                            "uniform": posted(
                                "The number of items in a group, and their lengths in points.",
                                [
                                    "columns": integer, "width": .schema("ItemWidth"),
                                    "height": number,
                                ])
                        ]),
                ]
            ],
            "scrolling": choice(CompositionalOptions.Scrolling.self),
            "itemSpacing": number,
            "lineSpacing": number,
            "sectionInset": .schema("Insets"),
            "contentInsetsReference": choice(
                CompositionalOptions.ContentInsetsReference.self),
            "orthogonalScrollingProperties": posted(
                "Passed on to the tree.", scrollingProperties),
            "isUniformAcrossSiblings": bool,
            "uniformEstimatedHeight": number,
        ]
    }

    /// The properties of a client's scroll view, in requests and responses.
    static var scrollingProperties: OpenAPINode {
        ["decelerationRate": ["type": ["string", "number"]], "bounce": bool]
    }

    private static var list: OpenAPINode {
        [
            "appearance": choice(ListOptions.Appearance.self),
            "showsSeparators": bool,
            "headerMode": choice(ListOptions.HeaderMode.self),
            "footerMode": choice(ListOptions.FooterMode.self),
            "headerTopPadding": number,
        ]
    }

    private static var screenLayout: OpenAPINode {
        posted(
            "The layout of a whole screen.",
            [
                "direction": choice(["vertical", "horizontal"]),
                "itemSize": posted(
                    "The size of items without a size of their own.",
                    ["width": number, "height": number]),
                "inset": .schema("Insets"),
                "minimumLineSpacing": number,
                "minimumInteritemSpacing": number,
                "interSectionSpacing": number,
                "pinHeaders": bool,
                "pinFooters": bool,
            ])
    }
}
