import TestSupport
import TextTestSupport

@testable import Broadsheet

/// A screen whose pages change at random: items, views, layouts and whole pages come, go and move.
final class RandomHistory {
    /// A section of a page, as it is posted.
    private struct Section {
        var id: String?
        var layout: String
        var collapsed: Bool?
        /// The height of the header, and of the footer; of one that is 30 tall the type has a
        /// content.
        var header: Int?
        var footer: Int?
        var data: String?
        var items: [Item]
    }

    /// An element of a section's data.
    private struct Item {
        var id: String?
        var version: Int
        var width: Int
        var height: Int
        var type: String
        var text: String
    }

    /// The catalog of all pages.
    static let catalog = #"""
        {"units": {
          "U": {"cells": {"type": {"switch": "/kind",
                                   "cases": {"b": "B", "t": "Text", "w": "Word", "c": "Card"},
                                   "default": "A"}}},
          "H": {"header": {"type": {"switch": "/h", "cases": {"30": "Banner"}, "default": "Title"}}},
          "F": {"footer": {"type": {"switch": "/h", "cases": {"30": "Banner"}, "default": "Title"}}}},
         "fonts": {"f": {"files": ["f.ttf"], "size": 10, "lineHeight": 12}},
         "cellTypes": {
          "Text": {"id": "/id", "size": {"height": {"text": "/t", "font": "f", "maxLines": 3}}},
          "Word": {"id": "/id",
                   "size": {"width": {"max": 200, "of": {"text": "/t", "font": "f"}},
                            "height": {"sum": [{"text": "/t", "font": "f"}, 4]}}},
          "A": {"id": "/id", "size": {"width": {"value": "/w"}, "height": {"value": "/h"}}},
          "B": {"id": "/id", "size": {"height": {"value": "/h"}},
                "span": {"value": "/v", "default": 2}},
          "Card": {"id": "/id", "content": {"name": "back", "padding": 2, "spacing": 3, "column": [
            {"image": "/t", "height": {"value": "/h"}, "fill": 1, "name": "photo",
             "url": "/{value}?w={width}&h={height}", "widths": [200, 900]},
            {"switch": "/v", "cases": {
              "0": {"text": "/t", "font": "f", "maxLines": 1, "name": "new"},
              "1": {"row": [{"text": "/t", "font": "f", "fill": 1, "name": "old"},
                            {"box": "", "width": {"value": "/w"}, "name": "icon"}], "spacing": 2}},
             "default": {"text": "/t", "font": "f", "minLines": 1, "name": "older"}},
            {"text": "/t", "font": "f", "maxLines": 2, "if": "/t", "horizontal": "end", "name": "t"}]}},
          "Title": {"size": {"height": {"value": "/h"}}},
          "Banner": {"content": {"height": {"value": "/h"}, "row": [
            {"image": "/t", "width": 10, "name": "mark", "url": "{+value}/{height}"},
            {"text": "/t", "font": "f", "fill": 1, "if": "/t", "name": "title"}]}}}}
        """#

    /// Layouts of every kind, as members of a section.
    static let layouts = [
        "{}", #"{"gridColumnCount":2,"minimumLineSpacing":4}"#, #"{"kind":"list"}"#,
        #"{"kind":"list","separator":{}}"#,
        #"{"kind":"list","appearance":"insetGrouped","separator":{}}"#,
        #"{"minimumInteritemSpacing":3,"decoration":{"kind":"card"}}"#,
        #"{"kind":"compositional","itemSize":{"uniform":{"columns":2,"height":40}}}"#,
        #"{"kind":"compositional","direction":"vertical","itemSize":"dynamic"}"#,
        #"{"kind":"compositional","direction":"horizontal","itemSize":{"uniform":{"columns":2,"height":40}}}"#,
        #"{"inset":{"left":10,"right":4,"top":3,"bottom":2}}"#,
        #"{"kind":"masonry","gridColumnCount":3,"minimumLineSpacing":4,"maxWidth":240}"#,
        #"{"gridColumnCount":3,"itemAlignment":"stretch","contentInsetsReference":"none"}"#,
        #"{"kind":"compositional","scrolling":"continuous","itemSize":"dynamic","itemAlignment":"end"}"#,
    ]

    private(set) var random: SeededGenerator
    private var registry: CellRegistry
    private var pages: [Int: [Section]] = [:]
    private var resolved: [Int: ResolvedPage] = [:]
    private var nextID = 0

    /// - Parameter layout: The layout of sections, whose members pages override.
    init(seed: UInt64, layout: SectionLayout = SectionLayout()) throws {
        random = SeededGenerator(seed: seed)
        registry = try Catalog(Array(Self.catalog.utf8), measuringWith: SimpleMeasurer()).registry
        registry.setLayout(layout, forSection: CellRegistry.anySection)
        for page in 0..<Int.random(in: 0...3, using: &random) { pages[page] = newPage() }
    }

    /// A layout of the pages up to a page, with its parameters.
    struct Revision {
        let pages: PaginatedViewModel
        let number: Int
    }

    /// Returns the pages as they are.
    ///
    /// - Parameter sharing: A Boolean value that indicates whether pages that have not changed are
    ///   the objects of the last call, as in the service.
    func revision(_ number: Int, sharing: Bool) throws -> Revision {
        if !sharing { resolved = [:] }
        var model = PaginatedViewModel()
        for (page, sections) in pages.sorted(by: { $0.key < $1.key }) {
            let bytes = Array(Self.text(page, sections).utf8)
            var known = resolved[page]
            if known?.bytes != bytes {
                known = try ResolvedPage(
                    page: ServerStatePage(JSONDocument(bytes)), number: page, registry: registry)
            }
            resolved[page] = known
            if let known { try model.load(known) }
        }
        return Revision(pages: model, number: number)
    }

    /// Returns the tree of a revision up to a page.
    func tree(
        of revision: Revision, upTo page: Int?, _ parameters: LayoutParameters
    ) -> TreeWriter {
        tree(of: revision, layout(of: revision, upTo: page, parameters), parameters)
    }

    /// Returns the layout of a revision up to a page, made from nothing or with an earlier one.
    func layout(
        of revision: Revision, upTo page: Int?, _ parameters: LayoutParameters,
        reusing earlier: ReusableLayout? = nil
    ) -> ReusableLayout {
        ReusableLayout(
            revision.pages.merged(
                upTo: page, below: revision.pages.highestPage, for: parameters, registry: registry,
                reusing: earlier?.screen),
            parameters, reusing: earlier)
    }

    /// Returns the tree of a layout of a revision.
    func tree(
        of revision: Revision, _ layout: ReusableLayout, _ parameters: LayoutParameters
    ) -> TreeWriter {
        TreeWriter(
            layout.screen, layout.frames, viewport: parameters.viewport,
            envelope: TreeEnvelope(
                screen: "s", revision: UInt64(revision.number),
                nextPageToken: layout.screen.hasNext ? "t\(layout.screen.page)" : nil,
                hasNext: layout.screen.hasNext),
            options: parameters.options)
    }

    func parameters() -> LayoutParameters {
        var parameters = LayoutParameters(
            viewport: Viewport(
                width: one([320, 390.5]), height: one([500, 844]), scale: one([1, 2, 3]),
                direction: one(LayoutDirection.allCases), textScale: one([1, 1, 1.5, 0.7]),
                safeArea: one([nil, nil, Insets(top: 59, left: 40, bottom: 34, right: 10)])),
            rounding: one([.pixel, .pixel, .none]))
        parameters.options = TreeOptions(
            coordinates: one([.section, .section, .content]), fields: one([.all, .all, .frames]),
            pretty: chance(10))
        parameters.lint = chance(10)
        if chance(20) { parameters.collapsed = [one(["s0", "s1", "s2"])] }
        return parameters
    }

    /// Makes some changes.
    func change() {
        for _ in 0..<Int.random(in: 1...4, using: &random) { changeOnce() }
    }

    func one<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }

    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
}

/// Changes at random.
extension RandomHistory {
    private func changeOnce() {
        guard !pages.isEmpty, !chance(10) else {
            // A page comes, mostly behind the others, or is posted again.
            let next = (pages.keys.max() ?? -1) + 1
            return pages[chance(70) ? next : Int.random(in: 0...next, using: &random)] = newPage()
        }
        let page = one(pages.keys.sorted())
        if chance(5) { return pages[page] = nil }
        guard let sections = pages[page], !sections.isEmpty else {
            return pages[page] = newPage()
        }
        let section = Int.random(in: sections.indices, using: &random)
        if chance(25) { changeSections(of: page, section) } else { changeItems(page, section) }
    }

    private func changeSections(of page: Int, _ index: Int) {
        guard var sections = pages[page] else { return }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: sections.remove(at: index)
        case 1:
            sections.insert(
                newSection(), at: Int.random(in: 0...sections.count, using: &random))
        case 2:
            let moved = sections.remove(at: index)
            sections.insert(moved, at: Int.random(in: 0...sections.count, using: &random))
        case 3: sections[index].collapsed = one([nil, true, false])
        case 4: sections[index].layout = one(Self.layouts)
        case 5: sections[index].header = one([nil, 10, 20, 30])
        case 6: sections[index].footer = one([nil, 10, 20, 30])
        default: sections[index].data = one([nil, #"{"a":1}"#, #"{"a":2}"#, #"{ "a": 1.0 }"#])
        }
        pages[page] = sections
    }

    private func changeItems(_ page: Int, _ index: Int) {
        guard var section = pages[page]?[index] else { return }
        let count = section.items.count
        switch Int.random(in: 0..<10, using: &random) {
        case 9 where count > 0:
            section.items[Int.random(in: 0..<count, using: &random)].text = newText()
        case 0, 1:
            section.items.insert(newItem(), at: Int.random(in: 0...count, using: &random))
        case 2 where count > 0: section.items.remove(at: Int.random(in: 0..<count, using: &random))
        case 3 where count > 0:
            section.items[Int.random(in: 0..<count, using: &random)].version += 1
        case 4 where count > 0:
            section.items[Int.random(in: 0..<count, using: &random)].height = one([20, 30, 41])
        case 5 where count > 0:
            section.items[Int.random(in: 0..<count, using: &random)].type = newType()
        case 6 where count > 1:
            let moved = section.items.remove(at: Int.random(in: 0..<count, using: &random))
            section.items.insert(moved, at: Int.random(in: 0...section.items.count, using: &random))
        case 7 where count > 0: return moveItem(from: page, index)
        case 8: section.items.shuffle(using: &random)
        default: section.items.append(newItem())
        }
        pages[page]?[index] = section
    }

    /// Moves an item to any section of any page.
    private func moveItem(from page: Int, _ index: Int) {
        guard let count = pages[page]?[index].items.count, count > 0,
            let item = pages[page]?[index].items.remove(
                at: Int.random(in: 0..<count, using: &random))
        else { return }
        let target = one(pages.keys.sorted())
        guard let sections = pages[target], !sections.isEmpty else { return }
        let section = Int.random(in: sections.indices, using: &random)
        pages[target]?[section].items.insert(
            item, at: Int.random(in: 0...sections[section].items.count, using: &random))
    }

    private func newPage() -> [Section] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in newSection() }
    }

    private func newSection() -> Section {
        Section(
            id: one(["s0", "s1", "s2", "s3", nil]), layout: one(Self.layouts),
            collapsed: one([nil, nil, nil, true, false]), header: one([nil, nil, 10, 30]),
            footer: one([nil, nil, 10, 30]), data: one([nil, nil, #"{"a":1}"#]),
            items: (0..<Int.random(in: 0...9, using: &random)).map { _ in newItem() })
    }

    private func newItem() -> Item {
        nextID += 1
        // Ids that repeat, need escapes or look like places, and items without one.
        let id = one([
            "\"i\(nextID)\"", "\"i\(nextID)\"", "\"i\(nextID)\"", "\(nextID)", "\"r\"", "\"q#2\"",
            "\"q\"", "\"p0.u0.e1\"", "\"e\\u00e9\\n\"", nil,
        ])
        return Item(
            id: id, version: 0, width: one([50, 100, 120]), height: one([20, 30]),
            type: newType(), text: newText())
    }

    private func newType() -> String { one(["a", "a", "b", "t", "t", "w", "c", "c"]) }

    /// Returns a text of some words, with line feeds at times.
    private func newText() -> String {
        let words = ["a", "crew", "neck", "edition", "incomprehensibilities", "of", "\\n", "é"]
        return (0..<Int.random(in: 0...12, using: &random)).map { _ in one(words) }
            .joined(separator: " ")
    }

    private static func text(_ number: Int, _ sections: [Section]) -> String {
        let texts = sections.map { section in
            var members: [String] = ["\"layout\":\(section.layout)"]
            if let id = section.id { members.append("\"sectionId\":\"\(id)\"") }
            if let collapsed = section.collapsed { members.append("\"collapsed\":\(collapsed)") }
            if let data = section.data { members.append("\"data\":\(data)") }
            if let header = section.header {
                let data = #"{"h":\#(header),"t":"\#(section.data == nil ? "" : "crew neck")"}"#
                members.append(#""header":{"unitType":"H","unitData":\#(data)}"#)
            }
            if let footer = section.footer {
                members.append(
                    #""footer":{"unitType":"F","unitData":{"h":\#(footer),"t":"an end"}}"#)
            }
            let items = section.items.map { item in
                (item.id.map { "{\"id\":\($0)," } ?? "{")
                    + "\"w\":\(item.width),\"h\":\(item.height),\"kind\":\"\(item.type)\","
                    + "\"v\":\(item.version),\"t\":\"\(item.text)\"}"
            }
            let half = items.count / 2
            members.append(
                "\"units\":[{\"unitType\":\"U\",\"unitData\":[\(items[..<half].joined(separator: ","))]}"
                    + ",{\"unitType\":\"U\",\"unitData\":[\(items[half...].joined(separator: ","))]}]"
            )
            return "{" + members.joined(separator: ",") + "}"
        }
        return "{\"page\":\(number),\"sections\":[\(texts.joined(separator: ","))]}"
    }
}
