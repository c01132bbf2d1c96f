import TestSupport
import Testing

@testable import BroadsheetService

@Suite("Base64 for URLs (RFC 4648 §5)")
struct Base64URLTests {
    @Test(
        "The RFC's examples are encoded and decoded without padding (RFC 4648 §10)",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
        ])
    func examples(plain: String, encoded: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(plain.utf8))
    }

    @Test("The encoding uses the URL-safe alphabet (RFC 4648 §5)")
    func alphabet() {
        #expect(Base64URL.encode([0xFB, 0xEF, 0xFF]) == "--__")
        #expect(Base64URL.decode("--__") == [0xFB, 0xEF, 0xFF])
    }

    @Test("Encoded bytes of every length are decoded again")
    func roundTrip() {
        var generator = SeededGenerator(seed: 11)
        for length in 0..<100 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes, "seed 11, \(length) bytes")
        }
    }

    @Test(
        "Padding, other alphabets, spaces, single characters and spare bits are rejected",
        arguments: ["Zg==", "Zm8=", "+/+/", "Z g", "Zg\n", "A", "Zm9vA", "Zh", "Zm9", "é", "Zg\0"])
    func rejects(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test("No two texts of up to three characters represent the same bytes")
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
