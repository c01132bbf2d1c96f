import Broadsheet

extension OpenAPISchemas {
    /// The schemas of changes.
    static var changes: [(String, OpenAPINode)] {
        [
            ("CompareRequest", compareRequest),
            (
                "PageList",
                posted("Pages of one tree.", required: ["pages"], ["pages": array(of: "Page")])
            ),
            ("Changes", changesRoot),
            (
                "ChangesVersion",
                object(
                    "A tree: its revision, its highest page, and its entity tag without quotes.",
                    ["revision": count, "page": .schema("PageNumber"), "tag": string])
            ),
            ("ChangedTree", changedTree),
            ("ChangeStage", stage),
            (
                "SectionInsertion",
                object(
                    "A section at its place after the stage.", required: ["index", "value"],
                    ["index": count, "value": .schema("TreeSection")])
            ),
            (
                "SectionMove",
                object(
                    "A move from a place before the stage to a place after it.",
                    required: ["from", "to"], ["from": count, "to": count])
            ),
            (
                "ItemPlace",
                object(
                    "The place of an item.", required: ["section", "item"],
                    ["section": count, "item": count])
            ),
            (
                "ItemInsertion",
                object(
                    "An item at a place.", required: ["section", "item", "value"],
                    ["section": count, "item": count, "value": .schema("Item")])
            ),
            (
                "ItemMove",
                object(
                    "A move from a place before the stage to a place after it.",
                    required: ["from", "to"],
                    ["from": .schema("ItemPlace"), "to": .schema("ItemPlace")])
            ),
            ("SectionChange", sectionChange),
            ("FrameRun", frameRun),
            ("FrameNumbers", frameNumbers),
            ("OptionalFrameNumbers", orNull(frameNumbers)),
        ]
    }

    private static var compareRequest: OpenAPINode {
        posted(
            "The pages of two trees.", required: ["from", "to"],
            [
                "from": .schema("PageList"), "to": .schema("PageList"),
                "catalog": .schema("Catalog"), "viewport": .schema("Viewport"),
            ])
    }

    private static var changesRoot: OpenAPINode {
        object(
            "The changes from one tree to another; with reset, the whole new tree.",
            required: ["from", "to", "reset", "tree"],
            [
                "screen": .schema("ScreenName"), "from": .schema("ChangesVersion"),
                "to": .schema("ChangesVersion"), "reset": bool, "tree": .schema("ChangedTree"),
                "stages": array(of: "ChangeStage"), "sections": array(of: "SectionChange"),
                "frames": array(of: "FrameRun"),
            ])
    }

    private static var changedTree: OpenAPINode {
        object(
            "The members of the tree before its sections, and diagnostics if they differ; with "
                + "reset, the whole tree.",
            required: ["page", "pageCount", "hasNext", "viewport", "contentSize"],
            [
                "screen": .schema("ScreenName"), "revision": count,
                "page": .schema("PageNumber"), "pageCount": count, "hasNext": bool,
                "nextPageToken": string, "hasPrevious": bool, "previousPageToken": string,
                "viewport": .schema("TreeViewport"), "contentSize": .schema("Size"),
                "window": .schema("Window"), "sections": array(of: "TreeSection"),
                "diagnostics": array(of: "Diagnostic"),
            ])
    }

    private static var stage: OpenAPINode {
        let places: OpenAPINode = ["type": "array", "items": count]
        return object(
            "One batch update; lists that would be empty are absent.",
            [
                "deleteSections": places, "insertSections": array(of: "SectionInsertion"),
                "moveSections": array(of: "SectionMove"), "deleteItems": array(of: "ItemPlace"),
                "insertItems": array(of: "ItemInsertion"), "moveItems": array(of: "ItemMove"),
                "reloadItems": array(of: "ItemInsertion"),
            ])
    }

    private static var sectionChange: OpenAPINode {
        let members: [(String, OpenAPINode)] = [
            ("firstItem", count), ("itemCount", count),
            ("frame", .schema("Frame")), ("collapsed", bool),
            ("header", [:]), ("footer", [:]), ("decorations", [:]), ("scroll", [:]),
            ("paging", [:]), ("data", [:]),
        ]
        return object(
            "The members of a section that differ, as in the tree; null takes one away.",
            required: ["index"], .object([("index", count)] + members))
    }

    private static var frameRun: OpenAPINode {
        object(
            "The frames of consecutive items.", required: ["section", "item", "frames"],
            [
                "section": count, "item": count, "frames": array(of: "FrameNumbers"),
                "separators": array(of: "OptionalFrameNumbers"),
            ])
    }

    private static var frameNumbers: OpenAPINode {
        [
            "type": "array", "items": number, "minItems": 4, "maxItems": 4,
            "description": "x, y, width and height.",
        ]
    }
}
