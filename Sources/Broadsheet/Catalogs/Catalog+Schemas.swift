/// The parts of a compiled catalog by which code is written for its JSON (docs/generate.md).
extension Catalog {
    /// The targets of the references in all schemas, by the nodes of the schemas with `$ref`, in
    /// the document of the catalog.
    ///
    /// - Complexity: O(subschemas).
    package var schemaReferences: [UInt32: UInt32] {
        let kinds = registry.kinds
        let schemas =
            kinds.compactMap(\.schema) + kinds.flatMap(\.behavior.inputSchemas)
            + registry.unitTypeNames.compactMap { registry.schema(of: $0) }
        var targets: [UInt32: UInt32] = [:]
        for schema in schemas {
            for subschema in schema.subschemas {
                guard let target = subschema.inPlace.reference else { continue }
                targets[subschema.node] = schema.subschemas[target].node
            }
        }
        return targets
    }

    package var partNames: [(cellType: String, names: [String])] {
        registry.kinds.compactMap { kind in
            let names = kind.contents?.names.map { String(decoding: $0, as: UTF8.self) } ?? []
            return names.isEmpty ? nil : (kind.name, names)
        }
    }
}

extension JSONValue {
    /// The members of an object, of those with one name the last.
    package var distinctMembers: [(name: String, value: JSONValue)] {
        let replaced = kind == .object ? document.replacedMembers(of: node) : nil
        // A name is the node before its value.
        return members.filter { replaced?.contains($0.value.node - 1) != true }
            .map { ($0.name.string, $0.value) }
    }

    /// The pointer from the root of the document to the value.
    ///
    /// - Complexity: O(siblings of the values on the way).
    package var pointer: String { document.pointer(to: node, inside: document.root.node) }
}
