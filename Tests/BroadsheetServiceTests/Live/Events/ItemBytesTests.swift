import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("The size of items that actions change (docs/api.md, Events of clients)")
struct ItemBytesTests {
    private static let catalog = #"""
        {"units": {"LIST": {"cells": {"type": "Row"}}},
         "cellTypes": {
           "Row": {"id": "/id", "size": {"height": 100}, "can": ["move"], "actions": {
             "grow": {"operations": [{"op": "patchItem", "patch": {"more": {"$input": ""}}}]},
             "shrink": {"operations": [{"op": "patchItem", "patch": {"more": null}}]},
             "replace": {"operations": [{"op": "replaceItem", "data": {"$input": ""}}]},
             "append": {"operations": [
               {"op": "upsertItems", "unitType": "LIST", "data": [{"$input": ""}]}]},
             "insert": {"operations": [{"op": "insertItems", "data": [{"$input": ""}]}]},
             "last": {"operations": [{"op": "moveItems"}]}}}}}
        """#

    private let path = "/v1/screens/home/pages/0"

    private func service(maxItemBytes: Int) async throws -> TestService {
        let service = try await TestService(catalog: Self.catalog, maxItemBytes: maxItemBytes)
        try await service.send("PUT", path, Pages.list(["a", "b"]))
        return service
    }

    private func expectRefusal(_ response: ReceivedResponse, at pointer: String) throws {
        #expect(response.status == 409)
        #expect(response.code == "UPDATE_FAILED")
        #expect(try response.errors.contains { $0.hasPrefix(pointer) })
        #expect(try response.string("/detail").contains("--max-item-bytes"))
    }

    @Test("Members that clients add up to more than --max-item-bytes are 409, and change nothing")
    func growing() async throws {
        let limit = 2_000
        let service = try await service(maxItemBytes: limit)
        var (number, last) = (0, try await service.send("GET", path).text)
        while number < 100 {
            let value = String(repeating: "v", count: 100)
            let response = try await service.report(
                Reports.action("grow", #""a""#, #","input":{"m\#(number)":"\#(value)"}"#))
            guard response.status == 202 else {
                try expectRefusal(response, at: "/events/0")
                break
            }
            last = try await service.send("GET", path).text
            number += 1
        }
        #expect(number > 10 && number < limit / 100)
        #expect(try await service.send("GET", path).text == last)
        let both = try await service.report(
            Reports.action("shrink", #""a""#),
            Reports.action(
                "replace", #""b""#, #","input":"\#(String(repeating: "x", count: 2_000))""#))
        try expectRefusal(both, at: "/events/1")
        #expect(try await service.send("GET", path).text == last)
        #expect(try await service.report(Reports.action("shrink", #""a""#)).status == 202)
    }

    @Test("An item that is larger already is moved, and changed as long as it does not grow")
    func larger() async throws {
        let service = try await service(maxItemBytes: 20)
        let long = String(repeating: "x", count: 50)
        let item = #"{"id":"a","more":{"m":"\#(long)"}}"#
        try await service.send(
            "PUT", path, Pages.list(["a", "b"]).replacing(#"{"id":"a"}"#, with: item))
        let same = Reports.action("grow", #""a""#, #","input":{"m":"\#(long.dropLast())y"}"#)
        #expect(try await service.report(same).status == 202)
        #expect(try await service.report(Reports.action("last", #""a""#)).status == 202)
        let grown = Reports.action("grow", #""a""#, #","input":{"m":"\#(long)y"}"#)
        try expectRefusal(try await service.report(grown), at: "/events/0")
        #expect(try await service.report(Reports.action("shrink", #""a""#)).status == 202)
        // What is not an action is not limited.
        let update =
            #"{"operations":[{"op":"replaceItem","section":"List","item":"a","data":\#(item)}]}"#
        #expect(try await service.send("POST", "/v1/screens/home/updates", update).status == 200)
    }

    @Test("A new item is limited as well", arguments: ["append", "insert"])
    func inserted(action: String) async throws {
        let service = try await service(maxItemBytes: 20)
        func report(_ id: String) async throws -> ReceivedResponse {
            try await service.report(
                Reports.action(action, #""a""#, #","input":{"id":"\#(id)"}"#))
        }
        #expect(try await report(String(repeating: "c", count: 11)).status == 202)
        try expectRefusal(
            try await report(String(repeating: "d", count: 12)), at: "/events/0")
    }
}
