import Broadsheet
import BroadsheetHTTP
import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("PATCH of a page (docs/edits.md, Patches of a page)")
struct PatchTests {
    private let path = "/v1/screens/home/pages/0"
    private static let json: HTTPHeaders = [.contentType: "application/json-patch+json"]
    private static let merge: HTTPHeaders = [.contentType: "application/merge-patch+json"]

    /// Returns a service with page 0 of a list of ids.
    private func service(
        _ ids: [String] = ["a", "b"], limits: ScreenLimits = ScreenLimits()
    ) async throws -> TestService {
        let service = try await TestService(limits: limits)
        try await service.send("PUT", path, Pages.list(ids))
        return service
    }

    private let replacement =
        #"[{"op":"replace","path":"/sections/0/units/0/unitData/1/id","value":"x"}]"#

    @Test("A JSON Patch returns the tree as PUT does, and the page keeps its other bytes")
    func operations() async throws {
        let service = try await service()
        let patched = try await service.send("PATCH", path, replacement, headers: Self.json)
        #expect(patched.status == 200)
        #expect(patched.etag == "\"r2\"")
        #expect(patched.response.headers[.diagnostics] == "0")
        #expect(try patched.itemIds == [["a", "x"]])
        #expect(try patched.number("/revision") == 2)
        let page = try await service.send("GET", path)
        #expect(page.text == Pages.list(["a", "x"]))
        let minimal = try await service.send(
            "PATCH", path, #"{"hasNext":true}"#,
            headers: [
                .contentType: "application/merge-patch+json; charset=UTF-8",
                .prefer: "return=minimal",
            ])
        #expect(minimal.status == 200 && minimal.body.isEmpty)
        #expect(minimal.etag == "\"r3\"")
        #expect(minimal.response.headers[.preferenceApplied] == "return=minimal")
    }

    @Test("Another type is 415 with Accept-Patch, which GET and OPTIONS of the page have too")
    func acceptPatch() async throws {
        let service = try await service()
        let accepted = "application/json-patch+json, application/merge-patch+json"
        for headers: HTTPHeaders in [
            [:], [.contentType: "application/json"], [.contentType: "text/plain"],
            [.contentType: "application/json-patch+json; charset=latin1"],
            [.contentType: "application/json-patch+json", .contentEncoding: "gzip"],
        ] {
            let received = try await service.send("PATCH", path, "[]", headers: headers)
            #expect(received.code == "UNSUPPORTED_MEDIA_TYPE")
            #expect(received.response.headers[.acceptPatch] == accepted)
        }
        for method in ["GET", "HEAD", "OPTIONS"] {
            let received = try await service.send(method, path)
            #expect(received.response.headers[.acceptPatch] == accepted, "\(method)")
        }
        let options = try await service.send("OPTIONS", "/v1/screens/home/pages")
        #expect(options.response.headers[.acceptPatch] == nil)
    }

    @Test(
        "Problems name the place, and change nothing",
        arguments: [
            ("[", json, 400, "INVALID_JSON", ""), ("{}", json, 400, "INVALID_PATCH", ""),
            (
                #"[{"op":"add","path":"/a","value":1},{"op":"x"}]"#, json, 400, "INVALID_PATCH",
                "/1/op"
            ),
            (
                #"[{"op":"add","path":"/a","value":1},{"op":"test","path":"/a","value":2}]"#, json,
                409,
                "PATCH_FAILED", "/1"
            ),
            (#"[{"op":"remove","path":"/sections"}]"#, json, 422, "INVALID_CONTRACT", "/sections"),
            (#"{"page":7}"#, merge, 422, "INVALID_CONTRACT", "/page"),
            ("7", merge, 422, "INVALID_CONTRACT", ""),
        ])
    func problems(
        patch: String, headers: HTTPHeaders, status: Int, code: String, pointer: String
    ) async throws {
        let service = try await service()
        for query in ["", "?validateOnly=true"] {
            let received = try await service.send("PATCH", path + query, patch, headers: headers)
            #expect(received.status == status)
            #expect(received.code == code)
            if code != "INVALID_JSON" {
                #expect(try received.value("/errors/0/pointer")?.string == pointer)
            }
        }
        #expect(try await service.send("GET", path).text == Pages.list(["a", "b"]))
        #expect(try await service.send("GET", "/v1/screens/home").number("/revision") == 1)
    }

    @Test("Problems of the request come before 412, and 412 before 404, 409 and the outcome")
    func order() async throws {
        let service = try await service()
        func send(
            _ path: String, _ patch: String, _ condition: String? = nil
        ) async throws -> Int {
            var headers = Self.json
            if let condition { headers.append(.ifMatch, condition) }
            return try await service.send("PATCH", path, patch, headers: headers).status
        }
        let failing = #"[{"op":"test","path":"/a","value":2}]"#
        #expect(try await send(path, "{}", "\"r9\"") == 400)
        #expect(try await send(path, failing, "\"r9\"") == 412)
        #expect(try await send(path, failing, "\"r1\"") == 409)
        #expect(try await send("/v1/screens/home/pages/7", failing, "\"r9\"") == 412)
        #expect(try await send("/v1/screens/home/pages/7", failing) == 404)
        #expect(try await send("/v1/screens/gone/pages/0", failing, "*") == 412)
        #expect(try await send("/v1/screens/gone/pages/0", failing) == 404)
        #expect(try await send(path, replacement, "\"r1\"") == 200)
    }

    @Test("A patch that changes no byte keeps the revision, unless it sets a lifetime")
    func unchanged() async throws {
        let service = try await service()
        let test = #"[{"op":"test","path":"/sections/0/sectionId","value":"List"}]"#
        let kept = try await service.send("PATCH", path, test, headers: Self.json)
        #expect(kept.status == 200 && kept.etag == "\"r1\"")
        #expect(try kept.number("/revision") == 1)
        #expect(kept.response.headers[.diagnostics] == "0")
        var headers = Self.json
        headers.append(.screenLifetime, "60")
        let renewed = try await service.send("PATCH", path, test, headers: headers)
        #expect(renewed.status == 200 && renewed.etag == "\"r2\"")
    }

    @Test("A patch cannot take a page beyond the limits of a page")
    func limits() async throws {
        let service = try await service(limits: ScreenLimits(maxDepth: 7, maxItems: 2))
        let deep = #"[{"op":"add","path":"/x","value":[[[[[[[]]]]]]]}]"#
        let received = try await service.send("PATCH", path, deep, headers: Self.json)
        #expect(received.status == 422 || received.code == "INVALID_JSON")
        let items = #"[{"op":"add","path":"/sections/0/units/0/unitData/-","value":{}}]"#
        let many = try await service.send("PATCH", path, items, headers: Self.json)
        #expect(many.code == "INVALID_CONTRACT")
    }

    @Test("With validateOnly=true PUT, POST and PATCH do everything but store")
    func validateOnly() async throws {
        let service = try await TestService()
        let query = "?validateOnly=true"
        for (method, path) in [("PUT", path), ("POST", "/v1/screens/home/pages")] {
            let new = try await service.send(method, path + query, Pages.list(["a"]))
            #expect(new.status == 200 && new.etag == nil)
            #expect(try new.number("/revision") == 0)
            #expect(try new.itemIds == [["a"]])
            #expect(new.response.headers[.diagnostics] == "0")
        }
        #expect(try await service.send("GET", path).code == "SCREEN_NOT_FOUND")
        try await service.send("PUT", path, Pages.list(["a"]))
        let put = try await service.send("PUT", path + query, Pages.list(["b"]))
        let patched = try await service.send(
            "PATCH", path + query, #"{"sections":[]}"#, headers: Self.merge)
        for received in [put, patched] {
            #expect(received.status == 200 && received.etag == "\"r1\"")
            #expect(try received.number("/revision") == 1)
        }
        #expect(try put.itemIds == [["b"]])
        #expect(try patched.itemIds == [])
        #expect(try await service.send("GET", path).text == Pages.list(["a"]))
        let layout = try await service.send("GET", "/v1/screens/home/layout")
        #expect(try layout.itemIds == [["a"]])
        let failed = try await service.send(
            "PUT", path + query, Pages.list(["b"]), headers: [.ifMatch: "\"r9\""])
        #expect(failed.status == 412)
        let wrong = try await service.send("PUT", path + "?validateOnly=1", Pages.list(["b"]))
        #expect(wrong.code == "INVALID_PARAMETER")
    }
}
