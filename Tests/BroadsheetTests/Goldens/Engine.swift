import Broadsheet
import Foundation

/// The engine, asked as the HTTP API asks it.
enum Engine {
    /// The tree of `pages` under `catalog`, composed without storing, for the parameters of a query.
    static func tree(
        catalog: [UInt8], pages: [[UInt8]], query: [String: String]
    ) throws -> [UInt8] {
        try Composer(registry: Catalog(catalog).registry).compose(pages, request(query))
    }

    private static func request(_ query: [String: String]) -> LayoutRequest {
        func number(_ name: String, _ fallback: Double) -> Double {
            query[name].flatMap(Double.init) ?? fallback
        }
        var request = LayoutRequest()
        request.viewport = Viewport(
            width: number("width", 390), height: number("height", 844), scale: number("scale", 3),
            direction: query["direction"].flatMap(LayoutDirection.init) ?? .ltr)
        request.rounding = query["rounding"].flatMap(Rounding.init) ?? .pixel
        request.options = TreeOptions(
            coordinates: query["coordinates"].flatMap(TreeOptions.Coordinates.init) ?? .section,
            fields: query["fields"].flatMap(TreeOptions.Fields.init) ?? .all)
        request.collapsed =
            query["collapsed", default: ""].split(separator: ",").compactMap {
                String($0).removingPercentEncoding
            }
        return request
    }
}
