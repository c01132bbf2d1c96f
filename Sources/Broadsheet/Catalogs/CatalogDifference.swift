/// A change of a catalog that can break pages that were posted before it, or backends.
package struct CatalogDifference: Sendable {
    /// The kind of change, by its name in `broadsheet diff`.
    package enum Code: String, Sendable, CaseIterable {
        case unitTypeGone = "UNIT_TYPE_GONE"
        /// Apps that do not know a new cell type are sent it.
        case cellTypeWithoutSince = "CELL_TYPE_WITHOUT_SINCE"
        /// Apps that drew a unit type cannot draw the cells that it makes now.
        case cellTypeWithoutFallback = "CELL_TYPE_WITHOUT_FALLBACK"
        /// A keyword of the schema of a unit type, a cell type or the input of an action may accept
        /// less.
        case schemaNarrower = "SCHEMA_NARROWER"
        /// A name that a content had is not in the new content of the cell type.
        case partGone = "PART_GONE"
        /// A part sent an action or led to a URL, and does not, or another one.
        case controlChanged = "CONTROL_CHANGED"
        /// A page has another tree.
        case treeChanged = "TREE_CHANGED"
    }

    package let code: Code
    /// A Boolean value that indicates whether the pointer leads into the old catalog.
    package let isInOld: Bool
    package let pointer: String
    /// A description, worded as a predicate of the pointer.
    package let detail: String
}

extension Catalog {
    /// Returns the changes since `old` that can break pages, apps or backends: unit types that are
    /// gone, cell types without `since`, those without a fallback, schemas of unit types and of
    /// inputs that may accept less, parts that are gone, and controls that are none or others, each
    /// in the order of the names.
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
        let narrowings = registry.unitTypeNames.flatMap { name -> [CatalogDifference] in
            guard old.registry.configuration(of: name) != nil else { return [] }
            return CatalogDifference.narrowings(
                from: old.registry.schema(of: name), to: registry.schema(of: name))
        }
        let cellTypes = CellTypeComparison(from: old.registry, to: registry)
        return gone + cellTypes.withoutSince + cellTypes.withoutFallback + narrowings
            + cellTypes.narrowings + cellTypes.narrowerInputs + cellTypes.partsGone
            + cellTypes.controlsChanged
    }
}

extension CatalogDifference {
    /// Returns the keywords of a schema that may accept less than those of an older one; `nil` is
    /// the schema that accepts everything.
    ///
    /// - Parameter remark: The end of each description.
    static func narrowings(
        from old: UnitSchema?, to new: UnitSchema?, remark: String = ""
    ) -> [CatalogDifference] {
        guard let new else { return [] }
        var narrowings: [SchemaComparison.Narrowing] = []
        if let old {
            narrowings = SchemaComparison.narrowings(from: old, to: new)
        } else if !new.subschemas[0].isAlways {
            narrowings = [.init(pointer: "", isInOld: false, detail: "was not there")]
        }
        return narrowings.map { narrowing in
            let schema = narrowing.isInOld ? old : new
            return CatalogDifference(
                code: .schemaNarrower, isInOld: narrowing.isInOld,
                pointer: (schema?.pointer ?? "") + narrowing.pointer,
                detail: narrowing.detail + remark)
        }
    }
}
