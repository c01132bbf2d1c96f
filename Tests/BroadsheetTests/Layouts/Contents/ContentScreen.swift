import BroadsheetClient
import Testing
import TextTestSupport

@testable import Broadsheet

/// A screen of items with a content, whose texts are measured with ``SimpleMeasurer``: in the font
/// `f` each character is 5 points wide and each line 12 points high.
struct ContentScreen {
    /// The content of the cell type `Item`.
    var content: String
    /// The content of the cell type `Title`, of headers and footers.
    var header = #"{"text": "/t", "font": "f", "name": "t"}"#
    /// The layout of the section, and that of the screen.
    var layout = "{}"
    var screen = "{}"
    /// Members of the cell type `Item` beside the content.
    var members = ""
    var parameters = LayoutParameters(
        viewport: Viewport(width: 100, height: 400), rounding: .none)

    var catalogJSON: String {
        """
        {"screen": \(screen), "sections": {"S": \(layout)},
         "fonts": {"f": {"files": ["f.ttf"], "size": 10, "lineHeight": 12},
                   "fixed": {"files": ["f.ttf"], "size": 10, "lineHeight": 12, "scales": false}},
         "units": {"U": {"cells": {"type": "Item"}}, "H": {"header": {"type": "Title"}},
                   "F": {"footer": {"type": "Title"}}},
         "cellTypes": {"Item": {"id": "/id", "content": \(content)\(members)},
                       "Title": {"content": \(header)}}}
        """
    }

    /// Returns the page of these items, each a JSON object.
    static func page(_ items: [String], header: String? = nil, footer: String? = nil) -> String {
        let data = items.joined(separator: ",")
        let own = [("header", "H", header), ("footer", "F", footer)].compactMap {
            name, type, data in
            data.map { "\"\(name)\": {\"unitType\": \"\(type)\", \"unitData\": \($0)}, " }
        }
        return """
            {"sections": [{"sectionId": "S", \(own.joined()) "units":
             [{"unitType": "U", "unitData": [\(data)]}]}]}
            """
    }

    func registry() throws -> CellRegistry { try catalog(catalogJSON).registry }

    func model(
        _ items: [String], header: String? = nil, footer: String? = nil
    ) throws -> PaginatedViewModel {
        var model = PaginatedViewModel()
        try model.load(
            resolved(Self.page(items, header: header, footer: footer), by: registry()))
        return model
    }

    func screen(
        _ items: [String], header: String? = nil, footer: String? = nil
    ) throws -> Broadsheet.LaidOutScreen {
        let composer = Composer(registry: try registry())
        let merged = composer.screen(
            of: try model(items, header: header, footer: footer), parameters)
        return LaidOutScreen(merged, parameters)
    }

    func writer(
        _ items: [String], header: String? = nil, footer: String? = nil
    ) throws -> TreeWriter {
        let composer = Composer(registry: try registry())
        return composer.writer(
            of: try model(items, header: header, footer: footer), parameters)
    }

    func tree(_ items: [String], header: String? = nil, footer: String? = nil) throws -> Tree {
        Tree(try writer(items, header: header, footer: footer))
    }

    /// Returns the size of the item of data, and its parts as `name x,y wxh lines`, with `!` after
    /// lines that are truncated.
    func parts(_ data: String) throws -> [String] {
        guard let item = try screen([data]).item(at: Changes.ItemPlace(section: 0, item: 0)) else {
            return []
        }
        let size = "\(text(item.frame.width))x\(text(item.frame.height))"
        return [size]
            + item.parts.map { part in
                let frame = "\(place(part.frame))"
                let lines = part.lines.map { " \($0)" } ?? ""
                return "\(part.name) \(frame)\(lines)\(part.isTruncated ? "!" : "")"
            }
    }

    private func place(_ frame: Frame) -> String {
        "\(text(frame.x)),\(text(frame.y)) \(text(frame.width))x\(text(frame.height))"
    }

    private func text(_ value: Double) -> String {
        let rounded = (value * 1000).rounded() / 1000
        return Int(exactly: rounded).map(String.init) ?? String(rounded)
    }

    /// The violations of the catalog, as pointers.
    func violations() -> [String] {
        do throws(CatalogError) {
            _ = try Catalog(Array(catalogJSON.utf8), measuringWith: SimpleMeasurer())
            return []
        } catch {
            guard case .violations(let violations, _) = error else { return ["\(error)"] }
            return violations.map(\.pointer)
        }
    }

    /// The diagnostics of the catalog, as codes and pointers.
    func catalogDiagnostics() throws -> [String] {
        try Catalog(Array(catalogJSON.utf8), measuringWith: SimpleMeasurer()).diagnostics.map {
            "\($0.code.rawValue) \($0.pointer)"
        }
    }

    /// The diagnostics of a screen of items, with lint.
    func diagnostics(
        _ items: [String], header: String? = nil, footer: String? = nil
    ) throws -> [Diagnostic] {
        var lint = parameters
        lint.lint = true
        let composer = Composer(registry: try registry())
        let merged = composer.screen(of: try model(items, header: header, footer: footer), lint)
        return merged.diagnostics + merged.diagnostics(of: composer.frames(of: merged, lint))
    }

    /// The diagnostics of a screen of items, with lint, as codes and pointers.
    func codes(_ items: [String], header: String? = nil) throws -> [String] {
        try diagnostics(items, header: header).map { "\($0.code.rawValue) \($0.pointer)" }
    }
}
