import BroadsheetHTTP
import Testing

@Suite("Answers on the wire (RFC 9112 §4)")
struct HTTPResponseSerializerTests {
    private static let time: Int64 = 784_111_777  // the example of RFC 9110 §5.6.7

    private func head(
        _ response: HTTPResponse, to method: HTTPMethod? = .get,
        version: HTTPVersion = .http11, keepAlive: Bool = true
    ) -> String {
        var serializer = HTTPResponseSerializer()
        var bytes: [UInt8] = []
        serializer.appendHead(
            of: response, to: method, version: version, keepAlive: keepAlive,
            unixSeconds: Self.time, into: &bytes)
        return bytes.text
    }

    @Test("A usual answer, byte for byte (RFC 9112 §4, RFC 9110 §6.6.1, §8.6)")
    func usual() {
        let response = HTTPResponse(
            status: .ok, headers: ["Content-Type": "application/json", "ETag": "\"r3\""],
            body: Array("{}".utf8))
        #expect(
            head(response) == """
                HTTP/1.1 200 OK\r
                Date: Sun, 06 Nov 1994 08:49:37 GMT\r
                Content-Type: application/json\r
                ETag: "r3"\r
                Content-Length: 2\r
                \r

                """)
    }

    @Test("An empty answer says so (RFC 9110 §8.6)")
    func empty() {
        #expect(head(HTTPResponse(status: .created)).contains("\r\nContent-Length: 0\r\n"))
    }

    @Test("HEAD is told the length and sent no body (RFC 9110 §9.3.2)")
    func toHead() {
        let response = HTTPResponse(status: .ok, body: Array("hello".utf8))
        #expect(head(response, to: .head).contains("\r\nContent-Length: 5\r\n"))
        #expect(!HTTPResponseSerializer.sendsBody(response, to: .head))
        #expect(HTTPResponseSerializer.sendsBody(response, to: .get))
        #expect(HTTPResponseSerializer.sendsBody(response, to: nil))
    }

    @Test(
        "1xx, 204 and 304 have neither length nor body (RFC 9110 §8.6, §15.3.5, §15.4.5)",
        arguments: [HTTPStatus.continuation, .noContent, .notModified])
    func withoutContent(status: HTTPStatus) {
        let response = HTTPResponse(status: status, body: Array("hello".utf8))
        #expect(!head(response).contains("Content-Length"))
        #expect(!HTTPResponseSerializer.sendsBody(response, to: .get))
    }

    @Test("Connection says close, or keep-alive to HTTP/1.0 (RFC 9112 §9.3)")
    func connection() {
        let response = HTTPResponse(status: .ok)
        #expect(!head(response).contains("Connection"))
        #expect(head(response, keepAlive: false).contains("\r\nConnection: close\r\n"))
        let old = head(response, version: .http10)
        #expect(old.contains("\r\nConnection: keep-alive\r\n"))
        #expect(old.hasPrefix("HTTP/1.1 "))
        #expect(
            head(response, version: .http10, keepAlive: false).contains("\r\nConnection: close\r\n")
        )
    }

    @Test("Framing is the serializer's: a handler's own such fields are not sent")
    func ownFields() {
        let response = HTTPResponse(
            status: .ok,
            headers: [
                "date": "now", "CONTENT-LENGTH": "99", "Connection": "upgrade",
                "Transfer-Encoding": "chunked", "X": "1",
            ])
        #expect(
            head(response) == """
                HTTP/1.1 200 OK\r
                Date: Sun, 06 Nov 1994 08:49:37 GMT\r
                X: 1\r
                Content-Length: 0\r
                \r

                """)
    }

    @Test(
        "A value cannot break out of its line (RFC 9110 §5.5)",
        arguments: [
            "a\r\nSet-Cookie: x=1", "a\nb", "a\rb", "a\0b", "a\r\n\r\n<html>", "\u{7f}a", "a\u{b}",
        ])
    func injection(value: String) {
        let response = HTTPResponse(status: .ok, headers: ["X-Request-Id": value])
        let head = head(response)
        // Status, Date, X-Request-Id, Content-Length and the empty line: five ends of line.
        #expect(head.utf8.filter { $0 == 10 || $0 == 13 }.count == 10)
        #expect(!head.utf8.contains(0))
    }

    @Test("Heads are appended after what is there, for pipelined answers")
    func appended() {
        var serializer = HTTPResponseSerializer()
        var bytes: [UInt8] = []
        for _ in 0..<2 {
            serializer.appendHead(
                of: HTTPResponse(status: .noContent), to: .delete, keepAlive: true,
                unixSeconds: Self.time, into: &bytes)
        }
        let one = head(HTTPResponse(status: .noContent))
        #expect(bytes.text == one + one)
    }

    @Test("The nod (RFC 9110 §15.2.1)")
    func nod() {
        #expect(HTTPResponseSerializer.continueResponse.text == "HTTP/1.1 100 Continue\r\n\r\n")
    }
}
