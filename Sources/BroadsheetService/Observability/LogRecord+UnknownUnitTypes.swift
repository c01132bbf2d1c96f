import Broadsheet

extension LogRecord {
    /// Creates the record of a page's unknown unit types, which says what to do about them; `nil`
    /// if there are none.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - origin: The page's screen and number, or the request that contained it.
    ///   - catalog: The catalog in service, by which the page was resolved.
    init?(unknownUnitTypesOf page: ResolvedPage, in origin: String, _ catalog: Catalog) {
        guard !page.unknownUnitTypes.isEmpty else { return nil }
        let names = page.unknownUnitTypes.map { "\"\($0)\"" }.joined(separator: ", ")
        let count = page.diagnosticCounts.byCode[.unknownUnitType] ?? 0
        let remedy =
            catalog.isBuiltIn
            ? "the daemon serves the built-in catalog of a shop: write one with these units "
                + "(docs/guide.md), and start with --catalog FILE, or make run CATALOG=FILE"
            : "add them to \"units\" in the catalog, and reload it with SIGHUP"
        self.init(
            .warning, "unknown unit types",
            detail: "\(origin) has units without an entry in the catalog (\(count)), of the types "
                + "\(names): \(remedy)")
    }
}
