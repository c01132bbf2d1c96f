import Broadsheet
import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("Responses and the schemas of the OpenAPI document")
struct SchemaTests {
    private let validator: SchemaValidator

    init() throws {
        validator = SchemaValidator(document: try JSONDocument(OpenAPIDocument.bytes()).root)
    }

    private func violations(_ received: ReceivedResponse, _ schema: String) throws -> [String] {
        var strict = validator
        strict.refusesUnnamedMembers = true
        return try strict.violations(of: received.json, schema: schema)
    }

    private static let rich = """
        {"hasNext": true, "sections": [
          {"sectionId": "T", "units": [{"unitType": "TITLED", "unitData": {"title": {}, "rows": [{"id": 1}, {}]}}],
           "layout": {"decoration": {"kind": "card", "zIndex": -2, "inset": 4, "data": {"a": 1}}, "pinHeader": true},
           "data": {"theme": "dark"}},
          {"units": [{"unitType": "UNKNOWN"}]},
          {"sectionId": "O", "layout": {"kind": "compositional", "scrolling": "paging", "orthogonalScrollingProperties": {"decelerationRate": 0.9, "bounce": false}, "itemSize": {"uniform": {"columns": 1, "height": 40}}},
           "units": [{"unitType": "LIST", "unitData": [{"id": "a"}, {"id": "b"}]}]},
          {"sectionId": "L", "layout": {"kind": "list", "decoration": [{"kind": "a"}, {"kind": "b"}]}, "units": [{"unitType": "LIST", "unitData": [{"id": "c"}]}]},
          [{"unitType": "LIST", "unitData": [{"id": "d"}]}]
        ]}
        """

    private static let manyDecorations = Array(repeating: #"{"kind": "k"}"#, count: 17)
        .joined(separator: ",")

    private static let manyCases = (0..<257).map { "\"c\($0)\": \"A\"" }.joined(separator: ",")

    @Test("Trees conform to their schema in every form")
    func trees() async throws {
        let service = try await TestService()
        let path = "/v1/screens/home"
        #expect(
            try violations(try await service.send("PUT", "\(path)/pages/0", Self.rich), "Tree")
                == [])
        for query in [
            "", "?fields=frames", "?coordinates=content", "?pretty=true&rounding=none",
            "?direction=rtl&collapsed=T,L", "?lint=true", "?width=1e-9&height=1e-9",
        ] {
            let received = try await service.send("GET", "\(path)/layout\(query)")
            #expect(try violations(received, "Tree") == [], "\(query)")
        }
        let composed = try await service.send("POST", "/v1/layout", Self.rich)
        #expect(try violations(composed, "Tree") == [])
        let carousel = Pages.list(["a", "b"]).replacing(
            "\"units\":",
            with: "\"layout\":{\"paging\":{\"isEnabled\":true,\"isInfinitePage\":true}},\"units\":")
        let paging = try await service.send("POST", "/v1/layout", carousel)
        #expect(try paging.value("/sections/0/paging") != nil)
        #expect(try violations(paging, "Tree") == [])
        let cards = carousel.replacing(
            "\"paging\":",
            with: #""kind":"compositional","scrolling":"paging","#
                + #""itemSize":{"uniform":{"width":{"fraction":0.8}}},"paging":"#
        )
        let sideways = try await service.send("POST", "/v1/layout", cards)
        #expect(try sideways.value("/sections/0/paging") != nil)
        #expect(try sideways.value("/sections/0/scroll") != nil)
        #expect(try violations(sideways, "Tree") == [])
    }

    @Test("Changes and resets conform to their schema, and so does the request of a comparison")
    func changes() async throws {
        let pages = [Self.rich, Pages.list(["a", "b", "c"]), Pages.list(["c", "x", "a"])]
        let service = try await TestService()
        for old in pages {
            for new in pages {
                let body = #"{"from": {"pages": [\#(old)]}, "to": {"pages": [\#(new)]}}"#
                let request = try JSONDocument(Array(body.utf8)).root
                #expect(try validator.violations(of: request, schema: "CompareRequest") == [])
                let changes = try await service.send("POST", "/v1/changes", body)
                #expect(try violations(changes, "Changes") == [], "\(changes.text)")
            }
        }
    }

    @Test(
        "The schema of updates accepts what the daemon reads, empty lists included",
        arguments: [
            #"{"op": "replaceSection", "section": {"sectionId": "A", "units": []}, "after": 0}"#,
            #"{"op": "replaceSection", "section": {"sectionId": 7, "units": []}, "before": "B"}"#,
            #"{"op": "moveItems", "section": 0, "items": [], "toSection": "A"}"#,
            #"{"op": "insertItems", "section": "A", "units": []}"#,
            #"{"op": "insertSections", "sections": []}"#,
        ])
    func updates(_ operation: String) throws {
        let document = try JSONDocument(Array(#"{"operations": [\#(operation)]}"#.utf8))
        _ = try ScreenUpdate(document)
        #expect(try validator.violations(of: document.root, schema: "ScreenUpdate") == [])
        let named = #"{"operations": [{"op": "toggleSection", "section": true}]}"#
        let value = try JSONDocument(Array(named.utf8)).root
        #expect(try validator.violations(of: value, schema: "ScreenUpdate") != [])
    }

    @Test("The schemas of pages and catalogs accept those of the tests")
    func posted() throws {
        for (text, schema) in [
            (Self.rich, "Page"), (Pages.list(["a"], page: 3), "Page"), (Catalogs.shop, "Catalog"),
            (String(decoding: Catalog.storefrontBytes, as: UTF8.self), "Catalog"),
            (Self.rich, "ComposeRequest"),
            (#"{"ratio": 1.5}"#, "SizeRule"), (#"{"ratio": {"value": "/a"}}"#, "SizeRule"),
            (#"{"ratio": {"width": "/w", "height": "/h", "default": null}}"#, "SizeRule"),
            (#"{"sum": [1, {"product": [{"fraction": 1}, 2]}]}"#, "SizeRule"),
            ("140.5", "ItemWidth"), (#"{"fraction": 0.8}"#, "ItemWidth"),
            ("-1", "GridColumnCount"), (#"{"minItemWidth": 0.5, "max": 1}"#, "GridColumnCount"),
            (#"{"minItemWidth": 1, "max": null}"#, "GridColumnCount"),
            (#"{"default": 0, "600": 3, "9e2": null}"#, "GridColumnCount"),
            (#"{"kind": "k", "zIndex": null}"#, "Decorations"), ("[]", "Decorations"),
            (#"[{"kind": "k"}, {"kind": "k", "inset": 3, "data": []}]"#, "Decorations"),
            (#""Card""#, "PlacementType"),
            (#"{"switch": "/k", "cases": {}}"#, "PlacementType"),
            (#"{"switch": "", "cases": {"a": "A", "2": null}, "default": "B"}"#, "PlacementType"),
            (#"{"cell": {"type": "A"}, "layout": {"kind": "list"}}"#, "UnitRule"),
            ("{\"pages\":[\(Self.rich)],\"viewport\":{\"width\":1}}", "ComposeRequest"),
            ("{\"pages\":[\(Self.rich),{\"page\":7,\"sections\":[]}]}", "ScreenPages"),
            (#""0,-1.5,2e3,0""#, "Rectangle"), (#""*""#, "EntityTags"),
            (#"" , W/\"a\" ,,\"\"""#, "EntityTags"), (#""a-1~""#, "RequestId"),
            (#""a b""#, "SentRequestId"), (#""a-1""#, "SentRequestId"),
        ] {
            let value = try JSONDocument(Array(text.utf8)).root
            #expect(try validator.violations(of: value, schema: schema) == [], "\(schema)")
        }
    }

    @Test(
        "A null member equals an omitted one for the schemas and for the daemon",
        arguments: [
            #"{"page": null, "hasNext": null, "sections": []}"#,
            #"{"sections": [{"sectionId": null, "layout": null, "collapsed": null, "header": null, "footer": null, "units": []}]}"#,
            #"{"sections": [{"units": [], "layout": {"kind": null, "inset": null, "gridColumnCount": null, "paging": {"isLooping": null}, "decoration": null, "itemSize": null, "orthogonalScrollingProperties": {"bounce": null, "decelerationRate": null}}}]}"#,
            #"{"sections": [{"units": [], "data": null}]}"#,
            #"{"pages": [], "catalog": {"units": {"U": {"layout": null, "cell": {"type": {"switch": "", "cases": {"a": null}, "default": null}}}}}}"#,
            #"{"pages": [], "catalog": null, "viewport": null, "viewports": [null, {"width": null}]}"#,
            #"{"pages": [], "catalog": {"screen": null, "contract": null, "sections": null, "units": null, "cellTypes": null}}"#,
            #"{"pages": [], "catalog": {"screen": {"itemSize": {"width": null}, "inset": {"top": null}}, "contract": {"units": null}, "sections": {"*": null}, "units": {"X": null, "Y": {"cell": null}, "Z": [{"cell": {"type": "C", "data": null, "optional": null}}]}, "cellTypes": {"C": {"id": null, "size": {"width": null, "height": {"of": 1, "min": null, "max": null}}}, "D": null}}}"#,
        ])
    func nulls(text: String) async throws {
        let value = try JSONDocument(Array(text.utf8)).root
        #expect(try validator.violations(of: value, schema: "ComposeRequest") == [])
        #expect(try await TestService().send("POST", "/v1/layout", text).status == 200)
    }

    @Test(
        "The daemon refuses values that the schemas refuse",
        arguments: [
            #"{"sections": null}"#, #"{"sections": [{"units": null}]}"#,
            #"{"sections": [{"units": [], "layout": {"gridColumnCount": 3000000000}}]}"#,
            #"{"sections": [{"units": [], "layout": {"gridColumnCount": {}}}]}"#,
            #"{"sections": [{"units": [], "layout": {"gridColumnCount": {"minItemWidth": 0}}}]}"#,
            #"{"sections": [{"units": [], "layout": {"gridColumnCount": {"minItemWidth": 1, "max": 0}}}]}"#,
            #"{"sections": [{"units": [], "layout": {"gridColumnCount": {"minItemWidth": 1, "default": 2}}}]}"#,
            #"{"sections": [{"units": [], "layout": {"gridColumnCount": {"default": 2, "600": 1.5}}}]}"#,
            #"{"sections": [{"units": [], "layout": {"itemSize": {"uniform": {"width": {}}}}}]}"#,
            #"{"sections": [{"units": [], "layout": {"itemSize": {"uniform": {"width": "1"}}}}]}"#,
            #"{"sections": [{"units": [], "layout": {"itemSize": {"uniform": {"width": {"fraction": null}}}}}]}"#,
            #"{"sections": [{"units": [], "layout": {"orthogonalScrollingProperties": {"bounce": 1}}}]}"#,
            #"{"sections": [{"units": [], "layout": {"orthogonalScrollingProperties": {"decelerationRate": true}}}]}"#,
            #"{"sections": [{"units": [], "layout": {"decoration": [{}]}}]}"#,
            #"{"sections": [{"units": [], "layout": {"decoration": [null]}}]}"#,
            #"{"sections": [{"units": [], "layout": {"decoration": "k"}}]}"#,
            #"{"sections": [{"units": [], "layout": {"decoration": [\#(manyDecorations)]}}]}"#,
            #"{"pages": [], "catalog": {"units": {"U": {"layout": []}}}}"#,
            #"{"pages": [], "catalog": {"units": {"U": {"cell": {"type": {"switch": "", "cases": {\#(manyCases)}}}}}}}"#,
            #"{"pages": [], "catalog": {"units": {"U": {"cell": {"type": 1}}}}}"#,
            #"{"pages": [], "catalog": {"units": {"U": {"cell": {"type": {"switch": "/k"}}}}}}"#,
            #"{"pages": [], "catalog": {"units": {"U": {"cell": {"type": {"cases": {}}}}}}}"#,
            #"{"pages": [], "catalog": {"units": {"U": {"cell": {"type": {"switch": "", "cases": {"a": 1}}}}}}}"#,
            #"{"pages": [], "catalog": {"cellTypes": {"C": {"size": {"height": {"switch": "/a"}}}}}}"#,
            #"{"pages": [], "catalog": {"cellTypes": {"C": {"size": {"height": {"of": null}}}}}}"#,
            #"{"pages": [], "catalog": {"cellTypes": {"C": {"size": {"height": {"ratio": {"width": "/w"}}}}}}}"#,
            #"{"pages": [], "catalog": {"cellTypes": {"C": {"size": {"height": {"ratio": "1"}}}}}}"#,
            #"{"pages": [], "catalog": {"cellTypes": {"C": {"size": {"height": {"product": [1]}}}}}}"#,
            #"{"pages": [], "catalog": {"cellTypes": {"C": {"size": {"height": {"sum": 1}}}}}}"#,
        ])
    func refused(text: String) async throws {
        let value = try JSONDocument(Array(text.utf8)).root
        #expect(try validator.violations(of: value, schema: "ComposeRequest") != [])
        #expect(try await TestService().send("POST", "/v1/layout", text).status == 422)
    }

    @Test(
        "The daemon refuses sets of pages that the schema refuses",
        arguments: [
            #"{"pages": []}"#, #"{"pages": null}"#, "{}", "[]", #"{"sections": []}"#,
            #"{"pages": [null]}"#, #"{"pages": [{"page": -1, "sections": []}]}"#,
        ])
    func refusedSets(text: String) async throws {
        let value = try JSONDocument(Array(text.utf8)).root
        #expect(try validator.violations(of: value, schema: "ScreenPages") != [])
        #expect(try await TestService().send("PUT", "/v1/screens/a", text).status == 422)
    }

    @Test("Page states, lists and problems conform to their schemas")
    func others() async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/a/pages/0", Self.rich)
        try await service.send("PUT", "/v1/screens/b/pages/0", Self.rich)
        #expect(
            try violations(try await service.send("GET", "/v1/screens/a/pages"), "PageState") == [])
        for query in ["", "?pageSize=1"] {
            #expect(
                try violations(try await service.send("GET", "/v1/screens\(query)"), "ScreenList")
                    == []
            )
        }
        for (method, path, body) in [
            ("GET", "/nowhere", ""), ("PUT", "/v1/screens/a/pages/0", "{"),
            ("PUT", "/v1/screens/a/pages/0", "{}"), ("PATCH", "/v1/catalog", ""),
        ] {
            let received = try await service.send(method, path, body)
            #expect(try violations(received, "Problem") == [], "\(method) \(path)")
        }
    }

    @Test("The validator finds violations")
    func validatorFinds() throws {
        for (text, schema) in [
            ("{}", "Page"), (#"{"sections":[7]}"#, "Page"), (#"{"page":-1,"sections":[]}"#, "Page"),
            (#"{"page":0.5,"sections":[]}"#, "Page"), (#"".""#, "ScreenName"),
            (#""a b""#, "ScreenName"), ("7", "ScreenName"), (#""NOPE""#, "ProblemCode"),
            (#"{"width":0}"#, "Viewport"), (#"{"scale":0.4}"#, "Viewport"),
            (#"{"scale":9}"#, "Viewport"), (#"{"sections":[[null]]}"#, "Page"),
            (#"{"sum":[null]}"#, "SizeRule"), (#"{"of":null}"#, "SizeRule"),
            (#"{"height":{"ratio":"x"}}"#, "SizeRule"), (#""1,2,3""#, "Rectangle"),
            (#""01,2,3,4""#, "Rectangle"), (#""r3""#, "EntityTags"), (#"",""#, "EntityTags"),
            (#""a b""#, "RequestId"), (#""""#, "RequestId"),
            (#"{"flag": ["a"]}"#, "Condition"), (#"{"flags": null, "x-a": 1}"#, "Condition"),
        ] {
            let value = try JSONDocument(Array(text.utf8)).root
            #expect(try !validator.violations(of: value, schema: schema).isEmpty, "\(text)")
        }
    }
}
