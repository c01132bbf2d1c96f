import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import Foundation
import Testing

@testable import BroadsheetService

@Suite("Explained layouts (docs/api.md, Explained layouts)")
struct ExplainTests {
    private let path = "/v1/screens/home/layout"

    private static let catalog = #"""
        {"cellTypes": {"Card": {"id": "/id", "size": {"height": 40}}, "New": {"since": {"ios": "6.0"},
           "size": {"height": 40}}, "Title": {"size": {"height": 20}}},
         "sections": {"Grid": {"gridColumnCount": 3}},
         "units": {"CARDS": {"cells": {"type": "Card", "data": "/list"}},
           "NEW": {"cell": {"type": "New"}}, "ONE": {"cell": {"type": "Card"}},
           "T": {"header": {"type": "Title"}}}}
        """#

    private func origin(_ tree: ReceivedResponse, _ pointer: String) throws -> String {
        try #require(try tree.value(pointer + "/from")?.raw)
    }

    /// Returns the JSON of a tree without the members that `explain` adds.
    private func plain(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.range(of: ",\"from\":{") {
            result += rest[..<start.lowerBound]
            var depth = 1
            var (isText, isEscaped) = (false, false)
            rest = rest[start.upperBound...]
            while depth > 0, let character = rest.popFirst() {
                if isText {
                    if !isEscaped, character == "\"" { isText = false }
                    isEscaped = !isEscaped && character == "\\"
                } else if character == "\"" {
                    isText = true
                } else if character == "{" {
                    depth += 1
                } else if character == "}" {
                    depth -= 1
                }
            }
        }
        return result + rest
    }

    @Test(
        "It adds the origins of sections and elements, and changes nothing else",
        arguments: 0..<20)
    func additional(seed: Int) async throws {
        var screens = RandomScreens(seed: UInt64(seed))
        let service = try await TestService(catalog: RandomScreens.catalog)
        var posted: [Int: JSONValue] = [:]
        for page in 0..<screens.number(in: 1...4) {
            let body = screens.page()
            posted[page] = try JSONDocument(Array(body.utf8)).root
            try await service.send("PUT", "/v1/screens/home/pages/\(page)", body)
        }
        let query = "\(path)?pages=all"
        let tree = try await service.send("GET", query)
        let explained = try await service.send("GET", "\(query)&explain=true")
        #expect(plain(explained.text) == tree.text, "seed \(seed)")
        #expect(explained.etag != tree.etag)
        #expect(try await service.send("GET", "\(query)&explain=false").etag == tree.etag)
        // Each pointer leads to the bytes of the data, and to a unit of the type.
        for section in try #require(try explained.value("/sections")).elements {
            for item in section["items"]?.elements.map(\.self) ?? [] {
                let from = try #require(item["from"], "seed \(seed)")
                let page = try #require(from["page"]?.int.flatMap { posted[$0] })
                func value(_ name: String) throws -> JSONValue? {
                    try JSONPointer(try #require(from[name]?.string)).evaluate(on: page)
                }
                #expect(try value("pointer")?.raw == item["data"]?.raw, "seed \(seed)")
                #expect(try value("unit")?["unitType"]?.string == from["unitType"]?.string)
            }
        }
    }

    @Test("A part of a tree has the same origins as the whole")
    func part() async throws {
        let service = try await TestService(catalog: Self.catalog)
        let ids = (0..<500).map { #"{"id": "c\#($0)"}"# }.joined(separator: ",")
        try await service.send(
            "PUT", "/v1/screens/home/pages/0",
            #"{"sections": [{"units": [{"unitType": "CARDS", "unitData": {"list": [\#(ids)]}}]}]}"#)
        let whole = try await service.send("GET", "\(path)?explain=true")
        for first in [0, 7, 499] {
            let frame = "/sections/0/items/\(first)/frame"
            let (x, y) = (try whole.number("\(frame)/x"), try whole.number("\(frame)/y"))
            let part = try await service.send(
                "GET", "\(path)?explain=true&rect=\(x + 1),\(y + 1),1,1")
            #expect(try part.value("/sections/0/items")?.count == 1)
            #expect(
                try origin(part, "/sections/0/items/0")
                    == origin(whole, "/sections/0/items/\(first)"))
            #expect(
                try part.value("/sections/0/items/0/from/pointer")?.string
                    == "/sections/0/units/0/unitData/list/\(first)")
        }
    }

    @Test("A window has the origins of its items, and of the sections that they are in")
    func window() async throws {
        let service = try await TestService(catalog: Self.catalog)
        let body = #"""
            {"sections": [{"sectionId": "S", "units": [{"unitType": "CARDS",
             "unitData": {"list": [{"id": "a"}, {"id": "b"}, {"id": "c"}]}}]}]}
            """#
        try await service.send("PUT", "/v1/screens/home/pages/0", body)
        let window = "\(path)?item=b&before=0&after=0"
        let whole = try await service.send("GET", "\(path)?explain=true")
        let plain = try await service.send("GET", window)
        let explained = try await service.send("GET", "\(window)&explain=true")
        #expect(try explained.value("/sections/0/items")?.count == 1)
        #expect(
            try origin(explained, "/sections/0/items/0") == origin(whole, "/sections/0/items/1"))
        #expect(try origin(explained, "/sections/0") == origin(whole, "/sections/0"))
        #expect(self.plain(explained.text) == plain.text)
        #expect(explained.etag != plain.etag)
    }

    @Test("Compositions have it too, in each tree; pointers lead into their pages")
    func compositions() async throws {
        let service = try await TestService(catalog: Self.catalog)
        let page = #"""
            {"sections": [{"header": {"unitType": "T", "text": 1},
             "units": [{"unitType": "ONE", "id": 1}]}]}
            """#
        let body =
            #"{"pages": [\#(page), \#(page)], "viewports": [{"width": 100}, {"width": 300}]}"#
        let trees = try await service.send("POST", "/v1/layout?explain=true", body)
        for tree in 0...1 {
            for section in 0...1 {
                let header = #"""
                    {"page":\#(section),"pointer":"/sections/0/header","unit":"/sections/0/header",\#
                    "unitType":"T","placement":"/units/T/header"}
                    """#
                #expect(
                    try origin(trees, "/layouts/\(tree)/sections/\(section)/header") == header)
            }
        }
        let own = #"""
            {"pages": [\#(page)], "catalog": {"cellTypes": {"A": {}},
             "units": {"ONE": [{"layout": {"inset": 1}}, {"cell": [{"type": "A"}]}]}}}
            """#
        let tree = try await service.send("POST", "/v1/layout?explain=true", own)
        #expect(
            try tree.value("/sections/0/items/0/from/placement")?.string == "/units/ONE/1/cell/0")
        #expect(try tree.value("/sections/0/from/entry")?.string == "/units/ONE/0/layout")
        let plain = try await service.send("POST", "/v1/layout", own)
        #expect(self.plain(tree.text) == plain.text)
    }

    @Test("Of repeated members the last one is meant, and null is as no member")
    func repeated() async throws {
        let body = #"""
            {"sections": [{"sectionId": "Grid",
             "layout": {"inset": 1, "gridColumnCount": 2, "inset": 1.50, "minimumLineSpacing": 4,
               "minimumLineSpacing": null},
             "units": [{"unitType": "NEW", "unitData": 1, "unitData": {"list": [{"id": "a"}],
               "list": [{"id": "b"}]}, "unitType": "CARDS"}]}]}
            """#
        let service = try await TestService(catalog: Self.catalog)
        let tree = try await service.send("POST", "/v1/layout?explain=true", body)
        #expect(
            try tree.value("/sections/0/from/layout")?.raw
                == #"{"gridColumnCount":2,"inset":1.50}"#)
        #expect(try tree.value("/sections/0/items/0/data/id")?.string == "b")
        #expect(
            try tree.value("/sections/0/items/0/from/pointer")?.string
                == "/sections/0/units/0/unitData/list/0")
        let again = try JSONPointer("/sections/0/units/0/unitData/list/0/id")
            .evaluate(on: JSONDocument(Array(body.utf8)).root)
        #expect(again?.string == "b")
    }

    @Test("A section lists at most 100 posted sections, and long pointers are cut")
    func limits() async throws {
        let service = try await TestService(catalog: Self.catalog)
        let name = String(repeating: "n", count: 2000)
        let sections = (0..<120).map {
            #"{"sectionId": "S", "layout": {"inset": \#($0)}, "units": []}"#
        }
        let body = #"{"sections": [\#(sections.joined(separator: ","))]}"#
        try await service.send("PUT", "/v1/screens/home/pages/0", body)
        let tree = try await service.send("GET", "\(path)?explain=true")
        #expect(try tree.value("/sections/0/from/posted")?.count == 100)
        #expect(try tree.value("/sections/0/from/layout/inset")?.int == 119)
        let long = #"""
            {"pages": [{"sections": [{"units": [{"unitType": "U", "unitData": {"\#(name)": {}}}]}]}],
             "catalog": {"cellTypes": {"A": {}},
              "units": {"U": {"cell": {"type": "A", "data": "/\#(name.prefix(1000))"}}}}}
            """#
        let composed = try await service.send(
            "POST", "/v1/layout?explain=true", long.replacing(name, with: name.prefix(1000)))
        let pointer = try #require(
            try composed.value("/sections/0/items/0/from/pointer")?.string)
        #expect(pointer.utf8.count <= 1024 && pointer.hasSuffix("…"))
    }

    @Test("A large explained tree is written in parts, and has the length that it declares")
    func large() async throws {
        let service = try await TestService(catalog: Self.catalog)
        let ids = (0..<3000).map { #"{"id": "c\#($0)"}"# }.joined(separator: ",")
        try await service.send(
            "PUT", "/v1/screens/home/pages/0",
            #"{"sections": [{"units": [{"unitType": "CARDS", "unitData": {"list": [\#(ids)]}}]}]}"#)
        for _ in 0..<2 {
            let tree = try await service.send("GET", "\(path)?explain=true")
            #expect(tree.response.source != nil)
            #expect(tree.body.count == tree.response.source?.byteCount)
            #expect(
                try tree.value("/sections/0/items/2999/from/pointer")?.string
                    == "/sections/0/units/0/unitData/list/2999")
        }
        let small = try await TestService(catalog: Self.catalog, maxResponseBytes: 100_000)
        try await small.send("PUT", "/v1/screens/home/pages/0", Pages.list([]))
        let refused = try await small.send(
            "POST", "/v1/layout?explain=true",
            #"{"sections": [{"units": [{"unitType": "CARDS", "unitData": {"list": [\#(ids)]}}]}]}"#)
        #expect(refused.code == "ANSWER_TOO_LARGE")
    }

    @Test("The origins are found in the reserved memory, and are kept with the layout")
    func memory() async throws {
        let memory = MemoryBudget(limit: 256 << 20)
        let service = try await TestService(catalog: Self.catalog, memory: memory)
        try await service.send(
            "PUT", "/v1/screens/home/pages/0",
            #"{"sections": [{"units": [{"unitType": "ONE", "unitData": {"id": 1}}]}]}"#)
        let plain = try await service.send("GET", "\(path)?rect=0,0,9,9")
        let before = memory.statistics.used(by: .layouts)
        let explained = try await service.send("GET", "\(path)?rect=0,0,9,9&explain=true")
        #expect(explained.status == 200 && explained.text != plain.text)
        #expect(memory.statistics.used(by: .layouts) > before)
        let kept = memory.statistics.used(by: .layouts)
        try await service.send("GET", "\(path)?rect=0,0,9,9&explain=true")
        #expect(memory.statistics.used(by: .layouts) == kept)
    }
}

@Suite("The list of catalogs (docs/catalog.md, Several catalogs)")
struct CatalogListTests {
    @Test("It has the names that the parameter takes, in byte order, and not the unnamed one")
    func names() async throws {
        let service = try await TestService(
            named: ["b": Catalogs.flatter, "B": Catalogs.flatter, "a-1": Catalogs.flatter])
        let list = try await service.send("GET", "/v1/catalogs")
        #expect(list.text == #"{"catalogs":["B","a-1","b"]}"#)
        #expect(try await TestService().send("GET", "/v1/catalogs").text == #"{"catalogs":[]}"#)
        #expect(try await service.send("GET", "/v1/catalogs?x=1").code == "INVALID_PARAMETER")
    }
}
