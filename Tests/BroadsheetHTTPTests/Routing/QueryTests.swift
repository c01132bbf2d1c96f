import BroadsheetHTTP
import Testing

@Suite("Queries (RFC 3986 §3.4)")
struct QueryTests {
    @Test("Values are decoded, a plus sign is a plus sign")
    func values() throws {
        let query = Query("a=1&b=x%20y%2B+z&c&d=&e==&%66=six&g=%ED%95%9C")
        #expect(try query.value("a") == "1")
        #expect(try query.value("b") == "x y++z")
        #expect(try query.value("c") == "")
        #expect(try query.value("d") == "")
        #expect(try query.value("e") == "=")
        #expect(try query.value("f") == "six")
        #expect(try query.value("g") == "\u{d55c}")
        #expect(try query.value("h") == nil)
        #expect(try query.rawValue("b") == "x%20y%2B+z")
    }

    @Test("No query and empty pieces have no parameters")
    func empty() {
        #expect(Query(nil).items.isEmpty)
        #expect(Query("").items.isEmpty)
        #expect(Query("&&&").items.isEmpty)
        #expect(Query("=1").items.map(\.name) == [""])
    }

    @Test(
        "A value that cannot be decoded is an error that names its parameter (RFC 3986 §2.1)",
        arguments: [
            ("%", InvalidParameter.malformedEscape), ("1%2", .malformedEscape),
            ("%2x", .malformedEscape), ("%FF", .notUTF8), ("%ED%A0%80", .notUTF8),
        ])
    func undecodable(value: String, fault: InvalidParameter) {
        let query = Query("width=\(value)&x=1")
        #expect(throws: HTTPError.invalidParameter(name: "width", fault)) {
            try query.value("width")
        }
        #expect(throws: HTTPError.invalidParameter(name: "width", fault)) {
            try query.list("width")
        }
        #expect(throws: Never.self) { try query.value("x") }
    }

    @Test("A repeated parameter is an error when asked for, however its name is written")
    func repeated() {
        for raw in ["a=1&a=1", "a=1&b=2&%61=3", "a&a"] {
            #expect(throws: HTTPError.invalidParameter(name: "a", .repeated)) {
                try Query(raw).value("a")
            }
        }
        #expect(throws: Never.self) { try Query("a=1&a=2&b=3").value("b") }
    }

    @Test("What nobody asks for is never an error")
    func unknown() throws {
        let query = Query("%zz=1&junk=%&%FF=2&width=5")
        #expect(try query.value("width") == "5")
        #expect(query.items.map(\.name) == ["%zz", "junk", "%FF", "width"])
    }

    @Test(
        "A list is split at commas before it is decoded: %2C stays within an element",
        arguments: [
            ("x=a,b", ["a", "b"]), ("x=a%2Cb,c", ["a,b", "c"]), ("x=", []), ("x", []),
            ("x=a", ["a"]), ("x=,a,", ["", "a", ""]), ("x=%2C", [","]),
        ])
    func lists(raw: String, elements: [String]) throws {
        #expect(try Query(raw).list("x") == elements)
        #expect(try Query(raw).list("y") == nil)
    }
}
