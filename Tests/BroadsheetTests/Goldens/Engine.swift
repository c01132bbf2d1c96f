import Broadsheet
import Foundation
import TextTestSupport

/// The engine, called as the HTTP API calls it.
enum Engine {
    /// Returns the tree of pages, composed with a catalog and the parameters of a query.
    static func tree(
        catalog: [UInt8], pages: [[UInt8]], query: [String: String]
    ) throws -> [UInt8] {
        let catalog = try Catalog(catalog, measuringWith: SimpleMeasurer())
        return try Composer(registry: catalog.registry).compose(pages, request(query))
    }

    /// Returns the elements in a rectangle of the screen as section and kind, in the order of rule
    /// V3.
    static func elements(
        of index: VisibilityIndex, in rect: [Double]
    ) -> [String] {
        let frame = Frame(x: rect[0], y: rect[1], width: rect[2], height: rect[3])
        return index.elements(in: frame).map { element in
            switch element.part {
            case .decoration(let number): "\(element.section) decoration \(number)"
            case .header: "\(element.section) header"
            case .item(let item): "\(element.section) item \(item)"
            case .footer: "\(element.section) footer"
            }
        }
    }

    /// Returns the visibility index of pages, composed with a catalog and the parameters of a
    /// query.
    static func visibilityIndex(
        catalog: [UInt8], pages: [[UInt8]], query: [String: String]
    ) throws -> VisibilityIndex {
        let composer = Composer(
            registry: try Catalog(catalog, measuringWith: SimpleMeasurer()).registry)
        let posted = try pages.map { try composer.page(in: composer.document(of: $0)) }
        let request = request(query)
        let screen = composer.screen(of: try composer.viewModel(of: posted), request)
        return VisibilityIndex(composer.frames(of: screen, request))
    }

    /// Returns the tree of the window around an item of pages, composed with a catalog and the
    /// parameters of a query.
    static func window(
        catalog: [UInt8], pages: [[UInt8]], query: [String: String], around place: PlacedItem?,
        before: Double, after: Double
    ) throws -> [UInt8] {
        let composer = Composer(
            registry: try Catalog(catalog, measuringWith: SimpleMeasurer()).registry)
        let posted = try pages.map { try composer.page(in: composer.document(of: $0)) }
        let request = request(query)
        let screen = composer.screen(of: try composer.viewModel(of: posted), request)
        let window = ScreenWindow(
            around: place, in: screen, VisibilityIndex(composer.frames(of: screen, request)),
            lengths: ScreenWindow.Lengths(before: before, after: after), coordinates: .window)
        var parts = TreeParts(
            TreeWriter(
                window, viewport: request.viewport, envelope: TreeEnvelope(),
                options: request.options))
        return parts.next(byteCount: .max) ?? []
    }

    private static func request(_ query: [String: String]) -> LayoutParameters {
        func number(_ name: String, _ fallback: Double) -> Double {
            query[name].flatMap(Double.init) ?? fallback
        }
        var request = LayoutParameters()
        request.viewport = Viewport(
            width: number("width", 390), height: number("height", 844), scale: number("scale", 3),
            direction: query["direction"].flatMap(LayoutDirection.init) ?? .ltr,
            textScale: number("textScale", 1),
            safeArea: query["safeArea"].flatMap { Insets(safeArea: $0) })
        request.rounding = query["rounding"].flatMap(Rounding.init) ?? .pixel
        request.options = TreeOptions(
            coordinates: query["coordinates"].flatMap(TreeOptions.Coordinates.init) ?? .section,
            fields: query["fields"].flatMap(TreeOptions.Fields.init) ?? .all)
        request.options.explain = query["explain"] == "true"
        func identifiers(_ name: String) -> IdentifierList {
            IdentifierList(
                query[name, default: ""].split(separator: ",").compactMap {
                    String($0).removingPercentEncoding
                })
        }
        request.collapsed = identifiers("collapsed")
        request.expanded = identifiers("expanded")
        return request
    }
}
