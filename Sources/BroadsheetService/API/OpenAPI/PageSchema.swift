import Broadsheet

/// The JSON Schema of whole pages by one catalog: it accepts the pages that strict mode accepts,
/// except for what a schema cannot say (docs/schemas.md, "A schema of whole pages").
struct PageSchema {
    static let mediaType = "application/schema+json"

    private let names: ContractNames
    private let unitTypes: [StrictUnitType]
    private let cellTypes: [StrictCellType]

    init(of registry: CellRegistry) {
        names = registry.names
        unitTypes = registry.strictUnitTypes
        cellTypes = registry.strictCellTypes
    }

    /// The schema as JSON.
    var bytes: [UInt8] {
        var output = StructuredJSONWriter()
        node.write(to: &output)
        return output.bytes
    }

    private var node: OpenAPINode {
        [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A page",
            "$ref": "#/$defs/Page", "$defs": .object(contracts + Self.layouts + units + cells),
        ]
    }

    private static func reference(_ name: String) -> OpenAPINode {
        ["$ref": .string("#/$defs/\(name)")]
    }

    // MARK: The contract of a page

    private var contracts: [(String, OpenAPINode)] {
        [
            ("Page", page), ("Section", section),
            ("PageSection", ["oneOf": [Self.reference("Section"), Self.reference("UnitList")]]),
            ("UnitList", ["type": "array", "items": Self.reference("Unit")]),
        ]
    }

    private var page: OpenAPINode {
        OpenAPISchemas.posted(
            "A page.", required: [names.sections],
            [
                (
                    "page",
                    [
                        "type": "integer", "minimum": 0,
                        "maximum": .integer(ServerStatePage.maxNumber),
                    ]
                ),
                ("hasNext", OpenAPISchemas.bool), ("hasPrevious", OpenAPISchemas.bool),
                (names.sections, ["type": "array", "items": Self.reference("PageSection")]),
            ])
    }

    private var section: OpenAPINode {
        OpenAPISchemas.posted(
            "A section.", required: [names.units],
            [
                (names.sectionId, ["anyOf": [["type": ["string", "null"]], ["type": "number"]]]),
                ("layout", Self.reference("SectionLayout")), ("collapsed", OpenAPISchemas.bool),
                (names.when, Self.reference("Condition")),
                (names.essential, OpenAPISchemas.bool),
                ("header", ["anyOf": [["type": "null"], Self.reference("Header")]]),
                ("footer", ["anyOf": [["type": "null"], Self.reference("Footer")]]),
                (names.units, Self.reference("UnitList")),
            ])
    }

    // MARK: Layouts

    /// The schemas of layouts and conditions, as the OpenAPI document has them, except for that of
    /// the versions of platforms.
    private static let layouts: [(String, OpenAPINode)] = {
        var schemas = Dictionary(OpenAPISchemas.all, uniquingKeysWith: { first, _ in first })
        schemas["ClientVersions"] = platformVersions
        var names = ["SectionLayout", "Condition"]
        var index = 0
        while index < names.count {
            for name in schemas[names[index]]?.referredSchemas ?? [] where !names.contains(name) {
                names.append(name)
            }
            index += 1
        }
        return names.map { ($0, schemas[$0]?.withLocalReferences ?? true) }
    }()

    /// The schema of the versions of platforms that refuses names that no platform can have.
    ///
    /// It is not in the OpenAPI document, because generators of clients do not know its keywords.
    private static let platformVersions: OpenAPINode = [
        "type": ["object", "null"], "maxProperties": .integer(ConditionLimits.maxPlatforms),
        "patternProperties": ["^[a-z0-9-]{1,32}$": .schema("VersionComparisons")],
        "additionalProperties": ["type": "null"],
    ]

    // MARK: Units

    private var units: [(String, OpenAPINode)] {
        [
            ("Unit", unit("Unit", [.cell, .cells, .header, .footer])),
            ("Header", unit("Header", [.header])), ("Footer", unit("Footer", [.footer])),
        ] + unitTypes.enumerated().map { ("Type\($0)", data(of: $1, at: $0)) }
    }

    /// Returns the schema of the units that make something in one of some roles.
    private func unit(_ name: String, _ roles: Set<PlacementRole>) -> OpenAPINode {
        let accepted = unitTypes.enumerated().filter { !$1.roles.isDisjoint(with: roles) }
        guard !accepted.isEmpty else { return false }
        let names: [OpenAPINode] = accepted.map { .string($1.name) }
        let conditions = accepted.map { index, type in
            guard let role = roles.first, roles.count == 1 else {
                return condition(on: type.name, Self.reference("Type\(index)"))
            }
            // A header needs no data of the other placements.
            let own = Self.reference("Type\(index)/$defs/data")
            let items = type.itemConditions(in: role, Self.cellReference).map(OpenAPINode.raw)
            return condition(on: type.name, items.isEmpty ? own : ["allOf": .array([own] + items)])
        }
        return [
            "type": "object", "required": [.string(self.names.unitType)],
            "properties": [
                self.names.unitType: ["enum": .array(names)],
                self.names.when: Self.reference("Condition"),
                self.names.essential: OpenAPISchemas.orNull(OpenAPISchemas.bool),
                self.names.fallback: ["anyOf": [["type": "null"], Self.reference(name)]],
            ],
            "allOf": .array(conditions),
        ]
    }

    /// Returns the schema of a unit whose data keeps `schema` if its type has a name: its data
    /// member, or the unit itself without one.
    private func condition(on type: String, _ schema: OpenAPINode) -> OpenAPINode {
        [
            "if": ["properties": [names.unitType: ["const": .string(type)]]],
            "then": [
                "if": ["required": [.string(names.unitData)]],
                "then": ["properties": [names.unitData: schema]], "else": schema,
            ],
        ]
    }

    /// Returns the schema of the data of a unit type: its own one, and what its cells need.
    private func data(of type: StrictUnitType, at index: Int) -> OpenAPINode {
        let pointer = "/$defs/Type\(index)/$defs/data"
        let own: OpenAPINode = type.schema(at: pointer).map { .raw($0) } ?? true
        let conditions: [OpenAPINode] =
            (type.conditions + type.itemConditions(Self.cellReference)).map { .raw($0) }
        return [
            "title": .string(type.name),
            "allOf": .array([["$ref": .string("#" + pointer)]] + conditions),
            "$defs": ["data": own],
        ]
    }

    // MARK: Cells

    private static func cellReference(_ index: Int) -> String { "#/$defs/Cell\(index)" }

    /// The schemas of the data of items, headers and footers, for the cell types that have one.
    private var cells: [(String, OpenAPINode)] {
        cellTypes.map { type in
            let name = "Cell\(type.index)"
            let pointer = "/$defs/\(name)/$defs/data"
            return (
                name,
                [
                    "title": .string(type.name), "$ref": .string("#" + pointer),
                    "$defs": ["data": .raw(type.schema(at: pointer))],
                ]
            )
        }
    }
}

extension OpenAPINode {
    private static let schemas = "#/components/schemas/"

    fileprivate var referredSchemas: [String] {
        switch self {
        case .array(let elements): elements.flatMap(\.referredSchemas)
        case .object(let members):
            members.flatMap { member in
                guard member.name == "$ref", case .string(let target) = member.value else {
                    return member.value.referredSchemas
                }
                return [String(target.dropFirst(Self.schemas.count))]
            }
        default: []
        }
    }

    /// The node with references to its own schema's definitions.
    fileprivate var withLocalReferences: OpenAPINode {
        switch self {
        case .array(let elements): .array(elements.map(\.withLocalReferences))
        case .object(let members):
            .object(
                members.map { member in
                    guard member.name == "$ref", case .string(let target) = member.value else {
                        return (member.name, member.value.withLocalReferences)
                    }
                    return (
                        "$ref", .string("#/$defs/" + target.dropFirst(Self.schemas.count))
                    )
                })
        default: self
        }
    }
}
