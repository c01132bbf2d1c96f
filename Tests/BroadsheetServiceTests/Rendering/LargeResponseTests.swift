import Broadsheet
import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("Large responses (docs/api.md, Limits of a response)")
struct LargeResponseTests {
    private let path = "/v1/screens/home/layout"
    /// A page of about 700 kB.
    private let large = Pages.list(
        (0..<4_000).map { "\($0) " + String(repeating: "x", count: 150) })

    @Test("A tree of more than 256 KiB is written while it is sent; a smaller one is not")
    func sources() async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/0", large)
        let first = try await service.send("GET", path)
        #expect(first.response.source != nil && first.response.body.isEmpty)
        #expect(first.body.count == first.response.contentLength)
        #expect(first.body.count > LayoutContent.maxBytesAtOnce)
        let composed = try await service.send("POST", "/v1/layout", large)
        #expect(composed.response.source != nil)
        #expect(try composed.value("/sections")?.raw == first.value("/sections")?.raw)
        // From the cache, which has the length and not the bytes.
        let second = try await service.send("GET", path)
        #expect(second.body == first.body)
        #expect(second.response.source !== first.response.source)
        try await service.send("PUT", "/v1/screens/small/pages/0", Pages.list(["a"]))
        let small = try await service.send("GET", "/v1/screens/small/layout")
        #expect(small.response.source == nil && !small.response.body.isEmpty)
    }

    @Test("A response of more than --max-answer is refused, with advice")
    func refused() async throws {
        let exact = try await TestService().send("POST", "/v1/layout", large).body.count
        let fits = try await TestService(maxResponseBytes: exact)
        #expect(try await fits.send("POST", "/v1/layout", large).status == 200)
        let service = try await TestService(maxResponseBytes: exact - 1)
        let refused = try await service.send("POST", "/v1/layout", large)
        #expect(refused.status == 422)
        #expect(refused.code == "ANSWER_TOO_LARGE")
        for advice in ["\(exact - 1)", "rect", "pageToken", "fields=frames", "viewports"] {
            #expect(try refused.string("/detail").contains(advice))
        }
        let frames = try await service.send("POST", "/v1/layout?fields=frames", large)
        #expect(frames.status == 200)
    }

    @Test("Sixteen viewports of a page are limited together")
    func viewports() async throws {
        let service = try await TestService(maxResponseBytes: 100_000)
        func body(viewports: Int) -> String {
            let list = Array(repeating: #"{"width":320}"#, count: viewports)
            let page = Pages.list((0..<100).map(String.init))
            return #"{"pages":[\#(page)],"viewports":[\#(list.joined(separator: ","))]}"#
        }
        #expect(try await service.send("POST", "/v1/layout", body(viewports: 2)).status == 200)
        let many = try await service.send("POST", "/v1/layout", body(viewports: 16))
        #expect(many.code == "ANSWER_TOO_LARGE")
    }

    @Test("A page whose own tree would be too large is stored, and the tree omitted (RFC 7240 §3)")
    func stored() async throws {
        let service = try await TestService(maxResponseBytes: 100_000)
        let written = try await service.send("PUT", "/v1/screens/home/pages/0", large)
        #expect(written.status == 201)
        #expect(written.body.isEmpty)
        #expect(written.response.headers[.preferenceApplied] == "return=minimal")
        #expect(written.etag == "\"r1\"")
        #expect(written.response.headers[.diagnostics] == "0")
        #expect(try await service.send("GET", "/v1/screens/home/pages/0").text == large)
        #expect(try await service.send("GET", path).code == "ANSWER_TOO_LARGE")
        let part = try await service.send("GET", "\(path)?rect=0,0,390,844")
        #expect(part.status == 200)
        #expect(part.body.count < 10_000)
        let whole = try await service.send("GET", "\(path)?rect=0,0,390,1e9")
        #expect(whole.code == "ANSWER_TOO_LARGE")
    }

    @Test("A picture of more than --max-answer is refused")
    func picture() async throws {
        let service = try await TestService(maxResponseBytes: 1_000)
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a", "b"]))
        #expect(try await service.send("GET", "\(path).svg").code == "ANSWER_TOO_LARGE")
        let composed = try await service.send(
            "POST", "/v1/layout", Pages.list(["a", "b"]), headers: ["Accept": "image/svg+xml"])
        #expect(composed.code == "ANSWER_TOO_LARGE")
    }
}
