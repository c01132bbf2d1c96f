extension OpenAPISchemas {
    /// The schemas of catalogs.
    static var catalog: [(String, OpenAPINode)] {
        [
            (
                "Catalog",
                posted(
                    "The rules that turn units into cells and lay out sections.",
                    [
                        "screen": .schema("ScreenLayout"),
                        "contract": posted(
                            "The names of the members of a page.",
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
                    "The cells, the header and the footer of a unit type.",
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
                    "A cell type, and the location of its data in the unit's data.",
                    required: ["type"],
                    ["type": string, "data": .schema("JSONPointer"), "optional": bool])
            ),
            (
                "CellTypeRule",
                posted(
                    "The id and the size of the cells of a type.",
                    [
                        "id": .schema("JSONPointer"),
                        "size": posted(
                            "The layout determines omitted lengths.",
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
                posted(
                    "A fraction of the container.", required: ["fraction"], ["fraction": number]),
                posted("A ratio to the width.", required: ["ratio"], ["ratio": number]),
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
                    "A choice by a string in the data.", required: ["switch", "cases"],
                    [
                        "switch": .schema("JSONPointer"),
                        "cases": table(of: .schema("SizeRule")), "default": .schema("SizeRule"),
                    ]),
                posted(
                    "A length within bounds.", required: ["of"],
                    [
                        "min": .schema("SizeRule"), "max": .schema("SizeRule"),
                        "of": .schema("SizeRule"),
                    ]),
            ],
        ]
    }
}
