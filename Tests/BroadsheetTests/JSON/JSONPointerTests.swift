import Broadsheet
import Testing

@Suite("JSON Pointer (RFC 6901)") struct JSONPointerTests {
    /// The example document of section 5.
    static let document = #"""
        {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6,
        " ": 7, "m~n": 8}
        """#

    @Test(
        "The examples of section 5 are found",
        arguments: [
            ("/foo", #"["bar", "baz"]"#), ("/foo/0", #""bar""#), ("/foo/1", #""baz""#), ("/", "0"),
            ("/a~1b", "1"), ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"), (#"/i\j"#, "5"),
            (#"/k"l"#, "6"), ("/ ", "7"), ("/m~0n", "8"),
        ])
    func findsSectionFive(pointer: String, literal: String) throws {
        let document = try JSONDocument(Array(Self.document.utf8))
        let value = try #require(try JSONPointer(pointer).evaluate(on: document.root))
        #expect(String(decoding: document.bytes[value.byteRange], as: UTF8.self) == literal)
        #expect(
            try JSONPointer.init("").evaluate(on: document.root)?.byteRange
                == document.root.byteRange)
    }

    @Test(
        "A pointer without a value finds nothing (section 4)",
        arguments: [
            "/bar", "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/1.0", "/foo/",
            "/foo/0/x",
            "//x", "/foo/99999999999999999999", "/m~01n",
        ])
    func findsNothing(pointer: String) throws {
        let document = try JSONDocument(Array(Self.document.utf8))
        #expect(try JSONPointer(pointer).evaluate(on: document.root) == nil)
    }

    @Test("The last of duplicate members is found, and digits can be a member's name")
    func objects() throws {
        let root = try JSONDocument(Array(#"{"0":1,"a":{"b":2},"a":{"b":{"01":3}}}"#.utf8)).root
        #expect(try JSONPointer.init("/0").evaluate(on: root)?.int == 1)
        #expect(try JSONPointer.init("/a/b/01").evaluate(on: root)?.int == 3)
    }

    @Test("The escape ~01 is decoded to ~1, not to / (section 4)")
    func tildeOrder() throws {
        let root = try JSONDocument(Array(#"{"~1":1,"/":2}"#.utf8)).root
        #expect(try JSONPointer.init("/~01").evaluate(on: root)?.int == 1)
        #expect(try JSONPointer.init("/~1").evaluate(on: root)?.int == 2)
    }

    @Test("A malformed pointer is an error with its offset (section 3)")
    func malformed() {
        #expect(throws: JSONPointerError.missingSlash) { try JSONPointer.init("foo") }
        #expect(throws: JSONPointerError.missingSlash) { try JSONPointer.init("#/foo") }
        #expect(throws: JSONPointerError.malformedEscape(offset: 5)) {
            try JSONPointer.init("/a/bc~2/d")
        }
        #expect(throws: JSONPointerError.malformedEscape(offset: 1)) { try JSONPointer.init("/~") }
        #expect(throws: JSONPointerError.malformedEscape(offset: 2)) {
            try JSONPointer.init("/a~/b")
        }
    }

    @Test("Steps are appended with the escapes that are required")
    func appending() {
        #expect(JSONPointer.appending("", "sections") == "/sections")
        #expect(JSONPointer.appending("/sections", 3) == "/sections/3")
        #expect(JSONPointer.appending("/a", "m~n/o") == "/a/m~0n~1o")
    }
}
