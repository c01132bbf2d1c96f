import BroadsheetClient
import Testing

@testable import Broadsheet

@Suite("What actions leave is judged (docs/catalog.md, Actions)")
struct ActionJudgementTests {
    /// A catalog whose items have an action for each kind of operation.
    private static let catalog = #"""
        {"contract": {"sections": "s", "sectionId": "id", "units": "u", "unitType": "t",
                      "unitData": "d"},
         "units": {
           "FEED": {"header": {"type": "H", "data": "/title"}, "cells": {"type": "C", "data": "/list"},
                    "schema": {"required": ["list"], "properties": {
                      "title": {"type": "string"},
                      "list": {"maxItems": 3, "items": {
                        "required": ["id"], "properties": {"f": {"type": "boolean"}}}}}}},
           "ROWS": {"cells": {"type": "C"}, "schema": {"minItems": 2}},
           "PAIR": {"cell": [{"type": "C", "data": "/a"}, {"type": "C", "data": "/b"}]},
           "KINDS": {"cells": {"type": {"switch": "/kind", "cases": {"c": "C"}}}},
           "GRID": {"cell": {"type": "C", "data": "/head"},
                    "cells": {"type": "C", "data": "/head/rows"}},
           "ONE": {"cell": {"type": "C"}, "schema": {"properties": {"f": {"type": "boolean"}}}},
           "CARDS": {"cells": {"type": "D"}}, "CARD": {"cell": {"type": "D"}},
           "HEAD": {"header": {"type": "H"}, "schema": {"type": "string"}}},
         "cellTypes": {"H": {}, "D": {"id": "/id", "schema": {"properties": {
           "f": {"type": "boolean"}}}, "actions": {
           "add": {"operations": [{"op": "insertItems", "data": [{"$input": ""}]}]},
           "remove": {"operations": [{"op": "deleteItems"}]},
           "set": {"operations": [{"op": "patchItem", "patch": {"$input": ""}}]}}},
         "C": {"id": "/id", "actions": {
           "set": {"operations": [{"op": "patchItem", "patch": {"$input": ""}}]},
           "put": {"operations": [{"op": "replaceItem", "data": {"$input": ""}}]},
           "remove": {"operations": [{"op": "deleteItems"}]},
           "add": {"operations": [{"op": "insertItems", "data": [{"$input": ""}]}]},
           "unit": {"operations": [{"op": "insertItems", "units": [{"$input": ""}]}]},
           "before": {"operations": [{"op": "insertItems", "before": {"$input": ""},
                                      "units": [{"t": "ONE", "d": {"id": "new"}}]}]},
           "into": {"operations": [{"op": "moveItems", "toSection": {"$input": ""}}]},
           "section": {"operations": [{"op": "patchSection", "patch": {"$input": ""}}]},
           "whole": {"operations": [{"op": "replaceSection", "section": {"$input": ""}}]},
           "sections": {"operations": [{"op": "insertSections", "sections": [{"$input": ""}]}]},
           "twice": {"operations": [{"op": "patchItem", "patch": {"f": 1}},
                                    {"op": "patchItem", "patch": {"f": true}}]},
           "late": {"operations": [{"op": "patchItem", "patch": {"f": 1}},
                                   {"op": "moveItems", "before": 0}]}}}}}
        """#

    private let catalog: Catalog

    init() throws { catalog = try Catalog(Array(Self.catalog.utf8)) }

    private static func page(_ units: String, _ more: String = "") -> String {
        #"{"s":[{"id":"A","u":[\#(units)]\#(more)},{"id":"B","u":[]}]}"#
    }

    private static func event(_ action: String, _ item: String, _ input: String = "null") -> String
    {
        #"{"type":"action","name":"\#(action)","section":"A","item":"\#(item)","input":\#(input)}"#
    }

    /// Returns the error of actions, or `nil` and what they leave.
    private func outcome(
        _ page: String, _ events: [String], registry: CellRegistry? = nil
    ) async throws -> (error: String?, page: String) {
        var model = try viewModel([page], by: catalog)
        let body = #"{"events":[\#(events.joined(separator: ","))]}"#
        let report = try ClientReport(JSONDocument(Array(body.utf8)))
        do {
            _ = try await model.handle(
                report.events.map(\.clientEvent), registry: registry ?? catalog.registry)
            return (nil, texts(model)[0])
        } catch let error as EditError {
            #expect(texts(model) == [page], "a failed action changed something")
            guard case .impossible(let pointer, let detail) = error else {
                return ("\(error)", page)
            }
            return ("\(pointer) \(detail)", page)
        }
    }

    /// Units, further members of their section, an action of an item with its input, and the
    /// pointer and the text of the violation.
    private static let refused: [(String, String, String, String)] = [
        // A member that the unit's schema does not permit, in a patch, in new data, in an element.
        (
            #"{"t":"FEED","d":{"list":[{"id":"b"},{"id":"a"}]}}"#, "",
            event("set", "a", #"{"f":1}"#), "/s/0/u/0/d/list/1/f: must be true or false"
        ),
        (
            #"{"t":"FEED","d":{"list":[{"id":"a"}]}}"#, "", event("put", "a", #"{"x":1}"#),
            #"/s/0/u/0/d/list/0: must have the member "id""#
        ),
        (
            #"{"t":"FEED","d":{"list":[{"id":"a"}]}}"#, "", event("add", "a", "{}"),
            #"/s/0/u/0/d/list/1: must have the member "id""#
        ),
        (
            #"{"t":"FEED","d":{"list":[{"id":"a"},{"id":"b"},{"id":"c"}]}}"#, "",
            event("add", "a", #"{"id":"d"}"#), "/s/0/u/0/d/list: must have at most 3 elements"
        ),
        // An element that is gone, and a unit that is divided.
        (
            #"{"t":"ROWS","d":[{"id":"a"},{"id":"b"}]}"#, "", event("remove", "a"),
            "/s/0/u/0/d: must have at least 2 elements"
        ),
        (
            #"{"t":"ROWS","d":[{"id":"a"},{"id":"b"},{"id":"c"}]}"#, "",
            event("before", "a", #""c""#), "/s/0/u/2/d: must have at least 2 elements"
        ),
        // A unit that is followed to its new place.
        (
            #"{"t":"ONE","d":{"id":"b"}},{"t":"ONE","d":{"id":"a"}}"#, "", event("late", "a"),
            "/s/0/u/0/d/f: must be true or false"
        ),
        // An item without a cell type, an array that is none, data that is gone, an unknown type.
        (
            #"{"t":"KINDS","d":[{"id":"a","kind":"c"}]}"#, "", event("set", "a", #"{"kind":"q"}"#),
            "/s/0/u/0/d/0/kind: the placement's type has no case for this value and no default"
        ),
        (
            #"{"t":"GRID","d":{"head":{"id":"a","rows":[]}}}"#, "",
            event("set", "a", #"{"rows":5}"#),
            "/s/0/u/0/d/head/rows: cells are made of an array's elements"
        ),
        (
            #"{"t":"GRID","d":{"head":{"id":"a","rows":[]}}}"#, "",
            event("set", "a", #"{"rows":null}"#),
            "/s/0/u/0/d/head/rows: there is nothing to make a cell of"
        ),
        (
            #"{"t":"ONE","id":"a"}"#, "", event("set", "a", #"{"t":"NONE"}"#),
            "/s/0/u/0/t: no unit type"
        ),
        // A single item, whether another one was broken before or not.
        (
            #"{"t":"CARDS","d":[{"id":"b"},{"id":"a"}]}"#, "", event("set", "a", #"{"f":1}"#),
            "/s/0/u/0/d/1/f: must be true or false"
        ),
        (
            #"{"t":"CARDS","d":[{"id":"b","f":1},{"id":"a"}]}"#, "",
            event("set", "a", #"{"f":1}"#), "/s/0/u/0/d/1/f: must be true or false"
        ),
        (
            #"{"t":"CARDS","d":[{"id":"a"}]}"#, "", event("add", "a", #"{"id":"n","f":1}"#),
            "/s/0/u/0/d/1/f: must be true or false"
        ),
        (
            #"{"t":"CARD","d":{"id":"a"}}"#, "", event("set", "a", #"{"f":1}"#),
            "/s/0/u/0/d/f: must be true or false"
        ),
        // Units that others stand in for, or that their section goes with.
        (
            #"{"t":"ONE","d":{"id":"a"},"fallback":{"t":"ONE","d":{"id":"z"}}}"#, "",
            event("set", "a", #"{"f":1}"#), "/s/0/u/0/d/f: must be true or false"
        ),
        (
            #"{"t":"NONE","fallback":{"t":"ONE","d":{"id":"a"}}}"#, "",
            event("set", "a", #"{"f":1}"#), "/s/0/u/0/fallback/d/f: must be true or false"
        ),
        (
            #"{"t":"ONE","d":{"id":"a"},"essential":true}"#, "",
            event("set", "a", #"{"f":1}"#), "/s/0/u/0/d/f: must be true or false"
        ),
        (
            #"{"t":"PAIR","d":{"a":{"id":"a"},"b":{"id":"b"}},"essential":true}"#, "",
            event("remove", "a"), "/s/0/u/0/d/a: there is nothing to make a cell of"
        ),
        (
            #"{"t":"ONE","d":{"id":"a"}}"#, "",
            event("unit", "a", #"{"t":"NONE","d":1,"essential":true}"#),
            "/s/0/u/1/t: no unit type"
        ),
        // A header of the section's own.
        (
            #"{"t":"ONE","d":{"id":"a"}}"#, #","header":{"t":"HEAD","d":"x"}"#,
            event("section", "a", #"{"header":{"d":5}}"#), "/s/0/header/d: must be a string"
        ),
        (
            #"{"t":"ONE","d":{"id":"a"}}"#, "",
            event("section", "a", #"{"header":{"t":"HEAD","d":5,"essential":true}}"#),
            "/s/0/header/d: must be a string"
        ),
        // A section that takes the place of another one, its units and its own header.
        (
            #"{"t":"ONE","d":{"id":"a"}}"#, "",
            event("whole", "a", #"{"id":"A","u":[{"t":"CARDS","d":[]},{"t":"ONE","d":{"f":1}}]}"#),
            "/s/0/u/1/d/f: must be true or false"
        ),
        (
            #"{"t":"ONE","d":{"id":"a"}}"#, "",
            event("whole", "a", #"{"id":"A","header":{"t":"HEAD","d":5},"u":[]}"#),
            "/s/0/header/d: must be a string"
        ),
    ]

    @Test(
        "An action that breaks a unit cannot be done, and says what it would break",
        arguments: refused)
    func refuses(_ units: String, _ more: String, _ event: String, _ violation: String) async throws
    {
        let error = try await outcome(Self.page(units, more), [event]).error
        let expected = "/events/0 The action would leave a violation in page 0, at \(violation)"
        #expect(error?.hasPrefix(expected) == true, "\(error ?? "none")")
    }

    /// Units, further members of their section, and an action of an item with its input.
    private static let accepted: [(String, String, String)] = [
        (
            #"{"t":"FEED","d":{"list":[{"id":"a"}]}}"#, "", event("set", "a", #"{"f":true}"#)
        ),
        // A section that takes the place of another one.
        (
            #"{"t":"ONE","d":{"id":"a"}}"#, "",
            event("whole", "a", #"{"id":"A","u":[{"t":"ONE","d":{"id":"b","f":true}}]}"#)
        ),
        // Between the operations of an action a unit may break.
        (#"{"t":"FEED","d":{"list":[{"id":"a"}]}}"#, "", event("twice", "a")),
        // What is taken away is not missing.
        (#"{"t":"FEED","d":{"list":[{"id":"a"}]}}"#, "", event("remove", "a")),
        (#"{"t":"PAIR","d":{"a":{"id":"a"},"b":{"id":"b"}}}"#, "", event("remove", "a")),
        (#"{"t":"PAIR","d":{"a":{"id":"a"},"b":{"id":"b"}}}"#, "", event("into", "a", #""B""#)),
        (#"{"t":"ONE","d":{"id":"a"},"essential":true}"#, "", event("remove", "a")),
        (#"{"t":"ROWS","d":[{"id":"a"},{"id":"b"},{"id":"c"}]}"#, "", event("remove", "a")),
        // Violations that were there before do not count: of other units, of other items, of the
        // unit that a fallback stands in for.
        (
            #"{"t":"ONE","d":{"id":"x","f":1}},{"t":"ONE","d":{"id":"a"}}"#, "",
            event("set", "a", #"{"g":1}"#)
        ),
        (
            #"{"t":"KINDS","d":[{"id":"x"},{"id":"b","kind":"c"},{"id":"a","kind":"c"}]}"#, "",
            event("set", "a", #"{"g":1}"#)
        ),
        (
            #"{"t":"KINDS","d":[{"id":"b","kind":"c"},{"id":"x"},{"id":"a","kind":"c"}]}"#, "",
            event("remove", "b")
        ),
        (#"{"t":"GRID","d":{"head":{"id":"a"}}}"#, "", event("set", "a", #"{"g":1}"#)),
        (
            #"{"t":"CARDS","d":[{"id":"b"},{"id":"x","f":1},{"id":"a"}]}"#, "",
            event("set", "a", #"{"f":true}"#)
        ),
        (
            #"{"t":"CARDS","d":[{"id":"a"},{"id":"x","f":1},{"id":"b"}]}"#, "",
            event("remove", "a")
        ),
        (
            #"{"t":"ONE","d":{"id":"z","f":1},"fallback":{"t":"ONE","d":{"id":"a"}}}"#, "",
            event("set", "a", #"{"g":1}"#)
        ),
        (
            #"{"t":"ONE","d":{"id":"a"}}"#, #","header":{"t":"HEAD","d":1}"#,
            event("section", "a", #"{"header":{"d":2}}"#)
        ),
        // So do those of what the action itself brings.
        (
            #"{"t":"ONE","d":{"id":"a"}}"#, "",
            event("unit", "a", #"{"t":"ONE","d":{"id":"n","f":1}}"#)
        ),
        (
            #"{"t":"ONE","d":{"id":"a"}}"#, "",
            event("section", "a", #"{"header":{"t":"HEAD","d":5}}"#)
        ),
        (
            #"{"t":"ONE","d":{"id":"a"}}"#, "",
            event("sections", "a", #"{"id":"N","u":[{"t":"NONE","d":1,"essential":true}]}"#)
        ),
        // A view that is taken away is wanted so.
        (
            #"{"t":"ONE","d":{"id":"a"}}"#, #","header":{"t":"HEAD","d":"x"}"#,
            event("section", "a", #"{"header":null}"#)
        ),
        (
            #"{"t":"ONE","d":{"id":"a"}}"#, #","header":{"t":"HEAD","d":"x"}"#,
            event("section", "a", #"{"header":{"d":"y"}}"#)
        ),
    ]

    @Test("An action that breaks nothing is done, whatever was broken before", arguments: accepted)
    func accepts(_ units: String, _ more: String, _ event: String) async throws {
        let before = Self.page(units, more)
        let outcome = try await outcome(before, [event])
        #expect(outcome.error == nil)
        #expect(outcome.page != before)
    }

    @Test("Each action of a request is judged by itself, and the one that breaks a unit is named")
    func batches() async throws {
        let page = Self.page(#"{"t":"FEED","d":{"list":[{"id":"a"},{"id":"b"}]}}"#)
        let good = Self.event("set", "b", #"{"f":true}"#)
        let bad = Self.event("set", "a", #"{"f":1}"#)
        let repair = Self.event("set", "a", #"{"f":false}"#)
        for (events, index) in [
            ([good, bad], 1), ([bad, good], 0), ([bad, repair], 0), ([good, repair, bad, good], 2),
        ] {
            let error = try await outcome(page, events).error
            #expect(error?.hasPrefix("/events/\(index) ") == true, "\(error ?? "none")")
        }
        #expect(try await outcome(page, [good, repair, good]).error == nil)
        // A unit that an action has fixed is not broken before the next one.
        let grid = Self.page(#"{"t":"GRID","d":{"head":{"id":"a"}}}"#)
        let rows = Self.event("set", "a", #"{"rows":[]}"#)
        let none = Self.event("set", "a", #"{"rows":5}"#)
        #expect(try await outcome(grid, [none]).error?.hasPrefix("/events/0 ") == true)
        #expect(try await outcome(grid, [rows, none]).error?.hasPrefix("/events/1 ") == true)
    }

    @Test("A moved item has to be an item in its new unit")
    func moved() async throws {
        let feed = Self.page(#"{"t":"ROWS","d":[{"id":"a"},{"id":"b"},{"id":"c"}]}"#)
        let error = try await outcome(feed, [Self.event("into", "a", #""B""#)]).error
        #expect(error == "/events/0 The unit of the moved item would not make an item.")
    }

    @Test("An update of a backend is not judged so")
    func updates() throws {
        var model = try viewModel(
            [Self.page(#"{"t":"FEED","d":{"list":[{"id":"a"}]}}"#)], by: catalog)
        let patch = try JSONDocument(Array(#"{"f":1}"#.utf8)).root
        try model.updatePages(registry: catalog.registry) { updater throws(EditError) in
            try updater.patchItem(section: "A", item: "a", patch: patch)
        }
        #expect(model.itemCount == 0)
    }

    @Test("Operations of handlers in Swift are judged together with those of the catalog")
    func handlers() async throws {
        var registry = catalog.registry
        for (name, value) in [("break", "1"), ("fix", "true")] {
            let patch = try JSONDocument(Array(#"{"f":\#(value)}"#.utf8)).root
            registry.handle(.action(name)) { action in
                [.patchItem(section: action.section, item: action.item, patch: patch)]
            }
        }
        let patch = try JSONDocument(Array(#"{"f":true}"#.utf8)).root
        registry.handle("set") { action in
            [.patchItem(section: action.section, item: action.item, patch: patch)]
        }
        let page = Self.page(#"{"t":"FEED","d":{"list":[{"id":"a"}]}}"#)
        func error(_ events: [String]) async throws -> String? {
            try await outcome(page, events, registry: registry).error
        }
        let broken = try await error([Self.event("fix", "a"), Self.event("break", "a")])
        #expect(broken?.contains("/s/0/u/0/d/list/0/f: must be true or false") == true)
        #expect(broken?.hasPrefix("/events/1 ") == true)
        // The handler of the same event corrects what the operations of the catalog break.
        #expect(try await error([Self.event("set", "a", #"{"f":1}"#)]) == nil)
    }

    private struct Row: CellType {
        static let id: JSONPointer? = "/id"

        static func size(with data: JSONValue, constrainedTo container: Container) -> Size? { nil }
    }

    @Test("A unit type that code registers is judged by what the code makes of it")
    func code() async throws {
        var registry = CellRegistry()
        registry.register("CODE") { unit, section in
            section.cell(Row.self, data: unit.data["head"])
            section.cells(Row.self, data: unit.data["head"]?["rows"])
        }
        registry.handle("set") { action in
            guard let input = action.input else { return [] }
            return [.patchItem(section: action.section, item: action.item, patch: input)]
        }
        let page =
            #"{"sections":[{"sectionId":"A","units":[{"unitType":"CODE","unitData":{"head":"#
            + #"{"id":"a","rows":[{"id":"b"}]}}}]}]}"#
        for (input, isRefused) in [
            (#"{"x":1}"#, false), (#"{"rows":null}"#, true), (#"{"rows":7}"#, true),
            (#"{"rows":[]}"#, false),
        ] {
            var model = PaginatedViewModel()
            try model.load(
                ResolvedPage(
                    page: ServerStatePage(JSONDocument(Array(page.utf8))), number: 0,
                    registry: registry))
            let event = ClientEvent(
                action: "set", section: "A", item: "a",
                input: try TreeValue(json: input.utf8))
            var isDone = true
            do { _ = try await model.handle([event], registry: registry) } catch is EditError {
                isDone = false
            }
            #expect(isDone != isRefused, "\(input)")
        }
    }
}
