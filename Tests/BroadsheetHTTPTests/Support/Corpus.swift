/// Requests whose results must not depend on the pieces in which they arrive: valid, unusual,
/// hostile.
enum Corpus {
    /// Streams of bytes that consist of requests only.
    static let valid: [String] = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /v1/screens/home/layout?width=390&height=844 HTTP/1.1\r\nHost: localhost:8080\r\n"
            + "User-Agent: curl/8.14.1\r\nAccept: */*\r\n\r\n",
        "\r\n\r\nGET /after/empty/lines HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "HEAD / HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: keep-alive, close\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://other.example:81/p?q HTTP/1.1\r\nHost: a\r\n\r\n",
        "PUT /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "PUT /p HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "PUT /p HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok",
        "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n",
        "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\tCHUNKED \r\n\r\n"
            + "0a ; n = \"a \\\" b\" ;m\r\n0123456789\r\n000\r\nX-Sum: 1\r\nHost: b\r\n\r\n",
        "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPUT /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n"
            + "abc\r\nPOST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "1\r\nx\r\n0\r\n\r\nDELETE /4 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /%F0%9F%98%80 HTTP/1.1\r\nHost: a\r\nX-Latin: caf\u{e9}\r\nX-Empty:\r\n\r\n",
    ]

    /// Streams of bytes that end in a failure, some after valid requests.
    static let invalid: [String] =
        [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost : a\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n continued\r\n\r\n",
            "GET / HTTP/1.1\nHost: a\n\n",
            "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n",
            "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello\n0\n\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nBad Name: 1\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;a=\"\r\n\"\r\n",
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\nx",
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nshort",
            "\r\n\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0",
        ]
}
