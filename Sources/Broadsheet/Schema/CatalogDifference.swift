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
        /// A keyword of the schema of a unit type, or of the input of an action, may accept less.
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
    /// gone, cell types without `since`, those without a fallback, and schemas of unit types and of
    /// inputs that may accept less, each in the order of the names.
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
            + registry.unitTypeNames.filter { old.registry.configuration(of: $0) != nil }
            .flatMap { name in
                CatalogDifference.narrowings(
                    from: old.registry.schema(of: name), to: registry.schema(of: name))
            } + narrowerInputs(since: old)
    }

    /// Returns the narrowings of the inputs of actions that both catalogs have.
    private func narrowerInputs(since old: Catalog) -> [CatalogDifference] {
        let oldKinds = Dictionary(
            old.registry.kinds.map { (Identifier($0.name), $0) },
            uniquingKeysWith: { first, _ in first })
        return registry.kinds.sorted { $0.name < $1.name }.flatMap { kind in
            kind.behavior.actions.sorted { $0.key.text < $1.key.text }.flatMap { name, action in
                let before = oldKinds[Identifier(kind.name)]?.behavior.actions[name]
                guard let before else { return [CatalogDifference]() }
                return CatalogDifference.narrowings(from: before.input, to: action.input)
            }
        }
    }
}

extension CatalogDifference {
    /// Returns the narrowings from a schema, or none, to another one.
    fileprivate static func narrowings(
        from old: UnitSchema?, to new: UnitSchema?
    ) -> [CatalogDifference] {
        guard let new else { return [] }
        var narrowings = [
            SchemaComparison.Narrowing(pointer: "", isInOld: false, detail: "was not there")
        ]
        if let old {
            narrowings = SchemaComparison.narrowings(from: old, to: new)
        } else if new.subschemas[0].isAlways {
            return []
        }
        return narrowings.compactMap { narrowing in
            guard let schema = narrowing.isInOld ? old : new else { return nil }
            return CatalogDifference(
                code: .schemaNarrower, isInOld: narrowing.isInOld,
                pointer: schema.pointer + narrowing.pointer, detail: narrowing.detail)
        }
    }
}

extension UnitSchema {
    /// The pointer to the schema in its catalog.
    fileprivate var pointer: String {
        value.document.pointer(to: value.node, inside: value.document.root.node)
    }
}
