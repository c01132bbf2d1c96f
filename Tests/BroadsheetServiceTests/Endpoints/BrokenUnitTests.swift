import Broadsheet
import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("Edits that break units which were not broken (docs/edits.md, Units that an edit breaks)")
struct BrokenUnitTests {
    /// A catalog with a schema of units, one of items, and a required banner.
    private static let catalog = #"""
        {"units": {
           "LIST": {"cells": {"type": "Row"}, "schema": {
             "items": {"properties": {"f": {"type": "boolean"}}}}},
           "CARDS": {"cells": {"type": "Card"}},
           "BANNER": {"cell": {"type": "Row", "data": "/banner"}}},
         "cellTypes": {
           "Row": {"id": "/id", "size": {"height": 10}},
           "Card": {"id": "/id", "size": {"height": 10},
                    "schema": {"properties": {"price": {"type": "integer"}}}}}}
        """#
    private static let page = #"""
        {"sections": [
          {"sectionId": "L", "units": [{"unitType": "LIST", "unitData": [{"id": "a"}, {"id": "b"}]}]},
          {"sectionId": "C", "units": [
            {"unitType": "CARDS", "unitData": [{"id": "x", "price": 1}, {"id": "y", "price": 2}]},
            {"unitType": "CARDS", "unitData": [{"id": "z", "price": 3}, {"id": "w", "price": "4"}]}]},
          {"sectionId": "B", "units": [{"unitType": "BANNER", "unitData": {"banner": {"id": "n"}}}]}]}
        """#
    private let path = "/v1/screens/home/pages/0"
    private let updates = "/v1/screens/home/updates"
    private let merge: HTTPHeaders = [.contentType: "application/merge-patch+json"]
    private let operations: HTTPHeaders = [.contentType: "application/json-patch+json"]

    private func service(isStrict: Bool = false) async throws -> TestService {
        let service = try await TestService(catalog: Self.catalog, isStrict: isStrict)
        try await service.send("PUT", path + "?strict=false", Self.page)
        return service
    }

    private static func operation(_ text: String) -> String { #"{"operations":[\#(text)]}"# }

    /// Operations that break what was not broken, each with the violation.
    private static let breaking: [(operation: String, violation: String)] = [
        (
            #"{"op":"patchItem","section":"L","item":"a","patch":{"f":"x"}}"#,
            "/sections/0/units/0/unitData/0/f: must be true or false"
        ),
        (
            #"{"op":"replaceItem","section":"C","item":"y","data":{"id":"y","price":"9"}}"#,
            "/sections/1/units/0/unitData/1/price: must be a whole number"
        ),
        (
            #"{"op":"upsertItems","section":"C","unitType":"CARDS","data":[{"id":"v","price":1.5}]}"#,
            "/sections/1/units/1/unitData/2/price: must be a whole number"
        ),
        (
            #"{"op":"insertItems","section":"C","before":"y","data":[{"id":"v","price":false}]}"#,
            "/sections/1/units/0/unitData/1/price: must be a whole number, not false"
        ),
        (
            #"""
            {"op":"replaceSection","section":{"sectionId":"L","units":[
              {"unitType":"LIST","unitData":[{"id":"a","f":0}]}]}}
            """#,
            "/sections/0/units/0/unitData/0/f: must be true or false"
        ),
    ]

    @Test(
        "An update that breaks a unit is 409 with the operation and the violation",
        arguments: breaking)
    func updates(_ operation: String, _ violation: String) async throws {
        let service = try await service()
        let toggle = #"{"op":"toggleSection","section":"B"}"#
        let body = Self.operation("\(toggle),\(operation),\(toggle)")
        let refused = try await service.send("POST", updates, body)
        #expect(refused.status == 409 && refused.code == "UPDATE_FAILED", "\(refused.text)")
        #expect(
            try refused.errors == [
                "/operations/1 The update would leave a violation in page 0, at \(violation)"
                    + " (strict=false stores it)."
            ])
        #expect(try await service.send("GET", path).text == Self.page)
        let strict = try await service.send("POST", updates + "?strict=true", body)
        #expect(strict.status == 422 && strict.code == "INVALID_CONTRACT")
        let lenient = try await service.send("POST", updates + "?strict=false", body)
        #expect(lenient.status == 200)
    }

    @Test("What later operations of the update repair is not broken by it")
    func repaired() async throws {
        let service = try await service()
        let patches = [#"{"f":"x"}"#, #"{"f":true}"#].map {
            #"{"op":"patchItem","section":"L","item":"a","patch":\#($0)}"#
        }
        let body = Self.operation(patches.joined(separator: ","))
        #expect(try await service.send("POST", updates, body).status == 200)
    }

    @Test(
        "What was broken before, or is inserted broken, does not prevent an update",
        arguments: [
            #"{"op":"patchItem","section":"C","item":"z","patch":{"price":5}}"#,
            #"{"op":"moveItems","section":"C","items":["z"],"toSection":"L"}"#,
            #"{"op":"deleteItems","section":"B","items":["n"]}"#,
            #"{"op":"insertItems","section":"C","units":[{"unitType":"CARDS","unitData":[{"price":""}]}]}"#,
            #"""
            {"op":"insertSections","sections":[{"sectionId":"N","units":[
              {"unitType":"CARDS","unitData":[{"price":""}]}]}]}
            """#,
            #"""
            {"op":"replaceSection","section":{"sectionId":"C","units":[
              {"unitType":"CARDS","unitData":[{"id":"w","price":"4"}]}]}}
            """#,
        ])
    func permitted(_ operation: String) async throws {
        let service = try await service()
        let updated = try await service.send("POST", updates, Self.operation(operation))
        #expect(updated.status == 200, "\(updated.text)")
    }

    @Test("A section with a violation that is replaced by itself changes nothing")
    func sameSection() async throws {
        let service = try await service()
        let section =
            #"{"sectionId":"N","units":[{"unitType":"CARDS","unitData":[{"price":""}]}]}"#
        let body = Self.operation(#"{"op":"replaceSection","section":\#(section)}"#)
        let minimal: HTTPHeaders = ["Prefer": "return=minimal"]
        let first = try await service.send("POST", updates, body, headers: minimal)
        let second = try await service.send("POST", updates, body, headers: minimal)
        #expect(first.status == 204 && second.status == 204)
        #expect(first.response.headers[.etag] == second.response.headers[.etag])
    }

    @Test(
        "A patch that breaks a unit is 422 with the violation",
        arguments: [
            (
                #"{"op":"replace","path":"/sections/0/units/0/unitData/1","value":{"f":1}}"#,
                "/sections/0/units/0/unitData/1/f must be true or false"
            ),
            (
                #"{"op":"replace","path":"/sections/1/units/0/unitData/0/price","value":"1"}"#,
                "/sections/1/units/0/unitData/0/price must be a whole number"
            ),
            (
                #"{"op":"add","path":"/sections/1/units/1/unitData/-","value":{"price":""}}"#,
                "/sections/1/units/1/unitData/2/price must be a whole number"
            ),
            (
                #"{"op":"replace","path":"/sections/0/units/0/unitType","value":"LISTE"}"#,
                "/sections/0/units/0/unitType no unit type \"LISTE\" is registered; did you mean "
                    + "\"LIST\"?"
            ),
        ])
    func patches(_ operation: String, _ violation: String) async throws {
        let service = try await service()
        let refused = try await service.send("PATCH", path, "[\(operation)]", headers: operations)
        #expect(refused.status == 422 && refused.code == "INVALID_CONTRACT")
        #expect(
            try refused.errors == [
                violation + " (the patch causes it; strict=false stores it)"
            ])
        #expect(try await service.send("GET", path).text == Self.page)
        let lenient = try await service.send(
            "PATCH", path + "?strict=false", "[\(operation)]", headers: operations)
        #expect(lenient.status == 200)
    }

    @Test("A merge patch is judged as well, by units and not by their places")
    func mergePatch() async throws {
        let service = try await service()
        let moved = Self.page.replacing(
            #"{"sections": ["#,
            with: #"{"sections": [[{"unitType": "CARDS", "unitData": [{"price": null}]}],"#)
        let inserted = try await service.send("PATCH", path, moved, headers: merge)
        #expect(inserted.status == 200, "\(inserted.text)")
        let broken = moved.replacing(#""price": 3"#, with: #""price": "3""#)
        let refused = try await service.send("PATCH", path, broken, headers: merge)
        #expect(refused.code == "INVALID_CONTRACT")
        #expect(
            try refused.errors.map { $0.prefix { $0 != " " } }
                == ["/sections/2/units/1/unitData/0/price"])
    }

    @Test(
        "What was broken before, or is added broken, does not prevent a patch",
        arguments: [
            #"{"op":"add","path":"/sections/1/units/1/unitData/1/note","value":"still broken"}"#,
            #"{"op":"add","path":"/sections/1/units/0","value":{"unitType":"CARDS","unitData":{}}}"#,
            #"{"op":"move","from":"/sections/1","path":"/sections/0"}"#,
            #"{"op":"remove","path":"/sections/1/units/0"}"#,
        ])
    func permittedPatches(_ operation: String) async throws {
        let service = try await service()
        let patched = try await service.send("PATCH", path, "[\(operation)]", headers: operations)
        #expect(patched.status == 200, "\(patched.text)")
    }

    @Test("With --strict edits are judged as a whole, and not at all with strict=false")
    func strictDaemon() async throws {
        let service = try await service(isStrict: true)
        let body = Self.operation(Self.breaking[0].operation)
        #expect(try await service.send("POST", updates, body).status == 422)
        let lenient = try await service.send("POST", updates + "?strict=false", body)
        #expect(lenient.status == 200)
    }
}
