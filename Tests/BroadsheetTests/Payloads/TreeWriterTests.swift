import Broadsheet
import BroadsheetClient
import Testing

@Suite("Trees") struct TreeWriterTests {
    static let catalog = #"""
        {"sections": {
           "Cards": {"inset": 10, "minimumLineSpacing": 5, "minimumInteritemSpacing": 0}},
         "units": {
           "ITEMS": {"cells": {"type": "Card \"x\""}},
           "PAIR": [{"cell": {"type": "Banner"}}, {"cell": {"type": "Banner", "data": "/more", "optional": true}}],
           "TITLE": {"header": {"type": "Title"}},
           "END": {"footer": {"type": "End"}}},
         "cellTypes": {
           "Card \"x\"": {"id": "/id", "size": {"width": 50.25, "height": {"value": "/h", "default": 20}}},
           "Banner": {"size": {"height": 30}},
           "Title": {"size": {"height": 44}},
           "End": {"size": {"height": 8}}}}
        """#

    /// Composes pages with the catalog above, for a viewport of 200 by 100 points.
    static func tree(
        _ pages: String..., request change: (inout LayoutParameters) -> Void = { _ in }
    ) throws -> String {
        var request = LayoutParameters(viewport: Viewport(width: 200, height: 100, scale: 2))
        change(&request)
        let composer = Composer(registry: try Catalog(Array(catalog.utf8)).registry)
        return String(
            decoding: try composer.compose(pages.map { Array($0.utf8) }, request), as: UTF8.self)
    }

    static let page = #"""
        {"page":3,"hasNext":true,"sections":[{"sectionId":"Cards","units":[
         {"unitType":"TITLE","unitData":{ "t" : "\u0041" }},
         {"unitType":"ITEMS","unitData":[ {"id":"a", "h":1e1},{"id":7,"h":10} ]},
         {"unitType":"END","unitData":[ 1, 2 ]}]},
         [{"unitType":"NOPE"}]]}
        """#

    @Test("A tree has the members of docs/api.md in their order, and the data as posted")
    func everyMember() throws {
        #expect(
            try Self.tree(Self.page) == #"""
                {"page":3,"pageCount":1,"hasNext":true,"viewport":{"width":200,"height":100,"scale":2,"direction":"ltr"},"contentSize":{"width":200,"height":82},"sections":[{"id":"Cards","index":0,"frame":{"x":0,"y":0,"width":200,"height":82},"collapsed":false,"header":{"type":"Title","frame":{"x":0,"y":0,"width":200,"height":44},"data":{ "t" : "\u0041" }},"items":[{"id":"a","type":"Card \"x\"","frame":{"x":10,"y":54,"width":50.25,"height":10},"data":{"id":"a", "h":1e1}},{"id":"7","type":"Card \"x\"","frame":{"x":75,"y":54,"width":50.25,"height":10},"data":{"id":7,"h":10}}],"footer":{"type":"End","frame":{"x":0,"y":74,"width":200,"height":8},"data":[ 1, 2 ]}},{"id":null,"index":1,"frame":{"x":0,"y":82,"width":200,"height":0},"collapsed":false,"items":[]}],"diagnostics":[{"code":"UNKNOWN_UNIT_TYPE","page":3,"pointer":"/sections/1/0/unitType","detail":"no unit type \"NOPE\" is registered; add it to \"units\" in the catalog (--catalog FILE)"}]}
                """#)
    }

    @Test("A pretty tree is indented by two spaces, with frames on one line and the data as posted")
    func pretty() throws {
        let tree = try Self.tree(
            #"""
            {"sections":[{"units":[{"unitType":"ITEMS","unitData":[{"id":"a","x":[1, 2]},{"id":"b"}]}]},[]]}
            """#
        ) { $0.options.pretty = true }
        #expect(
            tree == #"""
                {
                  "page": 0,
                  "pageCount": 1,
                  "hasNext": false,
                  "viewport": {"width": 200, "height": 100, "scale": 2, "direction": "ltr"},
                  "contentSize": {"width": 200, "height": 20},
                  "sections": [
                    {
                      "id": null,
                      "index": 0,
                      "frame": {"x": 0, "y": 0, "width": 200, "height": 20},
                      "collapsed": false,
                      "items": [
                        {
                          "id": "a",
                          "type": "Card \"x\"",
                          "frame": {"x": 0, "y": 0, "width": 50.25, "height": 20},
                          "data": {"id":"a","x":[1, 2]}
                        },
                        {
                          "id": "b",
                          "type": "Card \"x\"",
                          "frame": {"x": 75, "y": 0, "width": 50.25, "height": 20},
                          "data": {"id":"b"}
                        }
                      ]
                    },
                    {
                      "id": null,
                      "index": 1,
                      "frame": {"x": 0, "y": 20, "width": 200, "height": 0},
                      "collapsed": false,
                      "items": []
                    }
                  ],
                  "diagnostics": []
                }
                """#)
    }

    @Test("Pretty and compact trees have the same values")
    func prettyMeansTheSame() throws {
        let compact = try Self.tree(Self.page)
        let pretty = try Self.tree(Self.page) { $0.options.pretty = true }
        #expect(try values(of: compact) == values(of: pretty))
    }

    private func values(of text: String) throws -> [String] {
        func flat(_ value: JSONValue) -> [String] {
            switch value.kind {
            case .object:
                ["{"] + value.members.flatMap { [$0.name.string] + flat($0.value) } + ["}"]
            case .array: ["["] + value.elements.flatMap(flat) + ["]"]
            default: [String(decoding: value.document.bytes[value.byteRange], as: UTF8.self)]
            }
        }
        return flat(try JSONDocument(Array(text.utf8)).root)
    }

    @Test("A tree for fields=frames has everything but data")
    func framesOnly() throws {
        let tree = try Self.tree(Self.page) { $0.options.fields = .frames }
        #expect(!tree.contains("\"data\""))
        #expect(
            tree.contains(
                #""id":"7","type":"Card \"x\"","frame":{"x":75,"y":54,"width":50.25,"height":10}}"#)
        )
        #expect(
            tree.contains(
                #""header":{"type":"Title","frame":{"x":0,"y":0,"width":200,"height":44}}"#))
    }

    @Test("Frames in section and content coordinates specify the same pixels (J)")
    func coordinates() throws {
        let page = #"""
            {"sections":[{"units":[{"unitType":"ITEMS","unitData":[{"h":10.25}]}]},
             {"units":[{"unitType":"TITLE","unitData":0},{"unitType":"ITEMS","unitData":[{"h":5}]}]}]}
            """#
        let inSection = try Self.tree(page)
        let inContent = try Self.tree(page) { $0.options.coordinates = .content }
        for tree in [inSection, inContent] {
            #expect(tree.contains(#""index":1,"frame":{"x":0,"y":10.5,"width":200,"height":49}"#))
        }
        #expect(inSection.contains(#""header":{"type":"Title","frame":{"x":0,"y":0,"#))
        #expect(inContent.contains(#""header":{"type":"Title","frame":{"x":0,"y":10.5,"#))
        #expect(inSection.contains(#""frame":{"x":0,"y":44,"width":50.25,"height":5}"#))
        #expect(inContent.contains(#""frame":{"x":0,"y":54.5,"width":50.25,"height":5}"#))
    }

    @Test("Ids are escaped only where necessary, and equal code points get suffixes")
    func ids() throws {
        let tree = try Self.tree(
            #"""
            {"sections":[{"sectionId":"q\"\u0041\n한","units":[{"unitType":"ITEMS","unitData":[
             {"id":"a\/b"},{"id":"\u0061/b"},{"id":"q\"\u001f\n"},{"id":"é"},{"id":"e\u0301"},{"id":1e2},
             {"id":"1e2"},{"id":"1e2"},{"id":null},{"id":{}},{"id":"1e2#2"},{}]}]}]}
            """#)
        let ids = try ("/sections/0/items" as JSONPointer).evaluate(
            on: JSONDocument(Array(tree.utf8)).root)?
            .elements.compactMap { item in
                item["id"].map {
                    String(decoding: item.document.bytes[$0.byteRange], as: UTF8.self)
                }
            }
        #expect(
            ids == [
                #""a/b""#, #""a/b#2""#, #""q\"\u001f\n""#, #""é""#, "\"e\u{301}\"", #""1e2""#,
                #""1e2#2""#, #""1e2#3""#, #""p0.u0.e8""#, #""p0.u0.e9""#, #""1e2#2#2""#,
                #""p0.u0.e11""#,
            ])
        #expect(tree.contains(#"{"id":"q\"A\n한","index":0"#))
    }

    @Test("A scrolling section has its offsets and the posted properties (C10)")
    func scroll() throws {
        let tree = try Self.tree(
            #"""
            {"sections":[{"layout":{"kind":"compositional","scrolling":"groupPaging","lineSpacing":10,
              "itemSize":{"uniform":{"columns":1,"height":40}},"sectionInset":{"left":20,"right":20},
              "orthogonalScrollingProperties":{"decelerationRate":"fast","bounce":false}},
             "units":[{"unitType":"ITEMS","unitData":[{},{},{}]}]}]}
            """#)
        #expect(
            tree.contains(
                #""scroll":{"axis":"horizontal","behavior":"groupPaging","contentSize":{"width":540,"height":40},"snapOffsets":[0,170,340],"initialOffset":0,"orthogonalScrollingProperties":{"decelerationRate":"fast","bounce":false}}}"#
            ), "\(tree)")
    }

    @Test("A carousel has its paging (P1-P7)")
    func paging() throws {
        let tree = try Self.tree(
            #"""
            {"sections":[{"layout":{"minimumLineSpacing":10,"paging":{"isInfinitePage":true,"autoRollingTimeInterval":2.5}},
             "units":[{"unitType":"PAIR","unitData":{"more":1}}]}]}
            """#)
        #expect(
            tree.contains(
                #""paging":{"isEnabled":true,"isAlignCenter":false,"isLooping":false,"isInfinitePage":true,"isAutoRolling":false,"autoRollingTimeInterval":2.5,"pageLength":40,"pageCount":2,"minOffset":0,"maxOffset":290,"initialOffset":0,"finalOffset":290,"copies":5}}"#
            ), "\(tree)")
        #expect(tree.split(separator: "\"type\":\"Banner\"").count == 3)
    }

    @Test(
        "Z-indices, pinning, separators and decorations are written where they apply (G8, D5, L6, J)"
    )
    func unusual() throws {
        let tree = try Self.tree(
            #"""
            {"sections":[
             {"layout":{"pinHeader":true,"decoration":{"kind":"bg","zIndex":-5,"data":{ "c":"red"}}},
              "units":[{"unitType":"TITLE","unitData":1},{"unitType":"ITEMS","unitData":[{}]}]},
             {"layout":{"decoration":{"kind":"bg","mode":"section"}},"units":[{"unitType":"ITEMS","unitData":[{}]}]},
             {"layout":{"kind":"list","appearance":"insetGrouped"},"units":[{"unitType":"ITEMS","unitData":[{},{}]}]}]}
            """#)
        #expect(tree.contains(#""width":200,"height":44},"zIndex":10,"pinned":true,"data":1}"#))
        #expect(tree.contains(#""width":50.25,"height":20},"zIndex":1,"data":{}}"#))
        #expect(
            tree.contains(
                #""decorations":[{"kind":"bg","frame":{"x":0,"y":44,"width":200,"height":20},"zIndex":-5,"data":{ "c":"red"}}]"#
            ))
        #expect(
            tree.contains(
                #""decorations":[{"kind":"bg","frame":{"x":0,"y":0,"width":200,"height":20}}]"#))
        let separator = #""separator":{"x":32,"y":37,"width":152,"height":0.5},"data":{}}"#
        #expect(tree.contains(separator), "\(tree)")
        // The last row of an inset group has no separator.
        #expect(tree.split(separator: "\"separator\"").count == 2)
        let frames = try Self.tree(
            #"""
            {"sections":[{"layout":{"kind":"list"},"units":[{"unitType":"ITEMS","unitData":[{}]}]}]}
            """#
        ) { $0.options.fields = .frames }
        #expect(frames.contains(#""height":0.5}}]}],"#), "\(frames)")
    }

    @Test("An empty viewport gives no items and a diagnostic (G4)")
    func emptyViewport() throws {
        let tree = try Self.tree(Self.page) { $0.viewport.size.width = 0 }
        #expect(tree.contains(#""items":[]"#))
        #expect(!tree.contains(#""header""#))
        #expect(
            tree.contains(#""code":"EMPTY_VIEWPORT","page":3,"pointer":"/sections/0""#), "\(tree)")
    }

    @Test("Diagnostics of a header have the pointer of its unit")
    func layoutDiagnostics() throws {
        let catalog = #"""
            {"units":{"H":{"header":{"type":"Flat"}}},"cellTypes":{"Flat":{"size":{"height":0}}}}
            """#
        let page = #"{"page":2,"sections":[[],[{"unitType":"H","unitData":1}]]}"#
        let composer = Composer(registry: try Catalog(Array(catalog.utf8)).registry)
        let tree = String(decoding: try composer.compose(Array(page.utf8)), as: UTF8.self)
        #expect(
            tree.contains(#"{"code":"HEADER_HAS_NO_SIZE","page":2,"pointer":"/sections/1/0","#),
            "\(tree)")
    }

    @Test("A tree has its screen, its revision and the token of the next page")
    func envelope() throws {
        let composer = Composer()
        let document = try composer.document(of: Array(#"{"sections":[]}"#.utf8))
        let screen = composer.screen(
            of: try composer.viewModel(of: [try composer.page(in: document)]))
        let tree = TreeWriter.write(
            screen, composer.frames(of: screen), viewport: Viewport(),
            envelope: TreeEnvelope(
                screen: "home", revision: 18_446_744_073_709_551_615, nextPageToken: "t0k_en-",
                hasNext: true))
        #expect(
            String(decoding: tree, as: UTF8.self)
                == #"{"screen":"home","revision":18446744073709551615,"page":0,"pageCount":1,"hasNext":true,"nextPageToken":"t0k_en-","viewport":{"width":390,"height":844,"scale":3,"direction":"ltr"},"contentSize":{"width":390,"height":0},"sections":[],"diagnostics":[]}"#
        )
    }
}
