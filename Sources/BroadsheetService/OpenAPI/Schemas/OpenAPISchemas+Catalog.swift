extension OpenAPISchemas {
    /// The registered cell types.
    static var catalog: [(String, OpenAPINode)] {
        [
            (
                "Catalog",
                posted(
                    "What units become, and how sections are laid out.",
                    [
                        "screen": .schema("ScreenLayout"),
                        "contract": posted(
                            "What the members of a page are called.",
                            [
                                "sections": string, "sectionId": string, "units": string,
                                "unitType": string, "unitData": string,
                            ]),
                        "sections": table(of: .schema("SectionLayout")),
                        "units": table(of: .schema("UnitRules")),
                        "cellTypes": table(of: .schema("CellTypeRule")),
                    ])
            ),
            (
                "UnitRules", ["oneOf": [.schema("UnitRule"), array(of: "UnitRule")]]
            ),
            (
                "UnitRule",
                posted(
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
                posted(
                    "A cell type, and where in the unit's data its data is.", required: ["type"],
                    ["type": string, "data": .schema("JSONPointer"), "optional": bool])
            ),
            (
                "CellTypeRule",
                posted(
                    "What identifies a cell, and how large it is.",
                    [
                        "id": .schema("JSONPointer"),
                        "size": posted(
                            "Either length may be left to the layout.",
                            ["width": .schema("SizeRule"), "height": .schema("SizeRule")]),
                    ])
            ),
            ("JSONPointer", ["type": "string", "pattern": "^(/([^~]|~[01])*)?$"]),
            ("SizeRule", sizeRule),
        ]
    }

    private static var sizeRule: OpenAPINode {
        [
            "description": "A length; ratio and stack are for heights only.",
            "oneOf": [
                number,
                posted("A part of the container.", required: ["fraction"], ["fraction": number]),
                posted("A part of the width.", required: ["ratio"], ["ratio": number]),
                posted(
                    "A number in the data.", required: ["value"],
                    ["value": .schema("JSONPointer"), "default": number]),
                posted(
                    "A sum.", required: ["stack"],
                    [
                        "stack": array(of: "SizeRule"), "spacing": number,
                        "padding": .schema("Insets"),
                    ]),
                posted(
                    "By a string in the data.", required: ["switch", "cases"],
                    [
                        "switch": .schema("JSONPointer"),
                        "cases": table(of: .schema("SizeRule")), "default": .schema("SizeRule"),
                    ]),
                posted(
                    "Clamped.", required: ["of"],
                    [
                        "min": .schema("SizeRule"), "max": .schema("SizeRule"),
                        "of": .schema("SizeRule"),
                    ]),
            ],
        ]
    }
}
