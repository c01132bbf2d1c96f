import Broadsheet
import TestSupport
import Testing

@Suite("JSON writer") struct JSONWriterTests {
    private func written(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(
        "A length is rounded to thousandths, in the shortest form",
        arguments: [
            (0, "0"), (-0.0, "0"), (1, "1"), (15, "15"), (-15, "-15"), (172.5, "172.5"),
            (103.666_666_6, "103.667"), (103.333_333, "103.333"), (0.1 + 0.2, "0.3"),
            (-0.0001, "0"),
            (-0.0005, "-0.001"), (0.0004, "0"), (0.0005, "0.001"), (0.001, "0.001"), (0.01, "0.01"),
            (0.25, "0.25"), (9.9996, "10"), (999.9999, "1000"), (-2.0625, "-2.063"),
            (2.0625, "2.063"),
            (0.0625, "0.063"), (1.0005, "1"), (1.0015, "1.002"), (9999, "9999"), (10_000, "10000"),
            (12_345.678, "12345.678"), (1e9, "1000000000"), (-1e9, "-1000000000"),
            (1e15, "1000000000000000"), (0x1p53 - 1, "9007199254740991"),
            (1e15 + 0.125, "1000000000000000.125"),
            (0x1p53, "9007199254740992"), (-1e16, "-10000000000000000"), (1e19, "1e+19"),
            (1e300, "1e+300"), (-1e300, "-1e+300"),
            (.nan, "0"), (.infinity, "0"), (-.infinity, "0"), (.leastNonzeroMagnitude, "0"),
            (0x1p-11, "0"), (0x1p-10, "0.001"),
        ] as [(Double, String)])
    func numbers(value: Double, expected: String) {
        #expect(written { $0.number(value) } == expected)
    }

    @Test(
        "Rounding equals that of exact decimal arithmetic, with ties away from zero",
        arguments: [7] as [UInt64])
    func randomNumbers(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            // Sixteenths are exact in decimal and often ties.
            let sixteenths = Int.random(in: -400_000...400_000, using: &generator)
            let exact = (abs(sixteenths) * 62_500 + 500) / 1000
            let digits = String(1000 + exact % 1000).dropFirst()
            let expected = (sixteenths < 0 ? "-" : "") + "\(exact / 1000).\(digits)"
            let text = written { $0.number(Double(sixteenths) / 16) }
            #expect(Double(text) == Double(expected), "seed \(seed): \(sixteenths)/16 is \(text)")
            #expect(text.contains(".") == (exact % 1000 != 0))
            #expect(!text.contains(".") || text.last != "0")
        }
    }

    @Test("Integers of every length are written")
    func integers() {
        for value in [0, 7, 10, 99, 100, 9999, 10_000, 99_999, 1_000_000, .max, .min, -1] {
            #expect(written { $0.integer(value) } == String(value))
        }
        #expect(written { $0.integer(UInt64.max) } == String(UInt64.max))
    }

    @Test("Only required escapes are written, in their short form if there is one")
    func strings() {
        #expect(
            written { $0.string("a\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}é한😀") }
                == #""a\"\\/\b\f\n\r\t\u0000\u001f"# + "\u{7F}é한😀\"")
        #expect(written { $0.string("") } == #""""#)
    }

    @Test("A text without escapes is copied, and another one is escaped again")
    func texts() throws {
        let document = try JSONDocument(
            Array(#"["plain 한/", "\u0061\/\u000a\u001F\ud83d\ude00\"", 1e2]"#.utf8))
        let texts = document.root.elements.compactMap(\.text)
        #expect(written { $0.text(texts[0]) } == #""plain 한/""#)
        #expect(written { $0.text(texts[1]) } == #""a/\n\u001f😀\"""#)
        #expect(written { $0.text(texts[2]) } == #""1e2""#)
    }

    @Test("Pieces are written one after another")
    func pieces() {
        let source = Array("0123456789".utf8)
        let text = written { writer in
            writer.raw("[")
            writer.raw(from: source, 3..<6)
            writer.raw(byte: UInt8(ascii: ","))
            writer.raw(Array("7".utf8))
            writer.raw(from: source, 2..<2)
            writer.bool(true)
            writer.bool(false)
        }
        #expect(text == "[345,7truefalse")
    }
}
