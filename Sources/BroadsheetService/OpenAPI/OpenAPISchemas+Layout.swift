import Broadsheet

extension OpenAPISchemas {
    /// The schemas of the layouts of sections and screens.
    static var layout: [(String, OpenAPINode)] {
        [
            (
                "Insets",
                alternatives(
                    "Points on all edges, or for each edge.",
                    [orNull(number), .schema("EdgeInsets")])
            ),
            (
                "EdgeInsets",
                posted(
                    "Points for each edge; omitted edges are 0.",
                    ["top": number, "left": number, "bottom": number, "right": number])
            ),
            (
                "SectionLayout",
                nullable(
                    "The layout of a section; omitted members and null leave the default.",
                    everySection.merging(flow).merging(compositional).merging(list))
            ),
            ("SectionKind", optionalChoice(SectionLayout.Kind.self)),
            (
                "Decorations",
                alternatives(
                    "The backgrounds behind a section, those in front last.",
                    [
                        .schema("DecorationOptions"),
                        array(ofPresent: "DecorationOptions").merging([
                            "maxItems": .integer(SectionLayout.maxDecorations)
                        ]),
                    ])
            ),
            (
                "DecorationOptions",
                nullable(
                    "A background behind a section.", required: ["kind"],
                    [
                        "kind": string, "mode": .schema("DecorationMode"),
                        "inset": .schema("Insets"), "zIndex": integer, "data": [:],
                    ])
            ),
            ("DecorationMode", optionalChoice(DecorationOptions.Mode.self)),
        ] + flowParts + compositionalParts + listParts + screen
    }

    private static var everySection: OpenAPINode {
        [
            "kind": .schema("SectionKind"),
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
            "paging": .schema("PagingOptions"),
        ]
    }

    private static var flowParts: [(String, OpenAPINode)] {
        [
            (
                "PagingOptions",
                nullable(
                    "A carousel.",
                    [
                        "isEnabled": bool, "isAlignCenter": bool, "isLooping": bool,
                        "isInfinitePage": bool, "isAutoRolling": bool,
                        "autoRollingTimeInterval": number,
                    ])
            ),
            (
                "GridColumnCount",
                alternatives(
                    "The number of columns of equal width.",
                    [orNull(integer), .schema("FittingColumns"), .schema("ColumnsByWidth")])
            ),
            (
                "FittingColumns",
                posted(
                    "As many columns of a minimum width as fit.", required: ["minItemWidth"],
                    [
                        "minItemWidth": ["type": "number", "exclusiveMinimum": 0],
                        "max": ["type": "integer", "minimum": 1, "maximum": 2_147_483_648],
                    ])
            ),
            (
                "ColumnsByWidth",
                object(
                    "The number of columns from each width of the viewport on.",
                    required: ["default"], ["default": integer]
                ).merging(["additionalProperties": orNull(integer)])
            ),
        ]
    }

    private static var compositional: OpenAPINode {
        [
            "direction": .schema("GroupDirection"),
            "itemSize": .schema("ItemSize"),
            "scrolling": .schema("Scrolling"),
            "itemSpacing": number,
            "lineSpacing": number,
            "sectionInset": .schema("Insets"),
            "contentInsetsReference": .schema("ContentInsetsReference"),
            "orthogonalScrollingProperties": .schema("ScrollingProperties"),
            "isUniformAcrossSiblings": bool,
            "uniformEstimatedHeight": number,
        ]
    }

    private static var compositionalParts: [(String, OpenAPINode)] {
        [
            ("GroupDirection", optionalChoice(["horizontal", "vertical"])),
            (
                "ItemSize",
                alternatives(
                    "The sizes of a section's items.",
                    [.schema("DynamicSize"), .schema("UniformSize")])
            ),
            ("DynamicSize", optionalChoice(["dynamic"])),
            (
                "UniformSize",
                posted(
                    "Items of equal size.", required: ["uniform"], ["uniform": .schema("ItemGrid")])
            ),
            (
                "ItemGrid",
                posted(
                    "The number of items in a group, and their lengths in points.",
                    ["columns": integer, "width": .schema("ItemWidth"), "height": number])
            ),
            (
                "ItemWidth",
                alternatives(
                    "The width of the items of a vertical group, or of cards that scroll sideways.",
                    [orNull(number), .schema("WidthFraction")])
            ),
            (
                "WidthFraction",
                posted(
                    "A fraction of the section's content box.", required: ["fraction"],
                    ["fraction": number])
            ),
            ("Scrolling", optionalChoice(CompositionalOptions.Scrolling.self)),
            (
                "ContentInsetsReference",
                optionalChoice(CompositionalOptions.ContentInsetsReference.self)
            ),
            (
                "ScrollingProperties",
                nullable(
                    "The properties of a client's scroll view, passed on to the tree.",
                    ["decelerationRate": .schema("DecelerationRate"), "bounce": bool])
            ),
            (
                "DecelerationRate",
                alternatives("A rate by name or by number.", [orNull(string), number])
            ),
        ]
    }

    private static var list: OpenAPINode {
        [
            "appearance": .schema("ListAppearance"),
            "showsSeparators": bool,
            "headerMode": .schema("HeaderMode"),
            "footerMode": .schema("FooterMode"),
            "headerTopPadding": number,
        ]
    }

    private static var listParts: [(String, OpenAPINode)] {
        [
            ("ListAppearance", optionalChoice(ListOptions.Appearance.self)),
            ("HeaderMode", optionalChoice(ListOptions.HeaderMode.self)),
            ("FooterMode", optionalChoice(ListOptions.FooterMode.self)),
        ]
    }

    private static var screen: [(String, OpenAPINode)] {
        [
            (
                "ScreenLayout",
                nullable(
                    "The layout of a whole screen.",
                    [
                        "direction": .schema("ScreenDirection"),
                        "itemSize": .schema("DefaultItemSize"),
                        "inset": .schema("Insets"),
                        "minimumLineSpacing": number,
                        "minimumInteritemSpacing": number,
                        "interSectionSpacing": number,
                        "pinHeaders": bool,
                        "pinFooters": bool,
                    ])
            ),
            ("ScreenDirection", optionalChoice(["vertical", "horizontal"])),
            (
                "DefaultItemSize",
                nullable(
                    "The size of items without a size of their own.",
                    ["width": number, "height": number])
            ),
        ]
    }
}
