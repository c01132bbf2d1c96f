/// The rules of a unit type in a catalog.
struct UnitTypeRules: Sendable {
    var placements: [Placement] = []
    var layout: SectionLayout?
    /// The layout as the catalog has it.
    var layoutSource: CatalogValue?
    var schema: UnitSchema?
}

extension UnitTypeRules {
    private static let knownNames = KnownNames(
        PlacementRole.allCases.map(\.rawValue) + ["layout", "schema"],
        inner: [("layout", SectionLayout.knownNames)])

    /// Reads a unit type: an object of placements by role, a layout and a schema, or an array of
    /// such objects, of which one may have a layout, and one a schema.
    ///
    /// - Parameter readSchema: Compiles the schema at the collector's path.
    init(
        _ value: JSONValue, _ types: PlacementTypeReader, _ collector: inout ViolationCollector,
        readSchema: (JSONValue, inout ViolationCollector) -> UnitSchema?
    ) {
        var layout: SectionLayout?
        var layoutSource: CatalogValue?
        var schema: UnitSchema?
        placements = value.eachOrSelf(&collector) { value, collector in
            guard let members = Members(value, &collector) else { return [] }
            members.reportUnknown(among: Self.knownNames, &collector)
            _ = members.read("layout", &collector) { value, collector -> Void? in
                if layout != nil { collector.report("is a second layout of its type", at: value) }
                layout = SectionLayout(registered: value, &collector)
                layoutSource = CatalogValue(value, at: collector.path.pointerFromBase)
            }
            _ = members.read("schema", &collector) { value, collector -> Void? in
                if schema != nil { collector.report("is a second schema of its type", at: value) }
                schema = readSchema(value, &collector)
            }
            return members.entries.flatMap { Self.placements($0, types, &collector) }
        }
        (self.layout, self.layoutSource, self.schema) = (layout, layoutSource, schema)
    }

    /// Reads the placements of one member; none if the member is not a role.
    private static func placements(
        _ entry: Members.Entry, _ types: PlacementTypeReader,
        _ collector: inout ViolationCollector
    ) -> [Placement] {
        guard let role = PlacementRole(rawValue: entry.name) else { return [] }
        collector.path.descend(to: entry.name)
        defer { collector.path.ascend() }
        return entry.value.eachOrSelf(&collector) { value, collector in
            Placement(value, role, types, &collector).map { [$0] } ?? []
        }
    }
}

extension Placement {
    fileprivate init?(
        _ value: JSONValue, _ role: PlacementRole, _ types: PlacementTypeReader,
        _ collector: inout ViolationCollector
    ) {
        guard let members = Members(value, &collector) else { return nil }
        members.reportUnknown(among: ["type", "data", "optional", "when"], &collector)
        let data = members.pointer("data", &collector)
        let isOptional = members.bool("optional", &collector)
        let condition = members.condition("when", &collector)
        let type = members.required("type", &collector, types.type)
        guard let type else { return nil }
        self.init(
            role: role, type: type, data: data, isOptional: isOptional ?? false,
            condition: condition, pointer: collector.path.pointerFromBase)
    }
}
