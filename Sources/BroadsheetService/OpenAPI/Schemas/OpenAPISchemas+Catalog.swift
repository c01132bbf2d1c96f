extension OpenAPISchemas {
    /// The registered cell types.
    static var catalog: [(String, OpenAPINode)] {
        [
            (
                "Catalog",
                object(
                    "What units become, and how sections are laid out.",
                    [
                        "screen": .schema("ScreenLayout"),
                        "contract": object(
                            "What the members of a page are called.",
                            [
                                "sections": string, "sectionId": string, "units": string,
                                "unitType": string, "unitData": string,
                            ]),
                        "sections": map(of: .schema("SectionLayout")),
                        "units": map(of: .schema("UnitRule")),
                        "cellTypes": map(of: .schema("CellTypeRule")),
                    ])
            ),
            (
                "UnitRule",
                object(
                    "What a unit type becomes.",
                    [
                        "cell": .schema("Placements"), "cells": .schema("Placements"),
                        "header": .schema("Placements"), "footer": .schema("Placements"),
                    ])
            ),
            (
                "Placements", ["oneOf": [.schema("Placement"), array(of: "Placement")]]
            ),
            (
                "Placement",
                object(
                    "A cell type, and where in the unit's data its data is.", required: ["type"],
                    ["type": string, "data": .schema("JSONPointer"), "optional": bool])
            ),
            (
                "CellTypeRule",
                object(
                    "What identifies a cell, and how large it is.",
                    [
                        "id": .schema("JSONPointer"),
                        "size": object(
                            "Either length may be left to the layout.",
                            ["width": .schema("SizeRule"), "height": .schema("SizeRule")]),
                    ])
            ),
            ("JSONPointer", ["type": "string", "pattern": "^(/([^~]|~[01])*)?$"]),
            ("SizeRule", sizeRule),
        ]
    }

    private static func map(of schema: OpenAPINode) -> OpenAPINode {
        ["type": "object", "additionalProperties": schema]
    }

    private static var sizeRule: OpenAPINode {
        [
            "description": "A length; ratio and stack are for heights only.",
            "oneOf": [
                number,
                object("A part of the container.", required: ["fraction"], ["fraction": number]),
                object("A part of the width.", required: ["ratio"], ["ratio": number]),
                object(
                    "A number in the data.", required: ["value"],
                    ["value": .schema("JSONPointer"), "default": number]),
                object(
                    "A sum.", required: ["stack"],
                    [
                        "stack": array(of: "SizeRule"), "spacing": number,
                        "padding": .schema("Insets"),
                    ]),
                object(
                    "By a string in the data.", required: ["switch"],
                    [
                        "switch": .schema("JSONPointer"),
                        "cases": map(of: .schema("SizeRule")), "default": .schema("SizeRule"),
                    ]),
                object(
                    "Clamped.", required: ["of"],
                    [
                        "min": .schema("SizeRule"), "max": .schema("SizeRule"),
                        "of": .schema("SizeRule"),
                    ]),
            ],
        ]
    }
}
