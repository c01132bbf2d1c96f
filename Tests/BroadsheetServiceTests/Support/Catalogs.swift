import TestSupport

/// Catalogs for tests.
enum Catalogs {
    /// A list of products, a banner, and a unit with a header.
    ///
    /// The items of the list are 100 points high, so that heights are easy to predict.
    static let shop = TranscriptPages.shop

    /// The same catalog with rows of 50 points.
    static let flatter = shop.replacing("\"height\": 100", with: "\"height\": 50")

    /// A catalog with another name for a page's sections.
    static let renamed = """
        {"contract": {"sections": "blocks"}, "units": {"LIST": {"cells": {"type": "Row"}}},
         "cellTypes": {"Row": {"id": "/id", "size": {"height": 100}}}}
        """
}

/// Pages for tests.
enum Pages {
    /// Returns a page of one section whose rows have these ids.
    static func list(
        _ ids: [String], section: String? = "List", page: Int? = nil, hasNext: Bool? = nil
    ) -> String {
        TranscriptPages.list(ids, section: section, page: page, hasNext: hasNext)
    }
}
