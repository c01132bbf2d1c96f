import BroadsheetClient
import Testing

@Suite("Values of trees")
struct TreeValueTests {
    @Test(
        "A number is its text, and exact",
        arguments: [
            ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .max),
            ("-9223372036854775808", .min), ("1e2", 100), ("100.0", 100), ("-0", 0), ("12E-1", nil),
            ("1200e-2", 12), ("9223372036854775808", nil), ("1e400", nil), ("0e99999999999", 0),
            ("1e99999999999999999999", nil), ("0.5", nil),
        ] as [(String, Int?)])
    func numbers(_ text: String, _ expected: Int?) throws {
        let value = try TreeValue(json: text.utf8)
        guard case .number(let number) = value else {
            Issue.record("\(value)")
            return
        }
        #expect(number.text == text)
        #expect(number.integer(Int.self) == expected)
        #expect(value.json == Array(text.utf8))
    }

    @Test("Numbers of one value are equal, and others are not")
    func equality() throws {
        func number(_ text: String) throws -> TreeValue { try TreeValue(json: text.utf8) }
        let equal = ["100", "1e2", "100.00", "0.1E3", "1000e-1"]
        for one in equal {
            for other in equal {
                #expect(try number(one) == number(other))
                #expect(try number(one).hashValue == number(other).hashValue)
            }
        }
        #expect(try number("0") == number("-0.0e7"))
        let (long, longer) = ("10e99999999999999999999", "1e+0100000000000000000000")
        #expect(try number(long) == number(longer))
        #expect(try number(long).hashValue == number(longer).hashValue)
        #expect(try number("1e99999999999999999999") != number(longer))
        let apart = ["9007199254740993", "9007199254740992", "-1", "1", "0.1", "1e400", "1e401"]
        #expect(Set(try apart.map(number)).count == apart.count)
        #expect(TreeNumber(UInt64.max).integer(UInt64.self) == .max)
        #expect(TreeNumber(UInt64.max).integer(Int64.self) == nil)
        #expect(TreeNumber(Double(1))?.text == "1" && TreeNumber(0.1 as Double)?.text == "0.1")
        #expect(TreeNumber(Double.nan) == nil && TreeNumber(Double.infinity) == nil)
        #expect(TreeNumber(300).integer(Int8.self) == nil)
        #expect(TreeNumber(-128).integer(Int8.self) == -128)
    }

    @Test("Literals of all kinds, and JSON with members in order")
    func literals() throws {
        let value: TreeValue = [
            "b": [nil, true, 1, 2.5, "x"], "a": ["e\"\n\u{1}": "é"],
        ]
        let json = #"{"a":{"e\"\u000a\u0001":"é"},"b":[null,true,1,2.5,"x"]}"#
        #expect(String(decoding: value.json, as: UTF8.self) == json)
        #expect(try TreeValue(json: json.utf8) == value)
    }

    @Test(
        "JSON is that of RFC 8259, and what is not is an error at its place",
        arguments: [
            ("", 0), ("[1,]", 3), ("{\"a\" 1}", 5), ("01", 1), ("1.", 2), ("-", 0), ("+1", 0),
            ("\"\u{1}\"", 1), (#""\x""#, 2), (#""\ud800""#, 7), (#""\udc00""#, 7),
            (#""\ud800A""#, 9), (#""\u12"#, 3), ("\"a", 2), ("[1] 2", 4), ("nul", 0),
            ("{\"a\":1,}", 7), ("NaN", 0), ("'a'", 0),
        ])
    func syntax(_ text: String, _ offset: Int) {
        let error = #expect(throws: TreeError.self) { try TreeValue(json: text.utf8) }
        guard case .syntax(let found, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found == offset || text.hasPrefix(#""\ud"#), "\(String(describing: error))")
    }

    @Test("Containers are at most 512 deep, and texts are UTF-8")
    func limits() throws {
        func nested(_ depth: Int) -> [UInt8] {
            let (open, close) = ([UInt8(ascii: "[")], [UInt8(ascii: "]")])
            return Array(
                [Array(repeating: open, count: depth), Array(repeating: close, count: depth)]
                    .joined().joined())
        }
        _ = try TreeValue(json: nested(512))
        #expect(throws: TreeError.self) { try TreeValue(json: nested(513)) }
        #expect(throws: TreeError.self) { try TreeValue(json: nested(1_000_000).prefix(1_000_000)) }
        let malformed: [[UInt8]] = [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
        ]
        for bytes in malformed {
            #expect(throws: TreeError.self) { try TreeValue(json: [0x22] + bytes + [0x22]) }
        }
        #expect(try TreeValue(json: #""\ud83d\ude00é""#.utf8).text == "😀é")
        #expect(try TreeValue(json: #"{"a":1,"a":2}"#.utf8)["a"]?.integer == 2)
    }

    @Test("Models are decoded with exact integers, and errors have the pointer to the part")
    func models() throws {
        struct Color: Codable, Equatable, TreeDecodable {
            var text: String
            init(text: String) { self.text = text }
            init(_ value: TreeValue) throws {
                guard let text = value.text, text.hasPrefix("#") else {
                    throw TreeError.shape("not a colour")
                }
                self.text = text
            }
        }
        struct Model: Codable, Equatable {
            var id: UInt64
            var list: [Int8?]
            var names: [String: Double]
            var color: Color?
            var other: TreeValue
        }
        let json =
            #"{"id":18446744073709551615,"list":[1,null,-128],"names":{"a/b":0.5},"#
            + ##""color":"#fff","other":[1e2]}"##
        let model = try TreeValue(json: json.utf8).decode(Model.self)
        #expect(model.id == .max && model.list == [1, nil, -128] && model.names == ["a/b": 0.5])
        #expect(model.color == Color(text: "#fff") && model.other == [100])
        for (part, wrong, pointer) in [
            ("-128", "128", "/list/2"), ("0.5", "\"x\"", "/names/a~1b"), ("#fff", "red", "/color"),
            (#""id":18446744073709551615,"#, "", "/id"), (#"[1,null,-128]"#, "{}", "/list"),
        ] {
            let value = try TreeValue(json: json.replacing(part, with: wrong).utf8)
            let error = #expect(throws: TreeError.self) { try value.decode(Model.self) }
            guard case .model(let found, _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(found == pointer)
        }
    }
}
