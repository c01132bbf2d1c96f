import BroadsheetHTTP
import Testing

@Suite("Accept (RFC 9110 §12.5.1)")
struct AcceptedMediaTests {
    private func quality(_ lines: [String], of type: String) throws -> Int {
        var headers: HTTPHeaders = [:]
        for line in lines { headers.append(.accept, line) }
        return AcceptedMedia(in: headers).quality(of: try #require(MediaType(type)))
    }

    @Test(
        "says how much a type is wanted, by the most specific range that matches",
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

    @Test("is no wish when it is not there, empty, or cannot be read")
    func noWish() throws {
        #expect(try quality([], of: "image/svg+xml") == 1000)
        for line in ["", ",", "svg", "image/", "/svg", "image/png;q=2", "image/png;q=x"] {
            #expect(try quality([line], of: "image/svg+xml") == 1000, "\(line)")
        }
    }

    @Test("passes over weights that are none (§12.4.2)")
    func badWeights() throws {
        for weight in ["1.001", "0.1234", "-1", "2", "00", "01", "0,5", "", ".5", "1e0"] {
            let line = "image/svg+xml;q=\(weight), application/json;q=0.5"
            #expect(try quality([line], of: "image/svg+xml") == 0, "\(line)")
            #expect(try quality([line], of: "application/json") == 500, "\(line)")
        }
    }

    @Test("of several lines is one list")
    func lines() throws {
        #expect(try quality(["text/html", "image/*;q=0.25"], of: "image/png") == 250)
    }
}
