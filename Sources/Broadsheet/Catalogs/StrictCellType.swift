/// The conditions of strict mode for items, headers and footers of one cell type with a schema.
package struct StrictCellType: Sendable {
    /// The index among the cell types of the catalog.
    package let index: Int
    package let name: String
    private let schema: UnitSchema

    fileprivate init(_ name: String, at index: Int, _ schema: UnitSchema) {
        (self.name, self.index, self.schema) = (name, index, schema)
    }

    /// Returns the JSON of the type's schema for a place in a larger schema.
    package func schema(at pointer: String) -> [UInt8] { schema.embedded(at: pointer) }
}

extension CellRegistry {
    /// The cell types with schemas, in the order of the catalog.
    package var strictCellTypes: [StrictCellType] {
        kinds.enumerated().compactMap { index, kind in
            kind.schema.map { StrictCellType(kind.name, at: index, $0) }
        }
    }
}

extension StrictUnitType {
    /// Returns the conditions of the cell types' schemas on the data of a unit, each as JSON, for
    /// the placements in one role, or in all.
    ///
    /// - Parameter reference: Returns the reference to the schema of the cell type at an index.
    package func itemConditions(
        in role: PlacementRole? = nil, _ reference: (Int) -> String
    ) -> [[UInt8]] {
        placements.filter { role == nil || $0.role == role }.flatMap { placement in
            placement.type.conditions(kinds, reference).map(placement.itemCondition)
        }
    }
}

extension Placement {
    fileprivate func itemCondition(_ schema: [UInt8]) -> [UInt8] {
        // An element of null makes a cell; other data that is null makes nothing.
        let last =
            role == .cells
            ? Array(#"{"items":"#.utf8) + schema + Array("}".utf8)
            : Array(#"{"anyOf":[{"type":"null"},"#.utf8) + schema + Array("]}".utf8)
        return (data?.steps ?? []).reversed().reduce(last) { rest, step in
            step.condition(isRequired: false, then: rest)
        }
    }
}

extension PlacementType {
    fileprivate func conditions(
        _ kinds: [CellKind], _ reference: (Int) -> String
    ) -> [[UInt8]] {
        func schema(_ kind: Int) -> [UInt8] {
            var writer = JSONWriter()
            writer.raw(#"{"$ref":"#)
            writer.string(reference(kind))
            writer.raw("}")
            return writer.bytes
        }
        func rule(when condition: [UInt8], _ branch: StaticString, type kind: Int) -> [UInt8] {
            var writer = JSONWriter()
            writer.raw(#"{"if":"#)
            writer.raw(condition)
            writer.raw(branch)
            writer.raw(schema(kind))
            writer.raw("}")
            return writer.bytes
        }
        guard case .choice(let choice) = self else {
            return allKinds.filter { kinds[$0].schema != nil }.map(schema)
        }
        let cases = choice.kindsByCase.filter { $0.key != nil }
        let selected = Set(cases.map(\.kind)).filter { kinds[$0].schema != nil }.sorted()
        let byCase = selected.map { kind in
            let keys = cases.filter { $0.kind == kind }.compactMap(\.key)
            return rule(when: choice.condition(on: keys), #","then":"#, type: kind)
        }
        guard let fallback = choice.fallback, kinds[fallback].schema != nil else { return byCase }
        let others = choice.otherConditions(than: cases.compactMap(\.key))
        var condition = JSONWriter()
        condition.raw(#"{"anyOf":["#)
        condition.raw(Array(others.joined(separator: [0x2C])))
        condition.raw("]}")
        return byCase + [rule(when: condition.bytes, #","else":"#, type: fallback)]
    }
}

extension CellTypeChoice {
    /// Returns the condition on an item's data that its value selects one of the cases with these
    /// keys.
    fileprivate func condition(on keys: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.raw(#"{"enum":["#)
        for (index, key) in keys.enumerated() {
            if index > 0 { writer.raw(",") }
            writer.string(key)
            let isBool = key == "true" || key == "false"
            if isBool || JSONNumber.value(of: key) != nil { writer.raw(Array((",\(key)").utf8)) }
        }
        writer.raw("]}")
        return pointer.steps.reversed().reduce(writer.bytes) { $1.memberCondition(then: $0) }
    }

    /// Returns the conditions on an item's data of which each excludes the default: that its value
    /// selects a case, or is behind an index, of which a schema cannot say anything.
    fileprivate func otherConditions(than keys: [String]) -> [[UInt8]] {
        let steps = pointer.steps
        let arrays = steps.indices.filter { steps[$0].index != nil }.map { index in
            steps[..<index].reversed().reduce(Array(#"{"type":"array"}"#.utf8)) {
                $1.memberCondition(then: $0)
            }
        }
        return (keys.isEmpty ? [Array("false".utf8)] : [condition(on: keys)]) + arrays
    }
}

extension JSONPathStep {
    /// Returns the schema of an object with a member of this name that keeps `rest`.
    fileprivate func memberCondition(then rest: [UInt8]) -> [UInt8] {
        var writer = JSONWriter()
        let name = String(decoding: key.utf8, as: UTF8.self)
        writer.raw(#"{"type":"object","required":["#)
        writer.string(name)
        writer.raw(#"],"properties":{"#)
        writer.string(name)
        writer.raw(":")
        writer.raw(rest)
        writer.raw("}}")
        return writer.bytes
    }
}
