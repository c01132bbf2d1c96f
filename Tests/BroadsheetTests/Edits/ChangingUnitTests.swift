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
}
