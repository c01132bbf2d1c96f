import Broadsheet
import Testing

@Suite("Updates of items that do not keep the schema of their cell type (docs/schemas.md)")
struct ItemSchemaEditTests {
    private static let catalog = #"""
        {"contract": {"sections": "s", "sectionId": "id", "units": "u", "unitType": "t",
                      "unitData": "d"},
         "units": {"LIST": {"cells": {"type": "C"}},
                   "FIRST": {"header": {"type": "H", "data": "/0"}, "cells": {"type": "C"}},
                   "ONE": {"cell": {"type": "C"}}},
         "cellTypes": {"H": {"schema": {"required": ["title"]}},
                       "C": {"id": "/id", "schema": {"properties": {"n": {"type": "integer"}}}}}}
        """#

    private static func element(_ id: String, _ n: String = "1") -> String {
        #"{"id":"\#(id)","n":\#(n)}"#
    }

    private static func page(_ units: String...) -> String {
        #"{"s":[{"id":"A","u":[\#(units.joined(separator: ","))]}]}"#
    }

    private static func list(_ elements: String..., options: String = "") -> String {
        #"{"t":"LIST","d":[\#(elements.joined(separator: ","))]\#(options)}"#
    }

    private static func patch(_ id: String, _ n: String) -> String {
        #"{"op":"patchItem","section":"A","item":"\#(id)","patch":{"n":\#(n)}}"#
    }

    private static func upsert(_ elements: String...) -> String {
        #"{"op":"upsertItems","section":"A","unitType":"LIST","data":[\#(elements.joined(separator: ","))]}"#
    }

    private func outcome(_ page: String, _ operations: String...) throws -> UpdateOutcome {
        try updated(
            [page], operations.joined(separator: ","), by: Catalog(Array(Self.catalog.utf8)))
    }

    private static let bad = element("b", "0.5")

    @Test("An operation that makes an item violate its schema takes it out of the tree")
    func takenOut() throws {
        let before = Self.page(Self.list(Self.element("a"), Self.element("b"), Self.element("c")))
        let after = Self.page(Self.list(Self.element("a"), Self.bad, Self.element("c")))
        #expect(try outcome(before, Self.patch("b", "0.5")) == .pages([after]))
        #expect(
            try outcome(before, Self.patch("b", "0.5"), Self.patch("b", "1"))
                == .impossible("/operations/1/item"))
        #expect(
            try outcome(
                before, Self.patch("b", "0.5"),
                #"{"op":"deleteItems","section":"A","items":[1]}"#)
                == .pages([Self.page(Self.list(Self.element("a"), Self.bad))]))
    }

    @Test("Names and indexes are those of the items that are there")
    func names() throws {
        let before = Self.page(Self.list(Self.element("a"), Self.bad, Self.element("c")))
        #expect(try outcome(before, Self.patch("b", "1")) == .impossible("/operations/0/item"))
        let patched = Self.page(Self.list(Self.element("a"), Self.bad, Self.element("c", "7")))
        #expect(
            try outcome(
                before, #"{"op":"patchItem","section":"A","item":1,"patch":{"n":7}}"#)
                == .pages([patched]))
    }

    @Test("A second use of the same data is judged by the schema of its own cell type")
    func sharedData() throws {
        let before = #"{"s":[{"id":"A","u":[{"t":"FIRST","d":[{"id":"a","title":"t"}]}]}]}"#
        let after = try outcome(
            before, #"{"op":"patchItem","section":"A","item":"a","patch":{"title":null,"n":1}}"#,
            Self.patch("a", "2"))
        #expect(
            after == .pages([#"{"s":[{"id":"A","u":[{"t":"FIRST","d":[{"id":"a","n":2}]}]}]}"#]))
    }

    @Test("In a unit with a fallback, items stay until the update is complete")
    func chain() throws {
        let fallback = #","fallback":{"t":"ONE","d":{"id":"f"}}"#
        let before = Self.page(Self.list(Self.element("a"), options: fallback))
        let after = Self.page(Self.list(Self.element("a", "2"), options: fallback))
        #expect(
            try outcome(before, Self.patch("a", "0.5"), Self.patch("a", "2")) == .pages([after]))
        let left = Self.page(Self.list(Self.element("a", "0.5"), options: fallback))
        #expect(try outcome(before, Self.patch("a", "0.5")) == .pages([left]))
        #expect(try outcome(left, Self.patch("a", "2")) == .impossible("/operations/0/item"))
    }

    @Test("An upsert of an element that was left out replaces it, instead of appending")
    func upserts() throws {
        let good = Self.page(Self.list(Self.element("a"), Self.element("b"), Self.element("c")))
        let bad = Self.page(Self.list(Self.element("a"), Self.bad, Self.element("c")))
        #expect(try outcome(good, Self.upsert(Self.bad)) == .pages([bad]))
        #expect(try outcome(bad, Self.upsert(Self.element("b"))) == .pages([good]))
        #expect(try outcome(bad, Self.upsert(Self.bad)) == .pages([bad]))
        for operations in [
            [Self.upsert(Self.bad, Self.element("d"), Self.element("b"))],
            [
                Self.upsert(Self.bad), Self.upsert(Self.element("d")),
                Self.upsert(Self.element("b")),
            ],
        ] {
            let expected = Self.page(
                Self.list(
                    Self.element("a"), Self.element("b"), Self.element("c"), Self.element("d")))
            #expect(try outcome(good, operations.joined(separator: ",")) == .pages([expected]))
        }
        let twice = Self.upsert(Self.element("d", "0.5"), Self.element("e"), Self.element("d"))
        let appended = Self.page(
            Self.list(
                Self.element("a"), Self.element("b"), Self.element("c"), Self.element("d"),
                Self.element("e")))
        #expect(try outcome(good, twice) == .pages([appended]))
    }

    @Test("An edit of one item among many reads none of the others again")
    func work() throws {
        let catalog = try Catalog(Array(Self.catalog.utf8))
        let elements = (0..<2_000).map { Self.element("i\($0)") }
        var model = try viewModel(
            [Self.page(#"{"t":"LIST","d":[\#(elements.joined(separator: ","))]}"#)], by: catalog)
        let patch = try JSONDocument(Array(#"{"n":2}"#.utf8)).root
        var work = EditWork()
        try model.updatePages(registry: catalog.registry) { updater throws(EditError) in
            try updater.patchItem(section: "A", item: "i7", patch: patch)
            work = updater.work
        }
        #expect(work.rereadBytes == 0)
        #expect(work.listedItems == 0)
    }
}
