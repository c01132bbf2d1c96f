import Broadsheet
import BroadsheetHTTP

extension OpenAPISchemas {
    static var declared: [(String, OpenAPINode)] {
        choices + layouts + sizes + contents + choicesOfMembers
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
            ("DecorationMode", orNull(choice(DecorationOptions.Mode.self))),
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
    /// The layouts of sections and screens.
    private static var layouts: [(String, OpenAPINode)] {
        let section = properties(of: SectionLayout.members)
        let screen = properties(of: ScreenLayout.members)
        return [
            (
                "SectionLayout",
                orNull(
                    posted(
                        "The layout of a section; omitted members and null leave the default.",
                        section))
            ), ("ScreenLayout", orNull(posted("The layout of a whole screen.", screen))),
        ]
    }

    private static func properties<Options>(
        of members: [OptionMember<Options>]
    ) -> [(String, OpenAPINode)] {
        members.map { ($0.name, schema(of: $0.form)) }
    }
}

// MARK: - Size rules

extension OpenAPISchemas {
    private static var sizes: [(String, OpenAPINode)] {
        let heightRules = SizeRuleForm.all.filter(\.isForHeightsOnly).map(\.name)
        let rule = alternatives(
            "A length; \(heightRules.joined(separator: " and ")) are for heights only.",
            [orNull(number)] + SizeRuleForm.all.map { .schema(name(of: $0)) })
        return [("SizeRule", rule)] + SizeRuleForm.all.map { (name(of: $0), schema(of: $0)) }
    }

    private static func name(of form: SizeRuleForm) -> String {
        "\(form.name.prefix(1).uppercased())\(form.name.dropFirst())Rule"
    }

    private static func schema(of form: SizeRuleForm) -> OpenAPINode {
        posted(
            form.summary, required: form.members.filter(\.isRequired).map(\.name),
            form.members.map { ($0.name, schema(of: $0.form)) })
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
            members.map { ($0.name, schema(of: $0.form)) })
    }
}

// MARK: - Forms of members

extension OpenAPISchemas {
    /// The schemas of members that are one of some strings.
    private static var choicesOfMembers: [(String, OpenAPINode)] {
        let forms =
            SectionLayout.members.map(\.form) + SizeRuleForm.all.flatMap(\.members).map(\.form)
            + ContentMember.all.map(\.form)
        var names: Set<String> = []
        return forms.compactMap { form in
            guard case .choice(let name, let texts) = form, names.insert(name).inserted
            else { return nil }
            return (name, orNull(choice(texts)))
        }
    }

    private static func schema(of form: MemberForm) -> OpenAPINode {
        switch form {
        case .any: [:]
        case .bool: bool
        case .number: number
        case .magnitude: ["type": "number", "minimum": 0]
        case .integer(let range):
            [
                "type": "integer", "minimum": .integer(range.lowerBound),
                "maximum": .integer(range.upperBound),
            ]
        case .string: string
        case .text(let length):
            [
                "type": "string", "minLength": .integer(length.lowerBound),
                "maxLength": .integer(length.upperBound),
            ]
        case .pointer: pointer
        case .named(let name), .choice(let name, _): .schema(name)
        case .present(let name): .present(name)
        case .array(let form, let least, let most): array(of: schema(of: form), least, most)
        }
    }

    private static func array(of items: OpenAPINode, _ least: Int, _ most: Int?) -> OpenAPINode {
        var array: [(String, OpenAPINode)] = [("type", "array"), ("items", items)]
        if least > 0 { array.append(("minItems", .integer(least))) }
        if let most { array.append(("maxItems", .integer(most))) }
        return .object(array)
    }
}
