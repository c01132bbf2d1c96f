import BroadsheetClient

/// The contents of the cell types of a Swift program, each compiled once.
final class CodeContents: Sendable {
    /// The content of a type.
    struct Result: Sendable {
        /// The compiled content; `nil` without one, and for one with a violation.
        var tree: ContentTree?
        var violation: String?
    }

    private let fonts: FontTable
    private let rules: [CustomSizeRule]
    private let known = LockedValue<[ObjectIdentifier: Result]>([:])

    /// Creates contents whose texts are in `fonts`, and whose lengths may have `rules` besides
    /// those of every catalog.
    init(_ fonts: FontTable = FontTable(), _ rules: [CustomSizeRule] = []) {
        self.fonts = fonts
        self.rules = rules
    }

    func result(of type: any CellType.Type) -> Result {
        guard let content = type.content else { return Result() }
        let key = ObjectIdentifier(type)
        if let result = known.withLock({ $0[key] }) { return result }
        let result = Self.compiled(content, fonts, rules)
        return known.withLock { known in
            // Of several at one time, all use the same tree: it identifies a type's content.
            let first = known[key] ?? result
            known[key] = first
            return first
        }
    }

    /// Returns the first violation of a content whose fonts may not be known yet.
    static func violation(in content: CellContents) -> String? {
        var fonts = FontTable()
        fonts.isPartial = true
        return compiled(content, fonts, []).violation
    }

    private static func compiled(
        _ content: CellContents, _ fonts: FontTable, _ rules: [CustomSizeRule]
    ) -> Result {
        let limits = CatalogLimits()
        guard let document = try? JSONDocument(content.json, maxDepth: limits.maxDepth) else {
            return Result(violation: "is within itself too often")
        }
        var collector = ViolationCollector(keeping: 1)
        let forms =
            SizeRuleForm.all + CustomSizeRule.forms(of: rules, document.root, &collector)
        var reader = ContentReader(limits, fonts, forms)
        let tree = reader.tree(document.root, &collector)
        guard let violation = collector.violations.first else { return Result(tree: tree) }
        return Result(violation: "\(violation.pointer) \(violation.detail)")
    }
}
