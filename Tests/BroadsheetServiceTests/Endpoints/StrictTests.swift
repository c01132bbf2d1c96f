import Broadsheet
import BroadsheetHTTP
@testable import BroadsheetService
import Testing

@Suite("Strict mode (docs/api.md)") struct StrictTests {
    private static let catalog = #"""
        {"units": {"P": {"cells": {"type": "C"},
                         "schema": {"items": {"required": ["id"]}}}},
         "cellTypes": {"C": {"id": "/id", "size": {"height": 10}}}}
        """#
    private static let good = #"{"sections":[[{"unitType":"P","unitData":[{"id":"a"}]}]]}"#
    private static let bad =
        #"{"sections":[[{"unitType":"P","unitData":[{}]},{"unitType":"?"},{"unitType":"P"}]]}"#
    private static let pointers = [
        "/sections/0/0/unitData/0", "/sections/0/1/unitType", "/sections/0/2",
    ]
    private let path = "/v1/screens/home/pages/0"

    private func service(isStrict: Bool = false) async throws -> TestService {
        try await TestService(catalog: Self.catalog, isStrict: isStrict)
    }

    @Test("Without strict=true violations are diagnostics")
    func byDefault() async throws {
        let service = try await service()
        let put = try await service.send("PUT", path, Self.bad)
        #expect(put.status == 201)
        #expect(try put.itemIds == [[]])
        #expect(put.response.headers[.diagnostics] == "3")
        #expect(put.text.contains("\"SCHEMA_VIOLATION\""))
    }

    @Test(
        "PUT, POST and compositions with strict=true list all violations",
        arguments: [
            ("PUT", "/v1/screens/home/pages/0"), ("POST", "/v1/screens/home/pages"),
            ("POST", "/v1/layout"),
        ])
    func pages(method: String, path: String) async throws {
        let service = try await service()
        let refused = try await service.send(method, path + "?strict=true", Self.bad)
        #expect(refused.code == "INVALID_CONTRACT")
        #expect(refused.status == 422)
        for pointer in Self.pointers { #expect(refused.text.contains("\"\(pointer)\"")) }
        let accepted = try await service.send(method, path + "?strict=true", Self.good)
        #expect(accepted.status < 300)
        #expect(
            try await service.send(method, path + "?strict=2", Self.good).code
                == "INVALID_PARAMETER")
    }

    @Test("A daemon that was started strict is strict unless the request says otherwise")
    func setting() async throws {
        let service = try await service(isStrict: true)
        #expect(try await service.send("PUT", path, Self.bad).code == "INVALID_CONTRACT")
        #expect(try await service.send("PUT", path + "?strict=false", Self.bad).status == 201)
        #expect(try await service.send("POST", "/v1/layout", Self.bad).code == "INVALID_CONTRACT")
    }

    @Test("Pointers of a composition lead into its body, by the catalog of the body")
    func composition() async throws {
        let service = try await service()
        let body = #"{"catalog": \#(Self.catalog), "pages": [\#(Self.good), \#(Self.bad)]}"#
        let refused = try await service.send("POST", "/v1/layout?strict=true", body)
        #expect(refused.text.contains("\"/pages/1/sections/0/0/unitData/0\""))
    }

    @Test("A section that replaces another one is judged with strict=true")
    func replacedSection() async throws {
        let service = try await service()
        try await service.send("PUT", path, Self.good)
        func update(_ data: String) -> String {
            let unit = #"{"unitType":"P","unitData":[\#(data)]}"#
            return
                #"{"operations":[{"op":"replaceSection","section":{"sectionId":"S","units":[\#(unit)]}}]}"#
        }
        let updates = "/v1/screens/home/updates?strict=true"
        let refused = try await service.send("POST", updates, update("{}"))
        #expect(refused.code == "INVALID_CONTRACT")
        #expect(refused.text.contains("\"/sections/1/units/0/unitData/0\""))
        #expect(try await service.send("POST", updates, update(#"{"id":1}"#)).status == 200)
    }

    @Test("PATCH and updates with strict=true judge the edited pages")
    func edits() async throws {
        let service = try await service()
        try await service.send("PUT", path, Self.good)
        let patch = #"[{"op":"remove","path":"/sections/0/0/unitData/0/id"}]"#
        let headers: HTTPHeaders = [.contentType: "application/json-patch+json"]
        let refused = try await service.send(
            "PATCH", path + "?strict=true", patch, headers: headers)
        #expect(refused.code == "INVALID_CONTRACT")
        #expect(refused.text.contains("\"/sections/0/0/unitData/0\""))
        let update =
            #"{"operations":[{"op":"patchItem","section":0,"item":"a","patch":{"id":null}}]}"#
        let updated = try await service.send(
            "POST", "/v1/screens/home/updates?strict=true", update)
        #expect(updated.status == 422)
        let lenient = path + "?strict=false"
        #expect(try await service.send("PATCH", lenient, patch, headers: headers).status == 200)
    }

    private static let items = #"""
        {"units": {"P": {"cells": {"type": "C", "optional": true}}},
         "cellTypes": {"C": {"id": "/id", "size": {"height": 10},
                             "schema": {"properties": {"rating": {"type": "number"}}}}}}
        """#

    @Test("An item that violates its schema is left out and reported, and refused in strict mode")
    func items() async throws {
        let service = try await TestService(catalog: Self.items)
        func page(_ rating: String) -> String {
            #"{"sections":[[{"unitType":"P","unitData":[{"id":"a"},{"id":"b","rating":\#(rating)}]}]]}"#
        }
        let refused = try await service.send("PUT", path + "?strict=true", page(#""5""#))
        #expect(refused.status == 422)
        #expect(refused.code == "INVALID_CONTRACT")
        #expect(refused.text.contains(#""pointer":"/sections/0/0/unitData/1/rating""#))
        let put = try await service.send("PUT", path, page(#""5""#))
        #expect(try put.itemIds == [["a"]])
        #expect(put.response.headers[.diagnostics] == "1")
        #expect(try await service.send("PUT", path + "?strict=true", page("5")).status == 200)
        let update =
            #"{"operations":[{"op":"patchItem","section":0,"item":"b","patch":{"rating":"5"}}]}"#
        let updates = "/v1/screens/home/updates"
        #expect(try await service.send("POST", updates + "?strict=true", update).status == 422)
        let updated = try await service.send("POST", updates + "?strict=false", update)
        #expect(updated.status == 200)
        #expect(updated.response.headers[.diagnostics] == "1")
        #expect(try await service.send("GET", "/v1/screens/home/layout").itemIds == [["a"]])
        let schema = try await service.send("GET", "/v1/catalog/schema")
        #expect(schema.text.contains(##""$ref":"#/$defs/Cell0""##))
    }

    @Test("A stored page is judged by the schemas of a later catalog")
    func laterCatalog() async throws {
        let page =
            #"{"sections":[[{"unitType":"P","unitData":[{"id":"a"},{"id":"b","rating":"5"}]}]]}"#
        let service = try await TestService(
            catalog:
                #"{"units": {"P": {"cells": {"type": "C"}}}, "cellTypes": {"C": {"id": "/id"}}}"#)
        #expect(try await service.send("PUT", path, page).itemIds == [["a", "b"]])
        service.service.reload(catalogs: try CatalogSet(Catalog(Array(Self.items.utf8))))
        #expect(try await service.send("GET", "/v1/screens/home/layout").itemIds == [["a"]])
    }

    @Test("The schema of pages is a JSON Schema with its own media type")
    func pageSchema() async throws {
        let service = try await service()
        let received = try await service.send("GET", "/v1/catalog/schema")
        #expect(received.status == 200)
        #expect(received.response.headers[.contentType] == "application/schema+json")
        #expect(received.text.contains(#""const":"P""#))
    }
}
