import Broadsheet

extension OpenAPISchemas {
    /// The schemas of contents, in the members that the library declares, and of their parts.
    static var contents: [(String, OpenAPINode)] {
        [
            (
                "CellContent",
                alternatives(
                    "A box of a content.", ContentKind.allCases.map { .schema(name(of: $0)) })
            )
        ] + kinds + contentValues + parts + cells
    }

    /// The schemas of the kinds; one of them accepts null, so that exactly one alternative does.
    ///
    /// That one has no boxes inside: generators of clients do not resolve a reference to a form
    /// that leads back to itself by way of an alternative to null.
    private static var kinds: [(String, OpenAPINode)] {
        ContentKind.allCases.map { kind in
            (name(of: kind), kind == .space ? orNull(schema(of: kind)) : schema(of: kind))
        }
    }

    private static func name(of kind: ContentKind) -> String {
        "Content\(kind.rawValue.prefix(1).uppercased())\(kind.rawValue.dropFirst())"
    }

    private static func schema(of kind: ContentKind) -> OpenAPINode {
        let members = ContentMember.members(of: kind)
        return posted(
            kind.summary, required: members.filter(\.isRequired).map(\.name),
            .object(members.map { ($0.name, schema(of: $0)) }))
    }

    private static func schema(of member: ContentMember) -> OpenAPINode {
        switch member.value {
        case .boxes: array(ofPresent: "CellContent").merging(["minItems": 1])
        case .box: .schema("CellContent")
        case .cases: .schema("ContentCases")
        case .text: .schema("ContentSource")
        case .pointer: pointer
        case .weight: member.isRequired ? .present("ContentWeight") : .schema("ContentWeight")
        case .name: .schema("PartName")
        case .length: .schema("ContentLength")
        case .bound: .schema("ContentBound")
        case .bool: bool
        case .alignment: .schema("ContentAlignment")
        case .justification: .schema("ContentJustification")
        case .points: points
        case .insets: .schema("ContentPadding")
        case .ofText: schema(ofText: member.name)
        }
    }

    /// The schema of a member of the size rule `text`.
    private static func schema(ofText name: String) -> OpenAPINode {
        let members = SizeRuleForm.all.first { $0.name == ContentKind.text.rawValue }?.members
        return members?.first { $0.name == name }.map { schema(of: $0) } ?? [:]
    }

    private static let points: OpenAPINode = ["type": "number", "minimum": 0]

    private static var contentValues: [(String, OpenAPINode)] {
        let rules = SizeRuleForm.all.filter { !ContentMember.excludedRules.contains($0.name) }
            .map { OpenAPINode.schema(name(of: $0)) }
        let weights = CatalogLimits.contentWeights
        return [
            ("ContentCases", table(of: "CellContent")),
            (
                "ContentWeight",
                orNull([
                    "type": "number", "minimum": .number(weights.lowerBound),
                    "maximum": .number(weights.upperBound),
                ])
            ),
            (
                "PartName",
                orNull(
                    string.merging([
                        "pattern": .string(
                            "^[A-Za-z0-9_-]{1,\(CatalogLimits.maxPartNameBytes)}$")
                    ]))
            ),
            (
                "ContentLength",
                alternatives(
                    "A length of a box, or its natural one, to which it is not stretched.",
                    [orNull(number), .schema("ContentNatural")] + rules)
            ),
            ("ContentNatural", choice(["natural"])),
            ("ContentBound", alternatives("A bound of a length.", [orNull(number)] + rules)),
            ("ContentAlignment", optionalChoice(ContentAlignment.self)),
            ("ContentJustification", optionalChoice(ContentJustification.self)),
            (
                "ContentPadding",
                alternatives(
                    "The space around boxes, on all sides or on each.",
                    [orNull(points), .schema("ContentEdges")])
            ),
            (
                "ContentEdges",
                posted(
                    "The space on each side.",
                    ["top": points, "left": points, "bottom": points, "right": points])
            ),
            (
                "ContentSource",
                alternatives("A text in the data.", [pointer, .schema("ContentJoin")])
            ),
            (
                "ContentJoin",
                posted(
                    "Several values of the data, joined.", required: ["join"],
                    [
                        "join": [
                            "type": "array", "items": pointer, "minItems": 1,
                            "maxItems": .integer(CatalogLimits().maxContentPointers),
                        ],
                        "by": string,
                    ])
            ),
        ]
    }

    private static var parts: [(String, OpenAPINode)] {
        [
            (
                "Part",
                object(
                    "A box of a content, in the coordinates of its item; lines is that of a text, "
                        + "and truncated, if present, is true.", required: ["frame"],
                    ["frame": .schema("Frame"), "lines": count, "truncated": bool])
            ),
            (
                "Parts",
                table(of: "Part").merging([
                    "description": "The boxes with names that are there, in the order of drawing."
                ])
            ),
        ]
    }

    private static var cells: [(String, OpenAPINode)] {
        [
            (
                "CatalogCells",
                object(
                    "The cell types with contents, and the fonts of their texts.",
                    required: ["cellTypes", "fonts"],
                    [
                        "cellTypes": table(of: "DrawnCellType"), "fonts": table(of: "DrawnFont"),
                        "types": ["type": "array", "items": string],
                    ])
            ),
            (
                "DrawnCellType",
                object(
                    "A cell type.", required: ["content"], ["content": .schema("CellContent")])
            ),
            (
                "DrawnFont",
                object(
                    "A font as texts are measured with it.",
                    required: [
                        "size", "lineHeight", "letterSpacing", "features", "scales", "families",
                    ],
                    [
                        "size": number, "lineHeight": number, "letterSpacing": number,
                        "features": ["type": "array", "items": string], "scales": bool,
                        "families": array(of: "DrawnFamily"),
                    ])
            ),
            (
                "DrawnFamily",
                object(
                    "A file of a font, by its name table; file is its path, if it is served.",
                    required: ["family", "weight", "italic", "axes"],
                    [
                        "family": string, "weight": count, "italic": bool,
                        "axes": ["type": "object", "additionalProperties": number],
                        "file": string,
                    ])
            ),
        ]
    }
}
