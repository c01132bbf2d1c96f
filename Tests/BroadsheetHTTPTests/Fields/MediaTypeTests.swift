import BroadsheetHTTP
import Testing

@Suite("Media types (RFC 9110 §8.3.1)")
struct MediaTypeTests {
    @Test(
        "JSON is application/json or a type based on it (RFC 6839 §3.1)",
        arguments: [
            ("application/json", true), ("Application/JSON", true),
            ("application/json; charset=utf-8", true), (" application/json ", true),
            ("application/problem+json", true), ("application/vnd.x+JSON;v=1", true),
            ("text/json", false), ("application/x-www-form-urlencoded", false),
            ("text/plain", false), ("application/jsonx", false), ("application/+json", false),
            ("application/json-seq", false), ("application/ld+jsonx", false),
        ])
    func json(text: String, isJSON: Bool) throws {
        #expect(try #require(MediaType(text)).isJSON == isJSON)
    }

    @Test("Parameters are read, in quotes too; the first of a repeated name is used")
    func parameters() throws {
        let type = try #require(
            MediaType("text/Html;Charset=\"UTF-8\" ; a=\"b;\\\"c\";; x=1;x=2;"))
        #expect(type.type == "text")
        #expect(type.subtype == "html")
        #expect(type.charset == "utf-8")
        #expect(type.parameters == ["charset": "UTF-8", "a": "b;\"c", "x": "1"])
        #expect(MediaType("a/b")?.charset == nil)
    }

    @Test(
        "Text that is not a media type is rejected",
        arguments: [
            "", "json", "application", "application/", "/json", "a/b/c", "a /b", "a/ b", "a/b c",
            "a/b;x", "a/b;x=", "a/b;x =1", "a/b;x= 1", "a/b;x=\"1", "a/b;x=\"1\\", "a/b,c/d", "*",
        ])
    func malformed(text: String) { #expect(MediaType(text) == nil) }

    @Test("Content-Type is read from the headers, once")
    func contentType() throws {
        #expect(try MediaType(contentTypeOf: [:]) == nil)
        #expect(try MediaType(contentTypeOf: ["content-type": "a/b"])?.subtype == "b")
        #expect(throws: HTTPError.invalidHeader(.contentType, .notMediaType)) {
            try MediaType(contentTypeOf: ["Content-Type": "json"])
        }
        #expect(throws: HTTPError.invalidHeader(.contentType, .repeated)) {
            try MediaType(contentTypeOf: ["Content-Type": "a/b", "content-type": "a/b"])
        }
    }
}

@Suite("Accept (RFC 9110 §12.5.1)")
struct AcceptedMediaTests {
    private func quality(_ lines: [String], of type: String) throws -> Int {
        var headers: HTTPHeaders = [:]
        for line in lines { headers.append(.accept, line) }
        return AcceptedMedia(in: headers).quality(of: try #require(MediaType(type)))
    }

    @Test(
        "The weight of a type is that of the most specific range that matches",
        arguments: [
            ("image/svg+xml", 1000), ("IMAGE/SVG+XML", 1000), ("image/*", 1000), ("*/*", 1000),
            ("text/html", 0), ("image/svg+xml;q=0", 0), ("image/svg+xml; q=0.5", 500),
            ("image/svg+xml;q=0.123", 123), ("image/svg+xml;q=1.000", 1000),
            ("image/svg+xml;q=1.", 1000), ("image/svg+xml;q=0.", 0),
            ("*/*;q=0.1, image/*;q=0.2, image/svg+xml;q=0.3", 300),
            ("image/svg+xml;q=0.3, image/*;q=0.9", 300), ("*/*;q=0.1, image/*;q=0.2", 200),
            ("text/html, , */*;q=0.8", 800), (#"text/html;x="a,image/svg+xml", */*;q=0.4"#, 400),
            (#"text/html;x="\",image/svg+xml;", */*;q=0.4"#, 400),
            ("text/html;charset=utf-8;q=0.7, image/svg+xml;charset=utf-8;q=0.6", 600),
        ])
    func qualities(line: String, expected: Int) throws {
        #expect(try quality([line], of: "image/svg+xml") == expected, "\(line)")
    }

    @Test("Without a readable Accept field every type is accepted")
    func noWish() throws {
        #expect(try quality([], of: "image/svg+xml") == 1000)
        for line in ["", ",", "svg", "image/", "/svg", "image/png;q=2", "image/png;q=x"] {
            #expect(try quality([line], of: "image/svg+xml") == 1000, "\(line)")
        }
    }

    @Test("Malformed weights are ignored (§12.4.2)")
    func badWeights() throws {
        for weight in ["1.001", "0.1234", "-1", "2", "00", "01", "0,5", "", ".5", "1e0"] {
            let line = "image/svg+xml;q=\(weight), application/json;q=0.5"
            #expect(try quality([line], of: "image/svg+xml") == 0, "\(line)")
            #expect(try quality([line], of: "application/json") == 500, "\(line)")
        }
    }

    @Test("Several lines form one list")
    func lines() throws {
        #expect(try quality(["text/html", "image/*;q=0.25"], of: "image/png") == 250)
    }
}
