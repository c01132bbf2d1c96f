import Broadsheet

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
                    "The cells, the header and the footer of a unit type, and the layout of the "
                        + "sections that such units are in.",
                    [
                        "cell": .schema("Placements"), "cells": .schema("Placements"),
                        "header": .schema("Placements"), "footer": .schema("Placements"),
                        "layout": .schema("SectionLayout"),
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
                    [
                        "type": .schema("PlacementType"), "data": .schema("JSONPointer"),
                        "optional": bool,
                    ])
            ),
            ("PlacementType", ["oneOf": [string, .schema("CellTypeSwitch")]]),
            (
                "CellTypeSwitch",
                posted(
                    "A choice of a cell type by a string, a number or a Boolean value in the data.",
                    required: ["switch", "cases"],
                    [
                        "switch": .schema("JSONPointer"), "default": string,
                        "cases": table(of: string).merging([
                            "maxProperties": .integer(CatalogLimits().maxCases)
                        ]),
                    ])
            ),
            (
                "CellTypeRule",
                posted(
                    "The id and the size of the cells of a type, and what pictures show of them.",
                    [
                        "id": .schema("JSONPointer"),
                        "size": posted(
                            "The layout determines omitted lengths.",
                            ["width": .schema("SizeRule"), "height": .schema("SizeRule")]),
                        "picture": posted(
                            "The parts of an item's data that pictures show.",
                            [
                                "title": .schema("JSONPointer"), "subtitle": .schema("JSONPointer"),
                                "image": .schema("JSONPointer"),
                            ]),
                    ])
            ),
            ("JSONPointer", ["type": "string", "pattern": "^(/([^~]|~[01])*)?$"]),
            ("SizeRule", sizeRule),
            ("Ratio", ratio),
        ]
    }

    /// The forms of a size rule, as the library declares them.
    private static var sizeRule: OpenAPINode {
        let heightRules = SizeRuleForm.all.filter(\.isForHeightsOnly).map(\.name)
        return [
            "description": .string(
                "A length; \(heightRules.joined(separator: " and ")) are for heights only."),
            "oneOf": .array(
                [number]
                    + SizeRuleForm.all.map { form in
                        posted(
                            form.summary,
                            required: form.members.filter(\.isRequired).map(\.name),
                            .object(form.members.map { ($0.name, schema(of: $0.value)) }))
                    }),
        ]
    }

    private static var ratio: OpenAPINode {
        [
            "description": "A ratio of height to width: a number, or a reference to the data.",
            "oneOf": [
                number,
                posted(
                    "A ratio in the data.", required: ["value"],
                    ["value": .schema("JSONPointer"), "default": number]),
                posted(
                    "The ratio of a height to a width in the data.", required: ["width", "height"],
                    [
                        "width": .schema("JSONPointer"), "height": .schema("JSONPointer"),
                        "default": number,
                    ]),
            ],
        ]
    }

    private static func schema(of value: SizeRuleForm.Value) -> OpenAPINode {
        switch value {
        case .number: number
        case .pointer: .schema("JSONPointer")
        case .insets: .schema("Insets")
        case .rule: .schema("SizeRule")
        case .ratio: .schema("Ratio")
        case .rules: array(of: "SizeRule")
        case .ruleAndFactor:
            array(of: "SizeRule").merging(["minItems": 2, "maxItems": 2])
        case .rulesByName: table(of: .schema("SizeRule"))
        }
    }
}
