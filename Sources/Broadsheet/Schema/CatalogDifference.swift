/// A change of a catalog that can break pages that were posted before it, or backends.
package struct CatalogDifference: Sendable {
    /// The kind of change, by its name in `broadsheet diff`.
    package enum Code: String, Sendable, CaseIterable {
        /// A unit type is not in the new catalog.
        case unitTypeGone = "UNIT_TYPE_GONE"
        /// Apps that do not know a new cell type are sent it.
        case cellTypeWithoutSince = "CELL_TYPE_WITHOUT_SINCE"
        /// Apps that drew a unit type cannot draw the cells that it makes now.
        case cellTypeWithoutFallback = "CELL_TYPE_WITHOUT_FALLBACK"
        /// A keyword of a unit type's schema may accept less.
        case schemaNarrower = "SCHEMA_NARROWER"
        /// A page has another tree.
        case treeChanged = "TREE_CHANGED"
    }

    /// The kind of change.
    package let code: Code
    /// A Boolean value that indicates whether the pointer leads into the old catalog.
    package let isInOld: Bool
    /// The pointer to the part of the catalog.
    package let pointer: String
    /// A description, worded as a predicate of the pointer.
    package let detail: String
}

extension Catalog {
    /// Returns the changes since `old` that can break pages, apps or backends: unit types that are
    /// gone, cell types without `since`, those without a fallback, and schemas that may accept
    /// less, each in the order of the names.
    ///
    /// - Complexity: O(bytes), in the usual case of few alternatives in schemas.
    package func differences(since old: Catalog) -> [CatalogDifference] {
        let names = Set(registry.unitTypeNames.map(Identifier.init))
        let gone = old.registry.unitTypeNames.filter { !names.contains(Identifier($0)) }.map {
            name in
            CatalogDifference(
                code: .unitTypeGone, isInOld: true,
                pointer: JSONPointer.appending("/units", name),
                detail: "is gone; units of this type that pages have make nothing")
        }
        let cellTypes = CellTypeComparison(from: old.registry, to: registry)
        return gone + cellTypes.withoutSince + cellTypes.withoutFallback
            + registry.unitTypeNames.flatMap { name in
                narrowings(of: name, since: old).map { narrowing in
                    let catalog = narrowing.isInOld ? old : self
                    return CatalogDifference(
                        code: .schemaNarrower, isInOld: narrowing.isInOld,
                        pointer: catalog.schemaPointer(of: name) + narrowing.pointer,
                        detail: narrowing.detail)
                }
            }
    }

    private func narrowings(
        of unitType: String, since old: Catalog
    ) -> [SchemaComparison.Narrowing] {
        guard let schema = registry.schema(of: unitType),
            old.registry.configuration(of: unitType) != nil
        else { return [] }
        guard let before = old.registry.schema(of: unitType) else {
            guard !schema.subschemas[0].isAlways else { return [] }
            return [
                SchemaComparison.Narrowing(pointer: "", isInOld: false, detail: "was not there")
            ]
        }
        return SchemaComparison.narrowings(from: before, to: schema)
    }

    /// Returns the pointer to the schema of a unit type.
    private func schemaPointer(of unitType: String) -> String {
        guard let value = registry.schema(of: unitType)?.value else { return "" }
        return value.document.pointer(to: value.node, inside: value.document.root.node)
    }
}
