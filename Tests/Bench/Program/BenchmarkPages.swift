import Broadsheet

extension CellRegistry {
    /// The registry of products, whose ids and heights are in the data.
    static let products: CellRegistry = {
        let catalog = try? Catalog(
            Array(
                #"""
                {"units": {"U": {"cells": {"type": "T"}}},
                 "cellTypes": {"T": {"id": "/id", "size": {"height": {"value": "/h"}}}}}
                """#.utf8))
        return catalog?.registry ?? CellRegistry()
    }()
}

extension ResolvedPage {
    /// Creates the page with a number from its bytes.
    convenience init(_ bytes: [UInt8], _ number: Int, _ registry: CellRegistry) throws {
        try self.init(
            page: ServerStatePage(JSONDocument(bytes)), number: number, registry: registry)
    }
}

extension MergedScreen {
    /// Creates the screen of one page.
    init(_ bytes: [UInt8], _ registry: CellRegistry) throws {
        var model = PaginatedViewModel()
        try model.load(ResolvedPage(bytes, 0, registry))
        self = model.merged(registry: registry)
    }
}
