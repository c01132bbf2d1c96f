import BroadsheetHTTP
import Testing

@Suite("Media types (RFC 9110 §8.3.1)")
struct MediaTypeTests {
    @Test(
        "JSON is application/json or a type built on it (RFC 6839 §3.1)",
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

    @Test("Parameters are read, in quotes too; of two of a name the first counts")
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
        "What is no media type is none",
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
