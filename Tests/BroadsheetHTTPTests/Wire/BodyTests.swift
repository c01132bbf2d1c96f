import Testing

@testable import BroadsheetHTTP

@Suite("Chunked bodies (RFC 9112 §7.1)")
struct ChunkedTests {
    private func transcript(_ body: String, limits: HTTPLimits = HTTPLimits()) -> Transcript {
        Transcript(
            of: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)",
            limits: limits)
    }

    @Test(
        "Chunks are joined; sizes are hexadecimal in either case (RFC 9112 §7.1)",
        arguments: [
            ("0\r\n\r\n", ""),
            ("000\r\n\r\n", ""),
            ("5\r\nhello\r\n0\r\n\r\n", "hello"),
            ("5\r\nhello\r\n1\r\n \r\n5\r\nworld\r\n0\r\n\r\n", "hello world"),
            ("a\r\n0123456789\r\nA\r\n0123456789\r\n00\r\n\r\n", "01234567890123456789"),
            ("0005\r\n\r\n0\r\n\r\n0\r\n\r\n", "\r\n0\r\n"),
        ])
    func joined(body: String, expected: String) {
        #expect(transcript(body).requests.first?.body.text == expected)
        #expect(transcript(body).ended)
    }

    @Test(
        "Extensions are validated and discarded (RFC 9112 §7.1.1)",
        arguments: [
            "1;a", "1;a=b", "1;a=\"b\"", "1;a=\"b;\\\"\\\\ \t\u{e9}\"", "1;a;b=c;d", "1 ;a",
            "1\t;\ta\t=\tb", "1; a = \"b\" ;c", "1;a ;b", "1;a=\"\"",
        ])
    func extensions(line: String) {
        #expect(transcript("\(line)\r\nx\r\n0;e=1\r\n\r\n").requests.first?.body.text == "x")
    }

    @Test(
        "A chunk line outside the grammar is rejected (RFC 9112 §7.1, §2.2)",
        arguments: [
            ("\r\n", BadRequest.malformedChunkSize),
            (" 5\r\n", .malformedChunkSize),
            ("5 \r\n", .malformedChunkSize),
            ("5\t\r\n", .malformedChunkSize),
            ("+5\r\n", .malformedChunkSize),
            ("-5\r\n", .malformedChunkSize),
            ("0x5\r\n", .malformedChunkSize),
            ("5h\r\n", .malformedChunkSize),
            ("g\r\n", .malformedChunkSize),
            ("5_0\r\n", .malformedChunkSize),
            ("5,5\r\n", .malformedChunkSize),
            (";a\r\n", .malformedChunkSize),
            ("5 5\r\n", .malformedChunkSize),
            ("\0\r\n", .malformedChunkSize),
            ("ffffffffffffffff\r\n", .malformedChunkSize),
            ("10000000000000005\r\n", .malformedChunkSize),
            ("00000000000000005\r\n", .malformedChunkSize),
            ("5\n", .bareLineFeed),
            ("\n", .bareLineFeed),
            ("5;a\n", .bareLineFeed),
            ("5;a=\"\n\"\r\n", .bareLineFeed),
            ("5\rx", .bareCarriageReturn),
            ("5\r\r\n", .bareCarriageReturn),
            ("5;a\rb\r\n", .bareCarriageReturn),
            ("5;\r\n", .malformedChunkExtension),
            ("5;;a\r\n", .malformedChunkExtension),
            ("5;a=\r\n", .malformedChunkExtension),
            ("5;a=b=c\r\n", .malformedChunkExtension),
            ("5;=b\r\n", .malformedChunkExtension),
            ("5;a b\r\n", .malformedChunkExtension),
            ("5;a \r\n", .malformedChunkExtension),
            ("5;a=b c\r\n", .malformedChunkExtension),
            ("5;a=\"b\"c\r\n", .malformedChunkExtension),
            ("5;a=\"\0\"\r\n", .malformedChunkExtension),
            ("5;a=\"\\\r\n", .malformedChunkExtension),
            ("5;a=\"b\r\n", .malformedChunkExtension),
            ("5;a=\u{e9}\r\n", .malformedChunkExtension),
        ])
    func malformedLine(line: String, error: BadRequest) {
        #expect(transcript("\(line)hello\r\n0\r\n\r\n").failure == .badRequest(error))
    }

    @Test(
        "A chunk's data is followed by CRLF and nothing else (RFC 9112 §7.1)",
        arguments: [
            "5\r\nhello0\r\n\r\n", "5\r\nhello!\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n",
            "5\r\nhello\r0\r\n\r\n", "5\r\nhello \r\n0\r\n\r\n", "4\r\nhello\r\n0\r\n\r\n",
        ])
    func unterminatedData(body: String) {
        #expect(transcript(body).failure == .badRequest(.chunkNotTerminated))
    }

    @Test("Trailers are discarded and never become headers (RFC 9110 §6.5.1)")
    func trailers() throws {
        let body = "1\r\nx\r\n0\r\nX-Sum: 1\r\nAuthorization: none\r\n\r\n"
        let request = try #require(transcript(body).requests.first)
        #expect(request.body.text == "x")
        #expect(request.headers.map(\.name) == ["Host", "Transfer-Encoding"])
        #expect(transcript(body + "GET / HTTP/1.1\r\nHost: a\r\n\r\n").requests.count == 2)
    }

    @Test(
        "Trailers must follow the grammar of field lines (RFC 9112 §7.1.2)",
        arguments: [
            ("X : 1\r\n\r\n", BadRequest.blankBeforeColon),
            ("X: 1\r\n 2\r\n\r\n", .multilineHeader),
            ("X: 1\n\r\n", .bareLineFeed),
            ("\n", .bareLineFeed),
            ("X: \0\r\n\r\n", .controlCharacterInHeader),
            ("GET / HTTP/1.1\r\n\r\n", .blankBeforeColon),
        ])
    func malformedTrailers(trailers: String, error: BadRequest) {
        #expect(transcript("0\r\n\(trailers)").failure == .badRequest(error))
    }
}

@Suite("The memory of a body depends on the bytes that arrived, not on the declared length")
struct BodyBufferTests {
    /// The allocator rounds large pieces up to whole pages.
    private static let page = 4_096

    private func append(_ count: Int, to buffer: inout BodyBuffer) {
        [UInt8](repeating: 1, count: count).withUnsafeBytes { buffer.append($0) }
    }

    @Test("One byte of a gigabyte costs 64 KiB at most")
    func announcedMuch() {
        var buffer = BodyBuffer(ceiling: 1 << 30)
        #expect(buffer.bytes.capacity == 0)
        append(1, to: &buffer)
        #expect(buffer.bytes.capacity <= 65_536 + Self.page)
    }

    @Test("At every length the memory is at most twice the bytes, or 64 KiB")
    func growth() {
        var buffer = BodyBuffer(ceiling: 10_000_000)
        while buffer.bytes.count < 1_000_000 {
            append(1_777, to: &buffer)
            #expect(buffer.bytes.capacity <= max(65_536, 2 * buffer.bytes.count) + Self.page)
        }
    }

    @Test("A body of which half arrives at once is not moved")
    func placement() {
        var buffer = BodyBuffer(ceiling: 85_000)
        append(65_000, to: &buffer)
        #expect(buffer.bytes.capacity >= 85_000)
    }

    @Test(
        "A body of declared length ends in a buffer of its size",
        arguments: [1, 1_000, 65_536, 85_000, 300_000])
    func fits(length: Int) {
        var buffer = BodyBuffer(ceiling: length)
        var left = length
        while left > 0 {
            append(min(left, 1_460), to: &buffer)
            left -= min(left, 1_460)
        }
        #expect(buffer.bytes.count == length)
        #expect(buffer.bytes.capacity <= length + Self.page)
    }

    @Test("A piece larger than a step is appended at once")
    func largePiece() {
        var buffer = BodyBuffer(ceiling: 1 << 30)
        append(500_000, to: &buffer)
        #expect(buffer.bytes.count == 500_000)
        #expect(buffer.bytes.capacity <= 500_000 + Self.page)
    }
}
