import Broadsheet

extension LogRecord {
    /// The largest number of a catalog's diagnostics in the log; `broadsheet check` lists all.
    static let maxCatalogDiagnostics = 10

    /// Creates the record of the unknown members of a catalog, and of its members without effect;
    /// `nil` if there are none.
    init?(diagnosticsOf catalog: Catalog) {
        guard !catalog.diagnostics.isEmpty else { return nil }
        let listed = catalog.diagnostics.prefix(Self.maxCatalogDiagnostics)
        let others = catalog.diagnostics.count - listed.count
        let rest = others > 0 ? "; and \(others) more, which broadsheet check lists" : ""
        let lines = listed.map { "\($0.code.rawValue) \($0.pointer.cut(to: 200)) \($0.detail)" }
        self.init(
            .warning, "the catalog has members without effect",
            detail: lines.joined(separator: "; ") + rest)
    }
}

extension String {
    /// Returns the first characters, and an ellipsis if there are more.
    fileprivate func cut(to count: Int) -> String {
        let start = prefix(count)
        return start.endIndex == endIndex ? self : start + "…"
    }
}
