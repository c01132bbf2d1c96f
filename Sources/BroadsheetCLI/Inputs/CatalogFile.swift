import Broadsheet

/// Reads catalogs from files.
enum CatalogFile {
    /// Compiles the catalog in `source`.
    ///
    /// - Throws: `CommandError.input` with a line for each violation.
    static func catalog(in source: SourceText, limits: ScreenLimits) throws(CommandError) -> Catalog
    {
        var catalogLimits = CatalogLimits()
        catalogLimits.maxDepth = limits.maxDepth
        do throws(CatalogError) {
            return try Catalog(source.bytes, limits: catalogLimits)
        } catch {
            switch error {
            case .invalidJSON(let error): throw .input([source.line(for: error)])
            case .violations(let violations, let total):
                throw .input(source.lines(for: violations, total: total))
            }
        }
    }

    /// Returns a line for each member of a compiled catalog that is ignored.
    static func advice(on catalog: Catalog, in source: SourceText) -> [String] {
        guard let document = try? JSONDocument(source.bytes, maxDepth: .max) else { return [] }
        return catalog.diagnostics.map { source.line(for: $0, in: document.root) }
    }

    /// Compiles the catalog in the file at `path`, or the built-in one for `nil`.
    ///
    /// - Throws: `CommandError.input` with a line for each violation, or one for a file that cannot
    ///   be read.
    static func catalog(
        at path: String?, in console: Console, limits: ScreenLimits
    ) throws(CommandError) -> Catalog {
        guard let path else { return .storefront }
        let bytes = try console.contents(of: path)
        return try catalog(in: SourceText(path: path, bytes: bytes), limits: limits)
    }
}
