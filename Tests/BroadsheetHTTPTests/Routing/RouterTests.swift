import BroadsheetHTTP
import Testing

@Suite("Routing: 404, 405 with Allow, HEAD and OPTIONS (RFC 9110 §15.5.5, §15.5.6)")
struct RouterTests {
    private static let endpoints: [(HTTPMethod, String, name: String)] = [
        (.get, "/", "root"), (.get, "/v1/screens", "list"),
        (.delete, "/v1/screens/{screen}", "remove screen"),
        (.get, "/v1/screens/{screen}/pages", "state"),
        (.post, "/v1/screens/{screen}/pages", "append"),
        (.get, "/v1/screens/{screen}/pages/{page}", "get page"),
        (.put, "/v1/screens/{screen}/pages/{page}", "put page"),
        (.put, "/v1/screens/reserved/pages/{page}", "reserved"),
        (.get, "/v1/screens/{screen}/now", "now"), (.put, "/v1/screens/fixed/now", "fixed"),
        (.head, "/v1/own-head", "own head"), (.get, "/v1/own-head", "get beside head"),
    ]

    private var router: Router {
        var router = Router()
        for (index, (method, pattern, _)) in Self.endpoints.enumerated() {
            router.add(method, pattern, endpoint: index)
        }
        return router
    }

    private func found(_ method: HTTPMethod, _ path: String) throws -> (String, PathParameters) {
        guard case .found(let endpoint, let parameters) = router.match(method, path) else {
            Issue.record("\(path) not found: \(router.match(method, path))")
            return ("", PathParameters())
        }
        return (Self.endpoints[endpoint].name, parameters)
    }

    @Test("Literal paths and parameters are found")
    func found() throws {
        #expect(try found(.get, "/").0 == "root")
        #expect(try found(.get, "/v1/screens").0 == "list")
        let (endpoint, parameters) = try found(.put, "/v1/screens/home/pages/12")
        #expect(endpoint == "put page")
        #expect(parameters["screen"] == "home")
        #expect(parameters["page"] == "12")
        #expect(parameters["other"] == nil)
    }

    @Test(
        "Segments are decoded after splitting: %2F stays within one (RFC 3986 §2.2)",
        arguments: [
            ("a%2Fb", "a/b"), ("%68ome", "home"), ("a+b", "a+b"), ("%25", "%"), ("..", ".."),
            ("%2e%2E", ".."), ("%ED%95%9C", "\u{d55c}"), ("a;b=c", "a;b=c"), ("a%00b", "a\0b"),
        ])
    func decoding(segment: String, text: String) throws {
        let parameters = try found(.delete, "/v1/screens/\(segment)").1
        #expect(parameters["screen"]?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
    }

    @Test("Escapes in literal segments are equivalent to their bytes (RFC 3986 §6.2.2.2)")
    func encodedLiteral() throws {
        #expect(try found(.get, "/v1/%73creens").0 == "list")
    }

    @Test(
        "A parameter that cannot be decoded is an error that names it (RFC 3986 §2.1)",
        arguments: [
            ("%", InvalidParameter.malformedEscape), ("%4", .malformedEscape),
            ("%4g", .malformedEscape), ("a%%41", .malformedEscape), ("%FF", .notUTF8),
            ("%C0%AF", .notUTF8), ("%ED%A0%80", .notUTF8), ("%F4%90%80%80", .notUTF8),
        ])
    func undecodable(segment: String, error: InvalidParameter) {
        let match = router.match(.get, "/v1/screens/\(segment)/pages")
        #expect(match == .malformed(.invalidParameter(name: "screen", error)))
    }

    @Test(
        "Paths that match no pattern receive 404",
        arguments: [
            "/v2", "/v1", "/v1/screens/", "/v1/screens//pages", "//v1/screens", "/v1//screens",
            "/V1/screens", "/v1/screens/home/pages/1/", "/v1/screens/home/pages/1/2", "", "*",
            "v1/screens", "/%zz", "/v1/%zz", "/v1/screens%2Fhome/pages",
        ])
    func notFound(path: String) { #expect(router.match(.get, path) == .notFound) }

    @Test("A path of a million segments is rejected quickly")
    func longPath() {
        #expect(router.match(.get, String(repeating: "/a", count: 1_000_000)) == .notFound)
    }

    @Test("Another method receives 405 with all allowed methods (RFC 9110 §15.5.6)")
    func methodNotAllowed() {
        #expect(
            router.match(.patch, "/v1/screens/home/pages/1")
                == .methodNotAllowed(allow: [.get, .head, .options, .put]))
        #expect(
            router.match(.get, "/v1/screens/home") == .methodNotAllowed(allow: [.delete, .options]))
        #expect(
            router.match(.head, "/v1/screens/home")
                == .methodNotAllowed(allow: [.delete, .options])
        )
    }

    @Test("OPTIONS receives the allowed methods (RFC 9110 §9.3.7)")
    func options() {
        #expect(
            router.match(.options, "/v1/screens/home/pages")
                == .options(allow: [.get, .head, .options, .post]))
        #expect(router.match(.options, "/none") == .notFound)
        #expect(router.methods == [.delete, .get, .head, .options, .post, .put])
    }

    @Test("HEAD is served where GET is (RFC 9110 §9.3.2), by a separate endpoint if there is one")
    func head() throws {
        #expect(try found(.head, "/v1/screens").0 == "list")
        #expect(try found(.head, "/v1/own-head").0 == "own head")
    }

    @Test("A literal precedes a parameter, in any order of addition")
    func precedence() throws {
        #expect(try found(.put, "/v1/screens/reserved/pages/1").0 == "reserved")
        #expect(
            router.match(.get, "/v1/screens/reserved/pages/1")
                == .methodNotAllowed(allow: [.options, .put]))
        #expect(try found(.get, "/v1/screens/reserved/pages").0 == "state")
        #expect(try found(.put, "/v1/screens/fixed/now").0 == "fixed")
        #expect(try found(.put, "/v1/screens/f%69xed/now").0 == "fixed")
        #expect(
            router.match(.get, "/v1/screens/fixed/now")
                == .methodNotAllowed(allow: [.options, .put]))
    }
}
