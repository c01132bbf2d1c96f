import BroadsheetHTTP
import Testing

@testable import BroadsheetService

@Suite("Details of 404 and 405 name the request that was probably meant")
struct PathHintTests {
    @Test(
        "A path with one misspelt name has the right one",
        arguments: [
            ("/v1/screens/home/page/0", "/v1/screens/home/pages/0"),
            ("/v1/screens/home/page", "/v1/screens/home/pages"),
            ("/v1/screen/home/layout", "/v1/screens/home/layout"),
            ("/v1/screens/a%20b/update", "/v1/screens/a%20b/updates"),
            ("/v1/screens/home/layouts", "/v1/screens/home/layout"),
            ("/v1/catalogue", "/v1/catalog"), ("/v2/screens/home", "/v1/screens/home"),
            ("/v1/screen/home/page/0", nil), ("/v1/screens/home/", nil), ("/nowhere", nil),
            ("/v1/screens/\(String(repeating: "x", count: 300))/page/0", nil),
        ] as [(String, String?)])
    func notFound(path: String, meant: String?) async throws {
        let service = try await TestService()
        let received = try await service.send("GET", path)
        #expect(received.status == 404 && received.code == "NOT_FOUND")
        let detail = try received.string("/detail")
        if let meant {
            #expect(detail.contains("did you mean \(meant)?"))
        } else {
            #expect(detail == "Resource not found; /openapi.json lists all paths.")
        }
    }

    @Test("POST of a screen names PUT there, and POST of its pages")
    func post() async throws {
        let service = try await TestService()
        let received = try await service.send("POST", "/v1/screens/home", Pages.list(["a"]))
        #expect(received.status == 405)
        #expect(
            try received.string("/detail") == """
                The resource does not support POST, only DELETE, GET, HEAD, OPTIONS, PUT; PUT \
                /v1/screens/home replaces all pages of a screen in one revision, or creates the \
                screen; POST /v1/screens/home/pages stores a page under its own number, or under \
                the next free one.
                """)
    }

    @Test("PUT of all pages names POST there, and PUT of a page; GET of a write names nothing")
    func others() async throws {
        let service = try await TestService()
        let put = try await service.send("PUT", "/v1/screens/home/pages", Pages.list(["a"]))
        #expect(try put.string("/detail").contains("; POST /v1/screens/home/pages stores a page"))
        #expect(try put.string("/detail").contains("; PUT /v1/screens/home/pages/{page} stores"))
        let get = try await service.send("GET", "/v1/layout")
        #expect(
            try get.string("/detail") == "The resource does not support GET, only OPTIONS, POST.")
    }

    @Test(
        "A screen, a section or an item that does not exist has the nearest one that does",
        arguments: [
            ("/v1/screens/hom/layout", "Did you mean \"home\"?"),
            ("/v1/screens/HOME/pages/0", "Did you mean \"home\"?"),
            ("/v1/screens/elsewhere/layout", nil),
            ("/v1/screens/home/layout?item=messge-1", "Did you mean \"message-1\"?"),
            ("/v1/screens/home/layout?item=message-1&section=list", "Did you mean \"List\"?"),
            ("/v1/screens/home/layout?item=mesage-2&section=List", "Did you mean \"message-2\"?"),
            ("/v1/screens/home/layout?section=Lsit", "Did you mean \"List\"?"),
            ("/v1/screens/home/layout?item=none", nil),
        ] as [(String, String?)])
    func nearest(_ path: String, _ question: String?) async throws {
        let service = try await TestService()
        try await service.send(
            "PUT", "/v1/screens/home/pages/0", Pages.list(["message-1", "message-2"]))
        let received = try await service.send("GET", path)
        #expect(received.status == 404)
        let detail = try received.string("/detail")
        if let question {
            #expect(detail.hasSuffix(question), "\(detail)")
        } else {
            #expect(!detail.contains("Did you mean"), "\(detail)")
        }
    }

    @Test("A key receives the names of screens that it may read, and no others")
    func keys() async throws {
        let keys = try KeyRing(ofLines: ["app read hom,other never", "all read,write * never"])
        let service = try await TestService(access: AccessConfiguration(keys: keys))
        let all: HTTPHeaders = [.authorization: "Bearer secret-all"]
        try await service.send(
            "PUT", "/v1/screens/home/pages/0", Pages.list(["a"]), headers: all)
        for (name, isNamed) in [("app", false), ("all", true)] {
            let received = try await service.send(
                "GET", "/v1/screens/hom/layout",
                headers: [.authorization: "Bearer secret-\(name)"])
            #expect(received.code == "SCREEN_NOT_FOUND")
            #expect(received.text.contains("home") == isNamed)
        }
    }

    @Test("A query with a page has the ways to another page")
    func page() async throws {
        let service = try await TestService()
        try await service.send("PUT", "/v1/screens/home/pages/0", Pages.list(["a"]))
        let received = try await service.send("GET", "/v1/screens/home/layout?page=1")
        #expect(received.code == "INVALID_PARAMETER")
        #expect(
            try received.string("/detail")
                == "'page' is not a parameter of this operation; a page is requested with the "
                + "'pageToken' of the tree before it, or the part around an item with 'item'")
    }
}
