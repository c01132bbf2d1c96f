import TestSupport
import Testing

@testable import Broadsheet

@Suite("Random actions, and updates with the same operations") struct RandomActionTests {
    private static let catalog = #"""
        {"units": {
           "FEED": {"header": {"type": "H", "data": "/title"},
                    "cells": {"type": "C", "data": "/list"},
                    "schema": {"properties": {
                      "title": {"type": "string"},
                      "list": {"maxItems": 4, "items": {
                        "required": ["id"], "properties": {"f": {"type": "boolean"}}}}}}},
           "ONE": {"cell": {"type": "C", "data": "/item"},
                   "schema": {"properties": {"item": {"properties": {"f": {"type": "boolean"}}}}}},
           "FREE": {"cells": {"type": "C", "data": "/list"},
                    "cell": {"type": "C", "data": "/extra", "optional": true}}},
         "cellTypes": {"C": {"id": "/id"}, "H": {}}}
        """#

    private let catalog: Catalog
    private var registry: CellRegistry { catalog.registry }

    init() throws { catalog = try Catalog(Array(Self.catalog.utf8)) }

    /// A source of pages and operations.
    private struct Source {
        var random: SeededGenerator
        private var nextId = 0
        private var nextKey = 0

        init(_ seed: UInt64) { random = SeededGenerator(seed: seed) }

        mutating func pick<Value>(_ values: [Value], else other: Value) -> Value {
            values.randomElement(using: &random) ?? other
        }

        mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

        /// Returns an item, or the data of one.
        mutating func item(_ id: String? = nil) -> String {
            nextId += 1
            let value = oneIn(8) ? ",\"f\":1" : pick(["", ",\"f\":true"], else: "")
            return "{\"id\":\"\(id ?? "i\(nextId)")\"\(value)}"
        }

        /// Returns a unit, whose member `k` no operation changes.
        mutating func unit() -> String {
            nextKey += 1
            let count = Int.random(in: 0...3, using: &random)
            let list = (0..<count).map { _ in item() }.joined(separator: ",")
            let type = pick(["FEED", "FEED", "FREE", "ONE"], else: "FEED")
            let data =
                switch type {
                case "ONE": "\"item\":\(item())"
                case "FREE": "\"list\":[\(list)],\"extra\":\(item())"
                default: "\"title\":\(oneIn(9) ? "7" : "\"t\""),\"list\":[\(list)]"
                }
            return #"{"unitType":"\#(type)","unitData":{"k":\#(nextKey),\#(data)}}"#
        }

        mutating func page() -> String {
            let sections = ["A", "B"].map { id in
                let units = (0..<Int.random(in: 1...3, using: &random)).map { _ in unit() }
                return #"{"sectionId":"\#(id)","units":[\#(units.joined(separator: ","))]}"#
            }
            return #"{"sections":[\#(sections.joined(separator: ","))]}"#
        }

        /// Returns an operation on an item of a section.
        mutating func operation(_ section: String, _ item: String) -> String {
            let head = #""section":"\#(section)""#
            let other = section == "A" ? "B" : "A"
            let patch = pick(
                [#"{"f":true}"#, #"{"f":1}"#, #"{"g":{}}"#, #"{"id":null}"#, #"{"f":null}"#],
                else: "{}")
            return pick(
                [
                    #"{"op":"patchItem",\#(head),"item":"\#(item)","patch":\#(patch)}"#,
                    #"{"op":"replaceItem",\#(head),"item":"\#(item)","data":\#(self.item(item))}"#,
                    #"{"op":"deleteItems",\#(head),"items":["\#(item)"]}"#,
                    #"{"op":"moveItems",\#(head),"items":["\#(item)"],"before":0}"#,
                    #"{"op":"moveItems",\#(head),"items":["\#(item)"],"toSection":"\#(other)"}"#,
                    #"{"op":"insertItems",\#(head),"data":[\#(self.item())],"after":"\#(item)"}"#,
                    #"{"op":"upsertItems",\#(head),"unitType":"FEED","data":[\#(self.item())]}"#,
                    #"{"op":"insertItems",\#(head),"units":[\#(unit())]}"#,
                ], else: "")
        }
    }

    /// The units of a page: those that have violations, and those that have none, by their keys.
    private struct Units {
        var broken: Set<Int> = []
        var sound: Set<Int> = []
        /// The numbers of units without a key, which operations have made.
        var (keyless, brokenKeyless) = (0, 0)

        /// Returns whether a unit that had no violations has one afterwards.
        func breaks(becoming after: Units) -> Bool {
            let made = max(0, after.keyless - keyless)
            return !sound.isDisjoint(with: after.broken)
                || after.brokenKeyless - brokenKeyless > made
        }
    }

    private func units(_ model: PaginatedViewModel) throws -> Units {
        let page = try ServerStatePage(JSONDocument(try #require(model.pages.first).bytes))
        let pointers = page.strictDiagnostics(by: registry).first.map(\.pointer)
        var units = Units()
        let sections = page.document.root["sections"]?.elements.map { $0 } ?? []
        for (index, section) in sections.enumerated() {
            for (place, unit) in (section["units"]?.elements.map { $0 } ?? []).enumerated() {
                let pointer = "/sections/\(index)/units/\(place)/"
                let isBroken = pointers.contains { $0.hasPrefix(pointer) }
                if let key = unit["unitData"]?["k"]?.int {
                    if isBroken { units.broken.insert(key) } else { units.sound.insert(key) }
                } else {
                    units.keyless += 1
                    if isBroken { units.brokenKeyless += 1 }
                }
            }
        }
        return units
    }

    /// Returns the items of the tree, with their sections.
    private func items(_ model: PaginatedViewModel) -> [(section: String, item: String)] {
        model.pages.flatMap { page in
            page.sections.flatMap { section in
                section.cells.compactMap { cell in
                    guard case .text = cell.id else { return nil }
                    let text = String(decoding: page.text(of: cell.id), as: UTF8.self)
                    return (section.identifier ?? "", text)
                }
            }
        }
    }

    @Test("An action does what the update does, unless that breaks a unit that was not broken")
    func sameAsUpdates() throws {
        let seed = SeededGenerator.seed(of: "RandomActionTests")
        var source = Source(seed)
        var (refused, done) = (0, 0)
        for _ in 0..<150 {
            var model = try viewModel([source.page()], by: catalog)
            for _ in 0..<6 {
                guard let target = items(model).randomElement(using: &source.random) else { break }
                let text = source.operation(target.section, target.item)
                let request = try JSONDocument(Array(#"{"operations":[\#(text)]}"#.utf8))
                let operations = try ScreenUpdate(request).operations
                let comment = "seed \(seed): \(text) \(texts(model)[0])"
                var (updated, acted) = (model, model)
                let failure = result { () throws(EditError) -> [Int] in
                    try updated.updatePages(registry: registry) { updater throws(EditError) in
                        for operation in operations { try updater.apply(operation) }
                    }
                }
                let event = PreparedAction(
                    event: 0,
                    target: ActionTarget(
                        section: .id(target.section), part: .item(.id(target.item))),
                    operations: operations)
                let error = result { () throws(EditError) -> [Int] in
                    try acted.updatePages(registry: registry) { updater throws(EditError) in
                        _ = try updater.apply(event)
                    }
                }
                guard failure == nil else {
                    #expect(error != nil, "\(comment)")
                    continue
                }
                let breaks = try units(model).breaks(becoming: units(updated))
                #expect((error != nil) == breaks, "\(comment): \(String(describing: error))")
                #expect(texts(acted) == texts(breaks ? model : updated), "\(comment)")
                if breaks { refused += 1 } else { done += 1 }
                model = acted
            }
        }
        #expect(refused > 20 && done > 200, "\(refused) \(done)")
    }

    private func result(_ body: () throws(EditError) -> [Int]) -> EditError? {
        do throws(EditError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }
}
