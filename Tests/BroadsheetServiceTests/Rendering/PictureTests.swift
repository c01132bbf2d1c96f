import Broadsheet
import BroadsheetHTTP
import Foundation
import FoundationXML
import Testing

@Suite("Pictures of layouts (docs/api.md, Pictures)")
struct PictureTests {
    private let path = "/v1/screens/home/layout.svg"

    private func service() async throws -> TestService {
        let service = try await TestService()
        try await service.send(
            "PUT", "/v1/screens/home/pages/3",
            Pages.list(["<&>", "b"], section: "a < b & c", hasNext: true))
        try await service.send("PUT", "/v1/screens/home/pages/7", Pages.list(["c"]))
        return service
    }

    private func isWellFormed(_ received: ReceivedResponse) -> Bool {
        XMLParser(data: Data(received.response.body)).parse()
    }

    @Test("A picture of a stored screen accepts the layout's query, including page tokens")
    func stored() async throws {
        let service = try await service()
        let first = try await service.send("GET", path)
        #expect(first.status == 200)
        #expect(first.response.headers[.contentType] == "image/svg+xml")
        #expect(isWellFormed(first))
        #expect(first.text.contains("home, up to page 3"))
        #expect(first.text.contains("&lt;&amp;&gt;"))
        let token = try await service.send("GET", "/v1/screens/home/layout").string(
            "/nextPageToken")
        let next = try await service.send("GET", "\(path)?pageToken=\(token)")
        #expect(next.text.contains("home, up to page 7"))
        let all = try await service.send("GET", "\(path)?pages=all")
        #expect(all.response.body == next.response.body)
        let narrow = try await service.send("GET", "\(path)?width=200&height=300")
        #expect(narrow.text.contains("200 × 300"))
        #expect(isWellFormed(narrow))
        #expect(try await service.send("GET", "\(path)?width=0").code == "INVALID_PARAMETER")
        #expect(
            try await service.send("GET", "/v1/screens/none/layout.svg").code == "SCREEN_NOT_FOUND")
        #expect(try await service.send("PUT", path).code == "METHOD_NOT_ALLOWED")
    }

    @Test("A screen without pages has a picture")
    func noPages() async throws {
        let service = try await service()
        try await service.send("DELETE", "/v1/screens/home/pages")
        let received = try await service.send("GET", path)
        #expect(isWellFormed(received))
        #expect(received.text.contains("home, no pages"))
    }

    @Test(
        "Posted pages are returned as a picture if Accept prefers it to the tree",
        arguments: [
            ("image/svg+xml", true), ("image/*", true), ("IMAGE/SVG+XML;q=0.1", true),
            ("application/json;q=0.8, image/svg+xml", true),
            ("image/svg+xml, application/json", false), ("*/*", false), ("", false),
            ("text/html, */*;q=0.8", false), ("text/html", false),
            ("application/json, image/svg+xml;q=0.9", false), ("image/svg+xml;q=0", false),
            ("application/json;q=0, */*", true),
        ])
    func composed(accept: String, isPicture: Bool) async throws {
        let service = try await TestService()
        let received = try await service.send(
            "POST", "/v1/layout?width=300", Pages.list(["a"], page: 4), headers: [.accept: accept])
        #expect(received.status == 200)
        #expect(received.response.headers[.vary] == "Accept")
        let type = received.response.headers[.contentType]
        #expect(type == (isPicture ? "image/svg+xml" : "application/json"), "\(accept)")
        if isPicture {
            #expect(isWellFormed(received))
            #expect(received.text.contains("300 × 844"))
        }
    }

    @Test("A picture shows the texts to which the catalog's pictures point, escaped")
    func contents() async throws {
        let service = try await TestService()
        let body = """
            {"catalog": {"units": {"U": {"cell": {"type": "Card"}}},
                         "cellTypes": {"Card": {"size": {"width": 300, "height": 60},
                                                "picture": {"title": "/t", "image": "/i"}}}},
             "pages": [{"sections": [{"units": [
               {"unitType": "U", "unitData": {"t": "<Mug & more>", "i": {}}}]}]}]}
            """
        let received = try await service.send(
            "POST", "/v1/layout", body, headers: [.accept: "image/svg+xml"])
        #expect(received.status == 200)
        #expect(isWellFormed(received))
        #expect(received.text.contains(">&lt;Mug &amp; more&gt;<"))
    }
}
