import BroadsheetHTTP
import Testing

@Suite("Header fields as a value (RFC 9110 §5)")
struct HTTPHeadersTests {
    @Test("Setting replaces, nil removes, appending repeats")
    func editing() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
        #expect(headers.count == 3)
        headers["A"] = "4"
        #expect(headers.map { "\($0.name)=\($0.value)" } == ["B=2", "A=4"])
        headers["b"] = nil
        #expect(headers.map(\.name) == ["A"])
        headers.append("A", "5")
        #expect(headers.values(of: "a") == ["4", "5"])
        headers.remove("A")
        #expect(headers == [:])
        #expect(!headers.contains("A"))
    }

    @Test("Fields are equal by their contents, not by their offsets")
    func equality() {
        var edited: HTTPHeaders = ["X": "gone", "A": "1"]
        edited["X"] = nil
        #expect(edited == ["a": "1"])
        #expect(edited != ["A": "2"])
        #expect(edited != ["A": "1", "B": "2"])
        #expect((["A": "1", "B": "2"] as HTTPHeaders) != ["B": "2", "A": "1"])
    }

    @Test("A value is stored so that it can be sent: controls become spaces (RFC 9110 §5.5)")
    func sanitizing() {
        #expect((["A": "  x\r\n y\0 "] as HTTPHeaders)["A"] == "x   y")
        #expect((["A": "\t"] as HTTPHeaders)["A"] == "")
        #expect((["A": "caf\u{e9}\ttab"] as HTTPHeaders)["A"] == "caf\u{e9}\ttab")
    }

    @Test("A name is a token (RFC 9110 §5.1)")
    func names() {
        #expect(HTTPFieldName(token: "X-Ok_1") == "x-oK_1")
        #expect(HTTPFieldName(token: "") == nil)
        #expect(HTTPFieldName(token: "a b") == nil)
        #expect(HTTPFieldName(token: "a:") == nil)
        #expect(HTTPFieldName(token: "caf\u{e9}") == nil)
        #expect(("bad name\r\n" as HTTPFieldName).spelling == "bad-name--")
        #expect(("" as HTTPFieldName).spelling == "-")
        #expect(Set<HTTPFieldName>(["ETag", "etag", "ETAG"]).count == 1)
        #expect(Set<HTTPFieldName>(["ETag", "etag[", "etag{"]).count == 2)
    }

    @Test("A method is a token (RFC 9110 §9.1), a status has three digits (RFC 9110 §15)")
    func methodsAndStatuses() {
        #expect(HTTPMethod("GET") == .get)
        #expect(HTTPMethod("") == nil)
        #expect(HTTPMethod("G T") == nil)
        #expect(HTTPStatus(code: 200) == .ok)
        #expect(HTTPStatus(code: 99) == nil)
        #expect(HTTPStatus(code: 600) == nil)
        #expect(HTTPStatus(code: 418)?.reasonPhrase == "")
        #expect(HTTPStatus.unprocessableContent.description == "422 Unprocessable Content")
    }
}
