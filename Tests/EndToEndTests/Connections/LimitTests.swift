import Testing

/// A limit, a request that exceeds it, and the response.
private struct LimitCase: Sendable, CustomTestStringConvertible {
    let options: [String]
    let request: String
    let status: Int
    let code: String

    var testDescription: String { "\(options.joined(separator: " ")): \(status) \(code)" }
}

private let post = "POST /v1/layout HTTP/1.1\r\nHost: localhost\r\n"
private let get = "GET /livez HTTP/1.1\r\nHost: localhost\r\n"

private func posting(_ body: String) -> String {
    post + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
}

private let limitCases = [
    LimitCase(
        options: ["--max-body", "100"], request: post + "Content-Length: 101\r\n\r\n", status: 413,
        code: "BODY_TOO_LARGE"),
    LimitCase(
        options: ["--max-body=100"],
        request: post + "Transfer-Encoding: chunked\r\n\r\n65\r\n", status: 413,
        code: "BODY_TOO_LARGE"),
    LimitCase(options: [], request: post + "\r\n", status: 411, code: "LENGTH_REQUIRED"),
    LimitCase(
        options: ["--max-target", "40"],
        request: "GET /\(String(repeating: "x", count: 60)) HTTP/1.1\r\nHost: localhost\r\n\r\n",
        status: 414, code: "URI_TOO_LONG"),
    LimitCase(
        options: ["--max-headers", "3"], request: get + "A: 1\r\nB: 2\r\nC: 3\r\n\r\n",
        status: 431, code: "HEADERS_TOO_LARGE"),
    LimitCase(
        options: ["--max-header-bytes", "256"],
        request: get + "A: \(String(repeating: "x", count: 300))\r\n\r\n", status: 431,
        code: "HEADERS_TOO_LARGE"),
    LimitCase(
        options: ["--header-timeout", "1"], request: "GET /livez HTT", status: 408,
        code: "REQUEST_TIMEOUT"),
    LimitCase(
        options: ["--body-timeout", "1"],
        request: post + "Content-Length: 9\r\n\r\n{\"sec", status: 408,
        code: "REQUEST_TIMEOUT"),
    LimitCase(
        options: ["--max-depth", "3"], request: posting(#"{"sections":[[[]]]}"#), status: 400,
        code: "INVALID_JSON"),
    LimitCase(
        options: ["--max-sections", "2"], request: posting(#"{"sections":[[],[],[]]}"#),
        status: 422, code: "INVALID_CONTRACT"),
    LimitCase(
        options: ["--max-items", "2"],
        request: posting(
            #"{"sections":[[{"unitType":"SS_PRODUCT_LIST","unitData":[{},{},{}]}]]}"#),
        status: 422, code: "INVALID_CONTRACT"),
    LimitCase(
        options: ["--max-pages", "1"],
        request: posting(#"{"pages":[{"sections":[]},{"sections":[]}]}"#), status: 422,
        code: "INVALID_CONTRACT"),
]

extension EndToEnd {
    @Suite struct Limits {
        @Test("A request that exceeds a limit has the documented response", arguments: limitCases)
        private func exceeded(_ limit: LimitCase) throws {
            let daemon = try TestDaemon(limit.options)
            let connection = try daemon.connect()
            try connection.send(limit.request)
            let response = try connection.receive()
            #expect(response.status == limit.status)
            #expect(try response.problem().code == limit.code)
            #expect(try daemon.request("GET", "/livez").status == 200)
        }

        @Test("A body as long as the limit is accepted")
        func bodyOfExactlyTheLimit() throws {
            let page = try Storefront.page(0)
            let daemon = try TestDaemon(["--max-body", "\(page.count)"])
            #expect(try daemon.request("POST", "/v1/layout", body: page).status == 200)
            #expect(try daemon.request("POST", "/v1/layout", body: page + [32]).status == 413)
        }

        @Test("The response to a body beyond the limit arrives even if the client sends the body")
        func refusedBody() throws {
            let daemon = try TestDaemon(["--max-body", "1000"])
            let connection = try daemon.connect()
            let body = [UInt8](repeating: 32, count: 400_000)
            try? connection.send(Request.bytes("POST", "/v1/layout", body: body))
            let response = try connection.receive(responseTo: "POST")
            #expect(response.status == 413)
            #expect(response["Connection"] == "close")
            #expect(try response.problem().detail.contains("1000"))
        }

        @Test("An idle connection is closed without a response after the idle timeout")
        func idle() throws {
            // The timeout begins before the request, which a busy machine may delay.
            let daemon = try TestDaemon(["--idle-timeout", "3"])
            let connection = try daemon.connect()
            try connection.send(Request.bytes("GET", "/livez"))
            #expect(try connection.receive().status == 200)
            #expect(try connection.receiveToEnd().isEmpty)
        }

        @Test("A connection beyond the limit receives 503 and is closed; the others are served")
        func connections() throws {
            let daemon = try TestDaemon(["--max-connections", "2"])
            let held = try (0..<2).map { _ in try daemon.connect() }
            for connection in held {
                try connection.send(Request.bytes("GET", "/livez"))
                #expect(try connection.receive().status == 200)
            }
            let extra = try daemon.connect()
            let response = try extra.receive()
            #expect(response.status == 503)
            #expect(response["Retry-After"] != nil)
            #expect(try response.problem().code == "OVERLOADED")
            #expect(try extra.receiveToEnd().isEmpty)
            try held[1].send(Request.bytes("GET", "/livez"))
            #expect(try held[1].receive().status == 200)
        }
    }
}
