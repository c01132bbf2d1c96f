import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("Unknown query parameters (docs/api.md, Queries)")
struct UnknownParameterTests {
    private func service() async throws -> TestService {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list([]))
        return service
    }

    @Test(
        "An unknown query parameter is refused with the nearest name that the operation has, or all",
        arguments: [
            ("GET", "/v1/screens/home/layout?widht=5", "'widht'", "width"),
            ("GET", "/v1/screens/home/layout?width=5&Height=5", "'Height'", "height"),
            (
                "GET", "/v1/screens/home/layout.svg?rect=0,0,1,1", "'rect'",
                "it has pages, pageToken, revision, width, height, scale, direction, textScale, "
                    + "safeArea, coordinates, collapsed, expanded, fields, rounding, pretty, lint, "
                    + "client, flags, catalog"
            ),
            (
                "GET", "/v1/screens/home/layout?frobnicate=1", "'frobnicate'",
                "it has pages, pageToken, rect, item, section, edge, before, after, revision, "
                    + "width, height, scale, direction, textScale, safeArea, coordinates, "
                    + "collapsed, expanded, fields, rounding, pretty, lint, client, flags, "
                    + "catalog, explain"
            ),
            ("GET", "/v1/screens/home/pages?sectionid=a", "'sectionid'", "sectionId"),
            (
                "GET", "/v1/screens?limit=5", "'limit'", "it has pageSize, prefix, pageToken"
            ),
            ("GET", "/v1/screens?page_size=5", "'page_size'", "pageSize"),
            ("GET", "/v1/screens/home?width=5", "'width'", "it has catalog"),
            ("PUT", "/v1/screens/home/pages/0?collapse=a", "'collapse'", "collapsed"),
            ("POST", "/v1/screens/home/pages?pageToken=a", "'pageToken'", "it has width, "),
            ("POST", "/v1/layout?=1", "''", "it has width, "),
            ("DELETE", "/v1/screens/home?force=true", "'force'", "it has "),
            ("GET", "/v1/catalog?v=1", "'v'", "it has catalog"),
            ("GET", "/openapi.json?v", "'v'", "it has none"),
        ])
    func refused(method: String, target: String, name: String, hint: String) async throws {
        let service = try await service()
        let received = try await service.send(method, target, Pages.list([]))
        #expect(received.status == 400)
        #expect(received.code == "INVALID_PARAMETER")
        let isNear = !hint.hasPrefix("it has")
        let detail =
            "\(name) is not a parameter of this operation; "
            + (isNear ? "did you mean '\(hint)'?" : hint)
        let isWhole = isNear || !hint.hasSuffix(" ")
        let found = try received.string("/detail")
        #expect(isWhole ? found == detail : found.hasPrefix(detail), "\(found)")
        #expect(try await service.send("GET", "/v1/screens/home").number("/revision") == 1)
    }

    @Test("Parameters of other programs are ignored, and probes and scrapers may send any")
    func ignored() async throws {
        let service = try await service()
        for query in ["x-trace=1", "utm_source=a&utm_medium=b", "_=1764000000", "x-&_"] {
            let received = try await service.send("GET", "/v1/screens/home/layout?\(query)")
            #expect(received.status == 200, "\(query)")
        }
        for path in ["/livez", "/readyz", "/metrics"] {
            #expect(try await service.send("GET", "\(path)?verbose&a=%").status == 200)
        }
        for query in ["X-trace=1", "__=1", "utm=1", "xx-a"] {
            let received = try await service.send("GET", "/v1/screens/home/layout?\(query)")
            #expect(received.code == "INVALID_PARAMETER", "\(query)")
        }
    }

    @Test("A problem repeats at most 64 characters of an unknown parameter")
    func long() async throws {
        let name = String(repeating: "a", count: 5000)
        let received = try await service().send("GET", "/v1/screens?\(name)=1")
        #expect(
            try received.string("/detail")
                == "'\(name.prefix(64))' is not a parameter of this operation; it has "
                + "pageSize, prefix, pageToken")
    }
}
