extension CellRegistry {
    package static var maxJudgements: Int { SchemaLimits().maxJudgements }

    /// Returns the registry with a budget of its own for the judgements of a request.
    package func limitedToRequest(isCatalogPosted: Bool = false) -> CellRegistry {
        guard hasSchemas || maxSharedInputSubschemas != nil else { return self }
        return limited(to: JudgementBudget(isCatalogPosted: isCatalogPosted))
    }

    /// Returns the registry with a budget; `nil` for pages that have their own limits only.
    package func limited(to budget: JudgementBudget?) -> CellRegistry {
        var registry = self
        registry.judgementBudget = budget
        return registry
    }

    /// Returns a judge of the values of a page by the limits of a page and the budget of the
    /// registry; `nil` without schemas.
    func judge(of document: JSONDocument, isLenient: Bool = false) -> SchemaJudge? {
        guard hasSchemas else { return nil }
        return SchemaJudge(
            document, SchemaCost(limits: SchemaLimits(), judgementBudget), isLenient: isLenient)
    }
}
