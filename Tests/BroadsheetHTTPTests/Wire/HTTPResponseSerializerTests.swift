import Testing

@testable import BroadsheetHTTP

@Suite("Responses on the wire (RFC 9112 §4)")
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

    @Test("A usual response is serialized byte for byte (RFC 9112 §4, RFC 9110 §6.6.1, §8.6)")
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

    @Test("An empty response has a length of 0 (RFC 9110 §8.6)")
    func empty() {
        #expect(head(HTTPResponse(status: .created)).contains("\r\nContent-Length: 0\r\n"))
    }

    @Test("HEAD receives the length and no body (RFC 9110 §9.3.2)")
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

    @Test("Connection is close, or keep-alive to HTTP/1.0 (RFC 9112 §9.3)")
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

    @Test("The serializer writes the framing fields: a handler's are not sent")
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

    @Test("Heads are appended to the bytes, for pipelined responses")
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

    @Test("100 Continue is a status line and an empty line (RFC 9110 §15.2.1)")
    func continueResponse() {
        #expect(HTTPResponseSerializer.continueResponse.text == "HTTP/1.1 100 Continue\r\n\r\n")
    }
}

@Suite("The Date of responses (RFC 9110 §5.6.7, IMF-fixdate)")
struct HTTPDateTests {
    @Test(
        "Days of every kind are written as IMF-fixdate (RFC 9110 §5.6.7)",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
            (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
            (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
            (1_735_689_600, "Wed, 01 Jan 2025 00:00:00 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
            (Int64.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
        ] as [(Int64, String)])
    func days(seconds: Int64, text: String) {
        var date = HTTPDate()
        #expect(date.bytes(at: seconds).text == text)
    }

    @Test("The cached text follows the clock, forwards and back")
    func cache() {
        var date = HTTPDate()
        #expect(date.bytes(at: 59).text.contains("00:00:59"))
        #expect(date.bytes(at: 59).text.contains("00:00:59"))
        #expect(date.bytes(at: 60).text.contains("00:01:00"))
        #expect(date.bytes(at: 59).text.contains("00:00:59"))
    }

    @Test("Each day follows the one before, for two thousand years")
    func consecutive() {
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        var date = HTTPDate()
        var previousDay = 31
        for day in 0..<730_000 {
            let text = date.bytes(at: Int64(day) * 86_400)
            let number = Int(text[5] - 48) * 10 + Int(text[6] - 48)
            guard number == previousDay + 1 || (number == 1 && previousDay >= 28),
                text.starts(with: weekdays[day % 7].utf8)
            else {
                Issue.record("day \(day): \(text.text)")
                return
            }
            previousDay = number
        }
    }
}
