import Broadsheet
import Testing

/// The page that a JSON text becomes under a catalog.
func resolved(
    _ json: String, number: Int = 0, by catalog: Catalog, limits: ScreenLimits = ScreenLimits()
) throws -> ResolvedPage {
    try resolved(json, number: number, by: catalog.registry, limits: limits)
}

/// The page that a JSON text becomes under a registry.
func resolved(
    _ json: String, number: Int = 0, by registry: CellRegistry,
    limits: ScreenLimits = ScreenLimits()
) throws -> ResolvedPage {
    try ResolvedPage(
        page: try posted(json, names: registry.names, limits: limits), number: number,
        registry: registry, limits: limits)
}

/// The catalog that a JSON text is.
func catalog(_ json: String) throws -> Catalog {
    try Catalog(Array(json.utf8))
}

/// A catalog of a few types that tests share: `U` makes items of its data's elements, `ONE` one item
/// of its data, `H` a header, `F` a footer.
func sampleCatalog() throws -> Catalog {
    try catalog(
        """
        {"units": {
          "U": {"cells": {"type": "Item"}}, "ONE": {"cell": {"type": "Item"}},
          "H": {"header": {"type": "Title"}}, "F": {"footer": {"type": "Title"}},
          "P": {"cells": {"type": "Placed"}},
          "BOTH": {"header": {"type": "Title", "data": "/title"},
                   "cells": {"type": "Item", "data": "/items"},
                   "footer": {"type": "Title", "data": "/end"}}
        }, "cellTypes": {
          "Item": {"id": "/id", "size": {"width": 10, "height": 20}}, "Title": {"size": {"height": 5}},
          "Placed": {}
        }}
        """)
}

extension ResolvedPage {
    /// The posted bytes of an item, a header or a footer.
    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The section's items as `Type:id=data`.
    func items(of section: SectionInfo) -> [String] {
        section.cells.map { cell in
            let id = String(decoding: text(of: cell.id), as: UTF8.self)
            return "\(kinds[cell.kind].name):\(id)=\(text(cell.dataRange))"
        }
    }

    /// The items of all sections as `Type:id=data`.
    var items: [[String]] { sections.map(items) }

    /// A header or footer as `Type=data`.
    func view(_ info: ReusableViewInfo?) -> String? {
        info.map { "\(kinds[$0.kind].name)=\(text($0.dataRange))" }
    }

    /// The diagnostics as `CODE pointer`.
    var notes: [String] { diagnostics.map { "\($0.code.rawValue) \($0.pointer)" } }
}
