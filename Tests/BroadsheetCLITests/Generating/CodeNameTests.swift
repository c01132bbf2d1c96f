import Foundation
import Testing

@testable import BroadsheetCLI

@Suite("docs/generate.md: names")
struct CodeNameTests {
    @Test(
        "A name has a spelling for types and one for members",
        arguments: [
            ("SS_PRODUCT_LIST", "SsProductList", "ssProductList"),
            ("image_url", "ImageUrl", "imageUrl"), ("imageURL", "ImageURL", "imageURL"),
            ("URLString", "URLString", "urlString"), ("ID", "Id", "id"), ("Id", "Id", "id"),
            ("xY", "XY", "xY"), ("X_Y", "XY", "xY"), ("TopBanner", "TopBanner", "topBanner"),
            ("top-banner 2", "TopBanner2", "topBanner2"), ("2fast", "_2fast", "_2fast"),
            ("URL2x", "URL2x", "url2x"), ("💡", "Unnamed", "unnamed"), ("", "Unnamed", "unnamed"),
            ("größe", "Größe", "größe"), ("Ärger", "Ärger", "Ärger"), ("名前", "名前", "名前"),
            ("a\u{301}b", "AB", "aB"), ("ﬁne", "Ne", "ne"), ("__proto__", "Proto", "proto"),
            ("a\u{E33}", "A\u{E33}", "a\u{E33}"),
        ])
    func spellings(name: String, type: String, member: String) {
        #expect(CodeName.identifier(CodeName(name).capitalized) == type)
        #expect(CodeName(name).member == member)
    }

    @Test("Equal names get numbers in their order, and some are taken from the start")
    func numbers() {
        var scope = NameScope.members
        #expect(
            ["a", "a", "rawValue", "a", "a_2"].map { scope.take($0) }
                == ["a", "a_2", "rawValue_2", "a_3", "a_2_2"])
        var types = NameScope.types(besides: "Shop")
        #expect(
            ["Shop", "shop", "String", "Tile", "TILE"].map { types.take($0) }
                == ["Shop_2", "shop_3", "String_2", "Tile", "TILE_2"])
    }

    private static let object = #"{"properties": {"a": {"type": "string"}}}"#
    private static let other = #"{"properties": {"b": {"type": "string"}}}"#

    @Test(
        "A type is one with another of its name and meaning, else it has the owner's name or Data",
        arguments: [
            (object, ["Product", "Tile"], "Product"),
            (other, ["Product", "Tile", "TileProduct"], "TileProduct"),
        ])
    func sharedTypes(definition: String, types: [String], member: String) async throws {
        let catalog = """
            {"cellTypes": {"Product": {"schema": \(Self.object)},
              "Tile": {"schema": {"properties": {"p": {"$ref": "#/$defs/product"}},
                                  "$defs": {"product": \(definition)}}}}}
            """
        let code = try await GeneratedCode(.swift, of: catalog)
        #expect(code.line(after: "public var p: ") == "\(member)?")
        let names = code.text.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /public struct (\w+)/).map { String($0.1) }
        }
        #expect(names == types)
    }

    @Test("A member with the name of all others is not these")
    func namedAsOthers() async throws {
        let others = #""properties": {"a": {"type": "string"}"#
        let map = #"{"additionalProperties": {"type": "integer"}}"#
        let code = try await GeneratedCode(
            .swift,
            of: """
                {"cellTypes": {"Product": {"schema": {\(others)}, "additionalProperties": {"type": "integer"}}},
                  "Tile": {"schema": {"properties": {"p": {"$ref": "#/$defs/product"}},
                    "$defs": {"product": {"required": ["additionalMembers"],
                                          \(others), "additionalMembers": \(map)}}}}}}}
                """)
        #expect(code.line(after: "public var p: ") == "TileProduct?")
    }

    @Test(
        "Names of types are whole, whatever their first letters are",
        arguments: [("3d", "enum _3dActions"), ("\u{E33}", "case \u{E33}(\u{E33})")])
    func firstLetters(name: String, line: String) async throws {
        let type = #"{"schema": \#(Self.object), "actions": {"like": {"forward": true}}}"#
        let code = try await GeneratedCode(.swift, of: #"{"cellTypes": {"\#(name)": \#(type)}}"#)
        // Scalar by scalar: some letters join the character before.
        #expect(code.text.range(of: line, options: .literal) != nil)
    }

    @Test(
        "Names of the file and of the languages are followed by Data",
        arguments: ["Nullable", "String", "Promise", "Shop", "Indirect"])
    func takenTypes(name: String) async throws {
        let code = try await GeneratedCode(
            .swift, of: #"{"cellTypes": {"\#(name)": {"schema": \#(Self.object)}}}"#)
        #expect(code.text.contains("public struct \(name)Data: Codable"))
    }

    @Test("Types of parts have the names of their owners and members")
    func parts() async throws {
        let schema = """
            {"properties": {"list": {"items": \(Self.object)}, "map": {"additionalProperties": \(Self.other)},
              "state": {"enum": ["a"]}, "any": {"oneOf": [{"type": "string"}, {"properties": {"c": {"type": "string"}}}]}}}
            """
        let text = try await GeneratedCode(.swift, of: .catalog(schema: schema)).text
        for name in [
            "struct TListItem", "struct TMapValue", "enum TState", "enum TAny", "struct TAnyObject",
        ] {
            #expect(text.contains("\(name): "))
        }
    }

    @Test("Keywords are in backticks")
    func keywords() async throws {
        let schema = #"{"properties": {"class": {"type": "string"}, "fun": {"type": "string"}}}"#
        let swift = try await GeneratedCode(.swift, of: .catalog(schema: schema))
        #expect(swift.text.contains("public var `class`: String?"))
        #expect(swift.text.contains("public var fun: String?"))
        let kotlin = try await GeneratedCode(.kotlin, of: .catalog(schema: schema))
        #expect(kotlin.text.contains("val `class`: String? = null,"))
        #expect(kotlin.text.contains("val `fun`: String? = null\n"))
    }
}
