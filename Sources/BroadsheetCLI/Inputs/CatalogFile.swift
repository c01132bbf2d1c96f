import Broadsheet
import BroadsheetService
import BroadsheetText

struct CatalogFile {
    /// The path of the catalog, or of a folder of catalogs; `nil` for the built-in one.
    var path: String?
    /// The folder of the fonts' files, or `nil` for that of the catalog.
    var fonts: String?
    /// The memory for shaped texts, in bytes.
    var textCacheBytes = FontMeasurer.defaultCacheBytes
    /// The maximum size of the catalogs of a folder together, in bytes.
    var maxFolderBytes = CatalogSet.maxBytes

    /// Reads and compiles the catalog, and opens its fonts.
    ///
    /// - Throws: `CommandError.input` with a line for each violation, or one for a file that cannot
    ///   be read, and for a folder.
    func catalog(
        in console: Console, limits: ScreenLimits
    ) throws(CommandError) -> MeasuredCatalog {
        guard let path else { return MeasuredCatalog(catalog: .storefront) }
        guard try console.catalogNames(in: path) == nil else {
            throw .input(["\(path): is a folder; name one of the files in it"])
        }
        let bytes = try console.contents(
            of: path, for: "--catalog",
            ifMissing:
                "name a file of a catalog (docs/catalog.md), or leave the option out for the "
                + "built-in one")
        return try catalog(in: SourceText(path: path, bytes: bytes), limits: limits)
    }

    /// Compiles the catalog in `source`, and opens its fonts.
    ///
    /// - Throws: `CommandError.input` with a line for each violation.
    func catalog(
        in source: SourceText, limits: ScreenLimits
    ) throws(CommandError) -> MeasuredCatalog {
        let measurer = measurer(ofCatalogAt: source.path)
        let catalog = try compiled(source, limits: limits, measurer)
        return MeasuredCatalog(
            catalog: catalog, measurer: catalog.registry.fontContents.isEmpty ? nil : measurer)
    }

    /// Returns a measurer of the fonts of a catalog, or of several in one folder.
    func measurer(ofCatalogAt path: String) -> FontMeasurer {
        FontMeasurer(folder: fonts ?? Self.folder(of: path), cacheBytes: textCacheBytes)
    }

    /// Compiles the catalog in `source`, whose fonts `measurer` opens.
    ///
    /// - Throws: `CommandError.input` with a line for each violation.
    func compiled(
        _ source: SourceText, limits: ScreenLimits, _ measurer: FontMeasurer
    ) throws(CommandError) -> Catalog {
        var catalogLimits = CatalogLimits()
        catalogLimits.maxDepth = limits.maxDepth
        do throws(CatalogError) {
            return try Catalog(
                ofFile: source.bytes, limits: catalogLimits, measuringWith: measurer)
        } catch {
            switch error {
            case .invalidJSON(let error): throw .input([source.line(for: error)])
            case .violations(let violations, let total):
                throw .input(source.lines(for: violations, total: total))
            }
        }
    }

    static func lines(for diagnostics: [Diagnostic], in source: SourceText) -> [String] {
        guard let document = try? JSONDocument(source.bytes, maxDepth: .max) else { return [] }
        return diagnostics.map { source.line(for: $0, in: document.root) }
    }

    /// Returns the folder of a file; the current one for a name alone, and for standard input.
    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// A compiled catalog and the measurer that has opened its fonts.
struct MeasuredCatalog: Sendable {
    let catalog: Catalog
    var measurer: FontMeasurer?
}
