import Broadsheet

extension OpenAPISchemas {
    /// The schemas of catalogs.
    static var catalog: [(String, OpenAPINode)] {
        [
            (
                "Catalog",
                nullable(
                    "The rules that turn units into cells and lay out sections.",
                    [
                        "screen": .schema("ScreenLayout"), "contract": .schema("Contract"),
                        "fonts": .schema("Fonts"),
                        "sections": .schema("SectionLayouts"), "units": .schema("UnitTypes"),
                        "cellTypes": .schema("CellTypes"),
                    ])
            ),
            (
                "CatalogList",
                object(
                    "The names of catalogs, in byte order.", required: ["catalogs"],
                    ["catalogs": array(of: "ScreenName")])
            ),
            (
                "Contract",
                nullable(
                    "The names of the members of a page.",
                    [
                        "sections": string, "sectionId": string, "units": string,
                        "unitType": string, "unitData": string, "when": string,
                        "fallback": string, "essential": string,
                    ])
            ),
            ("SectionLayouts", orNull(table(of: "SectionLayout"))),
            ("UnitTypes", orNull(table(of: "UnitRules"))),
            ("CellTypes", orNull(table(of: "CellTypeRule"))),
            (
                "UnitRules",
                alternatives(
                    "The rules of a unit type.",
                    [.schema("UnitRule"), array(ofPresent: "UnitRule")]
                )
            ),
            (
                "UnitRule",
                nullable(
                    "The cells, the header and the footer of a unit type, the layout of the "
                        + "sections that such units are in, and the JSON Schema of their data.",
                    [
                        "cell": .schema("Placements"), "cells": .schema("Placements"),
                        "header": .schema("Placements"), "footer": .schema("Placements"),
                        "layout": .schema("SectionLayout"),
                        "schema": [:],
                    ])
            ),
            (
                "Placements",
                alternatives(
                    "The cells that data becomes.",
                    [.schema("Placement"), array(ofPresent: "Placement")])
            ),
            (
                "Placement",
                nullable(
                    "A cell type, and the location of its data in the unit's data.",
                    required: ["type"],
                    [
                        "type": .schema("PlacementType"), "data": pointer, "optional": bool,
                        "when": .schema("Condition"),
                    ])
            ),
            (
                "PlacementType",
                alternatives(
                    "A cell type, or a choice of one.", [string, .schema("CellTypeSwitch")])
            ),
            (
                "CellTypeSwitch",
                posted(
                    "A choice of a cell type by a string, a number or a Boolean value in the data.",
                    required: ["switch", "cases"],
                    ["switch": pointer, "default": string, "cases": .schema("CellTypeCases")])
            ),
            (
                "CellTypeCases",
                [
                    "type": "object", "additionalProperties": orNull(string),
                    "maxProperties": .integer(CatalogLimits().maxCases),
                ]
            ),
            (
                "CellTypeRule",
                nullable(
                    "The id and the size or the content of the cells of a type, what pictures show "
                        + "of them, and the JSON Schema of their data.",
                    [
                        "id": pointer, "size": .schema("CellSize"),
                        "content": .schema("CellContent"), "span": .schema("CellSpan"),
                        "picture": .schema("PictureContent"),
                        "since": .schema("FirstVersions"), "fallback": string, "schema": [:],
                        "actions": .schema("CellActions"),
                        "can": gestures,
                    ])
            ),
            (
                "PictureContent",
                nullable(
                    "The parts of an item's data that pictures show.",
                    ["title": pointer, "subtitle": pointer, "image": pointer])
            ),
            (
                "CellSize",
                nullable(
                    "The layout determines omitted lengths.",
                    ["width": .schema("SizeRule"), "height": .schema("SizeRule")])
            ),
            ("JSONPointer", pointer),
        ] + spans + fonts
    }

    static let pointer = string.merging(["pattern": "^(/([^~]|~[01])*)?$"])

    private static var spans: [(String, OpenAPINode)] {
        let count: OpenAPINode = ["type": "integer", "minimum": 1]
        return [
            (
                "CellSpan",
                alternatives(
                    "The number of columns that an item spans in grids and in masonry.",
                    [orNull(count), .schema("AllColumns"), .schema("SpanValue")])
            ),
            ("AllColumns", choice(["all"])),
            (
                "SpanValue",
                posted(
                    "A value in the item's data: a whole number from 1, or all.",
                    required: ["value"], ["value": pointer, "default": .schema("SpanDefault")])
            ),
            (
                "SpanDefault",
                alternatives(
                    "The span of an item whose data has none.",
                    [orNull(count), .schema("AllColumns")])
            ),
        ]
    }
}

extension OpenAPISchemas {
    /// The schemas of size rules, in the forms that the library declares.
    static var size: [(String, OpenAPINode)] {
        [("SizeRule", sizeRule)]
            + SizeRuleForm.all.map { (name(of: $0), schema(of: $0)) }
            + [("SizeRules", table(of: "SizeRule"))] + ratio + text
    }

    private static var sizeRule: OpenAPINode {
        let heightRules = SizeRuleForm.all.filter(\.isForHeightsOnly).map(\.name)
        return alternatives(
            "A length; \(heightRules.joined(separator: " and ")) are for heights only.",
            [orNull(number)] + SizeRuleForm.all.map { .schema(name(of: $0)) })
    }

    static func name(of form: SizeRuleForm) -> String {
        "\(form.name.prefix(1).uppercased())\(form.name.dropFirst())Rule"
    }

    private static func schema(of form: SizeRuleForm) -> OpenAPINode {
        posted(
            form.summary, required: form.members.filter(\.isRequired).map(\.name),
            .object(form.members.map { ($0.name, schema(of: $0)) }))
    }

    static func schema(of member: SizeRuleForm.Member) -> OpenAPINode {
        switch member.value {
        case .number: number
        case .pointer: pointer
        case .insets: .schema("Insets")
        case .rule: member.isRequired ? .present("SizeRule") : .schema("SizeRule")
        case .ratio: .schema("Ratio")
        case .rules: array(ofPresent: "SizeRule")
        case .ruleAndFactor:
            array(ofPresent: "SizeRule").merging(["minItems": 2, "maxItems": 2])
        case .rulesByName: .schema("SizeRules")
        case .text: .schema("MeasuredText")
        case .font: string
        case .lines(let least):
            [
                "type": "integer", "minimum": .integer(least),
                "maximum": .integer(CatalogLimits.maxTextLines),
            ]
        case .word(let name, _): .schema(name)
        }
    }

    private static var ratio: [(String, OpenAPINode)] {
        [
            (
                "Ratio",
                alternatives(
                    "A ratio of height to width: a number, or a reference to the data.",
                    [number, .schema("RatioInData"), .schema("SizeInData")])
            ),
            (
                "RatioInData",
                posted(
                    "A ratio in the data.", required: ["value"],
                    ["value": pointer, "default": number])
            ),
            (
                "SizeInData",
                posted(
                    "The ratio of a height to a width in the data.", required: ["width", "height"],
                    ["width": pointer, "height": pointer, "default": number])
            ),
        ]
    }
}

extension OpenAPISchemas {
    /// The schemas of fonts.
    private static var fonts: [(String, OpenAPINode)] {
        let limits = CatalogLimits()
        return [
            ("Fonts", orNull(table(of: "Font"))),
            (
                "Font",
                nullable(
                    "A font of which texts are measured.", required: ["files", "size"],
                    [
                        "files": [
                            "type": "array", "items": .schema("FontFile"), "minItems": 1,
                            "maxItems": .integer(limits.maxFontFiles),
                        ],
                        "size": fontLength, "lineHeight": fontLength,
                        "letterSpacing": number, "scales": bool,
                        "features": [
                            "type": "array", "items": string,
                            "maxItems": .integer(limits.maxFontFeatures),
                        ],
                    ])
            ),
            (
                "FontFile",
                alternatives(
                    "The path of a file, or a font of a collection or a variable font.",
                    [string, .schema("FontFileChoice")])
            ),
            (
                "FontAxes",
                orNull([
                    "type": "object", "additionalProperties": orNull(number),
                    "maxProperties": .integer(limits.maxFontAxes),
                ])
            ),
            (
                "FontFileChoice",
                posted(
                    "A font of a collection, or a variable font.", required: ["file"],
                    [
                        "file": string,
                        "index": [
                            "type": "integer", "minimum": 0,
                            "maximum": .integer(CatalogLimits.maxFontIndex),
                        ],
                        "axes": .schema("FontAxes"),
                    ])
            ),
        ]
    }

    private static var fontLength: OpenAPINode {
        [
            "type": "number", "minimum": 1, "maximum": .number(CatalogLimits.maxFontLength),
        ]
    }

    /// The schemas of the texts that size rules measure.
    private static var text: [(String, OpenAPINode)] {
        let members = SizeRuleForm.all.flatMap(\.members)
        let words: [(String, OpenAPINode)] = members.compactMap { member in
            guard case .word(let name, let words) = member.value else { return nil }
            return (name, optionalChoice(words))
        }
        return words + [
            (
                "MeasuredText",
                alternatives("A text in the data.", [pointer, .schema("JoinedText")])
            ),
            (
                "JoinedText",
                posted(
                    "Several values of the data, joined.", required: ["join"],
                    [
                        "join": [
                            "type": "array", "items": pointer, "minItems": 1,
                            "maxItems": .integer(CatalogLimits().maxInputs),
                        ],
                        "by": string,
                    ])
            ),
        ]
    }
}
