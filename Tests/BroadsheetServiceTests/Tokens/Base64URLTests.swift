import Testing

@testable import BroadsheetService

@Suite("Base 64 for URLs (RFC 4648 §5)")
struct Base64URLTests {
    @Test(
        "writes and reads the RFC's examples (§10), without padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
        ])
    func examples(plain: String, encoded: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(plain.utf8))
    }

    @Test("writes the URL-safe alphabet")
    func alphabet() {
        #expect(Base64URL.encode([0xFB, 0xEF, 0xFF]) == "--__")
        #expect(Base64URL.decode("--__") == [0xFB, 0xEF, 0xFF])
    }

    @Test("reads back what it writes, at every length")
    func roundTrip() {
        var generator = SeededGenerator(seed: 11)
        for length in 0..<100 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes, "seed 11, \(length) bytes")
        }
    }

    @Test(
        "refuses padding, other alphabets, blanks, lone characters and spare bits",
        arguments: ["Zg==", "Zm8=", "+/+/", "Z g", "Zg\n", "A", "Zm9vA", "Zh", "Zm9", "é", "Zg\0"])
    func refuses(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test("no two texts of up to three characters stand for the same bytes")
    func canonical() {
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+")
        var seen: [[UInt8]: String] = [:]
        for one in characters {
            for two in characters {
                for text in ["\(one)\(two)", "AA\(one)\(two)", "A\(one)\(two)"] {
                    guard let bytes = Base64URL.decode(text) else { continue }
                    #expect(seen.updateValue(text, forKey: bytes) ?? text == text)
                }
            }
        }
    }
}

/// A generator whose numbers follow from its seed (Vigna's SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
