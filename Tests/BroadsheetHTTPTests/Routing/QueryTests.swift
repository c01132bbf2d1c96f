import BroadsheetHTTP
import Testing

@Suite("Queries (RFC 3986 §3.4)")
struct QueryTests {
    @Test("Values are decoded, and a plus sign is a space")
    func values() throws {
        let query = Query("a=1&a+b=ab&b=x%20y%2B+z&c&d=&e==&%66=six&g=%ED%95%9C")
        #expect(try query.value("a") == "1")
        #expect(try query.value("b") == "x y+ z")
        #expect(try query.value("a b") == "ab")
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
    func undecodable(value: String, error: InvalidParameter) {
        let query = Query("width=\(value)&x=1")
        #expect(throws: HTTPError.invalidParameter(name: "width", error)) {
            try query.value("width")
        }
        #expect(throws: HTTPError.invalidParameter(name: "width", error)) {
            try query.list("width")
        }
        #expect(throws: Never.self) { try query.value("x") }
    }

    @Test("A repeated parameter is an error when it is read, in any spelling of its name")
    func repeated() {
        for raw in ["a=1&a=1", "a=1&b=2&%61=3", "a&a"] {
            #expect(throws: HTTPError.invalidParameter(name: "a", .repeated)) {
                try Query(raw).value("a")
            }
        }
        #expect(throws: Never.self) { try Query("a=1&a=2&b=3").value("b") }
    }

    @Test("A parameter that is not read is never an error")
    func unknown() throws {
        let query = Query("%zz=1&junk=%&%FF=2&width=5")
        #expect(try query.value("width") == "5")
        #expect(query.items.map(\.name) == ["%zz", "junk", "%FF", "width"])
    }

    @Test(
        "A list is split at commas in any spelling, unless its parameter is repeated",
        arguments: [
            ("x=a,b", ["a", "b"]), ("x=a%2Cb,c", ["a", "b", "c"]), ("x=", []), ("x", []),
            ("x=a", ["a"]), ("x=,a,", ["", "a", ""]), ("x=%2C", ["", ""]),
            ("x=a+b,c%2Bd", ["a b", "c+d"]), ("x=a,b&x=c", ["a,b", "c"]),
            ("x=a%2Cb&x=", ["a,b", ""]),
            ("x&x", ["", ""]),
        ])
    func lists(raw: String, elements: [String]) throws {
        #expect(try Query(raw).list("x") == elements)
        #expect(try Query(raw).list("y") == nil)
    }
}

@Suite("Percent-decoding (RFC 3986 §2.1)")
struct PercentDecodingTests {
    @Test("Every byte can be written as an escape, in digits of either case")
    func everyByte() throws {
        for byte in 0..<128 as Range<UInt8> {
            let digits = String(byte, radix: 16)
            let padded = digits.count == 1 ? "0\(digits)" : digits
            let expected = String(UnicodeScalar(byte))
            #expect(try PercentDecoding.decode("%\(padded)".utf8) == expected)
            #expect(try PercentDecoding.decode("%\(padded.uppercased())".utf8) == expected)
        }
    }

    @Test("Raw bytes must be UTF-8 as much as escaped ones (RFC 3629 §3)")
    func rawBytes() {
        #expect(throws: InvalidParameter.notUTF8) { try PercentDecoding.decode([0xFF]) }
        #expect(throws: InvalidParameter.notUTF8) { try PercentDecoding.decode([0xC0, 0xAF]) }
        #expect(throws: Never.self) { try PercentDecoding.decode([0xC3, 0xA9]) }
    }

    @Test("A plus sign is a space only where that is requested")
    func plus() throws {
        #expect(try PercentDecoding.decode("a+b%2B".utf8) == "a+b+")
        #expect(try PercentDecoding.decode("a+b".utf8, plusIsSpace: true) == "a b")
        #expect(try PercentDecoding.decode("a+b%2B".utf8, plusIsSpace: true) == "a b+")
    }

    @Test("An escape cut short at the end is malformed")
    func cutShort() {
        for text in ["%", "a%", "%a", "%%", "% 1", "%-1", "%+f"] {
            #expect(throws: InvalidParameter.malformedEscape) {
                try PercentDecoding.decode(text.utf8)
            }
        }
    }
}
