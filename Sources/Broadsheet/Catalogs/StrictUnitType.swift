/// The conditions of strict mode for units of one type, as JSON Schemas of their data.
package struct StrictUnitType: Sendable {
    package let name: String
    package let roles: Set<PlacementRole>
    /// The conditions of its placements on the data of a unit, each as JSON: that it is there.
    package let conditions: [[UInt8]]
    private let schema: UnitSchema?
    /// The placements; none for a type that is registered by code.
    let placements: [Placement]
    let kinds: [CellKind]

    fileprivate init(_ name: String, in registry: CellRegistry) {
        let placements = registry.placements(of: name)
        self.name = name
        // A type that is registered by code is not judged.
        roles = Set(placements?.map(\.role) ?? PlacementRole.allCases)
        conditions = (placements ?? []).compactMap(\.dataCondition)
        schema = registry.schema(of: name)
        self.placements = placements ?? []
        kinds = registry.kinds
    }

    /// Returns the JSON of the type's schema for a place in a larger schema.
    package func schema(at pointer: String) -> [UInt8]? { schema?.embedded(at: pointer) }
}

extension CellRegistry {
    package var strictUnitTypes: [StrictUnitType] {
        unitTypeNames.map { StrictUnitType($0, in: self) }
    }
}

extension UnitSchema {
    /// Returns the JSON of the schema for a place in a larger one.
    ///
    /// Its identifiers and anchors are left out, and its references are pointers from the larger
    /// schema, so that the schemas of several types do not interfere.
    func embedded(at pointer: String) -> [UInt8] {
        var writer = EmbeddedSchemaWriter(self, at: pointer)
        writer.write(value)
        return writer.bytes
    }
}

extension Placement {
    /// The condition on a unit's data for the placement to make its cells, as JSON; `nil` for none.
    fileprivate var dataCondition: [UInt8]? {
        guard role == .cell || role == .cells else { return nil }
        let steps = data?.steps ?? []
        if role == .cell, isOptional { return nil }
        let last: String
        switch (role, isOptional) {
        case (.cells, false): last = #"{"type":"array"}"#
        case (.cells, true): last = #"{"type":["array","null"]}"#
        default: last = #"{"not":{"type":"null"}}"#
        }
        return steps.reversed().reduce(Array(last.utf8)) { rest, step in
            step.condition(isRequired: !isOptional, then: rest)
        }
    }
}

extension JSONPathStep {
    /// Returns the schema of a value in which this step leads to one that keeps `rest`.
    ///
    /// A schema cannot say that a step is an index without saying it of all elements before, so an
    /// array keeps it.
    func condition(isRequired: Bool, then rest: [UInt8]) -> [UInt8] {
        var writer = JSONWriter()
        if isRequired {
            writer.raw(index == nil ? #"{"type":"object","# : #"{"type":["object","array"],"#)
            writer.raw(#""required":["#)
            writer.string(String(decoding: key.utf8, as: UTF8.self))
            writer.raw("],")
        } else {
            writer.raw("{")
        }
        writer.raw(#""properties":{"#)
        writer.string(String(decoding: key.utf8, as: UTF8.self))
        writer.raw(":")
        writer.raw(rest)
        writer.raw("}}")
        return writer.bytes
    }
}

/// A writer of a unit type's schema for a place in a larger one.
private struct EmbeddedSchemaWriter {
    private let schema: UnitSchema
    private let document: JSONDocument
    private let pointer: String
    private let indexes: [UInt32: Int]
    private var writer = JSONWriter()

    /// The members that name a schema or its dialect.
    private static let identifiers = ["$id", "$anchor", "$dynamicAnchor", "$schema", "$vocabulary"]

    init(_ schema: UnitSchema, at pointer: String) {
        self.schema = schema
        self.pointer = pointer
        document = schema.value.document
        indexes = Dictionary(
            uniqueKeysWithValues: schema.subschemas.enumerated().map { ($1.node, $0) })
    }

    var bytes: [UInt8] { writer.bytes }

    mutating func write(_ value: JSONValue) {
        switch value.kind {
        case .object: writeObject(value)
        case .array:
            writer.raw("[")
            for (index, element) in value.elements.enumerated() {
                if index > 0 { writer.raw(",") }
                write(element)
            }
            writer.raw("]")
        default: writer.raw(from: document.bytes, value.byteRange)
        }
    }

    private mutating func writeObject(_ value: JSONValue) {
        let index = indexes[value.node]
        let replaced = document.replacedMembers(of: value.node)
        writer.raw("{")
        var isFirst = true
        for (name, member) in value.members {
            if replaced?.contains(member.node - 1) == true { continue }
            if index != nil, Self.identifiers.contains(where: name.equals) { continue }
            if !isFirst { writer.raw(",") }
            isFirst = false
            writer.string(name.string)
            writer.raw(":")
            if let index, name.equals("$ref") {
                writer.string("#" + fragment(to: schema.subschemas[index].inPlace.reference ?? 0))
            } else {
                write(member)
            }
        }
        writer.raw("}")
    }

    /// Returns the pointer to a subschema with the bytes encoded that no fragment may have.
    private func fragment(to index: Int) -> String {
        let inner = document.pointer(to: schema.subschemas[index].node, inside: schema.value.node)
        return (pointer + inner).utf8.reduce(into: "") { fragment, byte in
            let isPlain = byte < 0x80 && Self.plain.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            fragment +=
                isPlain
                ? String(Unicode.Scalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }
    }

    /// The bytes that a fragment may have as they are (RFC 3986 section 3.5).
    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?".utf8)
}
