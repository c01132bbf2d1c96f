import BroadsheetClient
import Testing

@testable import Broadsheet

@Suite("The input that an action takes (docs/catalog.md, Actions)")
struct ActionInputTests {
    private static let actions = #"""
        "actions": {
          "rate": {"operations": [{"op": "patchItem", "patch": {"stars": {"$input": "/stars"}}}],
                   "input": {"type": "object", "required": ["stars"],
                             "properties": {"stars": {"type": "integer", "maximum": 5}}}},
          "note": {"forward": true, "input": {"type": ["string", "null"], "maxLength": 3}},
          "any": {"forward": true},
          "none": {"forward": true, "input": {"type": "null"}},
          "list": {"forward": true, "input": {"items": {"type": "integer"}}}}
        """#
    private static let page = #"{"s":[{"id":"A","u":[{"t":"LIST","d":[{"id":"a"}]}]}]}"#

    private static func event(_ action: String, _ input: String?, item: String = "a") -> String {
        let member = input.map { #","input":\#($0)"# } ?? ""
        return #"{"type":"action","name":"\#(action)","section":"A","item":"\#(item)"\#(member)}"#
    }

    private func actions(
        _ events: [String]
    ) throws -> (actions: BoundActions, events: [PostedEvent]) {
        let catalog = try Catalog(Array(actionCatalog(Self.actions).utf8))
        let model = try viewModel([Self.page], by: catalog)
        let body = #"{"events":[\#(events.joined(separator: ","))]}"#
        let all = try ClientReport(JSONDocument(Array(body.utf8))).events
        let items = NamedItems(all, in: model, LayoutParameters(), catalog.registry)
        return (BoundActions(all, of: items), all)
    }

    /// Returns the violations of inputs.
    private func violations(
        _ events: [String], limits: SchemaLimits = .ofRequest
    ) throws -> ContractError {
        let actions = try actions(events).actions
        do throws(ContractError) {
            try actions.checkInputs(within: limits)
            return ContractError(violations: [])
        } catch {
            return error
        }
    }

    @Test(
        "An input that the action does not take is a violation at its pointer",
        arguments: [
            ("rate", #"{"stars":5}"#, []),
            ("rate", #"{"stars":6}"#, ["/input/stars must be at most 5"]),
            ("rate", "{}", [#"/input must have the member "stars""#]),
            // An input that is absent is null.
            ("rate", nil, ["/input must be an object, not null"]),
            ("rate", "null", ["/input must be an object, not null"]),
            ("note", nil, []), ("note", #""abc""#, []),
            ("note", #""abcd""#, ["/input must have at most 3 characters"]),
            ("none", nil, []), ("none", "0", ["/input must be null"]),
            ("any", "0", []), ("any", nil, []), ("unknown", "0", []),
            (
                "list", #"[1,"x",2,null]"#,
                [
                    "/input/1 must be a whole number",
                    "/input/3 must be a whole number, not null",
                ]
            ),
        ] as [(String, String?, [String])])
    func judged(_ action: String, _ input: String?, _ expected: [String]) throws {
        let events = [Self.event("any", "1"), Self.event(action, input)]
        let found = try violations(events).violations.map { "\($0.pointer) \($0.detail)" }
        #expect(found == expected.map { "/events/1" + $0 })
        // An item that is gone has no type, and so no schema.
        #expect(try violations([Self.event(action, input, item: "z")]).total == 0)
    }

    @Test("The violations of all events are listed in the order of the request, 100 at most")
    func all() throws {
        let bad = Self.event(
            "list", "[" + Array(repeating: "null", count: 30).joined(separator: ",") + "]")
        let error = try violations([bad, Self.event("rate", nil), bad, bad, bad])
        #expect(error.total == 121)
        #expect(error.violations.count == 100)
        #expect(error.violations[30].pointer == "/events/1/input")
        #expect(error.violations[31].pointer == "/events/2/input/0")
        let offsets = error.violations.map(\.offset)
        #expect(offsets == offsets.sorted() && offsets[0] > 0)
    }

    @Test("All inputs of a request have one limit of judgements")
    func limits() throws {
        let three = Self.event("list", "[1,2,3]")
        let limits = SchemaLimits(subject: "request", maxJudgements: 8)
        #expect(try violations([three, three], limits: limits).total == 0)
        let error = try violations([three, three, three, three], limits: limits)
        #expect(error.violations.map(\.pointer) == ["/events/2/input", "/events/3/input"])
        #expect(error.violations[0].detail.contains("its request takes more than the 8 judgements"))
    }

    @Test("A program receives the violations as the error of its events")
    func program() async throws {
        let catalog = try Catalog(Array(actionCatalog(Self.actions).utf8))
        var model = try viewModel([Self.page], by: catalog)
        let event = ClientEvent(
            action: "rate", section: "A", item: "a", input: ["stars": 9])
        let error = await #expect(throws: EditError.self) {
            try await model.handle([event], registry: catalog.registry)
        }
        guard case .invalidContract(let contract) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(contract.violations.map(\.pointer) == ["/events/0/input/stars"])
        #expect(texts(model) == [Self.page])
    }

    // MARK: Catalogs

    /// Returns the pointers to the violations of a catalog.
    private func pointers(
        _ members: String, limits: CatalogLimits = CatalogLimits()
    ) throws -> [String] {
        do throws(CatalogError) {
            _ = try Catalog(Array(actionCatalog(members).utf8), limits: limits)
            return []
        } catch {
            guard case .violations(let violations, _) = error else { throw error }
            return violations.map { $0.pointer.replacing("/cellTypes/C/actions", with: "") }
        }
    }

    @Test(
        "A schema of inputs that is invalid is a violation of the catalog",
        arguments: [
            (#"{"forward": true, "input": 5}"#, ["/a/input"]),
            (#"{"forward": true, "input": {"type": "text"}}"#, ["/a/input/type"]),
            (
                #"{"forward": true, "input": {"properties": {"x": {"pattern": "("}}}}"#,
                ["/a/input/properties/x/pattern"]
            ),
            (##"{"forward": true, "input": {"$ref": "#/$defs/b"}}"##, ["/a/input/$ref"]),
            (#"{"input": {}}"#, ["/a"]), (#"{"forward": true, "input": null}"#, []),
            (#"{"forward": true, "input": true}"#, []),
            (
                #"{"operations": [{"op": "deleteItems"}], "input": {"minimum": "x"}}"#,
                ["/a/input/minimum"]
            ),
        ])
    func invalid(_ action: String, _ expected: [String]) throws {
        #expect(try pointers(#""actions": {"a": \#(action)}"#) == expected)
    }

    @Test("Schemas of inputs and of units have the limits of a catalog together")
    func catalogLimits() throws {
        func catalog(_ count: Int) -> String {
            let schema = #"{"forward": true, "input": {"items": {"pattern": "ab"}}}"#
            let actions = (0..<count).map { #""a\#($0)": \#(schema)"# }
            return #""actions": {\#(actions.joined(separator: ","))}"#
        }
        var limits = CatalogLimits()
        limits.maxCatalogSubschemas = 4
        #expect(try pointers(catalog(2), limits: limits) == [])
        #expect(try pointers(catalog(3), limits: limits) == ["/a2/input"])
        limits = CatalogLimits()
        limits.maxSubschemas = 1
        #expect(try pointers(catalog(1), limits: limits) == ["/a0/input/items"])
        limits = CatalogLimits()
        limits.maxPatternStates = 1
        #expect(try pointers(catalog(1), limits: limits) == ["/a0/input/items/pattern"])
        let parts = try Catalog(Array(actionCatalog(catalog(3)).utf8)).registry.patternParts
        limits = CatalogLimits()
        limits.maxPatternParts = parts
        #expect(try pointers(catalog(3), limits: limits) == [])
        limits.maxPatternParts = parts - 1
        #expect(try pointers(catalog(3), limits: limits) == ["/a2/input/items/pattern"])
        // What the inputs take is missing to the units.
        limits = CatalogLimits()
        limits.maxCatalogSubschemas = 2
        let both = actionCatalog(catalog(1)).replacing(
            #""LIST": {"#, with: #""LIST": {"schema": {}, "#)
        #expect(throws: CatalogError.self) { try Catalog(Array(both.utf8), limits: limits) }
    }

    @Test(
        "A narrower input is a difference of catalogs",
        arguments: [
            (#""input": {"maximum": 5}"#, #""input": {"maximum": 4}"#, ["/input/maximum"]),
            (#""input": {"maximum": 4}"#, #""input": {"maximum": 5}"#, []),
            (#""input": {"maximum": 4}"#, #""input": null"#, []),
            (#""input": null"#, #""input": {"maximum": 4}"#, ["/input"]),
            (#""input": null"#, #""input": {}"#, []),
            (
                #""input": {"properties": {"x": true}, "additionalProperties": false}"#,
                #""input": {"additionalProperties": false}"#, ["old /input/properties/x"]
            ),
        ])
    func differences(_ old: String, _ new: String, _ expected: [String]) throws {
        func catalog(_ input: String, _ more: String = "") throws -> Catalog {
            let action = #""a": {"forward": true, \#(input)}"#
            return try Catalog(Array(actionCatalog(#""actions": {\#(action)\#(more)}"#).utf8))
        }
        // An action that is new has no input that was taken before.
        let added = #", "b": {"forward": true, "input": false}"#
        let found = try catalog(new, added).differences(since: catalog(old))
        #expect(
            found.map {
                "\($0.code.rawValue) \($0.isInOld ? "old " : "")"
                    + $0.pointer.replacing("/cellTypes/C/actions/a", with: "")
            } == expected.map { "SCHEMA_NARROWER " + $0 })
    }

    @Test(
        "A value of the input whose name is misspelt is a violation of the catalog",
        arguments: [
            (#"{"$inptu": "/x"}"#, ["/$inptu"]), (#"{"input": "/x"}"#, ["/input"]),
            (#"{"$Input": ""}"#, ["/$Input"]), (#"{"$inputs": 1}"#, ["/$inputs"]),
            (#"{"a": [{"b": {"$imput": "/x"}}]}"#, ["/a/0/b/$imput"]),
            (#"{"$input": "/x"}"#, []), (#"{"output": "/x"}"#, []), (#"{"put": "/x"}"#, []),
            (#"{"input": "/x", "more": 1}"#, []), (#"{}"#, []), (#"["input"]"#, []),
        ])
    func misspelt(_ value: String, _ expected: [String]) throws {
        let operation = #"{"op": "patchItem", "patch": {"m": \#(value)}}"#
        let found = try pointers(#""actions": {"a": {"operations": [\#(operation)]}}"#)
        #expect(found == expected.map { "/a/operations/0/patch/m" + $0 })
    }
}
