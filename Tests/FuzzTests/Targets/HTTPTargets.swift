import BroadsheetHTTP
import TestSupport

extension FuzzTarget {
    /// The request parser: cuts do not change its requests and failures (RFC 9112 §2.2).
    static let httpRequest = FuzzTarget(
        "http-request",
        [
            "GET /v1/screens/home/layout?width=390 HTTP/1.1\r\nHost: a:80\r\nAccept: */*\r\n\r\n",
            "PUT /p HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok",
            "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5;x=\"y\"\r\nhello\r\n0\r\nX: 1\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
            "\r\nGET http://[::1]:81/p%20?q HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: a\r\nX-Latin: caf\u{e9}\r\nX-Empty:\r\n\r\n",
        ]
    ) { input, random in
        try requireSameRequests(input, &random)
    }

    /// Chunked bodies: a body in any chunks is read whole, and damaged chunks do not depend on
    /// cuts.
    static let chunkedBody = FuzzTarget(
        "chunked-body", ["", "hello", "\r\n0\r\n\r\n", #"{"sections":[]}"#]
    ) { input, random in
        let head = Array("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        var stream = head
        for piece in input.pieces(&random) where !piece.isEmpty {
            let zeros = String(repeating: "0", count: Int(random.next() % 3))
            let suffix = random.next() % 4 == 0 ? ";a=\"b\\\"c\"" : ""
            let size = String(piece.count, radix: 16, uppercase: random.next() % 2 == 0)
            stream += Array("\(zeros)\(size)\(suffix)\r\n".utf8) + piece + [13, 10]
        }
        stream += Array("0\r\n\r\n".utf8)
        let transcript = HTTPTranscript(of: stream.pieces(&random), HTTPTranscript.limits)
        switch transcript.failure {
        case nil: try require(transcript.bodies == [input], "the body differs")
        case .chunkExtensionsTooLarge where stream.count > 512: break
        case .bodyTooLarge where input.count > HTTPTranscript.limits.maxBody: break
        case let failure?: throw FuzzFailure("a valid body is refused: \(failure)")
        }
        let damaged = head + Mutator.input(from: [Array(stream[head.count...])], &random)
        try requireSameRequests(damaged, &random)
    }

    private static func requireSameRequests(
        _ input: [UInt8], _ random: inout SeededGenerator
    ) throws {
        let whole = HTTPTranscript(of: [input], HTTPTranscript.limits)
        let cut = HTTPTranscript(of: input.pieces(&random), HTTPTranscript.limits)
        try require(whole == cut, "cuts change the requests: \(whole) and \(cut)")
        try require(whole.failure != nil || whole.ended, "neither a failure nor an end")
    }

    /// Query strings: what is escaped and read is the same; any query is read without an error that
    /// does not name its parameter.
    static let query = FuzzTarget(
        "query", ["a=1&b=%20+&&c", "collapsed=a%2Cb,c&collapsed=d", "=&=x&%=%&%zz=%FF", "a&a"]
    ) { input, random in
        let parsed = Query(input.text)
        for item in parsed.items {
            do throws(HTTPError) {
                _ = try parsed.value(item.name)
                _ = try parsed.list(item.name)
            } catch {
                guard case .invalidParameter(item.name, _) = error else {
                    throw FuzzFailure("\(error) for \(item.name)")
                }
            }
        }
        let text = input.text
        let escaped = escaped(text)
        let built = Query("x=1&\(escaped)=\(escaped)&y")
        if text != "x", text != "y" {
            let value = try built.value(text)
            try require(value == text, "the value differs after it was escaped")
        }
        let decoded = try PercentDecoding.decode(Array(escaped.utf8), plusIsSpace: true)
        try require(decoded == text, "decoding does not invert escaping")
    }

    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return bytes.text
    }

    /// The Host field (RFC 9112 §3.2): what is accepted contains no delimiter of the target.
    static let host = FuzzTarget(
        "host",
        [
            "localhost:8080", "[::1]:80", "[v7.a:b]", "example.org", "127.0.0.1", "", "a:", "%41",
            "[1:2:3:4:5:6:1.2.3.4]", "[::ffff:1.2.3.4]",
        ]
    ) { input, random in
        let stream = Array("GET / HTTP/1.1\r\nHost: ".utf8) + input + Array("\r\n\r\n".utf8)
        try requireSameRequests(stream, &random)
        let transcript = HTTPTranscript(of: [stream], HTTPTranscript.limits)
        guard transcript.failure == nil, input.allSatisfy({ $0 != 13 && $0 != 10 }) else { return }
        let forbidden = Array("/?#@\\ \t<>\"^`{|}".utf8)
        let trimmed = input.drop { $0 == 32 || $0 == 9 }.reversed().drop { $0 == 32 || $0 == 9 }
        try require(
            !trimmed.contains { forbidden.contains($0) || $0 < 0x20 || $0 >= 0x7F },
            "an invalid host is accepted")
    }

    /// Origins: what is read and written is the same, and only a valid host is one of an origin.
    static let origin = FuzzTarget(
        "origin",
        [
            "https://shop.example", "http://localhost:3000", "HTTP://[::1]:80", "null",
            "capacitor://localhost", "https://127.0.0.1:8443", "https://a.b.:443",
        ]
    ) { input, _ in
        guard let origin = WebOrigin(input.text) else { return }
        try require(WebOrigin(origin.description) == origin, "an origin reads differently")
        let host = origin.authority.host.text
        try require(HostName(host) == origin.authority.host, "a host reads differently")
        let stream = Array("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
        let transcript = HTTPTranscript(of: [stream], HTTPTranscript.limits)
        try require(transcript.failure == nil, "the host of an origin is not valid")
    }

    /// Entity tags: what is written and read is the same, and lists have their tags in order.
    static let entityTags = FuzzTarget(
        "entity-tags", [#""r3""#, #"W/"a", "b""#, "*", #", "x" ,,W/"""#, #"w/"a""#, "\"\u{e9}\""]
    ) { input, _ in
        let text = input.text
        let condition = try? EntityTagCondition(.ifMatch, in: [.ifMatch: text])
        if case .tags(let tags) = condition {
            let line = tags.map(\.description).joined(separator: ", ")
            let again = try EntityTagCondition(.ifMatch, in: [.ifMatch: line])
            try require(again == .tags(tags), "the tags differ when they are written and read")
        }
        let tag = EntityTag(text)
        let own = try EntityTagCondition(.ifNoneMatch, in: [.ifNoneMatch: tag.description])
        try require(own?.matchesWeakly(tag) == true, "a tag does not match itself")
    }

    /// Prefer, Accept and Content-Type: the first preference of a name is used, whatever follows.
    static let preferences = FuzzTarget(
        "preferences",
        [
            "return=minimal", "respond-async, wait=100; a=b, return=\"minimal\"", "return", ";,=",
            "image/svg+xml;q=0.5, application/json", "application/json; charset=\"utf-8\"",
        ]
    ) { input, _ in
        let text = input.text
        _ = Preferences(in: [.prefer: text])
        _ = CacheControl(in: [.cacheControl: text])
        _ = AcceptedMedia(in: [.accept: text])
        _ = MediaType(text)
        let before = Preferences(in: [.prefer: "return=minimal, " + text])
        try require(before.return == .minimal, "a later preference replaces the first")
    }

    /// Accept-Encoding (RFC 9110 §12.5.3): the first weight of a coding is used, whatever follows,
    /// and the lines of a field are one list.
    static let codings = FuzzTarget(
        "codings",
        [
            "gzip, deflate, br", "gzip;q=0.5, identity;q=1", "*;q=0, x-gzip ; Q=1.000",
            "identity;q=0", "", ", ,gzip;q=2;a=b,;q=,*", "GZIP;q=0.001,gzip;q=0",
        ]
    ) { input, _ in
        let text = input.text
        func preference(_ lines: String...) -> CodingPreference {
            var headers = HTTPHeaders()
            for line in lines { headers.append(.acceptEncoding, line) }
            return CodingPreference(in: headers)
        }
        try require(
            preference("gzip;q=0, identity, " + text) == .identity, "gzip is used though refused")
        try require(
            preference("gzip, identity;q=0, " + text) == .gzipOnly, "gzip is not used though asked")
        try require(
            preference(text, "*;q=0.5") == preference(text + ",*;q=0.5"), "lines are not one list")
    }
}

/// The requests of a stream of bytes, independent of its pieces.
struct HTTPTranscript: Equatable {
    /// Limits that inputs of a few kilobytes exceed.
    static let limits: HTTPLimits = {
        var limits = HTTPLimits()
        limits.maxBody = 8192
        limits.maxHeaderBytes = 512
        limits.maxHeaders = 16
        limits.maxTarget = 256
        return limits
    }()

    private(set) var requests: [HTTPRequest] = []
    private(set) var failure: HTTPError?
    private(set) var ended = false

    /// The bodies of the requests.
    var bodies: [[UInt8]] { requests.map(\.body) }

    init(of pieces: [[UInt8]], _ limits: HTTPLimits) {
        var parser = HTTPRequestParser(limits: limits)
        for piece in pieces {
            record(piece.withUnsafeBytes { parser.feed($0) }, &parser)
            if failure != nil { return }
        }
        record(parser.finish(), &parser)
    }

    private mutating func record(_ action: HTTPParserAction, _ parser: inout HTTPRequestParser) {
        var action = action
        while true {
            switch action {
            case .wait, .expectContinue, .refusal: return
            case .request(let request):
                requests.append(request)
                action = parser.next()
            case .failure(let error):
                failure = error
                return
            case .end:
                ended = true
                return
            }
        }
    }
}
