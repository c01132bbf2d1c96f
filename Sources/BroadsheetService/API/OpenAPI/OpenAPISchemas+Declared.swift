import Broadsheet
import BroadsheetHTTP

extension OpenAPISchemas {
    static var declared: [(String, OpenAPINode)] {
        choices + layouts + sizes + contents
            + [("Viewport", viewport), ("ProblemCode", problemCode)]
    }

    /// The schemas of strings with a fixed set of values.
    private static var choices: [(String, OpenAPINode)] {
        [
            ("LayoutDirection", choice(LayoutDirection.self)),
            ("ViewportDirection", orNull(choice(LayoutDirection.self))),
            ("Coordinates", choice((TreeOptions.Coordinates.allCases + [.window]).map(\.rawValue))),
            ("WindowEdge", choice(WindowQuery.Edge.self)),
            ("Fields", choice(TreeOptions.Fields.self)),
            ("Rounding", choice(Rounding.self)),
            ("ClientFileName", choice(ClientFileNames.all)),
            ("InspectorFileName", choice(InspectorFileNames.all)),
            ("UpdateOperationName", choice(UpdateForms.names)),
            ("ClientEventType", choice(ClientEvent.Kind.self)),
            ("SectionView", choice(SectionView.self)),
            ("EventDiagnosticCode", choice(Diagnostic.Code.ofEvents.map(\.rawValue))),
            ("SectionKind", orNull(choice(SectionLayout.Kind.self))),
            ("DecorationMode", orNull(choice(DecorationOptions.Mode.self))),
            ("ContentAlignment", orNull(choice(ContentAlignment.self))),
            ("ContentJustification", orNull(choice(ContentJustification.self))),
            ("ContentRole", orNull(choice(ContentMeaning.Role.self))),
        ]
    }

    private static var viewport: OpenAPINode {
        orNull(
            posted(
                "The viewport; the query takes precedence over it.",
                LayoutParameter.all.compactMap { parameter in
                    parameter.viewportMember.map { (parameter.name, $0.schema) }
                }))
    }

    private static var problemCode: OpenAPINode {
        let rows = ProblemCode.allCases.map { code in
            "- `\(code.rawValue)` (\(code.status.code)): \(code.summary)."
        }
        return choice(ProblemCode.self).merging([
            "description": .string(rows.joined(separator: "\n"))
        ])
    }
}

// MARK: - Layouts

extension OpenAPISchemas {
    /// The layouts of sections and screens, and the choices among their options.
    private static var layouts: [(String, OpenAPINode)] {
        let section: [(String, OpenAPINode)] =
            [
                ("kind", .schema("SectionKind")), ("decoration", .schema("Decorations")),
                ("pinHeader", bool), ("pinFooter", bool),
            ] + properties(FlowOptions.self) + properties(CompositionalOptions.self)
            + properties(ListOptions.self) + properties(RareOptions.self)
        return [
            (
                "SectionLayout",
                orNull(
                    posted(
                        "The layout of a section; omitted members and null leave the default.",
                        section))
            ),
            (
                "ScreenLayout",
                orNull(posted("The layout of a whole screen.", properties(ScreenLayout.self)))
            ),
        ] + choices(FlowOptions.self) + choices(CompositionalOptions.self)
            + choices(ListOptions.self) + choices(RareOptions.self)
    }

    private static func properties<Options: LayoutOptions>(
        _ type: Options.Type
    ) -> [(String, OpenAPINode)] {
        type.members.filter { !$0.isShared }.map { member in
            switch member.schema {
            case .number: (member.name, number)
            case .bool: (member.name, bool)
            case .named(let name), .choice(let name, _): (member.name, .schema(name))
            }
        }
    }

    /// Returns the schemas of the members of options that are one of some strings.
    private static func choices<Options: LayoutOptions>(
        _ type: Options.Type
    ) -> [(String, OpenAPINode)] {
        type.members.compactMap { member in
            guard case .choice(let name, let texts) = member.schema else { return nil }
            return (name, orNull(choice(texts)))
        }
    }
}

// MARK: - Size rules

extension OpenAPISchemas {
    private static var sizes: [(String, OpenAPINode)] {
        let heightRules = SizeRuleForm.all.filter(\.isForHeightsOnly).map(\.name)
        let rule = alternatives(
            "A length; \(heightRules.joined(separator: " and ")) are for heights only.",
            [orNull(number)] + SizeRuleForm.all.map { .schema(name(of: $0)) })
        let words = SizeRuleForm.all.flatMap(\.members).compactMap {
            member -> (String, OpenAPINode)? in
            guard case .word(let name, let words) = member.value else { return nil }
            return (name, orNull(choice(words)))
        }
        return [("SizeRule", rule)] + SizeRuleForm.all.map { (name(of: $0), schema(of: $0)) }
            + words
    }

    private static func name(of form: SizeRuleForm) -> String {
        "\(form.name.prefix(1).uppercased())\(form.name.dropFirst())Rule"
    }

    private static func schema(of form: SizeRuleForm) -> OpenAPINode {
        posted(
            form.summary, required: form.members.filter(\.isRequired).map(\.name),
            form.members.map { ($0.name, schema(of: $0)) })
    }

    private static func schema(of member: SizeRuleForm.Member) -> OpenAPINode {
        switch member.value {
        case .number: number
        case .pointer: pointer
        case .insets: .schema("Insets")
        case .rule: member.isRequired ? .present("SizeRule") : .schema("SizeRule")
        case .ratio: .schema("Ratio")
        case .rules: array(ofPresent: "SizeRule")
        case .ruleAndFactor: array(ofPresent: "SizeRule").merging(["minItems": 2, "maxItems": 2])
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
}

// MARK: - Contents

extension OpenAPISchemas {
    /// The kinds of boxes of contents, and their lengths.
    ///
    /// One of the kinds accepts null, so that exactly one alternative does. It has no boxes inside:
    /// generators of clients do not resolve a reference to a form that leads back to itself by way
    /// of an alternative to null.
    private static var contents: [(String, OpenAPINode)] {
        let kinds = ContentKind.allCases
        let rules = SizeRuleForm.all.filter { !ContentMember.excludedRules.contains($0.name) }
            .map { OpenAPINode.schema(name(of: $0)) }
        let named: [(String, OpenAPINode)] = [
            (
                "CellContent",
                alternatives("A box of a content.", kinds.map { .schema(name(of: $0)) })
            ),
            (
                "ContentLength",
                alternatives(
                    "A length of a box, or its natural one, to which it is not stretched.",
                    [orNull(number), .schema("ContentNatural")] + rules)
            ),
            ("ContentBound", alternatives("A bound of a length.", [orNull(number)] + rules)),
            (
                "PartName",
                [
                    "type": ["string", "null"],
                    "pattern": .string("^[A-Za-z0-9_-]{1,\(CatalogLimits.maxPartNameBytes)}$"),
                ]
            ),
        ]
        return named
            + kinds.map { kind in
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
            members.map { ($0.name, schema(of: $0)) })
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
        case .points: ["type": "number", "minimum": 0]
        case .insets: .schema("ContentPadding")
        case .ofText: schema(ofText: member.name)
        case .label: .schema("ContentLabel")
        case .role: .schema("ContentRole")
        case .level: integer(in: ContentMeaning.levels)
        case .action: string
        case .json: [:]
        case .url:
            ["type": "string", "minLength": 1, "maxLength": .integer(ImageURL.maxTemplateBytes)]
        case .widths:
            [
                "type": "array", "items": integer(in: 1...ImageURL.maxWidth), "minItems": 1,
                "maxItems": .integer(ImageURL.maxWidths),
            ]
        case .style: .schema("StyleNames")
        }
    }

    private static func integer(in range: ClosedRange<Int>) -> OpenAPINode {
        [
            "type": "integer", "minimum": .integer(range.lowerBound),
            "maximum": .integer(range.upperBound),
        ]
    }

    /// The schema of a member of the size rule `text`.
    private static func schema(ofText name: String) -> OpenAPINode {
        let members = SizeRuleForm.all.first { $0.name == ContentKind.text.rawValue }?.members
        return members?.first { $0.name == name }.map { schema(of: $0) } ?? [:]
    }
}
