import Broadsheet

/// Judging a page's units by the schemas of their types, compared with one pass over the page.
enum SchemaBenchmark {
    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let bytes = try context.page()
        let registry = try Catalog(Array(catalog.utf8)).registry
        let page = try ServerStatePage(JSONDocument(bytes))
        try page.checkStrictly(by: registry)
        let result = DurationComparison.measure(
            baseline: { keep(fnv1a(bytes)) },
            subject: { keep(try? page.checkStrictly(by: registry)) })
        let speed = 1 / result.ratio
        let blocks = Allocations.count { keep(try? page.checkStrictly(by: registry)) }
        return [
            ResultRow(
                name: "judge by schemas", figure: megabytes(bytes, result.subject),
                baseline: "FNV-1a hash " + megabytes(bytes, result.baseline),
                ratio: speed.formatted(), target: Target(ratio: speed, .atLeast(0.1))),
            ResultRow(name: "  heap blocks", figure: "\(blocks)"),
        ]
    }

    /// Schemas as a shop would have them: types, required members, limits, a pattern and an
    /// enumeration.
    private static let catalog = #"""
        {"units": {
           "SS_TOP_BANNER": {"cell": {"type": "C"}, "schema": {"type": "array", "items": {
             "type": "object", "required": ["id", "imgUrl"], "properties": {
               "id": {"type": "string"}, "title": {"type": "string", "maxLength": 100},
               "imgUrl": {"type": "string", "pattern": "^https://"}}}}},
           "SS_PRODUCT_LIST": {"cells": {"type": "C"}, "schema": {
             "type": "array", "items": {"$ref": "#/$defs/product"}, "$defs": {
               "product": {
                 "type": "object", "required": ["id", "title", "price", "imgUrl"], "properties": {
                   "id": {"type": "string", "pattern": "^P[0-9]{7}$"},
                   "title": {"type": "string", "minLength": 1, "maxLength": 200},
                   "price": {"$ref": "#/$defs/amount"},
                   "imgUrl": {"type": "string", "format": "uri", "pattern": "^https://"},
                   "rating": {"type": "number", "minimum": 0, "maximum": 5},
                   "reviews": {"type": "integer", "minimum": 0},
                   "badges": {"type": "array", "maxItems": 4, "items": {
                     "enum": ["SALE", "NEW", "PICK", "BEST", "FREE", "HOT"]}},
                   "inStock": {"type": "boolean"}}},
               "amount": {"type": "number", "minimum": 0}}}}},
         "cellTypes": {"C": {}}}
        """#

    private static func megabytes(_ page: [UInt8], _ seconds: Double) -> String {
        "\((Double(page.count) / seconds / 1e6).formatted(0)) MB/s"
    }
}
