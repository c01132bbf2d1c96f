import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Actions that a screen or its catalog does not permit (docs/api.md, Events of clients)")
struct JudgedActionTests {
    /// A catalog whose units of the type `LIST` have a schema, as the input of one action has.
    private static let catalog = #"""
        {"units": {
           "LIST": {"cells": {"type": "Row"}, "schema": {
             "items": {"properties": {"f": {"type": "boolean"}, "tag": {"type": "string"}}}}}},
         "cellTypes": {"Row": {"id": "/id", "actions": {
           "set": {"operations": [{"op": "patchItem", "patch": {"f": {"$input": "/on"}}}],
                   "forward": true},
           "move": {"operations": [{"op": "moveItems", "before": 0}]},
           "remove": {"operations": [{"op": "deleteItems"}]},
           "rate": {"operations": [{"op": "patchItem", "patch": {"n": {"$input": ""}}}],
                    "forward": true, "input": {"type": "integer"}},
           "notify": {"forward": true, "input": {"required": ["why"], "type": "object"}}}}}}
        """#

    private func service(isStrict: Bool = false) async throws -> TestService {
        let service = try await TestService(catalog: Self.catalog, isStrict: isStrict)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a", "b"]))
        return service
    }

    /// Returns what a request may change: the page, the metrics of events, the journey.
    private func state(_ service: TestService) async throws -> [String] {
        var state = try await service.send("GET", "/metrics").text.split(separator: "\n")
            .filter { $0.hasPrefix("broadsheet_client_event") }.map(String.init)
        for path in ["home/pages/0", "home", "home/journey"] {
            state.append(try await service.send("GET", "/v1/screens/\(path)").text)
        }
        return state
    }

    private static let seen = #"{"type":"willDisplay","section":"List","item":"a"}"#
    private static let breaking = Reports.action("set", #""a""#, #","input":{"on":"x"}"#)
    private static let setting = Reports.action("set", #""b""#, #","input":{"on":true}"#)

    @Test(
        "One tap cannot blank a section, in strict mode or without it, and leaves no trace",
        arguments: [false, true])
    func breaking(_ isStrict: Bool) async throws {
        let service = try await service(isStrict: isStrict)
        let feed = try StreamReader(
            try await service.send("GET", "/v1/screens/home/feed").response)
        let before = try await state(service)
        for index in 0...2 {
            var events = [Self.seen, Self.setting]
            events.insert(Self.breaking, at: index)
            let response = try await service.report(events)
            #expect(response.status == 409 && response.code == "UPDATE_FAILED")
            #expect(
                try response.errors == [
                    "/events/\(index) The action would leave a violation in page 0, at "
                        + "/sections/0/units/0/unitData/0/f: must be true or false."
                ])
            #expect(try await state(service) == before)
        }
        #expect(feed.events().isEmpty)
        let done = try await service.report(Self.seen, Self.setting)
        #expect(done.text == #"{"accepted":2,"revision":2}"#)
        #expect(feed.events().count == 1)
        let layout = try await service.send("GET", "/v1/screens/home/layout")
        #expect(try layout.value("/sections/0/items")?.count == 2)
        feed.close()
    }

    @Test("A unit that was broken before stays as it is")
    func brokenBefore() async throws {
        let service = try await service()
        let update =
            #"{"operations":[{"op":"patchItem","section":"List","item":"a","patch":{"f":1}}]}"#
        let updated = try await service.send(
            "POST", "/v1/screens/home/updates?strict=false", update)
        #expect(updated.status == 200)
        #expect(updated.response.headers[.diagnostics] == "1")
        // Its items are gone, and no longer a matter of actions.
        let gone = try await service.report(Self.breaking)
        #expect(gone.status == 202 && gone.text.contains("UNKNOWN_ITEM"))
        try await service.send(
            "PUT", "/v1/screens/home/pages/1", Pages.list(["c"], section: "More"))
        let action = Self.setting.replacing("List", with: "More").replacing(#""b""#, with: #""c""#)
        #expect(try await service.report(action).status == 202)
    }

    @Test(
        "An input that its action does not take refuses the request, also of one that is forwarded only",
        arguments: ["notify", "rate"])
    func inputs(_ name: String) async throws {
        let service = try await service()
        let feed = try StreamReader(
            try await service.send("GET", "/v1/screens/home/feed").response)
        let before = try await state(service)
        let pointer = "/events/2/input"
        for input in [#","input":"x""#, ""] {
            let response = try await service.report(
                Self.seen, Self.setting, Reports.action(name, #""a""#, input))
            #expect(response.status == 422 && response.code == "INVALID_CONTRACT")
            #expect(try response.errors.map { $0.prefix { $0 != " " } } == [pointer[...]])
            #expect(try await state(service) == before)
        }
        #expect(feed.events().isEmpty)
        let input = name == "rate" ? "4" : #"{"why":1}"#
        let taken = try await service.report(
            Self.seen, Reports.action(name, #""a""#, #","input":\#(input)"#))
        #expect(taken.status == 202)
        #expect(feed.events().count == 1)
        feed.close()
    }

    @Test("The catalog that clients get has the schemas of inputs")
    func catalog() async throws {
        let service = try await service()
        let catalog = try await service.send("GET", "/v1/catalog")
        #expect(try catalog.string("/cellTypes/Row/actions/rate/input/type") == "integer")
        let validator = SchemaValidator(document: try JSONDocument(OpenAPIDocument.bytes()).root)
        #expect(try validator.violations(of: catalog.json, schema: "Catalog") == [])
    }

    // MARK: Properties

    /// A random value of an item's member, which may not keep the schema.
    private static let values = ["true", "1", #""x""#, "null", "{}"]

    @Test("Random actions are refused exactly if they break a unit that was not broken")
    func random() async throws {
        let seed = SeededGenerator.seed(of: "JudgedActionTests")
        var random = SeededGenerator(seed: seed)
        var statuses: [Int: Int] = [:]
        for _ in 0..<40 {
            let service = try await TestService(catalog: Self.catalog)
            var model = Model(random: &random)
            try await service.send("PUT", "/v1/screens/home/pages/0", model.page)
            for _ in 0..<6 {
                let taps = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    Model.Tap(random: &random)
                }
                let expected = model.apply(taps)
                let response = try await service.report(taps.map(\.event))
                statuses[response.status, default: 0] += 1
                let comment = "seed \(seed): \(taps.map(\.event)) \(response.text)"
                guard let failing = expected else {
                    #expect(response.status == 202, "\(comment)")
                    continue
                }
                #expect(response.status == 409, "\(comment)")
                #expect(
                    try response.errors.first?.hasPrefix("/events/\(failing) ") == true,
                    "\(comment)")
                let page = try await service.send("GET", "/v1/screens/home/pages/0").text
                #expect(page == model.page, "\(comment)")
            }
        }
        #expect(statuses[202, default: 0] > 20 && statuses[409, default: 0] > 20)
    }
}

/// An independent model of a screen of units with two items each, of which some are broken, and of
/// the actions that set a member of an item.
private struct Model {
    /// An item: its id, and the JSON of its member `f`, if it has one.
    struct Item {
        let id: String
        var value: String?

        var json: String { #"{"id":"\#(id)"\#(value.map { #","f":\#($0)"# } ?? "")}"# }
        var isBroken: Bool { value.map { $0 != "true" && $0 != "false" } ?? false }
    }

    /// An action of an item: a value for its member, or its removal.
    struct Tap {
        let item: String
        let value: String?

        init(random: inout SeededGenerator) {
            let ids = (0..<4).flatMap { unit in (0..<2).map { "i\(unit)\($0)" } }
            item = ids.randomElement(using: &random) ?? ""
            let values = ["true", "true", "false", "1", #""x""#]
            value =
                Int.random(in: 0..<8, using: &random) == 0
                ? nil : values.randomElement(using: &random)
        }

        var event: String {
            guard let value else { return Reports.action("remove", "\"\(item)\"") }
            return Reports.action("set", "\"\(item)\"", #","input":{"on":\#(value)}"#)
        }
    }

    private var units: [[Item]]

    init(random: inout SeededGenerator) {
        units = (0..<4).map { unit in
            (0..<2).map { index in
                let isBroken = Int.random(in: 0..<6, using: &random) == 0
                return Item(id: "i\(unit)\(index)", value: isBroken ? "7" : nil)
            }
        }
    }

    /// The page of the units.
    var page: String {
        let units = units.map { unit in
            #"{"unitType":"LIST","unitData":[\#(unit.map(\.json).joined(separator: ","))]}"#
        }
        return #"{"sections":[{"sectionId":"List","units":[\#(units.joined(separator: ","))]}]}"#
    }

    /// Applies actions, and returns the index of the first that breaks a unit; then nothing is
    /// changed.
    ///
    /// The items of a unit that was broken before are not in the tree.
    mutating func apply(_ taps: [Tap]) -> Int? {
        let before = units
        for (index, tap) in taps.enumerated() {
            for unit in units.indices {
                guard !before[unit].contains(where: \.isBroken),
                    let place = units[unit].firstIndex(where: { $0.id == tap.item })
                else { continue }
                guard let value = tap.value else {
                    units[unit].remove(at: place)
                    continue
                }
                units[unit][place].value = value
                guard units[unit][place].isBroken else { continue }
                units = before
                return index
            }
        }
        return nil
    }
}
