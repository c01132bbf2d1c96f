import Broadsheet
import BroadsheetHTTP
import BroadsheetIO

/// The body of a request with pages that are laid out without being stored.
protocol ComposedBody: Sendable {
    /// The pages, in one model for each tree.
    var models: [PaginatedViewModel] { get }
    /// The registry that resolved the pages: that of the body's catalog, or the active one.
    var registry: CellRegistry { get }
    static var canBeStrict: Bool { get }

    /// Returns the catalog in a body; `nil` without one, or if it is null.
    static func catalog(in body: JSONValue, _ active: CellRegistry) -> JSONValue?

    /// Calls `prepare` with the registry before pages are resolved.
    init(
        _ body: JSONValue, registry active: CellRegistry, _ reading: ComposeReading,
        prepare: (CellRegistry) throws(Problem) -> Void
    ) throws(Problem)
}

/// The way in which the pages of a composition are read.
struct ComposeReading: Sendable {
    let limits: ScreenLimits
    let isStrict: Bool
}

/// A request with pages that are laid out without being stored.
struct Composition<Body: ComposedBody>: Sendable {
    let query: LayoutParameters.Partial
    let body: Body
    private let work: Work
    /// The size of the pages and of the body's own catalog in memory, in bytes; they share the text
    /// of the body.
    let pageBytes: Int
    private let document: JSONDocument

    /// Throws the first problem of its query and its body, in this order.
    init(_ call: Call, _ service: BroadsheetService) async throws(Problem) {
        let pages = service.pages
        query = try LayoutParameters.Partial(
            call.query, limits: service.configuration.parameters)
        work = call.work
        let reading = ComposeReading(
            limits: pages.limits,
            isStrict: try Body.canBeStrict ? call.isStrict(by: service.configuration) : false)
        document = try await pages.document(of: call)
        let catalog = Body.catalog(in: document.root, call.catalog.registry)
        body = try await Self.body(of: document, with: catalog, reading, call)
        let patternBytes = MemoryCost.patterns(of: body.registry)
        let catalogBytes = catalog.map { MemoryCost.compiling($0) + patternBytes } ?? 0
        pageBytes = body.models.reduce(document.bytes.count + catalogBytes) { total, model in
            model.pages.reduce(total) { $0 + $1.derivedByteCount }
        }
    }

    func reserve(besidesPages count: Int) async throws(Problem) {
        try await work.memory.adjust(to: document.indexByteCount + pageBytes + count)
    }

    func cost(viewports: Int = 1) -> Int {
        WorkCost.layout(
            items: body.models.reduce(0) { $0 + $1.itemCount },
            bytes: document.bytes.count * body.registry.resolvingFactor, viewports: viewports)
    }

    private static func body(
        of document: JSONDocument, with catalog: JSONValue?, _ reading: ComposeReading,
        _ call: Call
    ) async throws(Problem) -> Body {
        let (active, maxItems) = (call.catalog.registry, reading.limits.maxItems)
        let hasCatalog = catalog != nil
        if hasCatalog, call.catalog.name != nil {
            throw .invalidParameter(
                CatalogParameter.name,
                "cannot be given together with a catalog in the body")
        }
        let cost = WorkCost.reading(document, by: active, hasCatalog: hasCatalog)
        try await call.work.memory.need(
            MemoryCost.reading(document, maxItems: maxItems, by: active)
                + (catalog.map(MemoryCost.compiling) ?? 0))
        return try await call.work.perform(cost: cost) { () throws(Problem) in
            try Body(document.root, registry: active, reading) {
                (registry) throws(Problem) in
                guard hasCatalog else { return }
                // The memory that a catalog of the body's own needs is only known here.
                try call.work.memory.add(
                    MemoryCost.sizeInputs(of: document, maxItems: maxItems, by: registry)
                        + MemoryCost.judging(document, by: registry)
                        + MemoryCost.patterns(of: registry))
            }
        }
    }
}

extension CellRegistry {
    /// Throws `INVALID_CONTRACT` if the pages of a request took more judgements than it may take
    /// when they were resolved for the client of a layout.
    func checkJudgements() throws(Problem) {
        do throws(ContractError) { try judgementBudget?.check() } catch { throw Problem(error) }
    }
}
