import Broadsheet
import TestSupport
import Testing

/// The operations of one update know what units make without reading them again; each update of
/// its own reads them from their bytes.
@Suite("Updates of many operations") struct UpdateBatchTests {
    /// Unit types of which several placements use parts of the same data.
    private static let catalog = #"""
        {"contract": {"sections": "s", "sectionId": "id", "units": "u", "unitType": "t",
                      "unitData": "d"},
         "units": {
           "LIST": {"cells": {"type": "C"}},
           "FIRST": {"header": {"type": "H", "data": "/0/title"}, "cells": {"type": "C"}},
           "NEST": {"cells": [{"type": "C", "data": "/list"},
                              {"type": "C", "data": "/list/0/list"}]},
           "PAIR": {"cell": [{"type": "C", "data": "/list/1", "optional": true},
                             {"type": "C", "data": "/hero", "optional": true}],
                    "cells": {"type": {"switch": "/kind", "cases": {"c": "C"}}, "data": "/list"}},
           "TWICE": {"cells": [{"type": {"switch": "/kind", "cases": {"c": "C"}}},
                               {"type": {"switch": "/kind", "cases": {"d": "C"}}}]},
           "OUTER": {"cell": {"type": "C", "data": "/a", "optional": true},
                     "cells": {"type": "C", "data": "/a/list"}},
           "ONE": {"cell": {"type": "C"}}},
         "cellTypes": {"C": {"id": "/id"}, "H": {}}}
        """#

    /// A generator of pages and operations.
    private struct Operations {
        var random: SeededGenerator
        private var nextId = 0

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(max(count, 1))) }

        mutating func element(depth: Int = 0) -> String {
            nextId += 1
            var members = [#""id":"n\#(nextId)""#]
            if below(2) == 0 { members.append(#""title":"T""#) }
            if below(2) == 0 { members.append(#""kind":"\#(below(2) == 0 ? "c" : "d")""#) }
            if depth == 0, below(3) == 0 { members.append(#""list":[\#(list(depth: 1))]"#) }
            return "{\(members.joined(separator: ","))}"
        }

        mutating func list(depth: Int = 0) -> String {
            (0..<below(4)).map { _ in element(depth: depth) }.joined(separator: ",")
        }

        mutating func unit() -> String {
            switch below(7) {
            case 0: #"{"t":"LIST","d":[\#(list())]}"#
            case 1: #"{"t":"FIRST","d":[\#(list())]}"#
            case 2: #"{"t":"NEST","d":{"list":[\#(list())]}}"#
            case 3: #"{"t":"PAIR","d":{"list":[\#(list())],"hero":\#(element())}}"#
            case 4: #"{"t":"TWICE","d":[\#(list())]}"#
            case 5: #"{"t":"OUTER","d":{"a":{"id":"a\#(below(9))","list":[\#(list())]}}}"#
            default: #"{"t":"ONE","d":\#(element())}"#
            }
        }

        mutating func page() -> String {
            let sections = ["A", "B"].map { id in
                let units = (0..<below(4)).map { _ in unit() }.joined(separator: ",")
                return #"{"id":"\#(id)","u":[\#(units)]}"#
            }
            return #"{"s":[\#(sections.joined(separator: ","))]}"#
        }

        mutating func section() -> String { below(2) == 0 ? "A" : "B" }

        mutating func items() -> String {
            (0..<1 + below(3)).map { _ in "\(below(10))" }.joined(separator: ",")
        }

        mutating func operation() -> String {
            let place = #","\#(below(2) == 0 ? "before" : "after")":\#(below(10))"#
            let body =
                switch below(8) {
                case 0: #""insertItems","data":[\#(element()),\#(element())]\#(place)"#
                case 1: #""insertItems","units":[\#(unit())]\#(place)"#
                case 2: #""replaceItem","item":\#(below(10)),"data":\#(element())"#
                case 3: #""patchItem","item":\#(below(10)),"patch":{"kind":"d","title":null}"#
                case 4: #""patchItem","item":\#(below(10)),"patch":{"list":[\#(list(depth: 1))]}"#
                case 5: #""deleteItems","items":[\#(items())]"#
                case 6: #""upsertItems","unitType":"LIST","data":[\#(element())]"#
                default: #""moveItems","items":[\#(items())],"toSection":"\#(section())"\#(place)"#
                }
            return #"{"op":\#(body),"section":"\#(section())"}"#
        }
    }

    @Test("Operations of one update leave what they leave as updates of their own")
    func histories() throws {
        let seed = SeededGenerator.seed(of: "UpdateBatchTests")
        let catalog = try Catalog(Array(Self.catalog.utf8))
        var counts = (done: 0, failed: 0)
        for history in 0..<100 {
            var random = Operations(seed: seed + UInt64(history))
            let pages = (0..<1 + history % 3).map { _ in random.page() }
            var (now, done) = (pages, [String]())
            for _ in 0..<20 {
                let operation = random.operation()
                switch try updated(now, operation, by: catalog) {
                case .pages(let next):
                    (now, done) = (next, done + [operation])
                    counts.done += 1
                case .impossible(let pointer):
                    counts.failed += 1
                    let all = (done + [operation]).joined(separator: ",")
                    let place = pointer.replacing("/operations/0", with: "")
                    let expected = UpdateOutcome.impossible("/operations/\(done.count)\(place)")
                    let outcome = try updated(pages, all, by: catalog)
                    try #require(outcome == expected, "seed \(seed), history \(history): \(all)")
                default: continue
                }
            }
            guard !done.isEmpty else { continue }
            let all = done.joined(separator: ",")
            let outcome = try updated(pages, all, by: catalog)
            try #require(outcome == .pages(now), "seed \(seed), history \(history): \(all)")
        }
        #expect(counts.done > 300, "seed \(seed): \(counts)")
        #expect(counts.failed > 100, "seed \(seed): \(counts)")
    }
}
