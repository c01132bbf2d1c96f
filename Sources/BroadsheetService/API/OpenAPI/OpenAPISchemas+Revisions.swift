import BroadsheetStores

extension OpenAPISchemas {
    /// The schemas of the revisions of a screen.
    static var revisions: [(String, OpenAPINode)] {
        [
            (
                "RevisionList",
                object(
                    "The revisions of a screen, the newest first; first is the oldest that is kept. "
                        + "With a token if there are more.",
                    required: ["screen", "revision", "first", "revisions"],
                    [
                        "screen": .schema("ScreenName"), "revision": count, "first": count,
                        "revisions": array(of: "Revision"), "nextPageToken": string,
                    ])
            ),
            ("Revision", revision),
            (
                "RevisedPage",
                object(
                    "A page that a revision stored, or, with null, removed.",
                    required: ["page", "bytes"],
                    ["page": .schema("PageNumber"), "bytes": orNull(count)])
            ),
            (
                "OperationCounts",
                ["type": "object", "additionalProperties": count]
            ),
            (
                "RevertRequest",
                object(
                    "The revision whose pages the screen has again.", required: ["revision"],
                    [
                        "revision": [
                            "type": "integer", "minimum": 1, "maximum": 999_999_999_999_999,
                        ]
                    ])
            ),
        ]
    }

    private static var revision: OpenAPINode {
        object(
            "A revision. Of one that an earlier release wrote, nothing but the pages after it is "
                + "known.",
            required: ["revision", "at", "operation", "key", "request", "pages", "pageCount"],
            [
                "revision": count,
                "at": orNull(number),
                "operation": orNull(string),
                "key": orNull(string),
                "request": orNull(string),
                "pages": array(of: "RevisedPage").merging([
                    "maxItems": .integer(RevisionEntry.maxPages)
                ]),
                "morePages": count,
                "operations": .schema("OperationCounts"),
                "pageCount": count,
                "revertedTo": count,
            ])
    }
}
