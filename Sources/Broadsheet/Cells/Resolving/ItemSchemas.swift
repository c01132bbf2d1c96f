/// The schemas of cell types, which judge the data of single items, headers and footers.
extension PageDraft {
    /// The largest number of violations that are reported for the data of one unit, item, header or
    /// footer.
    static let maxSchemaViolations = 10

    /// Returns the index of the cell type for `data`; reports data that `type` has none for, and
    /// data that does not keep the schema of it.
    mutating func kind(
        of type: PlacementType, for data: UInt32, from origin: DataOrigin
    ) -> Int? {
        switch type {
        case .kind(let index): keepsSchema(data, ofKind: index, from: origin) ? index : nil
        case .choice(let choice): kind(by: choice, for: data, from: origin)
        }
    }

    /// Returns whether data keeps the schema of its cell type, if that has one, and reports its
    /// violations otherwise.
    ///
    /// The schema is that of the cell type which the data selects, also for apps that are sent
    /// another one: whether a page is right does not depend on who asks for it.
    ///
    /// - Complexity: O(judgements).
    mutating func keepsSchema(_ data: UInt32, ofKind kind: Int, from origin: DataOrigin) -> Bool {
        guard !origin.isJudged, let schema = kinds[kind].schema else { return true }
        // Details that are not listed are not made.
        let limit = diagnostics.count < maxDiagnostics ? Self.maxSchemaViolations : 0
        guard let found = judge?.violations(of: data, by: schema, keeping: limit), found.total > 0
        else { return true }
        for violation in found.first {
            report(violation.diagnostic(of: origin), at: origin.unit.location)
        }
        diagnosticTotal += min(found.total, Self.maxSchemaViolations) - found.first.count
        return false
    }

    /// Returns whether data keeps the schema of its cell type, if that has one, without reports.
    mutating func keepsSchema(_ data: JSONValue, ofKind kind: Int) -> Bool {
        guard let schema = kinds[kind].schema else { return true }
        return judge?.keeps(data.node, schema) ?? true
    }

    /// Returns the first violations of the items that a use of a unit's data would make, at most
    /// ``maxSchemaViolations``; the items behind them are not judged.
    ///
    /// - Complexity: O(elements, and judgements).
    mutating func itemViolations(
        of use: RecordedPlacement, in unit: UnitContext
    ) -> [UnitDiagnostic.Kind] {
        guard judge != nil, let data = use.data, !data.isNull, data.document === document,
            use.type.contains(where: { kinds[$0].schema != nil })
        else { return [] }
        var origin = DataOrigin(unit: unit, pointer: use.pointer)
        guard use.role == .cells else {
            return violations(of: data, use.type, from: origin, keeping: Self.maxSchemaViolations)
        }
        var found: [UnitDiagnostic.Kind] = []
        for (index, element) in data.elements.enumerated() {
            guard found.count < Self.maxSchemaViolations else { break }
            origin.element = index
            found += violations(
                of: element, use.type, from: origin,
                keeping: Self.maxSchemaViolations - found.count)
        }
        return found
    }

    private mutating func violations(
        of data: JSONValue, _ type: PlacementType, from origin: DataOrigin, keeping limit: Int
    ) -> [UnitDiagnostic.Kind] {
        guard let schema = type.kind(of: data).flatMap({ kinds[$0].schema }),
            let found = judge?.violations(of: data.node, by: schema, keeping: limit)
        else { return [] }
        return found.first.map { $0.diagnostic(of: origin) }
    }
}

extension SchemaViolation {
    func diagnostic(of origin: DataOrigin) -> UnitDiagnostic.Kind {
        .schemaViolation(
            isFlat: origin.unit.isFlat, pointer: origin.pointer(to: pointer), detail: detail)
    }
}
