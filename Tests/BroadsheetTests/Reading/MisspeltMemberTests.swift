import TestSupport
import Testing

@testable import Broadsheet

@Suite("Members that were meant to be others (docs/api.md, Diagnostics)")
struct MisspeltMemberTests {
    private func notes(_ diagnostics: [Diagnostic]) -> [String] {
        diagnostics.filter { $0.code == .unknownMember }.map { "\($0.pointer) \($0.detail)" }
    }

    @Test(
        "A name of another system, or of another level, has the member that is meant",
        arguments: [
            (
                #"{"units": [], "minimumLineSpacing": 4}"#,
                "/minimumLineSpacing is not known and is ignored; it belongs in \"layout\""
            ),
            (
                #"{"units": [], "minimumLineSpacng": 4}"#,
                "/minimumLineSpacng is not known and is ignored; did you mean "
                    + "\"minimumLineSpacing\" in \"layout\"?"
            ),
            (
                #"{"units": [], "columns": 4}"#,
                "/columns is not known and is ignored; did you mean \"gridColumnCount\" in "
                    + "\"layout\"?"
            ),
            (
                #"{"units": [], "layout": {"columns": 4}}"#,
                "/layout/columns is not known and is ignored; did you mean \"gridColumnCount\"?"
            ),
            (
                #"{"units": [], "layout": {"gridColumns": 4}}"#,
                "/layout/gridColumns is not known and is ignored; did you mean "
                    + "\"gridColumnCount\"?"
            ),
            (
                #"{"units": [], "spacing": 4}"#,
                "/spacing is not known and is ignored; did you mean \"minimumLineSpacing\" in "
                    + "\"layout\"?"
            ),
            (
                #"{"units": [], "layout": {"spacing": 4}}"#,
                "/layout/spacing is not known and is ignored; did you mean "
                    + "\"minimumLineSpacing\", \"minimumInteritemSpacing\", \"itemSpacing\" or "
                    + "\"lineSpacing\"?"
            ),
            (
                #"{"units": [], "items": []}"#,
                "/items is not known and is ignored; did you mean \"units\"?"
            ),
            (
                #"{"units": [{"unitType": "A", "unitData": 1, "type": "B"}]}"#,
                "/units/0/type is not known and is ignored; did you mean \"unitType\"?"
            ),
            (
                #"{"units": [{"unitType": "A", "unitData": 1, "data": 2}]}"#,
                "/units/0/data is not known and is ignored; did you mean \"unitData\"?"
            ),
        ])
    func meant(section: String, note: String) throws {
        let page = try resolved(#"{"sections": [\#(section)]}"#, by: CellRegistry())
        #expect(notes(page.diagnostics) == ["/sections/0" + note])
    }

    @Test(
        "A missing member is asked for by the name that is in its place",
        arguments: [
            (#"{"section": []}"#, "{}", "/sections", "section"),
            (#"{"sections": [{"items": []}]}"#, "{}", "/sections/0/units", "items"),
            (#"{"sections": [{"unit": []}]}"#, "{}", "/sections/0/units", "unit"),
            (#"{"sections": [[{"type": "A"}]]}"#, "{}", "/sections/0/0/unitType", "type"),
            (#"{"sections": [[{"unittype": "A"}]]}"#, "{}", "/sections/0/0/unitType", "unittype"),
            (#"{"sections": [[{"unitTyep": "A"}]]}"#, "{}", "/sections/0/0/unitType", "unitTyep"),
            (
                #"{"sections": [[{"type": "A"}]]}"#, #"{"contract": {"unitType": "kind"}}"#,
                "/sections/0/0/kind", "type"
            ),
        ])
    func missing(json: String, catalog: String, pointer: String, other: String) throws {
        let names = try Catalog(Array(catalog.utf8)).registry.names
        let error = try contractError(json, names: names)
        #expect(
            error?.violations.map { "\($0.pointer) \($0.detail)" }
                == ["\(pointer) is missing; did you mean it by \"\(other)\"?"])
    }

    @Test("Nothing is asked about a missing member without a name in its place, or beyond 64 names")
    func missingWithoutHint() throws {
        let many = (0..<64).map { "\"n\($0)\": 0" }.joined(separator: ", ")
        for unit in ["{}", #"{"unitData": 1}"#, #"{"when": {}}"#, "{\(many), \"type\": \"A\"}"] {
            let error = try contractError("{\"sections\": [[\(unit)]]}")
            #expect(error?.violations.map(\.detail) == ["is missing"], "\(unit)")
        }
    }

    @Test(
        "A catalog has the same diagnostics",
        arguments: [
            (
                #"{"cellTypes": {"T": {"minVersion": {}}}}"#,
                "/cellTypes/T/minVersion is not known and is ignored; did you mean \"since\"?"
            ),
            (
                #"{"units": {"U": {"cels": {"type": "T"}}}}"#,
                "/units/U/cels is not known and is ignored; did you mean \"cells\"?"
            ),
            (
                #"{"units": {"U": {"minimumLineSpacing": 1}}}"#,
                "/units/U/minimumLineSpacing is not known and is ignored; it belongs in \"layout\""
            ),
        ])
    func catalog(json: String, note: String) throws {
        #expect(notes(try Catalog(Array(json.utf8)).diagnostics) == [note])
    }

    @Test(
        "A unit with a name that is nearly that of its type or its data has a diagnostic",
        arguments: [
            ("{}", #""unittype": 1"#, "/unittype", "unitType"),
            ("{}", #""title": "x", "unitdata": {"a": 1}"#, "/unitdata", "unitData"),
            ("{}", #""UNITDATA": 1"#, "/UNITDATA", "unitData"),
            ("{}", #""unitDat": 1"#, "/unitDat", "unitData"),
            ("{}", #""unitDta": 1"#, "/unitDta", "unitData"),
            ("{}", #""nuitDaat": 1"#, "/nuitDaat", "unitData"),
            ("{}", #""unitsData": 1"#, "/unitsData", "unitData"),
            ("{}", #""uniqDate": 1"#, "/uniqDate", "unitData"),
            (
                #"{"contract": {"unitData": "payload"}}"#, #""payloads": 1"#, "/payloads", "payload"
            ),
            (#"{"contract": {"unitData": "data"}}"#, #""Data": 1"#, "/Data", "data"),
        ])
    func flatUnit(catalog: String, members: String, pointer: String, name: String) throws {
        let registry = try Catalog(Array(catalog.utf8)).registry
        let page = try resolved(
            #"{"sections": [[{"unitType": "U", \#(members)}]]}"#, by: registry)
        #expect(
            notes(page.diagnostics)
                == ["/sections/0/0\(pointer) is data of the unit; did you mean \"\(name)\"?"])
        #expect(page.diagnostics.allSatisfy { !$0.isMisspelling })
    }

    @Test(
        "Other data of a unit has no diagnostic",
        arguments: [
            (
                "{}",
                #""title": 1, "subtitle": 2, "unitName": 3, "unit": 4, "id": 5, "uniDate12": 6"#
            ),
            ("{}", #""when": {}, "fallback": null, "essential": false"#),
            ("{}", #""x-unitData": 1, "nested": {"unitdata": 1}"#),
            (#"{"contract": {"unitData": "data", "unitType": "type"}}"#, #""date": 1, "typ": 2"#),
        ])
    func flatUnitData(catalog: String, members: String) throws {
        let registry = try Catalog(Array(catalog.utf8)).registry
        let type = registry.names.unitType
        let page = try resolved(
            #"{"sections": [[{"\#(type)": "U", \#(members)}]]}"#, by: registry)
        #expect(notes(page.diagnostics) == [])
    }

    @Test("A name has one diagnostic a page, whether its unit is its own data or not")
    func flatUnitOnce() throws {
        let page = try resolved(
            """
            {"sections": [[{"unitType": "U", "unitdata": 1}, {"unitType": "U", "unitdata": 2},
            {"unitType": "U", "unitData": 3, "unitdata": 4}]]}
            """, by: CellRegistry())
        #expect(
            notes(page.diagnostics)
                == [#"/sections/0/0/unitdata is data of the unit; did you mean "unitData"?"#])
    }

    @Test(
        "A name at most two letters off is a misspelling, except in a unit",
        arguments: [
            (#"{"hasNexxt": 1}"#, true), (#"{"hasNxt": 1}"#, true), (#"{"frobnicate": 1}"#, false),
            (#"{"sections": [{"units": [], "items": 1}]}"#, false),
            (#"{"sections": [{"units": [], "headers": 1}]}"#, true),
            (#"{"sections": [{"units": [], "minimumLineSpacing": 1}]}"#, false),
            (#"{"sections": [{"units": [], "layout": {"insets": 1}}]}"#, true),
            (#"{"sections": [[{"unitType": "U", "unitData": 1, "unitDate": 1}]]}"#, false),
            (#"{"sections": [[{"unitType": "U", "unitDate": 1}]]}"#, false),
        ])
    func misspellings(json: String, isMisspelling: Bool) throws {
        let json = json.contains("sections") ? json : "{\"sections\": [], " + json.dropFirst()
        let page = try resolved(json, by: CellRegistry())
        let found = page.diagnostics.filter { $0.code == .unknownMember }
        #expect(found.map(\.isMisspelling) == [isMisspelling])
    }

    @Test("Names are near by the same rule as by the distance of strings, for random names")
    func nearNames() {
        var random = SeededGenerator(seed: SeededGenerator.seed(of: "near names"))
        let letters = Array("uniTtDdatype")
        let words = ["unitType", "unitData", "kind", "UNITDATA"]
        let near = NearNames(["unitType", "unitData", "kind"])
        for _ in 0..<20_000 {
            var name = Array(words.randomElement(using: &random) ?? "unitData")
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let index = Int.random(in: 0...name.count, using: &random)
                let letter = letters.randomElement(using: &random) ?? "x"
                switch Int.random(in: 0..<4, using: &random) {
                case 0: name.insert(letter, at: index)
                case 1 where index < name.count: name.remove(at: index)
                case 2 where index < name.count: name[index] = letter
                case 3 where index + 1 < name.count: name.swapAt(index, index + 1)
                default: break
                }
            }
            let text = String(name)
            let isNear = Array(text.utf8).withUnsafeBufferPointer(near.areNear)
            let isLongNear =
                NearestName.of(text, among: ["unitType", "unitData"], atMost: 2) != nil
                && text != "unitType" && text != "unitData"
            let isShortNear = text.lowercased() == "kind"
            #expect(isNear == (text != "kind" && (isLongNear || isShortNear)), "\(text)")
        }
    }
}
