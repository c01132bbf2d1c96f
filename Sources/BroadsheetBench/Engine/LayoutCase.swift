internal import Broadsheet

/// A section of one kind of layout, as long as one likes.
struct LayoutCase {
    /// What the table calls it.
    let name: String
    /// The section's `layout` member.
    let layout: String
    /// The `size` of the cells.
    let size: String
    /// The most nanoseconds an item may take.
    let limit: Double

    /// Every kind of layout, with sizes that rules give and sizes that come from the data.
    static let all = [
        LayoutCase(
            name: "flow, two columns", layout: #"{"gridColumnCount": 2}"#,
            size: #"{"height": {"ratio": 1.25}}"#, limit: 100),
        LayoutCase(
            name: "flow, sizes from data", layout: #"{"minimumInteritemSpacing": 4}"#,
            size: #"{"width": {"value": "/w"}, "height": {"value": "/h"}}"#, limit: 100),
        LayoutCase(
            name: "compositional, columns",
            layout: """
                {"kind": "compositional", "itemSize": {"uniform": {"columns": 2, "height": 90}}}
                """,
            size: #"{"height": 90}"#, limit: 150),
        LayoutCase(
            name: "compositional, dynamic",
            layout: #"{"kind": "compositional", "direction": "vertical", "itemSize": "dynamic"}"#,
            size: #"{"width": {"value": "/w"}, "height": {"value": "/h"}}"#, limit: 150),
        LayoutCase(
            name: "list, heights from data", layout: #"{"kind": "list"}"#,
            size: #"{"height": {"value": "/h"}}"#, limit: 150),
    ]

    /// A screen that is one such section of `count` items.
    func screen(items count: Int) throws -> MergedScreen {
        let catalog = try Catalog(
            Array(
                """
                {"units": {"U": {"cells": {"type": "T"}}}, "cellTypes": {"T": {"size": \(size)}}}
                """.utf8))
        var json =
            #"{"sections": [{"layout": \#(layout), "units": [{"unitType": "U", "unitData": ["#
        for index in 0..<count {
            json += index == 0 ? "" : ","
            json += #"{"w":\#(40 + index % 7 * 10),"h":\#(30 + index % 5 * 8)}"#
        }
        let page = try ServerStatePage(try JSONDocument(Array((json + "]}]}]}").utf8)))
        var model = PaginatedViewModel()
        try model.load(ResolvedPage(page: page, number: 0, registry: catalog.registry))
        return model.merged(registry: catalog.registry)
    }
}
