import Broadsheet
import BroadsheetHTTP
import Testing

@Suite("POST of /v1/layout for several viewports (docs/api.md, Composing without storing)")
struct ViewportsTests {
    private static let page = Pages.list(["a", "b", "a"])

    private func body(_ members: String) -> String {
        #"{"pages":[\#(Self.page)],\#(members)}"#
    }

    @Test(
        "Each tree equals that of a request for its viewport alone, in their order",
        arguments: [
            "", "?fields=frames", "?coordinates=content&collapsed=List", "?width=200&lint=true",
        ])
    func equalsSingles(query: String) async throws {
        let service = try await TestService()
        let viewports = [
            "{}", #"{"width":320,"height":568,"scale":2}"#, #"{"width":1024,"direction":"rtl"}"#,
            #"{"scale":1,"extra":[]}"#, "null", #"{"safeArea":{"left":59}}"#,
        ]
        var singles: [String] = []
        for viewport in viewports {
            let single = try await service.send(
                "POST", "/v1/layout\(query)", body("\"viewport\":\(viewport)"))
            #expect(single.status == 200)
            singles.append(single.text)
        }
        let all = try await service.send(
            "POST", "/v1/layout\(query)",
            body("\"viewports\":[\(viewports.joined(separator: ","))]"))
        #expect(all.status == 200)
        #expect(all.text == "{\"layouts\":[\(singles.joined(separator: ","))]}")
        #expect(all.response.headers[.contentType] == "application/json")
        #expect(all.response.headers[.vary] == "Accept")
    }

    @Test("The trees are indented one level deeper")
    func pretty() async throws {
        let service = try await TestService()
        let single = try await service.send("POST", "/v1/layout?pretty=true", Self.page)
        let all = try await service.send(
            "POST", "/v1/layout?pretty=true", body("\"viewports\":[{},{}]"))
        let indented = single.text.replacing("\n", with: "\n    ")
        #expect(
            all.text
                == "{\n  \"layouts\": [\n    \(indented),\n    \(indented)\n  ]\n}", "\(all.text)")
    }

    @Test("`viewports` has 1 to 16 elements, and excludes `viewport`")
    func counts() async throws {
        let service = try await TestService()
        for count in [1, 16] {
            let many = Array(repeating: "{}", count: count).joined(separator: ",")
            let received = try await service.send(
                "POST", "/v1/layout", body("\"viewports\":[\(many)]"))
            #expect(try received.value("/layouts")?.count == count)
        }
        let seventeen = Array(repeating: "{}", count: 17).joined(separator: ",")
        let range = "/viewports must be an array of 1 to 16 viewports"
        let violations = [
            (#""viewports":[]"#, range), (#""viewports":[\#(seventeen)]"#, range),
            (#""viewports":{}"#, range), (#""viewports":"x""#, range),
            (
                #""viewport":{},"viewports":[{}]"#,
                "/viewports cannot be given together with viewport"
            ),
            (#""viewports":[{},7]"#, "/viewports/1 must be an object"),
            (
                #""viewports":[{},{"width":0}]"#,
                "/viewports/1/width must be a number above 0 and at most 100000"
            ),
            (#""viewports":[{"direction":"up"}]"#, "/viewports/0/direction must be ltr or rtl"),
        ]
        for (members, violation) in violations {
            let received = try await service.send("POST", "/v1/layout", body(members))
            #expect(received.status == 422, "\(members)")
            #expect(received.code == "INVALID_CONTRACT")
            #expect(try received.errors == [violation])
        }
    }

    @Test("`null` equals an omitted member")
    func null() async throws {
        let service = try await TestService()
        let one = try await service.send("POST", "/v1/layout", body(#""viewports":null"#))
        #expect(try one.itemIds == [["a", "b", "a#2"]])
        let many = try await service.send(
            "POST", "/v1/layout", body(#""viewport":null,"viewports":[{}]"#))
        #expect(try many.value("/layouts")?.count == 1)
    }

    @Test("All viewports together have at most --max-items items")
    func limit() async throws {
        var limits = ScreenLimits()
        limits.maxItems = 10
        let service = try await TestService(limits: limits)
        let three = try await service.send("POST", "/v1/layout", body(#""viewports":[{},{},{}]"#))
        #expect(three.status == 200)
        let four = try await service.send(
            "POST", "/v1/layout", body(#""viewports":[{},{},{},{}]"#))
        #expect(four.status == 422)
        let errors = try four.errors
        #expect(errors.count == 1)
        #expect(errors.first?.hasPrefix("/viewports ") == true)
        #expect(errors.first?.contains("--max-items") == true)
    }
}
