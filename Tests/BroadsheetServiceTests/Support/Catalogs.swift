/// Catalogs for tests.
enum Catalogs {
    /// A list of products, a banner, and a unit with a header.
    ///
    /// The items of the list are 100 points high, so that heights are easy to predict.
    static let shop = """
        {
          "sections": {"*": {"inset": 0, "minimumLineSpacing": 0, "minimumInteritemSpacing": 0}},
          "units": {
            "LIST": {"cells": {"type": "Row"}},
            "BANNER": {"cell": {"type": "Banner"}},
            "TITLED": {"header": {"type": "Title", "data": "/title"}, "cells": {"type": "Row", "data": "/rows"}}
          },
          "cellTypes": {
            "Row": {"id": "/id", "size": {"height": 100}},
            "Banner": {"size": {"height": 200}},
            "Title": {"size": {"height": 40}}
          }
        }
        """

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
        let rows = ids.map { "{\"id\":\"\($0)\"}" }.joined(separator: ",")
        let name = section.map { "\"\($0)\"" } ?? "null"
        let number = page.map { "\"page\":\($0)," } ?? ""
        let next = hasNext.map { "\"hasNext\":\($0)," } ?? ""
        return """
            {\(number)\(next)"sections":[{"sectionId":\(name),"units":[{"unitType":"LIST","unitData":[\(rows)]}]}]}
            """
    }
}
