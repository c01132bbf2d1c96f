import Broadsheet
import Testing

@Suite("JSON grammar (RFC 8259)") struct JSONGrammarTests {
    @Test(
        "Texts that sections 2 to 7 allow are accepted",
        arguments: [
            "null", "true", "false", "0", "-0", "1", "10", "-12.50", "1e5", "1E+05", "0.0e-0",
            "1.5E5",
            #""""#, #""a""#, " \t\r\n[ ] \n", "[1,2]", "[[],{}]", #"{"":0}"#, #"{"a":1,"a":2}"#,
            #""\"\\\/\b\f\n\r\t\u0000\uABCD\uabcd""#, #""\ud83d\ude00""#, #""\uDBFF\uDFFF""#,
            "\"\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\"", "\"\u{2028}\u{FEFF}\"",
            "\u{FEFF}[1]", "123456789012345678901234567890", "1e400", "[1 ,\t2\r,\n3 ]",
            #"{ "a" : [ { "b" : null } ] , "c" : "d" }"#, #""상품 목록""#,
        ])
    func accepts(text: String) throws {
        _ = try JSONDocument(Array(text.utf8))
        #expect(JSONReferenceChecker.accepts(Array(text.utf8)))
    }

    struct Refusal: CustomTestStringConvertible {
        let text: String
        let offset: Int
        let reason: JSONError.Reason
        var testDescription: String { text }

        init(_ text: String, _ offset: Int, _ reason: JSONError.Reason) {
            self.text = text
            self.offset = offset
            self.reason = reason
        }
    }

    @Test(
        "An error has the offset of the first invalid byte or of its token, and a reason",
        arguments: [
            Refusal("", 0, .endsTooEarly),
            Refusal("  \n", 3, .endsTooEarly),
            Refusal("\u{FEFF}", 3, .endsTooEarly),
            Refusal("[", 1, .endsTooEarly),
            Refusal("{", 1, .endsTooEarly),
            Refusal("[1", 2, .endsTooEarly),
            Refusal("[1,", 3, .endsTooEarly),
            Refusal(#"{"a"#, 3, .endsTooEarly),
            Refusal(#"{"a""#, 4, .endsTooEarly),
            Refusal(#"{"a":"#, 5, .endsTooEarly),
            Refusal(#"{"a":1"#, 6, .endsTooEarly),
            Refusal(#"{"a":1,"#, 7, .endsTooEarly),
            Refusal("tru", 3, .endsTooEarly),
            Refusal("-", 1, .endsTooEarly),
            Refusal("1.", 2, .endsTooEarly),
            Refusal("1e", 2, .endsTooEarly),
            Refusal("1e+", 3, .endsTooEarly),
            Refusal(#""\"#, 2, .endsTooEarly),
            Refusal(#""\u12"#, 5, .endsTooEarly),
            Refusal(#""\ud800"#, 7, .endsTooEarly),
            Refusal(#""\ud800\"#, 8, .endsTooEarly),
            Refusal(#""\ud800\udc0"#, 12, .endsTooEarly),
            Refusal("]", 0, .expectedValue),
            Refusal("[,]", 1, .expectedValue),
            Refusal("[1,]", 3, .expectedValue),
            Refusal("[1,,2]", 3, .expectedValue),
            Refusal("+1", 0, .expectedValue),
            Refusal(".5", 0, .expectedValue),
            Refusal("NaN", 0, .expectedValue),
            Refusal("Infinity", 0, .expectedValue),
            Refusal("'a'", 0, .expectedValue),
            Refusal("/**/1", 0, .expectedValue),
            Refusal(#"{"a":}"#, 5, .expectedValue),
            Refusal("\u{0C}1", 0, .expectedValue),
            Refusal("\u{A0}1", 0, .expectedValue),
            Refusal("\u{FEFF}\u{FEFF}1", 3, .expectedValue),
            Refusal("{1:2}", 1, .expectedName),
            Refusal("{,}", 1, .expectedName),
            Refusal(#"{"a":1,}"#, 7, .expectedName),
            Refusal("{a:1}", 1, .expectedName),
            Refusal(#"{"a" 1}"#, 5, .expectedColon),
            Refusal(#"{"a","b"}"#, 4, .expectedColon),
            Refusal("[1 2]", 3, .expectedCommaOrBracket),
            Refusal("[1}", 2, .expectedCommaOrBracket),
            Refusal("[1:2]", 2, .expectedCommaOrBracket),
            Refusal(#"{"a":1]"#, 6, .expectedCommaOrBrace),
            Refusal(#"{"a":1 "b":2}"#, 7, .expectedCommaOrBrace),
            Refusal("1 2", 2, .trailingBytes),
            Refusal("{} x", 3, .trailingBytes),
            Refusal("[]]", 2, .trailingBytes),
            Refusal("nulll", 4, .trailingBytes),
            Refusal("1\u{0}", 1, .trailingBytes),
            Refusal("trux", 0, .malformedLiteral),
            Refusal("nUll", 0, .malformedLiteral),
            Refusal("[fals]", 1, .malformedLiteral),
            Refusal("-x", 0, .expectedDigit),
            Refusal("-.5", 0, .expectedDigit),
            Refusal("1.e5", 0, .expectedDigit),
            Refusal("[1.]", 1, .expectedDigit),
            Refusal("1ex", 0, .expectedDigit),
            Refusal("1e++1", 0, .expectedDigit),
            Refusal("--1", 0, .expectedDigit),
            Refusal("01", 1, .leadingZero),
            Refusal("-00", 2, .leadingZero),
            Refusal("0x10", 1, .trailingBytes),
            Refusal("\"a\u{0}\"", 2, .controlCharacter),
            Refusal("\"a\nb\"", 2, .controlCharacter),
            Refusal("\"12345678\u{1F}\"", 9, .controlCharacter),
            Refusal(#""\x""#, 1, .malformedEscape),
            Refusal(#""a\u00G0""#, 2, .malformedEscape),
            Refusal(#""\u12"x"#, 1, .malformedEscape),
            Refusal(#""\ud800\u00g0""#, 7, .malformedEscape),
            Refusal(#""\U0041""#, 1, .malformedEscape),
            Refusal(#""\ud800""#, 1, .loneSurrogate),
            Refusal(#""ab\ud800x""#, 3, .loneSurrogate),
            Refusal(#""\ud800\n""#, 1, .loneSurrogate),
            Refusal(#""\ud800\u0041""#, 1, .loneSurrogate),
            Refusal(#""\ud800\ud800""#, 1, .loneSurrogate),
            Refusal(#""\ud800\ue000""#, 1, .loneSurrogate),
            Refusal(#""\udc00""#, 1, .loneSurrogate),
            Refusal(#""\uDFFF\uD800""#, 1, .loneSurrogate),
        ])
    func refuses(refusal: Refusal) {
        let bytes = Array(refusal.text.utf8)
        #expect(!JSONReferenceChecker.accepts(bytes))
        #expect(throws: JSONError(refusal.reason, at: refusal.offset, in: bytes)) {
            try JSONDocument(bytes)
        }
    }

    @Test(
        "Invalid UTF-8 (RFC 3629) is an error at the start of the malformed sequence",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xE0, 0x9F, 0xBF], [0xE0, 0xA0],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE3, 0x81, 0x28], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF1, 0x80, 0x80, 0xC0], [0xF5, 0x80, 0x80, 0x80], [0xFF],
            [0xFE],
        ] as [[UInt8]])
    func refusesMalformedUTF8(malformed: [UInt8]) {
        for prefix in ["", "abc", "1234567", "한국어"] {
            let bytes = Array("[\"\(prefix)".utf8) + malformed + Array("\"]".utf8)
            #expect(throws: JSONError(.malformedUTF8, at: 2 + prefix.utf8.count, in: bytes)) {
                try JSONDocument(bytes)
            }
        }
    }

    @Test("The end of a plain run is found at every position of an eight-byte word")
    func everyLane() {
        for length in 0..<24 {
            for end in 0...length {
                for stop in [0x00, 0x1F, 0x5C, 0x80, 0xFF] as [UInt8] {
                    var bytes = Array(repeating: UInt8(ascii: "!"), count: length + 2)
                    bytes[end] = stop
                    bytes = [0x22] + bytes + [0x22]
                    let error = #expect(throws: JSONError.self) { try JSONDocument(bytes) }
                    #expect(error?.offset == end + 1)
                }
            }
        }
    }

    @Test("Lines end at line feeds, and columns count bytes after a byte order mark")
    func position() {
        let text = "\u{FEFF}{\r\n  \"é\": 1,\n  x\n}"
        let error = #expect(throws: JSONError.self) { try JSONDocument(Array(text.utf8)) }
        #expect(error?.line == 3)
        #expect(error?.column == 3)
        #expect(error?.reason == .expectedName)
        let first = #expect(throws: JSONError.self) { try JSONDocument(Array("\u{FEFF}x".utf8)) }
        #expect(first?.offset == 3)
        #expect(first?.line == 1)
        #expect(first?.column == 1)
    }
}
