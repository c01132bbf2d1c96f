import Foundation

@testable import Broadsheet

/// The engine, asked as the HTTP API asks it.
enum Engine {
    /// The tree of `pages` under `catalog`, composed without storing.
    static func tree(
        catalog: [UInt8], pages: [[UInt8]], query: [String: String]
    ) throws -> [UInt8] {
        let registry = try Catalog(catalog).registry
        var model = PaginatedViewModel()
        for bytes in pages {
            let page = try ServerStatePage(JSONDocument(bytes), names: registry.names)
            let next = (model.highestPage ?? -1) + 1
            try model.load(
                ResolvedPage(page: page, number: page.number ?? next, registry: registry))
        }
        let collapsed = query["collapsed", default: ""].split(separator: ",").compactMap {
            String($0).removingPercentEncoding
        }
        let screen = model.merged(collapsed: collapsed, registry: registry)
        let viewport = Viewport(
            width: number("width", 390), height: number("height", 844), scale: number("scale", 3),
            direction: query["direction"].flatMap(LayoutDirection.init) ?? .ltr)
        let frames = ScreenFrames.layOut(
            sections: screen.sections,
            in: LayoutEnvironment(
                viewport: viewport, screen: screen.layout,
                rounding: query["rounding"].flatMap(Rounding.init) ?? .pixel))
        return TreeWriter.write(
            screen, frames, viewport: viewport, envelope: TreeEnvelope(hasNext: screen.hasNext),
            options: TreeOptions(
                coordinates: query["coordinates"].flatMap(TreeOptions.Coordinates.init) ?? .section,
                fields: query["fields"].flatMap(TreeOptions.Fields.init) ?? .all))

        func number(_ name: String, _ fallback: Double) -> Double {
            query[name].flatMap(Double.init) ?? fallback
        }
    }
}
