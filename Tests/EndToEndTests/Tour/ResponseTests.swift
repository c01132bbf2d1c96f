import Testing

/// A request to a daemon that has page 0 of the storefront as screen `home`, and its response.
private struct Exchange: Sendable, CustomTestStringConvertible {
    let method: String
    let target: String
    var headers: [(String, String)] = []
    var body: String?
    let status: Int
    var code: String?

    var testDescription: String { "\(method) \(target): \(status) \(code ?? "")" }
}

private let empty = #"{"sections":[]}"#

private let exchanges = [
    Exchange(
        method: "POST", target: "/v1/layout", body: #"{"sections":[}"#, status: 400,
        code: "INVALID_JSON"),
    Exchange(
        method: "GET", target: "/v1/screens/home/layout?width=0", status: 400,
        code: "INVALID_PARAMETER"),
    Exchange(
        method: "PUT", target: "/v1/screens/home/pages/1", body: #"{"page":2,"sections":[]}"#,
        status: 400, code: "PAGE_MISMATCH"),
    Exchange(
        method: "GET", target: "/v1/screens/home/layout?pageToken=x", status: 400,
        code: "INVALID_PAGE_TOKEN"),
    Exchange(
        method: "GET", target: "/v1/screens/none/layout", status: 404, code: "SCREEN_NOT_FOUND"),
    Exchange(
        method: "GET", target: "/v1/screens/home/pages/7", status: 404, code: "PAGE_NOT_FOUND"),
    Exchange(method: "GET", target: "/nothing/here", status: 404, code: "NOT_FOUND"),
    Exchange(method: "PATCH", target: "/livez", body: "", status: 405, code: "METHOD_NOT_ALLOWED"),
    Exchange(
        method: "PUT", target: "/v1/screens/home/pages/1", headers: [("If-Match", "\"r9\"")],
        body: empty, status: 412, code: "PRECONDITION_FAILED"),
    Exchange(
        method: "PUT", target: "/v1/screens/home/pages/0", headers: [("If-None-Match", "*")],
        body: empty, status: 412, code: "PRECONDITION_FAILED"),
    Exchange(
        method: "POST", target: "/v1/layout", headers: [("Content-Type", "text/plain")],
        body: empty, status: 415, code: "UNSUPPORTED_MEDIA_TYPE"),
    Exchange(
        method: "POST", target: "/v1/layout", headers: [("Content-Encoding", "gzip")],
        body: empty, status: 415, code: "UNSUPPORTED_MEDIA_TYPE"),
    Exchange(
        method: "POST", target: "/v1/layout", headers: [("Expect", "a miracle")], body: empty,
        status: 417, code: "EXPECTATION_FAILED"),
    Exchange(
        method: "POST", target: "/v1/layout", body: #"{"sections":1}"#, status: 422,
        code: "INVALID_CONTRACT"),
    Exchange(
        method: "POST", target: "/v1/layout", body: #"{"pages":[],"catalog":{"units":1}}"#,
        status: 422, code: "INVALID_CATALOG"),
    Exchange(
        method: "POST", target: "/v1/layout", headers: [("Transfer-Encoding", "gzip, chunked")],
        status: 501, code: "NOT_IMPLEMENTED"),
    Exchange(method: "HEAD", target: "/v1/screens/home/layout", status: 200),
    Exchange(method: "OPTIONS", target: "/v1/screens/home/layout", status: 204),
    Exchange(method: "DELETE", target: "/v1/screens/home/pages", status: 204),
]

extension EndToEnd {
    @Suite struct Responses {
        @Test("Responses have the documented status and problem code")
        func statusAndCode() throws {
            let daemon = try TestDaemon()
            try Storefront.store(0..<1, as: "home", in: daemon)
            for exchange in exchanges {
                let response = try daemon.request(
                    exchange.method, exchange.target, headers: exchange.headers,
                    body: exchange.body.map { Array($0.utf8) })
                #expect(response.status == exchange.status, "\(exchange.testDescription)")
                #expect(response["Date"] != nil && response["X-Request-Id"] != nil)
                if let code = exchange.code {
                    #expect(try response.problem().code == code, "\(exchange.testDescription)")
                }
            }
        }

        @Test(
            "Unchanged layouts and pages are 304, and writes return their revision (RFC 9110, 13)")
        func conditional() throws {
            let daemon = try TestDaemon()
            let stored = try daemon.request(
                "PUT", "/v1/screens/home/pages/0", body: try Storefront.page(0))
            #expect(stored.status == 201 && stored["ETag"] == "\"r1\"")
            for target in ["/v1/screens/home/layout", "/v1/screens/home/pages/0"] {
                let tag = try #require(try daemon.request("GET", target)["ETag"])
                let again = try daemon.request("GET", target, headers: [("If-None-Match", tag)])
                #expect(again.status == 304 && again.body.isEmpty && again["ETag"] == tag)
            }
            let replaced = try daemon.request(
                "PUT", "/v1/screens/home/pages/0", headers: [("If-Match", "\"r1\"")],
                body: try Storefront.page(0))
            #expect(replaced.status == 200 && replaced["ETag"] == "\"r2\"")
        }

        @Test("Concurrent writers of one screen lose no write")
        func writersAtOnce() throws {
            let daemon = try TestDaemon()
            let connections = try (0..<8).map { _ in try daemon.connect() }
            for round in 0..<25 {
                for (index, connection) in connections.enumerated() {
                    try connection.send(
                        Request.bytes(
                            "POST", "/v1/screens/busy/pages",
                            headers: [("Prefer", "return=minimal")],
                            body: Array(
                                "{\"sections\":[{\"sectionId\":\"\(round).\(index)\",\"units\":[]}]}"
                                    .utf8)))
                }
                for connection in connections {
                    #expect(try connection.receive(responseTo: "POST").status == 201)
                }
            }
            let tree = try daemon.request("GET", "/v1/screens/busy/layout?pages=all").tree()
            #expect(tree.revision == 200 && tree.pageCount == 200)
            #expect(Set(tree.sections.compactMap(\.id)).count == 200)
        }

        @Test("A request of another HTTP version is 505, and the connection is closed")
        func otherVersions() throws {
            let daemon = try TestDaemon()
            for line in [
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/3.0\r\nHost: localhost\r\n\r\n",
            ] {
                let connection = try daemon.connect()
                try connection.send(line)
                let response = try connection.receive()
                #expect(response.status == 505 && response["Connection"] == "close")
                #expect(try response.problem().code == "HTTP_VERSION_NOT_SUPPORTED")
            }
        }
    }
}
