import Broadsheet

extension OpenAPISchemas {
    /// The schemas of patches and updates.
    static var edits: [(String, OpenAPINode)] {
        [
            (
                "JSONPatch",
                array(of: "PatchOperation").merging([
                    "maxItems": .integer(EditLimits.maxPatchOperations),
                    "description": "A JSON Patch (RFC 6902).",
                ])
            ),
            (
                "PatchOperation",
                object(
                    "An operation of a JSON Patch; value is for add, replace and test, from for "
                        + "move and copy.",
                    required: ["op", "path"],
                    [
                        "op": .schema("PatchOperationName"), "path": string,
                        "from": string, "value": [:],
                    ])
            ),
            (
                "PatchOperationName",
                choice(["add", "remove", "replace", "move", "copy", "test"])
            ),
            (
                "MergePatch",
                [
                    "type": "object", "additionalProperties": [:],
                    "description": "A JSON Merge Patch (RFC 7396) of a page.",
                ]
            ),
            ("ScreenUpdate", screenUpdate), ("UpdateOperation", updateOperation),
            ("UpdateOperationName", choice(UpdateForms.names)),
            (
                "UpdateTarget",
                alternatives(
                    "An id (a string), or an index before the operation (a number).",
                    [orNull(string), orNull(count)])
            ),
            (
                "UpdateSection",
                alternatives(
                    "The section that an operation is about: an id (a string), an index before the "
                        + "operation (a number), or for replaceSection a section with an id.",
                    [orNull(string), orNull(count), .schema("Section")])
            ),
        ]
    }

    private static var screenUpdate: OpenAPINode {
        posted(
            "Operations that are applied in order, all or none.", required: ["operations"],
            [
                "operations": array(of: "UpdateOperation").merging([
                    "minItems": 1, "maxItems": .integer(EditLimits.maxUpdateOperations),
                ])
            ])
    }

    private static var updateOperation: OpenAPINode {
        posted(
            "An operation; docs/edits.md lists the members that each name takes. Empty lists "
                + "do nothing.",
            required: ["op"],
            [
                "op": .schema("UpdateOperationName"),
                "section": .schema("UpdateSection"), "toSection": .schema("UpdateTarget"),
                "item": .schema("UpdateTarget"),
                "before": .schema("UpdateTarget"), "after": .schema("UpdateTarget"),
                "items": ["type": "array", "items": .present("UpdateTarget")],
                "all": bool, "sections": ["type": "array", "items": [:]], "unitType": string,
                "units": ["type": "array", "items": .present("Unit")],
                "data": [:], "patch": ["type": "object", "additionalProperties": [:]],
            ])
    }
}
