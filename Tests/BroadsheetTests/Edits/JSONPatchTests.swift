import Broadsheet
import Testing

/// The outcome of a patch of a text.
enum PatchOutcome: Equatable {
    /// The text after the patch, byte for byte.
    case text(String)
    /// The patch is not a patch; the pointers to its violations.
    case invalid([String])
    /// The operation at the pointer cannot be applied.
    case impossible(String)
    /// The operation at the pointer would exceed a limit.
    case tooLarge(String)
}

/// Applies a JSON Patch to a text.
func patched(
    _ text: String, _ patch: String, limits: EditLimits = EditLimits()
) throws -> PatchOutcome {
    let document = try JSONDocument(Array(patch.utf8), maxDepth: 2_000)
    do throws(ContractError) {
        return try outcome(of: .operations(JSONPatch(document)), on: text, limits)
    } catch {
        return .invalid(error.violations.map(\.pointer))
    }
}

/// Applies a JSON Merge Patch to a text.
func merged(_ text: String, _ patch: String) throws -> PatchOutcome {
    outcome(of: .merge(try JSONDocument(Array(patch.utf8))), on: text, EditLimits())
}

private func outcome(of patch: PagePatch, on text: String, _ limits: EditLimits) -> PatchOutcome {
    do throws(EditError) {
        let bytes = try patch.applied(to: Array(text.utf8), limits: limits)
        return .text(String(decoding: bytes, as: UTF8.self))
    } catch {
        switch error {
        case .impossible(let pointer, _): return .impossible(pointer)
        case .tooLarge(let pointer, _): return .tooLarge(pointer)
        case .invalidContract, .tooMuch, .outOfMemory: return .invalid([])
        }
    }
}

/// The examples of RFC 6902, appendix A, and the error cases that its readers share, on texts of
/// this project.
@Suite("JSON Patch") struct JSONPatchTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let section: String
        let text: String
        let patch: String
        let outcome: PatchOutcome

        init(_ section: String, _ text: String, _ patch: String, _ outcome: PatchOutcome) {
            (self.section, self.text, self.patch, self.outcome) = (section, text, patch, outcome)
        }

        var testDescription: String { "RFC 6902 \(section): \(patch)" }
    }

    static let examples: [Case] = [
        Case(
            "A.1", #"{"title": "x"}"#, #"[{"op":"add","path":"/badge","value":"new"}]"#,
            .text(#"{"title": "x","badge":"new"}"#)),
        Case(
            "A.2", #"{"ids": ["a", "b"]}"#, #"[{"op":"add","path":"/ids/1","value":"c"}]"#,
            .text(#"{"ids": ["a","c", "b"]}"#)),
        Case(
            "A.3", #"{"title":"x","badge":"y"}"#, #"[{"op":"remove","path":"/title"}]"#,
            .text(#"{"badge":"y"}"#)),
        Case(
            "A.4", #"{"ids": ["a", "b" , "c"]}"#, #"[{"op":"remove","path":"/ids/1"}]"#,
            .text(#"{"ids": ["a", "c"]}"#)),
        Case(
            "A.5", #"{"a" : 1 , "b":2}"#, #"[{"op":"replace","path":"/a","value":[3 ]}]"#,
            .text(#"{"a" : [3 ] , "b":2}"#)),
        Case(
            "A.6", #"{"from":{"x":1,"y":2},"to":{"z":3}}"#,
            #"[{"op":"move","from":"/from/x","path":"/to/w"}]"#,
            .text(#"{"from":{"y":2},"to":{"z":3,"w":1}}"#)),
        Case(
            "A.7", #"["all","grass","cows","eat"]"#, #"[{"op":"move","from":"/1","path":"/3"}]"#,
            .text(#"["all","cows","eat","grass"]"#)),
        Case(
            "A.8", #"{"a":"b","c":["d",2,"e"]}"#,
            ##"[{"op":"test","path":"/a","value":"b"},{"op":"test","path":"/c/1","value":2}]"##,
            .text(#"{"a":"b","c":["d",2,"e"]}"#)),
        Case("A.9", #"{"a":"b"}"#, #"[{"op":"test","path":"/a","value":"c"}]"#, .impossible("/0")),
        Case(
            "A.10", #"{"a":1}"#, #"[{"op":"add","path":"/b","value":{"c":{}}}]"#,
            .text(#"{"a":1,"b":{"c":{}}}"#)),
        Case(
            "A.11", #"{"a":1}"#, #"[{"op":"add","path":"/b","value":2,"more":3}]"#,
            .text(#"{"a":1,"b":2}"#)),
        Case("A.12", #"{"a":1}"#, #"[{"op":"add","path":"/b/c","value":2}]"#, .impossible("/0")),
        Case(
            "A.13", #"{"a":1}"#, #"[{"op":"add","path":"/a","value":2,"op":"remove"}]"#,
            .invalid(["/0/op"])),
        Case(
            "A.14", #"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#,
            .text(#"{"/":9,"~1":10}"#)),
        Case(
            "A.15", #"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":"10"}]"#,
            .impossible("/0")),
        Case(
            "A.16", #"{"a":["b"]}"#, #"[{"op":"add","path":"/a/-","value":["c","d"]}]"#,
            .text(#"{"a":["b",["c","d"]]}"#)),
    ]

    @Test("RFC 6902, appendix A", arguments: examples)
    func example(_ example: Case) throws {
        #expect(try patched(example.text, example.patch) == example.outcome)
    }

    static let operations: [Case] = [
        // §4.1: a member that exists is replaced, and an index equal to the length is the end.
        Case("§4.1", #"{"a":1}"#, #"[{"op":"add","path":"/a","value":2}]"#, .text(#"{"a":2}"#)),
        Case("§4.1", "[1]", #"[{"op":"add","path":"/1","value":2}]"#, .text("[1,2]")),
        Case("§4.1", "[1]", #"[{"op":"add","path":"/2","value":2}]"#, .impossible("/0")),
        Case("§4.1", "[ ]", #"[{"op":"add","path":"/0","value":2}]"#, .text("[2]")),
        Case("§4.1", "{ }", #"[{"op":"add","path":"/a","value":null}]"#, .text(#"{"a":null}"#)),
        Case("§4.1", "1", #"[{"op":"add","path":"","value":{"a":2}}]"#, .text(#"{"a":2}"#)),
        Case("§4.1", " 1 ", #"[{"op":"add","path":"","value":2}]"#, .text(" 2 ")),
        Case("§4.1", #""x""#, #"[{"op":"add","path":"/a","value":2}]"#, .impossible("/0")),
        Case("§4.1", "[1]", #"[{"op":"add","path":"/-1","value":2}]"#, .impossible("/0")),
        Case("§4.1", "[1]", #"[{"op":"add","path":"/00","value":2}]"#, .impossible("/0")),
        Case("§4.1", "[1]", #"[{"op":"add","path":"/1e0","value":2}]"#, .impossible("/0")),
        Case("§4.1", "{}", #"[{"op":"add","path":"/","value":2}]"#, .text(#"{"":2}"#)),
        Case(
            "§4.1", "{}", #"[{"op":"add","path":"/a\"\u0001é","value":2}]"#,
            .text(#"{"a\"\u0001é":2}"#)),
        // §4.2: the value has to exist.
        Case("§4.2", "[1]", #"[{"op":"remove","path":"/-"}]"#, .impossible("/0")),
        Case("§4.2", "{}", #"[{"op":"remove","path":"/a"}]"#, .impossible("/0")),
        Case("§4.2", "{}", #"[{"op":"remove","path":""}]"#, .impossible("/0")),
        Case("§4.2", "[ 1 ]", #"[{"op":"remove","path":"/0"}]"#, .text("[]")),
        Case(
            "§4.2", #"{"a":1,"b":2,"\u0061":3}"#, #"[{"op":"remove","path":"/a"}]"#,
            .text(#"{"b":2}"#)),
        Case(
            "§4.3", #"{"a":1,"b":2,"a":3}"#, #"[{"op":"replace","path":"/a","value":4}]"#,
            .text(#"{"a":1,"b":2,"a":4}"#)),
        Case("§4.3", "{}", #"[{"op":"replace","path":"/a","value":4}]"#, .impossible("/0")),
        // §4.4: nothing moves into itself, and a move to the same place changes nothing.
        Case(
            "§4.4", #"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a","path":"/a/b"}]"#,
            .invalid(["/0/path"])),
        Case(
            "§4.4", #"{"a" :1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#,
            .text(#"{"a" :1}"#)),
        Case("§4.4", #"{"a" :1}"#, #"[{"op":"move","from":"/b","path":"/b"}]"#, .impossible("/0")),
        Case("§4.4", "[1,2]", #"[{"op":"move","from":"/0","path":"/-"}]"#, .text("[2,1]")),
        Case(
            "§4.5", "[1,[2 ]]", #"[{"op":"copy","from":"/1","path":"/0"}]"#,
            .text("[[2 ],1,[2 ]]")),
        Case(
            "§4.5", #"{"a":{"b":1}}"#,
            #"[{"op":"copy","from":"/a","path":"/c"},{"op":"add","path":"/c/d","value":2}]"#,
            .text(#"{"a":{"b":1},"c":{"b":1,"d":2}}"#)),
        Case("§4.5", "{}", #"[{"op":"copy","from":"","path":"/a"}]"#, .text(#"{"a":{}}"#)),
        // §5: nothing is applied when a later operation fails, which the pointer names.
        Case(
            "§5", #"{"a":1}"#,
            #"[{"op":"add","path":"/b","value":2},{"op":"test","path":"/b","value":3}]"#,
            .impossible("/1")),
        Case("§3", "1", "[]", .text("1")),
    ]

    @Test("The operations of a patch", arguments: operations)
    func operation(_ example: Case) throws {
        #expect(try patched(example.text, example.patch) == example.outcome)
    }

    @Test(
        "RFC 6902 §3, §4: all violations of a patch are found before anything is applied",
        arguments: [
            ("{}", [""]), ("[1]", ["/0"]), ("[{}]", ["/0/op"]),
            (#"[{"op":"spam","path":""}]"#, ["/0/op"]), (#"[{"op":null,"path":""}]"#, ["/0/op"]),
            (#"[{"op":"remove"}]"#, ["/0/path"]), (#"[{"op":"remove","path":null}]"#, ["/0/path"]),
            (#"[{"op":"remove","path":"a"}]"#, ["/0/path"]),
            (#"[{"op":"remove","path":"/~2"}]"#, ["/0/path"]),
            (#"[{"op":"add","path":""}]"#, ["/0/value"]),
            (#"[{"op":"replace","path":""}]"#, ["/0/value"]),
            (#"[{"op":"test","path":""}]"#, ["/0/value"]),
            (#"[{"op":"move","path":""}]"#, ["/0/from"]),
            (#"[{"op":"copy","path":"","from":7}]"#, ["/0/from"]),
            (#"[{"op":"test","path":"/x","value":1},{"op":"x"},3]"#, ["/1/op", "/2"]),
        ])
    func violations(patch: String, pointers: [String]) throws {
        #expect(try patched("{}", patch) == .invalid(pointers))
    }

    @Test(
        "RFC 6902 §4.6: numbers are equal by their exact values",
        arguments: [
            ("1", "1.0", true), ("100", "1e2", true), ("0.1", "1E-1", true), ("-0", "0", true),
            ("0e9", "0.00", true), ("1", "-1", false), ("1", "1.0000000000000000000001", false),
            ("9007199254740993", "9007199254740992", false), ("1e400", "1e401", false),
            ("1e400", "10e399", true), ("120e-1", "12", true),
            ("1e99999999999999999999", "10e99999999999999999998", true),
            ("1e99999999999999999999", "1e99999999999999999998", false),
            ("1e-99999999999999999999", "0.1e-99999999999999999998", true),
            ("1e100000000000000000000", "10e99999999999999999999", true),
            ("1e1", "1e+01", true), ("1", "\"1\"", false), ("null", "false", false),
        ])
    func numbers(value: String, expected: String, areEqual: Bool) throws {
        let patch = #"[{"op":"test","path":"/a","value":\#(expected)}]"#
        let text = #"{"a":\#(value)}"#
        #expect(try patched(text, patch) == (areEqual ? .text(text) : .impossible("/0")))
    }

    @Test(
        "RFC 6902 §4.6: texts are equal by code points, objects regardless of order",
        arguments: [
            (#""\u0061""#, #""a""#, true), (#""é""#, #""e\u0301""#, false),
            (#"{"a":1,"b":[{}]}"#, #"{"b":[{}],"a":1.0}"#, true),
            (#"{"a":1,"a":2}"#, #"{"a":2}"#, true), (#"{"a":1}"#, #"{"a":1,"b":1}"#, false),
            (#"{"a":1,"b":1}"#, #"{"a":1}"#, false), ("[1,2]", "[2,1]", false),
            ("[1]", "[1,1]", false), ("{}", "[]", false), ("true", "true", true),
        ])
    func values(value: String, expected: String, areEqual: Bool) throws {
        let test = #"{"op":"test","path":"/a","value":\#(expected)}"#
        let text = #"{"a":\#(value)}"#
        let outcome: PatchOutcome = areEqual ? .text(text) : .impossible("/0")
        #expect(try patched(text, "[\(test)]") == outcome)
        // The same after the value was divided by changes that are undone.
        let changes = #"{"op":"add","path":"/b","value":1},{"op":"remove","path":"/b"}"#
        #expect(
            try patched(text, "[\(changes),\(test)]")
                == (areEqual ? .text(text) : .impossible("/2")))
    }

    @Test("What a patch does not touch keeps its bytes, with the white space around it")
    func untouchedBytes() throws {
        let text = "\u{FEFF} {\n  \"a\" : [ 1,\t2 , 3 ],\n  \"b\": { \"c\" :4.50 }\n} \n"
        let patch = #"[{"op":"replace","path":"/a/1","value":"x"},{"op":"remove","path":"/b/c"}]"#
        let expected = "\u{FEFF} {\n  \"a\" : [ 1,\t\"x\" , 3 ],\n  \"b\": {}\n} \n"
        #expect(try patched(text, patch) == .text(expected))
    }

    @Test("Copies that double 60 times end at the limit of a page, at once")
    func doubling() throws {
        let limits = EditLimits(maxPageBytes: 1_000, page: ScreenLimits(maxDepth: 1_000))
        let grow = #"{"op":"copy","from":"/0","path":"/0/-"}"#
        let growth = "[" + Array(repeating: grow, count: 60).joined(separator: ",") + "]"
        #expect(try patched("[[1]]", growth, limits: limits) == .tooLarge("/7"))
    }

    @Test("RFC 6902: a patch that nests too deep, or is too long, is refused")
    func limits() throws {
        let limits = EditLimits(maxPageBytes: 100, page: ScreenLimits(maxDepth: 4))
        let deep = #"[{"op":"add","path":"/a/0","value":[[[]]]}]"#
        #expect(try patched(#"{"a":[]}"#, deep, limits: limits) == .tooLarge("/0"))
        let fits = #"[{"op":"add","path":"/a/0","value":[[]]}]"#
        #expect(try patched(#"{"a":[]}"#, fits, limits: limits) == .text(#"{"a":[[[]]]}"#))
        let count = EditLimits.maxPatchOperations + 1
        let test = #"{"op":"test","path":"","value":1}"#
        let many = "[" + Array(repeating: test, count: count).joined(separator: ",") + "]"
        #expect(try patched("1", many) == .invalid([""]))
        let pointer = String(repeating: "/a", count: 100_000)
        #expect(
            try patched("{}", #"[{"op":"remove","path":"\#(pointer)"}]"#) == .impossible("/0"))
    }
}

/// The table of RFC 7396, appendix A.
@Suite("JSON Merge Patch") struct MergePatchTests {
    @Test(
        "RFC 7396, appendix A",
        arguments: [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
            (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
            (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
            ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
            // Beyond the table: order, duplicates, and nulls in arrays.
            (#"{"b" : 1 , "a":2}"#, #"{"a":3,"b":4}"#, #"{"b" : 4 , "a":3}"#),
            (#"{"a":1,"a":2}"#, #"{"a":null}"#, "{}"),
            ("{}", #"{"a":1,"a":null}"#, "{}"), ("{}", #"{"a":[null]}"#, #"{"a":[null]}"#),
            (#"{"a":1}"#, "{}", #"{"a":1}"#),
        ])
    func table(text: String, patch: String, expected: String) throws {
        #expect(try merged(text, patch) == .text(expected))
    }
}

/// Patches of large containers, whose cost for each operation must not be that of the container.
@Suite("Patches of large containers") struct LargePatchTests {
    @Test("2,000 operations on an object and an array of 20,000 values find their values")
    func largeContainers() throws {
        let members = (0..<20_000).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
        let elements = (0..<20_000).map { "\($0)" }.joined(separator: ", ")
        let text = #"{"o":{\#(members)},"a":[\#(elements)]}"#
        var operations: [String] = []
        for index in 0..<400 {
            let key = index * 41 % 20_000
            operations.append(#"{"op":"test","path":"/o/k\#(key)","value":\#(key).0}"#)
            operations.append(#"{"op":"remove","path":"/o/k\#(key)"}"#)
            operations.append(
                #"{"op":"test","path":"/a/\#(19_000 - index)","value":\#(19_000 - index)}"#)
            operations.append(#"{"op":"move","from":"/a/19999","path":"/a/0"}"#)
            operations.append(#"{"op":"move","from":"/a/0","path":"/a/-"}"#)
        }
        let outcome = try patched(text, "[\(operations.joined(separator: ","))]")
        guard case .text(let changed) = outcome else {
            Issue.record("\(String(describing: outcome).prefix(200))")
            return
        }
        let root = try JSONDocument(Array(changed.utf8)).root
        #expect(root["o"]?.count == 19_600)
        #expect(root["o"]?["k41"] == nil && root["o"]?["k42"]?.int == 42)
        #expect(try #require(root["a"]).elements.map(\.int) == Array(0..<20_000))
    }
}
