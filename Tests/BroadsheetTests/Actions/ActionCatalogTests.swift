import Broadsheet
import Testing

/// Returns the text of a catalog of lists whose cell type has these members.
func actionCatalog(_ members: String) -> String {
    #"""
    {"contract": {"sections": "s", "sectionId": "id", "units": "u", "unitType": "t",
                  "unitData": "d"},
     "units": {"LIST": {"cells": {"type": {"switch": "/kind", "cases": {"fixed": "F"},
                                           "default": "C"}}}},
     "cellTypes": {"C": {"id": "/id", \#(members)}, "F": {"id": "/id", "can": []}}}
    """#
}

@Suite("Actions and gestures in a catalog (docs/catalog.md, Actions)")
struct ActionCatalogTests {
    private func pointers(_ members: String) throws -> [String] {
        do throws(CatalogError) {
            _ = try Catalog(Array(actionCatalog(members).utf8))
            return []
        } catch {
            guard case .violations(let violations, _) = error else { throw error }
            return violations.map { $0.pointer.replacing("/cellTypes/C", with: "") }
        }
    }

    @Test(
        "A malformed list of gestures is a violation",
        arguments: [
            (#""can": "move""#, ["/can"]), (#""can": ["fly"]"#, ["/can/0"]),
            (#""can": ["move", "move"]"#, ["/can/1"]),
            (#""can": [1, null]"#, ["/can/0", "/can/1"]),
            (#""can": []"#, []), (#""can": null"#, []),
            (#""can": ["drag", "select", "delete", "move"]"#, []),
        ])
    func gestures(_ members: String, _ expected: [String]) throws {
        #expect(try pointers(members) == expected)
    }

    /// The operations of an action, and the pointers to their violations.
    private static let operations: [(String, [String])] = [
        // Everything that the event supplies may be left out.
        (#"{"op": "patchItem", "patch": {"f": true}}"#, []), (#"{"op": "deleteItems"}"#, []),
        (#"{"op": "moveItems", "before": 0}"#, []), (#"{"op": "toggleSection"}"#, []),
        (#"{"op": "deleteItems", "all": true}"#, []),
        (#"{"op": "deleteItems", "section": null, "items": null}"#, []),
        (#"{"op": "replaceItem", "section": "A", "item": 0, "data": 1}"#, []),
        // Everything else is that of an update.
        ("{}", ["/op"]), (#"{"op": "fly"}"#, ["/op"]), ("7", [""]),
        (#"{"op": {"$input": "/op"}}"#, ["/op"]),
        (#"{"op": "patchItem"}"#, ["/patch"]), (#"{"op": "patchItem", "patch": 1}"#, ["/patch"]),
        (#"{"op": "patchItem", "patch": {}, "itme": 1}"#, ["/itme"]),
        (#"{"op": "insertItems"}"#, [""]),
        (#"{"op": "deleteItems", "all": true, "items": []}"#, [""]),
        (#"{"op": "moveItems", "before": 0, "after": 1}"#, ["/after"]),
        (#"{"op": "insertSections", "sections": [7]}"#, ["/sections/0"]),
        // The section of this operation is a new one, which no event has.
        (#"{"op": "replaceSection"}"#, ["/section"]),
        (#"{"op": "replaceSection", "section": {"u": []}}"#, ["/section/id"]),
        (#"{"op": "replaceSection", "section": {"id": "A", "u": []}, "after": 0}"#, []),
        (#"{"op": "patchSection", "patch": {"units": []}}"#, ["/patch/units"]),
        (
            #"{"op": "patchSection", "patch": {"layout": {"inset": "x", "kind": {"$input": "/k"}}}}"#,
            ["/patch/layout/inset"]
        ),
        // A value of the input may stand for any value but the name of the operation.
        (#"{"op": "patchItem", "patch": {"$input": ""}}"#, []),
        (#"{"op": "patchItem", "patch": {"a": [{"$input": "/x"}]}, "item": {"$input": "/i"}}"#, []),
        (#"{"op": "insertItems", "data": {"$input": "/d"}, "before": {"$input": "/p"}}"#, []),
        (#"{"op": "insertItems", "units": [{"t": {"$input": "/t"}, "d": {"$input": "/d"}}]}"#, []),
        (#"{"op": "deleteItems", "all": {"$input": "/all"}}"#, []),
        (#"{"op": "insertSections", "sections": [{"$input": "/s"}]}"#, []),
        (#"{"op": "replaceSection", "section": {"$input": "/s"}}"#, []),
        (#"{"op": "replaceSection", "section": {"id": {"$input": "/i"}, "u": []}}"#, []),
        (#"{"op": "patchItem", "patch": {"x": {"$input": 1}}}"#, ["/patch/x/$input"]),
        (#"{"op": "patchItem", "patch": {"x": {"$input": "x"}}}"#, ["/patch/x/$input"]),
        (#"{"op": "patchItem", "patch": {"x": {"$input": "/x", "y": 1}}}"#, ["/patch/x"]),
        (#"{"$input": "/x"}"#, ["", "/op"]),
    ]

    @Test("The operations of an action are checked as those of an update", arguments: operations)
    func checked(_ operation: String, _ expected: [String]) throws {
        let members = #""actions": {"a": {"operations": [\#(operation)]}}"#
        let found = try pointers(members)
        #expect(Set(found) == Set(expected.map { "/actions/a/operations/0" + $0 }))
    }

    @Test(
        "An action has operations, or is forwarded",
        arguments: [
            (#"{"forward": true}"#, []), ("{}", [""]), (#"{"forward": false}"#, [""]),
            (#"{"operations": []}"#, ["/operations"]), (#"{"forward": 1}"#, ["", "/forward"]),
            ("[]", [""]), (#"{"operations": {}}"#, ["/operations"]),
        ])
    func members(_ action: String, _ expected: [String]) throws {
        let found = try pointers(#""actions": {"a": \#(action)}"#)
        #expect(Set(found) == Set(expected.map { "/actions/a" + $0 }))
    }

    @Test("A catalog has limits of actions, of operations, and of names")
    func limits() throws {
        func actions(_ count: Int) -> String {
            let all = (0..<count).map { #""a\#($0)": {"forward": true}"# }
            return #""actions": {\#(all.joined(separator: ","))}"#
        }
        func operations(_ count: Int) -> String {
            let all = Array(repeating: #"{"op": "toggleSection"}"#, count: count)
            return #""actions": {"a": {"operations": [\#(all.joined(separator: ","))]}}"#
        }
        #expect(try pointers(actions(64)) == [])
        #expect(try pointers(actions(65)) == ["/actions/a64"])
        #expect(try pointers(operations(16)) == [])
        #expect(try pointers(operations(17)) == ["/actions/a/operations"])
        let name = String(repeating: "n", count: 257)
        #expect(try pointers(#""actions": {"\#(name)": {"forward": true}}"#).count == 1)
    }
}
