import Broadsheet
import Testing

@Suite("JSON value") struct JSONValueTests {
    private func value(_ text: String) throws -> JSONValue {
        try JSONDocument(Array(text.utf8)).root
    }

    @Test("A value has one kind and returns nil for the others")
    func kinds() throws {
        let elements = Array(try value(#"[{"a":1}, [1,2], "s", 1, true, null]"#).elements)
        #expect(elements.map(\.kind) == [.object, .array, .string, .number, .bool, .null])
        #expect(elements.map(\.count) == [1, 2, 0, 0, 0, 0])
        #expect(elements.map(\.isNull) == [false, false, false, false, false, true])
        #expect(elements.map(\.bool) == [nil, nil, nil, nil, true, nil])
        #expect(elements.map(\.string) == [nil, nil, "s", nil, nil, nil])
        #expect(elements.map(\.text?.string) == [nil, nil, "s", "1", nil, nil])
        #expect(elements.map(\.int) == [nil, nil, nil, 1, nil, nil])
        #expect(elements.map(\.double) == [nil, nil, nil, 1, nil, nil])
        #expect(elements.map { Array($0.elements).count } == [0, 2, 0, 0, 0, 0])
        #expect(elements.map { Array($0.members).count } == [1, 0, 0, 0, 0, 0])
        #expect(elements.map { $0["a"]?.int } == [1, nil, nil, nil, nil, nil])
    }

    @Test("The byte range includes quotes and brackets")
    func byteRanges() throws {
        let text = #" [ {"a" : [ ] } , "q\"" , -1e2,null ] "#
        let document = try JSONDocument(Array(text.utf8))
        let literals = document.root.elements.map {
            String(decoding: document.bytes[$0.byteRange], as: UTF8.self)
        }
        #expect(literals == [#"{"a" : [ ] }"#, #""q\"""#, "-1e2", "null"])
        #expect(document.root.byteRange == 1..<text.utf8.count - 1)
    }

    @Test("The last of the members with one name counts, whatever their escapes")
    func duplicates() throws {
        let object = try value(#"{"a":1,"b":{"a":9},"\u0061":2,"A":3,"b":[4],"aa":5}"#)
        #expect(object["a"]?.int == 2)
        #expect(object["b"]?.kind == .array)
        #expect(object["A"]?.int == 3)
        #expect(object["c"] == nil)
        #expect(object[JSONKey("aa")]?.int == 5)
        #expect(object.count == 6)
        #expect(object.members.map(\.name.string) == ["a", "b", "a", "A", "b", "aa"])
    }

    @Test("Names that have escapes or are empty are found")
    func unusualNames() throws {
        let object = try value(#"{"":1,"\"\\\/\b\f\n\r\t":2,"\ud83d\ude00":3,"한":4,"e\u0301":5}"#)
        #expect(object[""]?.int == 1)
        #expect(object["\"\\/\u{8}\u{C}\n\r\t"]?.int == 2)
        #expect(object["😀"]?.int == 3)
        #expect(object["한"]?.int == 4)
        // Names are compared by code points: canonically equivalent ones differ.
        #expect(object["e\u{301}"]?.int == 5)
        #expect(object["\u{E9}"] == nil)
    }
}

@Suite("JSON text") struct JSONTextTests {
    private func texts(_ array: String) throws -> [JSONText] {
        try JSONDocument(Array(array.utf8)).root.elements.compactMap(\.text)
    }

    @Test("Every escape of RFC 8259 section 7 is decoded")
    func decodes() throws {
        let decoded = try texts(
            #"["\"\\\/\b\f\n\r\t", "\u0041\u00e9\u20AC\ud834\udd1e", "\u0000", "plain 한", "\\u0041"]"#
        ).map(\.string)
        #expect(
            decoded == ["\"\\/\u{8}\u{C}\n\r\t", "Aé€𝄞", "\0", "plain 한", #"\u0041"#])
    }

    @Test("Texts with equal code points are equal and have equal hashes")
    func equality() throws {
        let texts = try texts(
            #"["a", "\u0061", "e\u0301", "é", "\u00e9", "1e2", 1e2, 100, "\/", "/"]"#)
        let groups = [0, 0, 1, 2, 2, 3, 3, 4, 5, 5]
        for (left, leftGroup) in zip(texts, groups) {
            for (right, rightGroup) in zip(texts, groups) {
                #expect((left == right) == (leftGroup == rightGroup), "\(left) \(right)")
            }
        }
        #expect(Set(texts).count == 6)
        #expect(texts[1].equals("a"))
        #expect(!texts[0].equals("ab"))
    }
}
