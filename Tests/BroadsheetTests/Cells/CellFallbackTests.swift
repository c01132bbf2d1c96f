import Testing

@testable import Broadsheet

@Suite("Cell types that an app cannot draw (docs/clients.md)")
struct CellFallbackTests {
    private func violations(_ cellTypes: String) throws -> [String] {
        do {
            _ = try Catalog(Array(#"{"cellTypes": {\#(cellTypes)}}"#.utf8))
            return []
        } catch {
            guard case .violations(let violations, _) = error else { throw error }
            return violations.map(\.pointer)
        }
    }

    @Test("A chain of eight fallbacks is accepted, and one of nine is not")
    func chains() throws {
        func chain(_ count: Int) -> String {
            let types = (0..<count).map { #""C\#($0)": {"fallback": "C\#($0 + 1)"}"# }
            return (types + [#""C\#(count)": {}"#]).joined(separator: ", ")
        }
        #expect(try violations(chain(8)) == [])
        #expect(try violations(chain(9)) == ["/cellTypes/C0/fallback"])
    }

    @Test(
        "A circle, a name that does not exist, and another value are violations of the catalog",
        arguments: [
            (#""A": {"fallback": "A"}"#, ["/cellTypes/A/fallback"]),
            (
                #""A": {"fallback": "B"}, "B": {"fallback": "A"}"#,
                ["/cellTypes/A/fallback", "/cellTypes/B/fallback"]
            ),
            (
                #""A": {"fallback": "B"}, "B": {"fallback": "B"}"#,
                ["/cellTypes/A/fallback", "/cellTypes/B/fallback"]
            ),
            (#""A": {"fallback": "B"}"#, ["/cellTypes/A/fallback"]),
            (#""A": {"fallback": 1}"#, ["/cellTypes/A/fallback"]),
            (#""A": {"fallback": null, "since": null}"#, []),
            (#""A": {"since": "5.2"}"#, ["/cellTypes/A/since"]),
            (#""A": {"since": {"ios": ">=5"}}"#, ["/cellTypes/A/since/ios"]),
            (#""A": {"since": {"ios": 5}}"#, ["/cellTypes/A/since/ios"]),
            (#""A": {"since": {"iOS": "5"}}"#, ["/cellTypes/A/since/iOS"]),
            (#""A": {"since": {"ios": "5.2.0.1", "web": null}}"#, []),
        ] as [(String, [String])])
    func violations(cellTypes: String, pointers: [String]) throws {
        #expect(try violations(cellTypes) == pointers)
    }

    @Test("A fallback keeps the id and the data of an item, and has a size of its own")
    func identity() throws {
        let catalog = try Catalog(
            Array(
                #"""
                {"cellTypes": {
                   "New": {"id": "/id", "since": {"ios": "5"}, "fallback": "Old"},
                   "Old": {"id": "/other", "size": {"width": 50, "height": {"value": "/h"}}}},
                 "units": {"U": {"cells": {"type": "New"}, "header": {"type": "New", "data": "/0"}}}}
                """#.utf8))
        var parameters = LayoutParameters()
        parameters.client = Client("ios/4")
        let page =
            #"{"sections": [[{"unitType": "U", "unitData": [{"id": "a", "other": "b", "h": 33}]}]]}"#
        let composer = Composer(registry: catalog.registry)
        let tree = String(
            decoding: try composer.compose(Array(page.utf8), parameters), as: UTF8.self)
        #expect(tree.contains(#""id":"a","type":"Old""#), "\(tree)")
        #expect(tree.contains(#""width":50,"height":33"#), "\(tree)")
        #expect(tree.contains(#""header":{"type":"Old""#), "\(tree)")
        #expect(tree.contains(#""data":{"id": "a", "other": "b", "h": 33}"#), "\(tree)")
    }
}
