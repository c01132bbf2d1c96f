import Broadsheet
import TextTestSupport
import Testing

/// Reads a page from a JSON text.
func posted(
    _ json: String, names: ContractNames = ContractNames(), limits: ScreenLimits = ScreenLimits()
) throws -> ServerStatePage {
    try ServerStatePage(JSONDocument(Array(json.utf8)), names: names, limits: limits)
}

/// Returns the error of reading a page from a JSON text, or `nil`.
func contractError(
    _ json: String, names: ContractNames = ContractNames(), limits: ScreenLimits = ScreenLimits()
) throws -> ContractError? {
    let document = try JSONDocument(Array(json.utf8))
    do throws(ContractError) {
        _ = try ServerStatePage(document, names: names, limits: limits)
        return nil
    } catch {
        return error
    }
}

/// Returns the pointers of a JSON text's contract violations.
func violations(
    _ json: String, names: ContractNames = ContractNames(), limits: ScreenLimits = ScreenLimits()
) throws -> [String] {
    try contractError(json, names: names, limits: limits)?.violations.map(\.pointer) ?? []
}

/// One JSON value of each kind.
enum SampleValue: String, CaseIterable {
    case object = "{}"
    case array = "[]"
    case string = "\"x\""
    case number = "1.5"
    case bool = "true"
    case null = "null"
}

/// Resolves a page from a JSON text with a catalog.
func resolved(
    _ json: String, number: Int = 0, by catalog: Catalog, limits: ScreenLimits = ScreenLimits()
) throws -> ResolvedPage {
    try resolved(json, number: number, by: catalog.registry, limits: limits)
}

/// Resolves a page from a JSON text with a registry.
func resolved(
    _ json: String, number: Int = 0, by registry: CellRegistry,
    limits: ScreenLimits = ScreenLimits()
) throws -> ResolvedPage {
    try ResolvedPage(
        page: try posted(json, names: registry.names, limits: limits), number: number,
        registry: registry, limits: limits)
}

/// Reads a catalog from a JSON text.
func catalog(_ json: String) throws -> Catalog {
    try Catalog(Array(json.utf8), measuringWith: SimpleMeasurer())
}

/// Returns a catalog that tests share: `U` becomes an item for each element of its data, `ONE` one
/// item, `H` a header, `F` a footer.
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
    /// Returns the posted bytes in a range as text.
    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Returns a section's items as `Type:id=data`.
    func items(of section: SectionInfo) -> [String] {
        section.cells.map { cell in
            let id = String(decoding: text(of: cell.id), as: UTF8.self)
            return "\(kinds[cell.kind].name):\(id)=\(text(cell.dataRange))"
        }
    }

    /// The items of all sections as `Type:id=data`.
    var items: [[String]] { sections.map(items) }

    /// Returns a header or footer as `Type=data`.
    func view(_ info: ReusableViewInfo?) -> String? {
        info.map { "\(kinds[$0.kind].name)=\(text($0.dataRange))" }
    }

    /// The diagnostics as `CODE pointer`.
    var notes: [String] { diagnostics.map { "\($0.code.rawValue) \($0.pointer)" } }
}
