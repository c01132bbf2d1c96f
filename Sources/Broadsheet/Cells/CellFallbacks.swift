/// The cell types of a catalog that stand in for those that an app is too old for.
struct CellFallbacks: Sendable {
    /// The clients that can draw each cell type; `nil` for all.
    private var since: [Condition?] = []
    /// The index of the cell type that stands in for each one, if there is one.
    private var fallbacks: [Int: Int] = [:]
    /// A Boolean value that indicates whether every app can draw all cell types.
    private(set) var areUnused = true

    init() {}

    init(_ kinds: [CellKind], _ fallbacks: [Int: Int]) {
        since = kinds.map(\.since)
        self.fallbacks = fallbacks
        areUnused = since.allSatisfy { $0 == nil }
    }

    /// Returns the cell types that are drawn for an audience; `nil` if all of the catalog are drawn
    /// as they are.
    ///
    /// - Complexity: O(cell types).
    func drawn(for audience: Audience) -> DrawnCells? {
        guard !areUnused else { return nil }
        let canDraw = since.map { $0?.holds(for: audience) ?? true }
        guard canDraw.contains(false) else { return nil }
        return DrawnCells(
            kinds: since.indices.map { index in chain(of: index).first { canDraw[$0] } })
    }

    /// Returns the conditions that decide which cell type is drawn for the one at `kind`.
    func conditions(of kind: Int) -> [Condition] { chain(of: kind).compactMap { since[$0] } }

    func hasFallback(_ kind: Int) -> Bool { fallbacks[kind] != nil }

    /// Returns the cell types that apps are sent for the one at `kind`: the type and its fallbacks,
    /// up to the first that every app can draw.
    func sent(for kind: Int) -> [Int] {
        let chain = chain(of: kind)
        let last = chain.firstIndex { since[$0] == nil } ?? chain.count - 1
        return Array(chain[...last])
    }

    /// Returns a cell type and its fallbacks.
    private func chain(of kind: Int) -> [Int] {
        var chain = [kind]
        while chain.count <= CatalogLimits.maxFallbacks,
            let next = fallbacks[chain[chain.count - 1]]
        {
            chain.append(next)
        }
        return chain
    }
}

/// The cell types that an audience is sent instead of those that a catalog names.
struct DrawnCells: Sendable {
    /// The index of the drawn cell type for each one of the catalog; `nil` if none can be drawn.
    fileprivate let kinds: [Int?]

    /// Returns the index of the cell type that is drawn for the one at `kind`, or `nil` if none
    /// can be; types that are registered in code are drawn as they are.
    func kind(for kind: Int) -> Int? { kind < kinds.count ? kinds[kind] : kind }
}
