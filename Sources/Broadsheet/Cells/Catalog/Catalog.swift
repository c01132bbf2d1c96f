/// The registered cell types as JSON (docs/catalog.md), compiled.
public struct Catalog: Sendable {
    /// The catalog as it was written.
    public let bytes: [UInt8]
    /// What it registers.
    public let registry: CellRegistry

    /// Compiles `bytes`, a JSON document.
    ///
    /// O(bytes). Throws every fault there is, not only the first; no catalog comes to be.
    public init(
        _ bytes: [UInt8], limits: CatalogLimits = CatalogLimits()
    ) throws(CatalogError) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(bytes, maxDepth: limits.maxDepth)
        } catch {
            throw .invalidJSON(error)
        }
        let compiled = try Catalog(document.root, limits: limits)
        self.init(bytes: bytes, registry: compiled.registry)
    }

    /// Compiles `value`, which may be part of a larger document.
    ///
    /// - Parameter pointer: Where `value` stands in its document; faults begin with it.
    public init(
        _ value: JSONValue, at pointer: String = "", limits: CatalogLimits = CatalogLimits()
    ) throws(CatalogError) {
        var compiler = CatalogCompiler(at: pointer, limits: limits)
        let registry = compiler.registry(of: value)
        let collector = compiler.collector
        guard let registry, collector.total == 0 else {
            throw .violations(collector.violations, total: collector.total)
        }
        self.init(bytes: Array(value.document.bytes[value.byteRange]), registry: registry)
    }

    init(bytes: [UInt8], registry: CellRegistry) {
        self.bytes = bytes
        self.registry = registry
    }
}
