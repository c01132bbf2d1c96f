import Broadsheet

extension OpenAPISchemas {
    /// The schemas of trees.
    static var tree: [(String, OpenAPINode)] {
        [
            ("Tree", treeRoot),
            (
                "TreeList",
                object(
                    "A tree for each viewport, in their order.", required: ["layouts"],
                    ["layouts": array(of: "Tree")])
            ),
            (
                "ComposeResponse",
                alternatives(
                    "A tree, or a tree for each of the viewports.",
                    [.schema("Tree"), .schema("TreeList")])
            ),
            ("TreeViewport", treeViewport),
            ("TreeSafeArea", treeSafeArea),
            ("Window", window),
            (
                "Size",
                object(
                    "Lengths in points.", required: ["width", "height"],
                    ["width": number, "height": number])
            ),
            (
                "Frame",
                object(
                    "A rectangle in its parent's coordinates, or the content's.",
                    required: ["x", "y", "width", "height"],
                    ["x": number, "y": number, "width": number, "height": number])
            ),
            ("TreeSection", treeSection),
            (
                "Item",
                element(
                    "An item; lines is the number of lines of its texts if its size depends on "
                        + "them, and truncated, if present, is true. can is the gestures that its "
                        + "type permits, if it restricts them.", id: true)
            ),
            ("Supplementary", element("A header or a footer.", id: false)),
            (
                "Decoration",
                object(
                    "A background.", required: ["kind", "frame"],
                    [
                        "kind": string, "frame": .schema("Frame"), "zIndex": ["type": "integer"],
                        "data": [:],
                    ])
            ),
            ("Origin", origin),
            ("SectionOrigin", sectionOrigin),
            (
                "PostedSection",
                object(
                    "A section of a posted page.", required: ["page", "pointer"],
                    ["page": .schema("PageNumber"), "pointer": string])
            ),
            ("Scroll", scroll),
            ("ScrollAxis", choice(["horizontal"])),
            ("Paging", paging),
            (
                "Diagnostic",
                object(
                    "Something that was dropped or is suspicious, and its location.",
                    required: ["code", "page", "pointer", "detail"],
                    [
                        "code": string, "page": orNull(pageNumber), "pointer": string,
                        "detail": string,
                    ])
            ),
        ]
    }

    private static var treeRoot: OpenAPINode {
        object(
            "A laid-out screen.",
            required: [
                "page", "pageCount", "hasNext", "viewport", "contentSize", "sections",
                "diagnostics",
            ],
            [
                "screen": .schema("ScreenName"),
                "revision": count.merging([
                    "description": "The last revision that changed a page up to this tree's bound."
                ]),
                "page": .schema("PageNumber"),
                "pageCount": count,
                "hasNext": bool,
                "nextPageToken": string,
                "hasPrevious": bool,
                "previousPageToken": string,
                "viewport": .schema("TreeViewport"),
                "contentSize": .schema("Size"),
                "window": .schema("Window"),
                "sections": array(of: "TreeSection"),
                "diagnostics": array(of: "Diagnostic"),
            ])
    }

    private static var window: OpenAPINode {
        object(
            """
            The place of a window in the tree of all pages: its anchor, both null for the content's \
            start, the anchor's coordinate along the screen, and the index of the first section.
            """,
            required: ["section", "item", "origin", "firstSection", "before", "after"],
            [
                "section": orNull(string), "item": orNull(string), "origin": number,
                "firstSection": count, "before": number, "after": number,
            ])
    }

    private static var treeViewport: OpenAPINode {
        object(
            "The viewport of the layout; textScale, if present, is not 1, and safeArea is that of "
                + "the request.",
            required: ["width", "height", "scale", "direction"],
            [
                "width": shownLength, "height": shownLength,
                "scale": number(in: LayoutParameters.scales),
                "direction": .schema("LayoutDirection"),
                "textScale": number(in: LayoutParameters.textScales),
                "safeArea": .schema("TreeSafeArea"),
            ])
    }

    private static var treeSafeArea: OpenAPINode {
        object(
            "The sides of the safe area, in points.", required: ["top", "left", "bottom", "right"],
            [
                "top": safeAreaSide, "left": safeAreaSide, "bottom": safeAreaSide,
                "right": safeAreaSide,
            ])
    }

    /// The schema of a viewport's length in a response: rounded to thousandths, possibly to 0.
    private static var shownLength: OpenAPINode {
        ["type": "number", "minimum": 0, "maximum": .number(LayoutParameter.maxLength)]
    }

    private static var treeSection: OpenAPINode {
        object(
            """
            A section with its elements. Without data if fields=frames. In a window, firstItem is \
            the index in the whole tree of its first item here, and itemCount their number there.
            """,
            required: ["id", "index", "frame", "collapsed", "items"],
            [
                "id": orNull(string),
                "index": count,
                "firstItem": count,
                "itemCount": count,
                "frame": .schema("Frame"),
                "collapsed": bool,
                "header": .schema("Supplementary"),
                "items": array(of: "Item"),
                "footer": .schema("Supplementary"),
                "decorations": array(of: "Decoration"),
                "scroll": .schema("Scroll"),
                "paging": .schema("Paging"),
                "data": [:],
                "from": .schema("SectionOrigin"),
            ])
    }

    private static var origin: OpenAPINode {
        object(
            "The place of data in a posted page, and what made an element of it; placement is a "
                + "pointer into the catalog, or null. Only with explain=true.",
            required: ["page", "pointer", "unit", "unitType", "placement"],
            [
                "page": .schema("PageNumber"), "pointer": string, "unit": string,
                "unitType": string, "placement": orNull(string),
            ])
    }

    private static var sectionOrigin: OpenAPINode {
        object(
            "The posted sections that a section is merged of, the catalog's entry that its layout "
                + "begins with, and the members of that and of the posted layouts. Only with "
                + "explain=true.",
            required: ["posted", "entry", "layout"],
            [
                "posted": [
                    "type": "array", "maxItems": .integer(100),
                    "items": .schema("PostedSection"),
                ],
                "entry": orNull(string), "layout": ["type": "object"],
            ])
    }

    private static func element(_ description: String, id: Bool) -> OpenAPINode {
        let head: OpenAPINode =
            id
            ? [
                "id": string, "lines": count, "truncated": bool,
                "can": gestures,
            ] : [:]
        return object(
            "\(description) parts is the frames of its content, if its type has one. Without data if fields=frames; pinned, if present, is true.",
            required: (id ? ["id"] : []) + ["type", "frame"],
            head.merging([
                "type": string, "frame": .schema("Frame"), "zIndex": ["type": "integer"],
                "pinned": bool, "parts": .schema("Parts"), "separator": .schema("Frame"),
                "data": [:], "from": .schema("Origin"),
            ]))
    }

    private static var scroll: OpenAPINode {
        object(
            """
            The scrolling of a section that scrolls horizontally. Offsets are measured from the \
            edge at which reading starts; contentSize is that of one copy.
            """,
            required: ["axis", "behavior", "contentSize", "snapOffsets", "initialOffset"],
            [
                "axis": .schema("ScrollAxis"), "behavior": string,
                "contentSize": .schema("Size"),
                "snapOffsets": [
                    "type": "array", "items": number,
                    "description": """
                    The offsets at which it rests: in a whole tree the first 10,000, in a part \
                    those at which one of its items is in view.
                    """,
                ],
                "firstSnapOffset": firstSnapOffset,
                "initialOffset": number,
                "orthogonalScrollingProperties": .schema("ScrollingProperties"),
            ])
    }

    private static var firstSnapOffset: OpenAPINode {
        [
            "type": "integer", "minimum": 0,
            "description": """
            The index of the first of snapOffsets in the whole tree; only in a part of a tree that \
            has offsets.
            """,
        ]
    }

    private static var paging: OpenAPINode {
        object(
            """
            A carousel: its configuration and the resulting offsets, in the section's own scroller \
            if the section has a member scroll, else in the screen's.
            """,
            required: ["isEnabled", "pageLength", "pageCount", "copies"],
            [
                "isEnabled": bool, "isAlignCenter": bool, "isLooping": bool,
                "isInfinitePage": bool, "isAutoRolling": bool, "autoRollingTimeInterval": number,
                "pageLength": number, "pageCount": number, "minOffset": number,
                "maxOffset": number, "initialOffset": number, "finalOffset": number,
                "copies": ["type": "integer", "minimum": 1, "maximum": 33],
            ])
    }
}
