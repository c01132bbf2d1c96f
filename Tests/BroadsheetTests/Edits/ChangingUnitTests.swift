import Broadsheet
import Testing

@Suite("Units that make something else after a part of an operation (docs/edits.md)")
struct ChangingUnitTests {
    /// A unit type whose header and items use the same data, which a schema limits.
    private static let catalog = #"""
        {"units": {
           "BOX": {"header": {"type": "H"}, "cells": {"type": "C", "data": "/list"},
                   "schema": {"properties": {"list": {"maxItems": 20,
                     "items": {"properties": {"n": {"type": "integer"}}}}}}}},
         "cellTypes": {"C": {"id": "/id"}, "H": {}}}
        """#

    /// Returns a page with units whose elements have these ids; they are made, or else nothing is.
    private static func page(_ units: [String]...) -> String {
        let units = units.map { ids in
            let list = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
            return #"{"unitType":"BOX","unitData":{"list":[\#(list)]},"fallback":null}"#
        }
        return #"{"sections":[{"sectionId":"A","units":[\#(units.joined(separator: ","))]}]}"#
    }

    private static let ids = (1...20).map { "i\($0)" }

    /// Returns the elements of all ids for an upsert, the first of which violates the schema.
    private static let violating = ids.map { id in
        #"{"id":"\#(id)","n":\#(id == "i1" ? "0.5" : "1")}"#
    }.joined(separator: ",")

    @Test(
        "A part that needs what an earlier part has taken away fails, and so does the update",
        arguments: [
            (page(["a"]), #""op":"insertItems","data":[{"id":"x","n":"0"},{"id":"y"}]"#),
            (page(ids, ["p", "q"]), #""op":"moveItems","items":["p","q"],"before":"i1""#),
            (page(ids), #""op":"upsertItems","unitType":"BOX","data":[\#(violating)]"#),
        ])
    func impossible(page: String, operation: String) throws {
        let catalog = try Catalog(Array(Self.catalog.utf8))
        let outcome = try updated([page], #"{\#(operation),"section":"A"}"#, by: catalog)
        guard case .impossible(let pointer) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(pointer.hasPrefix("/operations/0"))
    }

    @Test(
        "The last part may leave a unit that makes nothing",
        arguments: [
            #""op":"insertItems","data":[{"id":"x","n":"0"}]"#,
            #""op":"replaceItem","item":"a","data":{"id":"a","n":"0"}"#,
            #""op":"patchItem","item":"b","patch":{"n":"0"}"#,
        ])
    func last(operation: String) throws {
        let catalog = try Catalog(Array(Self.catalog.utf8))
        let outcome = try updated(
            [Self.page(["a", "b"])], #"{\#(operation),"section":"A"}"#, by: catalog)
        guard case .pages(let pages) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(pages != [Self.page(["a", "b"])])
    }

    // MARK: - Items that an earlier part has changed

    /// Unit types of which one item decides about others, or has another id than its type reads.
    private static let nested = #"""
        {"contract": {"sections": "s", "sectionId": "id", "units": "u", "unitType": "t",
                      "unitData": "d"},
         "units": {
           "NEST": {"cells": [{"type": "C", "data": "/list"},
                              {"type": "C", "data": "/list/0/list"}]},
           "NUMBER": {"cell": {"type": "N"}}, "ONE": {"cell": {"type": "C"}}},
         "cellTypes": {"C": {"id": "/id"}, "N": {"id": "/n"}}}
        """#

    /// Elements with ids of their own, which make the other ones of an upsert many or few.
    private static let others = [[], (1...20).map { #"{"id":"o\#($0)"}"# }]

    @Test("Elements never go to an item that took the place of theirs", arguments: others)
    func movedItem(others: [String]) throws {
        let catalog = try Catalog(Array(Self.nested.utf8))
        let page =
            #"{"s":[{"id":"A","u":[{"t":"NEST","d":{"list":[{"id":"a","list":[{"id":"x"},"#
            + #"{"id":"y"}]}]}}]}]}"#
        let data = [#"{"id":"a","list":[{"id":"y"},{"id":"z"}]}"#, #"{"id":"y"}"#] + others
        let operation =
            #"{"op":"upsertItems","section":"A","unitType":"ONE","#
            + #""data":[\#(data.joined(separator: ","))]}"#
        let outcome = try updated([page], operation, by: catalog)
        #expect(outcome == .impossible("/operations/0/data/1"))
    }

    @Test("An item that loses its id leaves it to the next element of the id", arguments: others)
    func lostId(others: [String]) throws {
        let catalog = try Catalog(Array(Self.nested.utf8))
        func page(_ units: [String]) -> String {
            #"{"s":[{"id":"A","u":[\#(units.joined(separator: ","))]}]}"#
        }
        let data = [#"{"id":"7","n":1}"#, #"{"id":"7","n":2}"#] + others
        let operation =
            #"{"op":"upsertItems","section":"A","unitType":"ONE","#
            + #""data":[\#(data.joined(separator: ","))]}"#
        let outcome = try updated(
            [page([#"{"t":"NUMBER","d":{"n":7}}"#])], operation, by: catalog)
        let new = data.dropFirst().map { #"{"t":"ONE","d":\#($0)}"# }
        #expect(
            outcome == .pages([page([#"{"t":"NUMBER","d":{"id":"7","n":1}}"#] + new)]))
    }

    @Test("Code that makes something else of a longer array fails the insertion")
    func shiftedByCode() throws {
        enum Card: CellType {
            static var id: JSONPointer? { "/id" }
            static func size(with data: JSONValue, constrainedTo container: Container) -> Size? {
                nil
            }
        }
        var registry = CellRegistry()
        registry.register("SHIFT") { unit, section in
            if (unit.data["list"]?.count ?? 0) > 1 {
                section.cell(Card.self, data: unit.data["other"])
            }
            section.cells(Card.self, data: unit.data["list"])
        }
        let page =
            #"{"sections":[{"sectionId":"A","units":[{"unitType":"SHIFT","list":[{"id":"a"}],"#
            + #""other":[]}]}]}"#
        var model = PaginatedViewModel()
        try model.load(resolved(page, by: registry))
        let data = try JSONDocument(Array(#"[{"id":"b"},{"id":"c"}]"#.utf8)).root
        #expect(throws: EditError.self) {
            try model.updatePages(registry: registry) { updater throws(EditError) in
                try updater.insertItems(section: "A", .data(Array(data.elements)))
            }
        }
        #expect(texts(model) == [page])
    }
}
