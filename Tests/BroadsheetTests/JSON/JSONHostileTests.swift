import Broadsheet
import TestSupport
import Testing

@Suite("Hostile JSON") struct JSONHostileTests {
    static let sample = Array(
        """
        {"page":0,"hasNext":true,"sections":[{"sectionId":"상품 \\u00e9\\ud83d\\ude00","units":[ {"n":-1.5e+3,
        "x":[null,false,{}],"":"é\\"\\\\\\n"},[]]}],"tail":"abcdefghijklmnopq€𝄞"}
        """.utf8)

    @Test("A text cut at any byte ends too early, at its length")
    func cutAnywhere() {
        for length in 0..<Self.sample.count {
            let bytes = Array(Self.sample[..<length])
            #expect(throws: JSONError(.endsTooEarly, at: length, in: bytes)) {
                try JSONDocument(bytes)
            }
        }
    }

    @Test("A text with any byte changed to any other is accepted only if the grammar accepts it")
    func changedAnywhere() {
        for place in Self.sample.indices {
            var bytes = Self.sample
            for value in UInt8.min...UInt8.max {
                bytes[place] = value
                Self.check(bytes)
            }
        }
    }

    @Test(
        "A text of random tokens is accepted only if the grammar accepts it",
        arguments: [1, 2, 3] as [UInt64])
    func randomTokens(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let tokens = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "d83d", "\\ude00", "0", "1", "-", ".",
            "e",
            "+", "true", "nul", "null", " ", "\n", "\"a\"", "\"a\":", "é", "한",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...12, using: &generator)
            let text = (0..<count).map { _ in tokens.randomElement(using: &generator) ?? "" }
            Self.check(Array(text.joined().utf8))
        }
    }

    /// Compares a text with the reference checker, and its error with those of its prefixes: a
    /// prefix is JSON or ends too early until it contains the invalid byte, and has the same error
    /// from then on.
    private static func check(_ bytes: [UInt8]) {
        do throws(JSONError) {
            _ = try JSONDocument(bytes)
            #expect(JSONReferenceChecker.accepts(bytes), "accepted \(bytes)")
        } catch {
            #expect(!JSONReferenceChecker.accepts(bytes), "refused \(bytes)")
            #expect((error.reason == .endsTooEarly) == (error.offset == bytes.count))
            let first = (error.offset...bytes.count).lazy.compactMap {
                indexingError(of: Array(bytes[..<$0]))
            }
            #expect(first.first { $0.reason != .endsTooEarly || $0.offset == bytes.count } == error)
        }
    }

    private static func indexingError(of bytes: [UInt8]) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONDocument(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("A text is read alike wherever it begins in the blocks of 64 bytes")
    func anyOffset() throws {
        let names = ["page", "hasNext", "sections", "tail"]
        for length in 0...130 {
            let filler = Array(#"["\#(String(repeating: "a", count: length))","#.utf8)
            let bytes = filler + Self.sample + Array("]".utf8)
            let value = try #require(Array(try JSONDocument(bytes).root.elements).last)
            #expect(value.byteRange == filler.count..<bytes.count - 1)
            #expect(value.members.map { $0.name.string } == names)
            #expect(value["tail"]?.string == "abcdefghijklmnopq€𝄞")
            Self.check(Array(bytes.dropLast()))
            Self.check(bytes + [UInt8(ascii: " "), UInt8(ascii: "\"")])
            Self.check(Array(filler.dropLast(2)) + [0x1F] + Array("\"]".utf8))
        }
    }

    @Test(
        "A text is checked to its end, whether or not that is a closing bracket",
        arguments: [
            "[[]", "[[1]", "{\"a\":{}", "[[] ", "[1] ]", "[1]]", "1]", "\"a\"]", "tru]", "-]",
            "1.]",
            "1e]", "[\"a]", "[\"a\\]", "[\"a]\n", " ]", "[7", "7", "7 ", "-", "\"", "\"a",
            "\u{FEFF}",
            "\u{FEFF}]", "",
        ])
    func bracketAtEnd(text: String) { Self.check(Array(text.utf8)) }

    @Test("A text nested 128 deep is read, and the 129th container is an error at its offset")
    func depth() throws {
        let deep = Array(repeating: UInt8(ascii: "["), count: 128)
        let closing = Array(repeating: UInt8(ascii: "]"), count: 128)
        _ = try JSONDocument(deep + closing)
        let deeper = [UInt8(ascii: " ")] + deep + Array("{}".utf8) + closing
        #expect(throws: JSONError(.tooDeep(limit: 128), at: 129, in: deeper)) {
            try JSONDocument(deeper)
        }
        #expect(throws: JSONError.self) { try JSONDocument(Array("[[]]".utf8), maxDepth: 1) }
        #expect(throws: JSONError.self) { try JSONDocument(Array("[]".utf8), maxDepth: 0) }
        _ = try JSONDocument(Array("7".utf8), maxDepth: 0)
    }

    @Test("A text nested 100,000 deep is an error, or is read if the limit allows it")
    func veryDeep() throws {
        let deep = Array(repeating: UInt8(ascii: "["), count: 100_000)
        #expect(throws: JSONError(.tooDeep(limit: 128), at: 128, in: deep)) {
            try JSONDocument(deep)
        }
        let objects = Array(String(repeating: #"{"a":"#, count: 100_000).utf8)
        #expect(throws: JSONError(.tooDeep(limit: 128), at: 640, in: objects)) {
            try JSONDocument(objects)
        }
        let closing = Array(repeating: UInt8(ascii: "]"), count: 100_000)
        let document = try JSONDocument(deep + closing, maxDepth: 200_000)
        #expect(document.root.byteRange == 0..<200_000)
    }

    @Test("A text with more bytes than the limit is an error and is not truncated")
    func tooLarge() throws {
        let bytes = Array("[1,\n2]".utf8)
        _ = try JSONDocument(bytes, maxByteCount: 6)
        #expect(throws: JSONError(.tooLarge(limit: 5), at: 5, in: bytes)) {
            try JSONDocument(bytes, maxByteCount: 5)
        }
        #expect(throws: JSONError(.tooLarge(limit: 0), at: 0, in: [0x31])) {
            try JSONDocument([0x31], maxByteCount: 0)
        }
        #expect(JSONDocument.maxByteCount == 2_147_483_647)
    }

    @Test("A text of 16 MiB is indexed completely")
    func large() throws {
        let element = Array(#"{"id":"P0000001","n":1.25},"#.utf8)
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        bytes.reserveCapacity(16 << 20)
        var count = 0
        while bytes.count + element.count < 16 << 20 {
            bytes += element
            count += 1
        }
        bytes[bytes.count - 1] = UInt8(ascii: "]")
        let document = try JSONDocument(bytes)
        #expect(document.root.count == count)
        #expect(document.root.elements.reduce(0) { $0 + $1.count } == 2 * count)
    }

    @Test("The tape grows with a text of only separators and digits")
    func dense() throws {
        let bytes = Array(("[" + String(repeating: "0,", count: 100_000) + "0]").utf8)
        #expect(try JSONDocument(bytes).root.count == 100_001)
        let empties = Array(("[" + String(repeating: "[],", count: 100_000) + "[]]").utf8)
        #expect(try JSONDocument(empties).root.elements.allSatisfy { $0.count == 0 })
    }
}
