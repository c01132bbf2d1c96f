import Testing

@testable import Broadsheet

@Suite("Lint of a catalog by pages (docs/layout.md, Lint)")
struct CatalogLintTests {
    /// A catalog in which each pointer finds something in `page`.
    private static let json = #"""
        {"units": {
           "LIST": {"cells": {"type": {"switch": "/kind", "cases": {"wide": "Wide"}, "default": "Card"},
                              "data": "/items"},
                    "header": {"type": "Title", "data": "/title"}},
           "HERO": {"cell": {"type": "Wide", "data": "/hero", "optional": true}},
           "UNUSED": {"cell": {"type": "Unused", "data": "/nothing"}}},
         "cellTypes": {
           "Card": {"id": "/id", "picture": {"title": "/name/full", "image": "/url"},
                    "size": {"height": {"sum": [{"value": "/h", "default": 1},
                      {"ratio": {"width": "/w", "height": "/h", "default": 1}},
                      {"switch": "/style", "cases": {"a": {"value": "/a"}}}]}}},
           "Wide": {"id": "/id", "since": {"ios": "9"}, "fallback": "Card"},
           "Title": {"size": {"height": {"text": {"join": ["/text", "/more"]}, "font": "f"}}},
           "Unused": {"id": "/no"}},
         "fonts": {"f": {"files": ["f.ttf"], "size": 10}},
         "sections": {"*": {}, "Home": {"inset": 1}}}
        """#
    private static let page = #"""
        {"sections": [
          {"sectionId": "Home", "units": [
            {"unitType": "LIST", "unitData": {"title": {"text": "T", "more": null}, "items": [
              {"id": 1, "kind": "card", "h": 1, "w": 2, "style": "a", "a": null},
              {"id": 2, "kind": "card", "name": {"full": "N"}, "url": null}]}}]},
          [{"unitType": "HERO", "unitData": {"hero":
            {"id": 3, "h": 1, "w": 2, "style": "a", "a": 1, "name": {"full": "M"}, "url": 1}}}]]}
        """#

    private func notes(_ catalogJSON: String, _ pages: String...) throws -> [String] {
        let registry = try catalog(catalogJSON).registry
        var lint = CatalogLint(registry)
        for page in pages { lint.add(try posted(page, names: registry.names)) }
        #expect(lint.diagnostics.allSatisfy { $0.page == nil })
        return lint.diagnostics.map { "\($0.code.rawValue) \($0.pointer) \($0.detail)" }
    }

    private func notes(replacing old: String, with new: String) throws -> [String] {
        let changed = Self.json.replacing(old, with: new)
        #expect(changed != Self.json)
        return try notes(changed, Self.page)
    }

    @Test("Without a pointer that finds nothing there is no diagnostic, nor without items")
    func complete() throws {
        #expect(try notes(Self.json, Self.page) == [])
        #expect(
            try notes(Self.json, #"{"sections": []}"#)
                == ["UNKNOWN_SECTION /sections/Home no section of these pages has this id"])
    }

    @Test(
        "A pointer that finds a value in no item has a diagnostic with one that does",
        arguments: [
            (
                #"{"id": "/id", "picture""#, #"{"id": "/ident", "picture""#, "/cellTypes/Card/id",
                "item of the cell type \"Card\"", nil
            ),
            (
                #""/name/full""#, #""/name/ful""#, "/cellTypes/Card/picture/title",
                "item of the cell type \"Card\"", nil
            ),
            (
                #"{"value": "/h", "#, #"{"value": "/hh", "#,
                "/cellTypes/Card/size/height/sum/0/value", "item of the cell type \"Card\"", "/h"
            ),
            (
                #""width": "/w""#, #""width": "/width""#,
                "/cellTypes/Card/size/height/sum/1/ratio/width", "item of the cell type \"Card\"",
                nil
            ),
            (
                #""/style""#, #""/stlye""#, "/cellTypes/Card/size/height/sum/2/switch",
                "item of the cell type \"Card\"", "/style"
            ),
            (
                #"["/text", "/more"]"#, #"["/text", "/mroe"]"#,
                "/cellTypes/Title/size/height/text/join/1", "item of the cell type \"Title\"",
                "/more"
            ),
            (
                #""/items""#, #""/itmes""#, "/units/LIST/cells/data", "unit of the type \"LIST\"",
                "/items"
            ),
            (
                #""/title"}"#, #""/titel"}"#, "/units/LIST/header/data",
                "unit of the type \"LIST\"",
                "/title"
            ),
            (
                #""/hero""#, #""/heor""#, "/units/HERO/cell/data", "unit of the type \"HERO\"",
                "/hero"
            ),
            (
                #""/kind""#, #""/kidn""#, "/units/LIST/cells/type/switch",
                "item of a unit of the type \"LIST\"", "/kind"
            ),
        ] as [(String, String, String, String, String?)])
    func findsNothing(
        old: String, new: String, pointer: String, things: String, suggestion: String?
    ) throws {
        let hint = suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
        let found = try notes(replacing: old, with: new)
        #expect(
            found.first == "POINTER_FINDS_NOTHING \(pointer) finds a value in no \(things)\(hint)")
        // Where the data of all items is not found, no pointer into items is judged.
        #expect(found.count == 1)
    }

    @Test("A fallback is looked for in the items of the cell types that it stands in for")
    func fallbacks() throws {
        let catalog = #"""
            {"units": {"U": {"cell": {"type": "New"}}},
             "cellTypes": {"New": {"id": "/key", "since": {"ios": "9"}, "fallback": "Old"},
                           "Old": {"id": "/none", "size": {"height": {"value": "/height"}}}}}
            """#
        let page = #"{"sections": [[{"unitType": "U", "unitData": {"key": 1, "hight": 2}}]]}"#
        #expect(
            try notes(catalog, page) == [
                "POINTER_FINDS_NOTHING /cellTypes/Old/size/height/value finds a value in no item "
                    + #"of the cell type "Old"; did you mean "/hight"?"#
            ])
        // Without a condition no app draws the fallback.
        #expect(
            try notes(catalog.replacing(#""since": {"ios": "9"}, "#, with: ""), page) == [])
    }

    @Test(
        "A unit counts whatever its condition, and so does its fallback, but a header only as one")
    func units() throws {
        let catalog = #"""
            {"units": {"U": {"cell": {"type": "C", "data": "/a"}, "header": {"type": "C", "data": "/b"}}},
             "cellTypes": {"C": {}}}
            """#
        let none = ["/units/U/cell/data", "/units/U/header/data"]
        for (section, missing) in [
            (#"[{"unitType": "U", "unitData": {}}]"#, none),
            (#"[{"unitType": "U", "unitData": {"a": null, "b": 1}}]"#, []),
            (#"[{"unitType": "U", "unitData": {"a": 1, "b": 1}, "when": {"flags": ["f"]}}]"#, []),
            (
                #"[{"unitType": "V", "fallback": {"unitType": "U", "unitData": {"a": 1}}}]"#,
                [none[1]]
            ),
            (#"{"units": [], "header": {"unitType": "U", "unitData": {"a": 1}}}"#, [none[1]]),
            (#"{"units": [], "footer": {"unitType": "U", "unitData": {}}}"#, []),
        ] {
            let found = try notes(catalog, #"{"sections": [\#(section)]}"#)
            #expect(found.map { String($0.split(separator: " ")[1]) } == missing, "\(section)")
        }
    }

    @Test("A pointer that one of several pages has an item for is found")
    func severalPages() throws {
        let changed = Self.page.replacing("\"style\"", with: "\"other\"")
        #expect(try notes(Self.json, changed).count == 1)
        #expect(try notes(Self.json, changed, Self.page) == [])
    }

    @Test("Pointers of one cell type that are alike have one diagnostic")
    func once() throws {
        let catalog = #"""
            {"units": {"U": [{"cell": {"type": "C", "data": "/x"}}, {"cells": {"type": "C", "data": "/x"}}],
                       "V": {"cell": {"type": "C"}}},
             "cellTypes": {"C": {"id": "/k", "picture": {"title": "/k"}, "size": {"width": {"value": "/k"}, "height": {"value": "/k"}}}}}
            """#
        let page =
            #"{"sections": [[{"unitType": "U", "unitData": {}}, {"unitType": "V", "unitData": {}}]]}"#
        #expect(
            try notes(catalog, page).map { String($0.split(separator: " ")[1]) }
                == ["/cellTypes/C/id", "/units/U/0/cell/data"])
    }

    @Test("Pointers of actions are not looked for in items")
    func actions() throws {
        let catalog = #"""
            {"units": {"U": {"cell": {"type": "C"}}},
             "cellTypes": {"C": {"id": "/id", "actions": {"like": {"operations": [
               {"op": "patchItem", "patch": {"liked": {"$input": "/on"}}}]}}}}}
            """#
        let page = #"{"sections": [[{"unitType": "U", "unitData": {"id": 1}}]]}"#
        #expect(try notes(catalog, page) == [])
    }

    @Test("UNKNOWN_SECTION: A section of the catalog that no page has, with the nearest one")
    func unknownSections() throws {
        let catalog = #"{"sections": {"*": {}, "Home": {}, "a/b": {}, "Products": {}}}"#
        let page =
            #"{"sections": [{"sectionId": "Home", "units": []}, {"sectionId": "Product", "units": []}, []]}"#
        #expect(
            try notes(catalog, page) == [
                "UNKNOWN_SECTION /sections/a~1b no section of these pages has this id",
                "UNKNOWN_SECTION /sections/Products no section of these pages has this id; did "
                    + "you mean \"Product\"?",
            ])
    }

    @Test(
        "The first 100 diagnostics are listed, and the others are counted", arguments: [100, 101])
    func limit(count: Int) throws {
        let sections = (0..<count).map { "\"s\($0)\": {}" }.joined(separator: ",")
        let found = try notes("{\"sections\": {\(sections)}}", #"{"sections": []}"#)
        #expect(CatalogLint.maxDiagnostics == 100)
        #expect(found.count == count)
        #expect(
            found.last
                == (count == 100
                    ? "UNKNOWN_SECTION /sections/s99 no section of these pages has this id"
                    : "DIAGNOSTICS_TRUNCATED  1 more diagnostics of the catalog are not shown"))
    }

    @Test("Beyond 5 million looks nothing is said about pointers, and that is reported")
    func work() throws {
        #expect(CatalogLint.maxLooks == 5_000_000)
        let registry = try catalog(
            #"{"units": {"U": {"cells": {"type": "C"}}}, "cellTypes": {"C": {"id": "/no"}}, "sections": {"A": {}}}"#
        ).registry
        let page = try posted(#"{"sections": [[{"unitType": "U", "unitData": [1, 2, 3]}]]}"#)
        for (looks, codes) in [
            (3, ["POINTER_FINDS_NOTHING", "UNKNOWN_SECTION"]),
            (2, ["UNKNOWN_SECTION", "DIAGNOSTICS_TRUNCATED"]),
        ] {
            var lint = CatalogLint(registry, maxLooks: looks)
            lint.add(page)
            #expect(lint.diagnostics.map(\.code.rawValue) == codes)
        }
    }

    @Test("The first 200 pointers that find nothing at first have a search for a similar one")
    func suggestions() throws {
        let types = (0..<201).map { "\"T\($0)\": {\"id\": \"/nmae\"}" }
        let units = (0..<201).map { "\"U\($0)\": {\"cell\": {\"type\": \"T\($0)\"}}" }
        let registry = try catalog(
            "{\"units\": {\(units.joined(separator: ","))}, "
                + "\"cellTypes\": {\(types.joined(separator: ","))}}"
        ).registry
        for last in [99, 200] {
            var lint = CatalogLint(registry)
            let order = (0...200).filter { $0 != last } + [last]
            let posts = order.map { #"{"unitType": "U\#($0)", "unitData": {"name": 1}}"# }
            lint.add(try posted(#"{"sections": [[\#(posts.joined(separator: ","))]]}"#))
            let found = lint.diagnostics
            #expect(found.count == 101)
            #expect(found[0].detail.hasSuffix("did you mean \"/name\"?"))
            #expect(
                found[99].detail.hasSuffix("did you mean \"/name\"?") == (last != 99), "\(last)")
        }
    }

    @Test("Pages of one request are read in one document, which is indexed once")
    func oneDocument() throws {
        let body = try JSONDocument(
            Array(#"{"pages": [{"sections": []}, {"sections": []}], "x": 1}"#.utf8))
        let pages = try #require(body.root["pages"]).elements.enumerated().map { number, value in
            try ResolvedPage(
                page: ServerStatePage(value), number: number, registry: CellRegistry())
        }
        let first = try #require(pages[0].posted(by: ContractNames()))
        let second = try #require(
            pages[1].posted(by: ContractNames(), reusing: first.document))
        #expect(second.document === first.document)
        let other = try #require(
            try resolved(#"{"sections": []}"#, by: CellRegistry())
                .posted(by: ContractNames(), reusing: first.document))
        #expect(other.document !== first.document)
    }

    @Test("A page that cannot be read, and one that was not posted, prevent all diagnostics")
    func unreadable() throws {
        let registry = try catalog(#"{"sections": {"A": {}}}"#).registry
        let readable = try resolved(#"{"sections": []}"#, by: registry)
        let broken = ResolvedPage(
            unreadable: try JSONDocument(Array("1".utf8)), number: 1, names: ContractNames(),
            error: ContractError(violations: []))
        for (pages, count) in [([readable], 1), ([readable, broken], 0)] {
            var model = PaginatedViewModel()
            for page in pages { try model.load(page) }
            let screen = model.merged(for: LayoutParameters(lint: true), registry: registry)
            #expect(screen.advice.count == count)
        }
    }

    @Test("A type that a program registers by code in place of the catalog's is not looked at")
    func code() throws {
        var program = CellRegistry()
        program.register("HERO") { _, _ in }
        let changed = Self.json.replacing("/hero", with: "/nowhere")
        let merged = try Catalog(program, over: catalog(changed), version: "1")
        var lint = CatalogLint(merged.registry)
        lint.add(try posted(Self.page))
        #expect(lint.diagnostics == [])
    }
}
