import Broadsheet
import Foundation
import TestSupport
import Testing

@Suite("Edits of units of which several placements use one array (docs/edits.md)")
struct SharedArrayTests {
    /// A unit type whose items are the elements of one kind, and then those of another one.
    private static let catalog = #"""
        {"contract": {"sections": "s", "sectionId": "id", "units": "u", "unitType": "t",
                      "unitData": "d"},
         "units": {
           "TWICE": {"cells": [{"type": {"switch": "/kind", "cases": {"c": "C"}}},
                               {"type": {"switch": "/kind", "cases": {"d": "C"}}}]},
           "SLOT": {"cell": {"type": "C", "data": "/2", "optional": true},
                    "cells": {"type": {"switch": "/kind", "cases": {"c": "C"}}}},
           "ONE": {"cell": {"type": "C"}}},
         "cellTypes": {"C": {"id": "/id"}}}
        """#

    /// Returns a page whose section A has one unit, and whose section B is empty.
    private static func page(_ type: String, _ elements: String...) -> String {
        let data = elements.map { #"{"id":"\#($0)","kind":"\#($0.prefix(1))"}"# }
        return #"{"s":[{"id":"A","u":[{"t":"\#(type)","d":[\#(data.joined(separator: ","))]}]},"#
            + #"{"id":"B","u":[]}]}"#
    }

    @Test(
        "The items that are taken leave the array, whatever their placement",
        arguments: [
            (page("TWICE", "d1", "d2", "c3"), #"["c3","d1"]"#, page("TWICE", "d2")),
            (page("TWICE", "d1", "d2", "c3"), #"["d2","c3"]"#, page("TWICE", "d1")),
            (page("TWICE", "d1", "d2", "c3"), #"[2,1,0]"#, page("TWICE")),
            (page("TWICE", "d1", "c2", "d3", "c4"), #"["c2","d1"]"#, page("TWICE", "d3", "c4")),
            (page("TWICE", "c1", "d2", "e3", "d4"), #"["d4","c1"]"#, page("TWICE", "d2", "e3")),
            // The item of /2 is made of the third element, also when the first one goes.
            (page("SLOT", "c1", "d2", "d3"), #"["d3","c1"]"#, nulled(page("SLOT", "d2", "-"))),
        ])
    func deleted(page: String, items: String, expected: String) throws {
        let catalog = try Catalog(Array(Self.catalog.utf8))
        let operation = #"{"op":"deleteItems","section":"A","items":\#(items)}"#
        #expect(try updated([page], operation, by: catalog) == .pages([expected]))
    }

    /// Returns a page with null in place of the element `-`.
    private static func nulled(_ page: String) -> String {
        page.replacing(#"{"id":"-","kind":"-"}"#, with: "null")
    }

    @Test("An item that is moved to an array arrives beside its neighbour")
    func moved() throws {
        let catalog = try Catalog(Array(Self.catalog.utf8))
        let operation = #"""
            {"op":"deleteItems","section":"A","items":["d1"]},
            {"op":"moveItems","section":"A","items":["c2"],"after":"c4"}
            """#
        let outcome = try updated(
            [Self.page("TWICE", "d1", "c2", "d3", "c4", "d5")], operation, by: catalog)
        #expect(outcome == .pages([Self.page("TWICE", "d3", "c4", "c2", "d5")]))
    }

    // MARK: - Random pages

    /// The ids of the items of each section, as its units make them.
    private static func items(_ pages: [String]) throws -> [String: [String]] {
        var items: [String: [String]] = ["A": [], "B": []]
        for page in pages {
            let root = try JSONSerialization.jsonObject(with: Data(page.utf8)) as? [String: Any]
            for section in try #require(root?["s"] as? [[String: Any]]) {
                let id = try #require(section["id"] as? String)
                for unit in try #require(section["u"] as? [[String: Any]]) {
                    items[id]?.append(contentsOf: try ids(unit))
                }
            }
        }
        return items
    }

    private static func ids(_ unit: [String: Any]) throws -> [String] {
        guard unit["t"] as? String == "TWICE" else {
            return [try #require((unit["d"] as? [String: Any])?["id"] as? String)]
        }
        let elements = try #require(unit["d"] as? [[String: Any]])
        return try ["c", "d"].flatMap { kind in
            try elements.filter { $0["kind"] as? String == kind }
                .map { try #require($0["id"] as? String) }
        }
    }

    /// A generator of pages, and of operations with what they leave of lists of ids.
    private struct Operations {
        var random: SeededGenerator
        private var nextId = 0

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        private mutating func below(_ count: Int) -> Int {
            Int(random.next() % UInt64(max(count, 1)))
        }

        private mutating func element() -> String {
            nextId += 1
            return #"{"id":"n\#(nextId)","kind":"\#(["c", "d", "e"][below(3)])"}"#
        }

        mutating func page() -> String {
            let sections = ["A", "B"].map { id in
                let units = (0..<1 + below(3)).map { _ in
                    guard below(4) > 0 else { return #"{"t":"ONE","d":\#(element())}"# }
                    let elements = (0..<below(7)).map { _ in element() }
                    return #"{"t":"TWICE","d":[\#(elements.joined(separator: ","))]}"#
                }
                return #"{"id":"\#(id)","u":[\#(units.joined(separator: ","))]}"#
            }
            return #"{"s":[\#(sections.joined(separator: ","))]}"#
        }

        private mutating func some(of ids: [String]) -> [String] {
            Array(ids.shuffled(using: &random).prefix(1 + below(4)))
        }

        /// Returns an operation, and applies it to the lists; `nil` for a section without items.
        mutating func operation(on items: inout [String: [String]]) -> String? {
            let (section, other) = below(2) == 0 ? ("A", "B") : ("B", "A")
            let chosen = some(of: items[section] ?? [])
            guard !chosen.isEmpty else { return nil }
            let list = chosen.map { #""\#($0)""# }.joined(separator: ",")
            items[section]?.removeAll { chosen.contains($0) }
            guard below(3) > 0 else {
                return #"{"op":"deleteItems","section":"\#(section)","items":[\#(list)]}"#
            }
            let target = below(2) == 0 ? section : other
            var place = ""
            var index = items[target]?.count ?? 0
            if index > 0 {
                let (neighbour, isAfter) = (below(index), below(2) == 0)
                let id = items[target]?[neighbour] ?? ""
                place = #","\#(isAfter ? "after" : "before")":"\#(id)""#
                index = neighbour + (isAfter ? 1 : 0)
            }
            items[target]?.insert(contentsOf: chosen, at: index)
            return #"{"op":"moveItems","section":"\#(section)","items":[\#(list)],"#
                + #""toSection":"\#(target)"\#(place)}"#
        }
    }

    @Test("The items of the sections are those of plain lists after every operation")
    func histories() throws {
        let seed = SeededGenerator.seed(of: "SharedArrayTests")
        let catalog = try Catalog(Array(Self.catalog.utf8))
        var done = 0
        for history in 0..<60 {
            var random = Operations(seed: seed + UInt64(history))
            var pages = (0..<1 + history % 2).map { _ in random.page() }
            for _ in 0..<12 {
                var expected = try Self.items(pages)
                guard let operation = random.operation(on: &expected) else { continue }
                // A place within a unit that cannot be divided is impossible.
                let outcome = try updated(pages, operation, by: catalog)
                guard case .pages(let next) = outcome else { continue }
                let items = try Self.items(next)
                try #require(
                    items == expected,
                    "seed \(seed), history \(history): \(pages), \(operation): \(next)")
                (pages, done) = (next, done + 1)
            }
        }
        #expect(done > 200, "seed \(seed)")
    }
}
