import Broadsheet
import BroadsheetHTTP
import Testing

@Suite("POST of /v1/layout for several viewports (docs/api.md, Composing without storing)")
struct ViewportsTests {
    private static let page = Pages.list(["a", "b", "a"])

    private func body(_ members: String) -> String {
        #"{"pages":[\#(Self.page)],\#(members)}"#
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
}
