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
                    everySection.merging(options(FlowOptions.self))
                        .merging(options(CompositionalOptions.self))
                        .merging(options(ListOptions.self))
                        .merging(options(RareOptions.self)))
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
        ] + flowParts + choices(FlowOptions.self) + compositionalParts + choices(ListOptions.self)
            + choices(RareOptions.self) + screen
    }

    private static var everySection: OpenAPINode {
        [
            "kind": .schema("SectionKind"),
            "decoration": .schema("Decorations"),
            "pinHeader": bool,
            "pinFooter": bool,
        ]
    }

    /// Returns an object with the members of options.
    private static func options<Options: LayoutOptions>(_ type: Options.Type) -> OpenAPINode {
        .object(
            type.members.filter { !$0.isShared }.map { member in
                switch member.schema {
                case .number: (member.name, number)
                case .bool: (member.name, bool)
                case .named(let name), .choice(let name, _): (member.name, .schema(name))
                }
            })
    }

    /// Returns the schemas of the members of options that are one of some strings.
    private static func choices<Options: LayoutOptions>(
        _ type: Options.Type
    ) -> [(String, OpenAPINode)] {
        type.members.compactMap { member in
            guard case .choice(let name, let texts) = member.schema else { return nil }
            return (name, optionalChoice(texts))
        }
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
                    [
                        "columns": .schema("GridColumnCount"), "width": .schema("ItemWidth"),
                        "height": number,
                    ])
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
        ] + choices(CompositionalOptions.self) + [
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

    private static var screen: [(String, OpenAPINode)] {
        [
            (
                "ScreenLayout",
                nullable(
                    "The layout of a whole screen.",
                    options(ScreenLayout.self))
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
