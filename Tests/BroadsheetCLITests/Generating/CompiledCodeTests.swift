import Broadsheet
import Foundation
import TestSupport
import Testing

@testable import BroadsheetCLI

/// Compiles generated code with the compilers of its language, and runs it.
///
/// Each language has one batch, because compilers take seconds to start.
@Suite("Generated code")
struct CompiledCodeTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

    /// The catalogs of a batch, by the names of their scopes.
    private static func catalogs() throws -> [(name: String, text: String)] {
        let fixtures = try ["Storefront", "Cells", "Wishes"].map { name in
            let path = "Fixtures/\(name.lowercased())/catalog.json"
            return (
                name: name,
                text: try String(contentsOf: root.appending(path: path), encoding: .utf8)
            )
        }
        // The fonts of the fixture are not needed here.
        let starting = try String(
            contentsOf: root.appending(path: "Sources/BroadsheetWeb/starting/catalog.json"),
            encoding: .utf8)
        return fixtures.filter { $0.name != "Cells" }
            + [("Shop", starting), ("Rules", rules), ("Hostile", hostile)]
            + random.enumerated().map { ("Random\($0)", $1.text) }
    }

    /// Returns the examples of docs/generate.md in a language.
    private static func examples(_ language: String) throws -> [String] {
        let text = try String(contentsOf: root.appending(path: "docs/generate.md"), encoding: .utf8)
        return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap { rest in
            rest.components(separatedBy: "\n```").first
        }
    }

    /// A catalog with a member of each kind.
    private static let rules = """
        {"contract": {"unitType": "kind", "unitData": "payload"},
         "sections": {"TopBanner": {}, "*": {}, "class": {}},
         "units": {"WISHES": {"cells": {"type": "Wish", "when": {"flags": ["new-look"]}},
                              "schema": {"items": {"$ref": "#/$defs/wish"},
                                         "$defs": {"wish": {"required": ["id"], "properties": {"id": {"type": "string"}}}}}}},
         "cellTypes": {
          "A-b": {"actions": {"like": {"forward": true}}},
          "A_b": {"actions": {"like": {"forward": true}}},
          "Reel": {"since": {"ios": "5.2"}, "fallback": "Wish"},
          "Maybe": {"schema": {"type": ["array", "null"], "items": {"type": "integer"}}},
          "Wish": {
           "actions": {"like": {"forward": true, "input": {"required": ["on"], "properties": {"on": {"type": "boolean"}}}},
                       "remove": {"forward": true}, "set": {"forward": true, "input": {"type": ["string", "null"]}}},
           "schema": {"title": "A wish", "required": ["id", "kind", "note", "any", "in"], "properties": {
             "id": {"type": "string"}, "kind": {"const": "wish"}, "note": {"type": ["string", "null"]},
             "any": true, "in": {"type": "number"}, "image_url": {"type": "string"},
             "both": {"type": ["integer", "null"], "deprecated": true}, "maybe": {},
             "state": {"oneOf": [{"const": "on"}, {"const": "dark-off"}]},
             "parent": {"$ref": "#"}, "children": {"items": {"$ref": "#"}},
             "byName": {"additionalProperties": {"type": ["integer", "null"]}},
             "matrix": {"items": {"items": {"type": ["number", "null"]}}},
             "value": {"type": ["boolean", "integer", "string", "array", "object"], "items": {"type": "string"}},
             "media": {"oneOf": [
               {"required": ["type"], "properties": {"type": {"const": "video"}, "url": {"type": "string"}}},
               {"required": ["type"], "properties": {"type": {"const": "picture"}, "alt": {"type": "string"}}}]},
             "big": {"type": ["string", "integer"], "maximum": 1e30},
             "narrow": {"oneOf": [{"type": "string", "$ref": "#/$defs/mixed"}, {"type": "integer"}]},
             "open": {"properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "integer"}}},
            "$defs": {"mixed": {"oneOf": [{"type": "string"}, {"type": "boolean"}, {"type": "integer"}]}}}}}}
        """

    /// Data of the type `Wish`.
    private static let data = """
        {"id": "a", "kind": "wish", "note": null, "any": null, "in": 1.5, "image_url": "u",
         "both": null, "maybe": null, "state": "newer", "parent": \(parent), "children": [\(parent)],
         "byName": {"x": 9007199254740993, "y": null}, "matrix": [[1, null], []], "value": ["a"],
         "media": {"type": "video", "url": "u"}, "open": {"a": "b", "c": 3},
         "big": "b", "narrow": 4}
        """
    private static let parent = """
        {"id": "b", "kind": "wish", "note": "n", "any": {"z": [1]}, "in": 2, "state": "dark-off",
         "value": 4, "media": {"type": "hologram", "depth": 3}}
        """

    /// A catalog with texts that would leave a comment or a literal, wherever it has texts.
    private static let hostile: String = {
        let texts = [
            #"*/ import evil /*"#, #"\"); evil(); (\""#, #"\\(evil()) ${evil()} $evil"#,
            #"\n evil() \u2028 evil() \u0000 \u202e"#, "@evil", "`evil`", "__proto__",
            "constructor",
        ]
        let types = texts.enumerated().map { index, text in
            """
            "\(text)\(index)": {"actions": {"\(text)": {"forward": true}}, "schema": {
              "title": "\(text)", "description": "\(text)", "format": "\(text)", "default": "\(text)",
              "required": ["c"], "properties": {"\(text)": {"type": "string", "description": "\(text)"},
                "c": {"const": "\(text)"}, "e": {"enum": ["\(text)", 1]}, "s": {"enum": ["\(text)", "x"]},
                "u": {"oneOf": [{"required": ["t"], "properties": {"t": {"const": "\(text)"}}},
                                {"required": ["t"], "properties": {"t": {"const": "y"}}}]}}}}
            """
        }
        let units = texts.enumerated().map { index, text in
            #""\#(text)": {"cell": {"type": "\#(text)\#(index)"}}"#
        }
        let sections = texts.map { #""\#($0)": {}"# }.joined(separator: ",")
        return """
            {"contract": {"unitType": "__proto__", "unitData": "\(texts[2])"},
             "sections": {\(sections)}, "units": {\(units.joined(separator: ","))},
             "cellTypes": {\(types.joined(separator: ","))}}
            """
    }()

    // MARK: Running

    /// Writes the code of all catalogs to a folder, runs steps there, and expects no output of the
    /// compilers but what the last step prints.
    private func run(
        _ language: GeneratedLanguage, _ fileExtension: String, _ files: [String: String],
        _ steps: (URL) -> [[String]]
    ) async throws -> String {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "broadsheet-generated-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in try Self.catalogs() {
            let code = try await GeneratedCode(language, of: text, name: name)
            try Data(code.text.utf8).write(to: folder.appending(path: "\(name).\(fileExtension)"))
        }
        for (name, text) in files {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        var output = ""
        for words in steps(folder) {
            let result = try ChildProgram.run(
                ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path] + words)
            try #require(result.status == 0, "\(words.prefix(1)): \(result.output)")
            output = result.output
        }
        return output
    }

    /// Random catalogs, the same ones in each test of a run.
    private static let random = (0..<8).map { index in
        RandomCatalog(seed: seed &+ UInt64(index))
    }
    private static let seed = SeededGenerator.seed(of: "generated code")

    private static func quoted(_ json: String) -> String { "#\"\"\"\n\(json)\n\"\"\"#" }

    @Test("Swift: data is written as it was read, and newer data is unknown")
    func swift() async throws {
        let build = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let main = """
            import BroadsheetClient

            func value(_ text: String) throws -> TreeValue { try TreeValue(json: Array(text.utf8)) }
            let data = try value(\(Self.quoted(Self.data)))
            let cell = Rules.Cell(type: "Wish", data: data)
            guard case .wish(let wish) = cell else { fatalError("\\(cell)") }
            precondition(cell.data == data && cell.type == "Wish")
            precondition(wish.both == .null && wish.maybe == .null && wish.note == nil)
            precondition(wish.state == .unknown("newer") && wish.parent?.value.state == .darkOff)
            precondition(wish.byName?["x"] == 9_007_199_254_740_993)
            precondition(wish.open?.additionalMembers == ["c": 3])
            precondition(wish.big == .string("b") && wish.narrow == .number(4))
            guard case .video(let video)? = wish.media, video.url == "u" else { fatalError() }
            guard case .unknown(let newer)? = wish.parent?.value.media else { fatalError() }
            precondition(newer["depth"] == 3)
            let newType = Rules.Cell(type: "Later", data: data)
            precondition(newType == .unknown(type: "Later", data: data) && newType.data == data)
            guard case .unknown = Rules.Cell(type: "Wish", data: [1]) else { fatalError() }
            guard case .maybe(nil) = Rules.Cell(type: "Maybe", data: .null) else { fatalError() }
            precondition(Rules.Cell.maybe([1]).data == [1] && Rules.Cell.maybe(nil).data == .null)
            let unit = Rules.Unit.wishes([.init(id: "w")])
            precondition(unit.unitType == "WISHES")
            let posted = try TreeValue(encoding: unit)
            precondition(posted == ["kind": "WISHES", "payload": [["id": "w"]]])
            let event = Rules.WishActions.like(.init(on: true), section: "s", item: "i")
            precondition(event == ClientEvent(action: "like", section: "s", item: "i", input: ["on": true]))
            precondition(Rules.WishActions.remove(section: 1, view: .header).input == nil)
            precondition(Rules.WishActions.set(nil, section: 1, item: 2).input == .null)
            precondition(Rules.SectionID.topBanner == "TopBanner" && Rules.Flag.newLook == "new-look")
            \(Self.randomChecks)
            print(try postedPage())
            """
        let examples = try Self.examples("swift")
        let backend = """
            import Broadsheet
            import BroadsheetClient

            \(examples[1])

            func postedPage() throws -> String {
                String(decoding: try page().document.bytes, as: UTF8.self)
            }
            """
        let files = [
            "main.swift": main, "App.swift": Self.views + examples[0], "Backend.swift": backend,
        ]
        let output = try await run(.swift, "swift", files) { _ in
            let modules = [
                "-I", build.appending(path: "Modules").path, "-Xcc",
                "-fmodule-map-file=\(build.path)/CByteMasks.build/module.modulemap",
            ]
            let objects = ["Broadsheet", "BroadsheetClient", "BroadsheetCollections", "CByteMasks"]
                .flatMap { Self.objects(in: build.appending(path: "\($0).build")) }
            let sources =
                ((try? Self.catalogs()) ?? []).map { "\($0.name).swift" } + files.keys.sorted()
            return [
                ["swiftc", "-swift-version", "6", "-warnings-as-errors", "-Onone"] + modules
                    + sources + objects + ["-o", "program"],
                ["./program"],
            ]
        }
        #expect(
            output == """
                {"hasNext":false,"sections":[{"sectionId":"products","units":[{"unitData":[{"id":"p1",\
                "price":3900,"title":"Teapot"}],"unitType":"PRODUCTS"}]}]}

                """)
    }

    /// Statements that read the data of each random catalog and write it.
    private static var randomChecks: String {
        random.enumerated().map { index, catalog in
            """
            do {
                let data = try value(\(quoted(catalog.data)))
                let cell = Random\(index).Cell(type: "T", data: data)
                guard case .t = cell, cell.data == data else { fatalError("\(index): \\(cell)") }
            }
            """
        }.joined(separator: "\n")
    }

    /// The parts of UIKit that the example uses.
    private static let views = """
        import BroadsheetClient

        enum UIColor { case green, black }
        class UILabel {
            var text: String?
            var textColor = UIColor.black
        }
        class UICollectionViewCell {}

        """

    private static func objects(in folder: URL) -> [String] {
        let files =
            (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".o") }.map { folder.appending(path: $0).path }
    }

    @Test("TypeScript: types, cells and actions pass --strict, and data narrows")
    func typescript() async throws {
        let uses = """
            import {cell, unit, actions, SectionID, Flag, CellOf, CellFunctions, Wish} from "./Rules";
            import * as hostile from "./Hostile";
            \(Self.random.indices.map { "import * as random\($0) from \"./Random\($0)\";" }
                .joined(separator: "\n"))

            interface Item { id: string; type: string; data?: any; frame: {x: number} }
            const data: Wish = \(Self.data.replacing("\"newer\"", with: "\"on\"")
                .replacing("\"hologram\", \"depth\": 3", with: "\"picture\""));
            const item: Item = {id: "a", type: "Wish", data, frame: {x: 1}};
            const found = cell(item);
            if (found === undefined || found.type !== "Wish") throw new Error("no cell");
            const id: string = found.data.id + found.id + found.frame.x;
            if (id !== "aa1" || cell({type: "toString"}) !== undefined) throw new Error(id);
            const functions: CellFunctions<string[], Item, null> = {
                Wish: (element, wish: CellOf<"Wish", Item>) => { element.push(wish.data.id); },
            };
            functions.Wish?.([], found, null);
            if (data.media?.type === "video") { const url: string | undefined = data.media.url; }
            const event = actions.Wish.like({on: true}, {section: SectionID.topBanner, item: "i"});
            const flag: "new-look" = Flag.newLook;
            if (actions.AB_2.like !== undefined && actions.AB.like === actions.AB_2.like) throw 0;
            if (Object.keys(hostile.unit("@evil", null)).indexOf("__proto__") < 0) throw 1;
            \(Self.random.enumerated().map { Self.typescriptCheck($0, $1) }.joined(separator: "\n"))
            console.log(JSON.stringify([unit("WISHES", [{id: "w"}]), event, flag]));
            console.log(Object.keys(hostile).length > 3);
            """
        let examples = try Self.examples("ts")
        let clients = try ["client", "element"].map { name in
            let path = "Sources/BroadsheetWeb/\(name).d.ts"
            return try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        }
        let files = [
            "uses.ts": uses,
            "console.d.ts": "declare var console: {log(text: unknown): void};",
            "client.d.ts": clients[0], "element.d.ts": clients[1],
            "Page.ts": examples[0].replacing("./shop", with: "./Shop"),
            "Backend.ts": examples[1].replacing("./shop", with: "./Shop"),
        ]
        let output = try await run(.typescript, "ts", files) { _ in
            let sources = ((try? Self.catalogs()) ?? []).map { "\($0.name).ts" } + ["uses.ts"]
            let tsc = ["tsc", "--strict", "--target", "es2020", "--module", "commonjs"]
            return [
                tsc + ["--noEmit", "Page.ts", "Backend.ts"],
                tsc + ["--lib", "es2020", "--noEmitOnError"] + sources + ["console.d.ts"],
                ["node", "uses.js"],
            ]
        }
        #expect(
            output == """
                [{"kind":"WISHES","payload":[{"id":"w"}]},\
                {"type":"action","name":"like","section":"TopBanner","item":"i","input":{"on":true}},\
                "new-look"]
                true

                """)
    }

    /// Statements for which the data of a random catalog has its type, and a cell keeps it.
    private static func typescriptCheck(_ index: Int, _ catalog: RandomCatalog) -> String {
        """
        {
            const known: random\(index).CellData["T"] = \(catalog.knownData);
            const data: any = \(catalog.data);
            const found = random\(index).cell({type: "T", data});
            if (known === undefined || found === undefined) throw new Error("\(index)");
            const kept: random\(index).CellData["T"] = found.data;
            if (kept !== data) throw new Error("\(index)");
        }
        """
    }

    @Test("Kotlin: data is written as it was read, and newer data is unknown")
    func kotlin() async throws {
        let random = try Self.random.enumerated().map { index, catalog in
            let data = try Self.kotlin(JSONDocument(Array(catalog.data.utf8)).root)
            return """
                \(data).let { check(Random\(index).Cell.of("T", it).let { cell ->
                    cell is Random\(index).Cell.T && cell.toJson() == it }) { "random \(index)" } }
                """
        }
        let main = """
            import kotlinx.serialization.json.*

            fun json(vararg members: Pair<String, JsonElement>) = JsonObject(mapOf(*members))

            fun main() {
                val parent = json(
                    "id" to JsonPrimitive("b"), "kind" to JsonPrimitive("wish"),
                    "note" to JsonPrimitive("n"), "any" to JsonNull, "in" to JsonPrimitive(2.0),
                    "state" to JsonPrimitive("dark-off"), "value" to JsonPrimitive(4L),
                    "media" to json("type" to JsonPrimitive("hologram")))
                val data = json(
                    "id" to JsonPrimitive("a"), "kind" to JsonPrimitive("wish"), "note" to JsonNull,
                    "any" to JsonNull, "in" to JsonPrimitive(1.5), "both" to JsonNull,
                    "maybe" to JsonNull, "state" to JsonPrimitive("newer"), "parent" to parent,
                    "children" to JsonArray(listOf(parent)),
                    "byName" to json("x" to JsonPrimitive(9007199254740993L), "y" to JsonNull),
                    "value" to JsonArray(listOf(JsonPrimitive("a"))),
                    "media" to json("type" to JsonPrimitive("video")),
                    "big" to JsonPrimitive("b"), "narrow" to JsonPrimitive(4L),
                    "open" to json("a" to JsonPrimitive("b"), "c" to JsonPrimitive(3L)))
                val cell = Rules.Cell.of("Wish", data) as Rules.Cell.Wish
                check(cell.toJson() == data && cell.type == "Wish")
                check(cell.data.both == Rules.Nullable<Long>(null) && cell.data.note == null)
                check(cell.data.state == Rules.WishState.Unknown("newer"))
                check(cell.data.parent?.state == Rules.WishState.DarkOff)
                check(cell.data.parent?.media is Rules.WishMedia.Unknown)
                check(cell.data.value is Rules.WishValue.Array)
                check(cell.data.big is Rules.WishBig.String)
                check(cell.data.narrow == Rules.WishNarrow.Number(4))
                check(cell.data.open?.additionalMembers == mapOf("c" to 3L))
                check(Rules.Cell.of("Later", data) == Rules.Cell.Unknown("Later", data))
                check(Rules.Cell.of("Wish", parent["id"]!!) is Rules.Cell.Unknown)
                check(Rules.Cell.of("Wish", json("id" to JsonPrimitive(1))) is Rules.Cell.Unknown)
                check(Rules.Cell.of("Maybe", JsonNull) == Rules.Cell.Maybe(null))
                check(Rules.Cell.Maybe(null).toJson() == JsonNull)
                println(Rules.Unit.Wishes(listOf(Rules.WishesUnitWish("w"))).toJson())
                println(Rules.WishActions.like(Rules.WishLikeInput(true), "s", view = "header"))
                println(Rules.SectionID.TopBanner + Rules.Flag.NewLook + Rules.SectionID.Class)
                \(random.joined(separator: "\n        "))
            }
            """
        let example = Self.composables + (try Self.examples("kotlin")).joined(separator: "\n")
        let files = ["Main.kt": main, "Json.kt": Self.stub, "Example.kt": example]
        let output = try await run(.kotlin, "kt", files) { _ in
            let sources = ((try? Self.catalogs()) ?? []).map { "\($0.name).kt" }
            return [
                ["kotlinc", "-Werror", "-include-runtime", "-d", "program.jar"]
                    + sources + ["Main.kt", "Json.kt", "Example.kt"],
                ["java", "-Xshare:auto", "-cp", "program.jar", "MainKt"],
            ]
        }
        #expect(
            output == """
                {"kind":"WISHES","payload":[{"id":"w"}]}
                {"type":"action","section":"s","view":"header","name":"like","input":{"on":true}}
                TopBannernew-lookclass

                """)
    }

    /// Returns an expression for a JSON value.
    private static func kotlin(_ value: JSONValue) -> String {
        let string = { (text: String) in GeneratedLanguage.kotlin.literal(text) }
        switch value.kind {
        case .null: return "JsonNull"
        case .bool: return "JsonPrimitive(\(value.bool == true))"
        case .string: return "JsonPrimitive(\(string(value.string ?? "")))"
        case .number:
            let text = value.text?.string ?? ""
            return "JsonPrimitive(\(text)\(text.contains(".") ? "" : "L"))"
        case .array:
            return "JsonArray(listOf(\(value.elements.map(kotlin).joined(separator: ", "))))"
        case .object:
            let members = value.members.map { "\(string($0.name.string)) to \(kotlin($0.value))" }
            return "json(\(members.joined(separator: ", ")))"
        }
    }

    /// The parts of Compose that the example uses.
    private static let composables = """
        import kotlinx.serialization.json.JsonElement

        annotation class Composable
        fun Text(text: String) = println(text)

        """

    /// The classes of kotlinx-serialization-json that generated code uses.
    private static let stub = #"""
        package kotlinx.serialization.json

        sealed class JsonElement

        open class JsonPrimitive internal constructor(val content: String, val isString: Boolean) :
            JsonElement() {
            override fun equals(other: Any?) =
                other is JsonPrimitive && other.content == content && other.isString == isString
            override fun hashCode() = content.hashCode()
            override fun toString() = if (isString) "\"" + content + "\"" else content
        }

        object JsonNull : JsonPrimitive("null", false)

        fun JsonPrimitive(value: String?): JsonPrimitive =
            if (value == null) JsonNull else JsonPrimitive(value, true)
        fun JsonPrimitive(value: Number?): JsonPrimitive =
            if (value == null) JsonNull else JsonPrimitive(value.toString(), false)
        fun JsonPrimitive(value: Boolean?): JsonPrimitive =
            if (value == null) JsonNull else JsonPrimitive(value.toString(), false)

        class JsonObject(private val content: Map<String, JsonElement>) :
            JsonElement(), Map<String, JsonElement> by content {
            override fun equals(other: Any?) = content == other
            override fun hashCode() = content.hashCode()
            override fun toString() =
                content.entries.joinToString(",", "{", "}") { "\"" + it.key + "\":" + it.value }
        }

        class JsonArray(private val content: List<JsonElement>) :
            JsonElement(), List<JsonElement> by content {
            override fun equals(other: Any?) = content == other
            override fun hashCode() = content.hashCode()
            override fun toString() = content.joinToString(",", "[", "]")
        }
        """#
}
