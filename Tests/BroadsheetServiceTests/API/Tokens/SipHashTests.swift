import Testing

@testable import BroadsheetService

@Suite("SipHash-2-4 of 128 bits")
struct SipHashTests {
    private static let key = SipHash.Key(Array(0..<16))

    /// Returns the code of the bytes 0, 1, … `count` - 1, in hexadecimal digits.
    private func code(ofFirst count: Int) -> String {
        var hash = SipHash(key: Self.key)
        hash.combine((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        return hash.finalized().bytes.map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        .joined()
    }

    @Test(
        "The hash equals the authors' reference (vectors.h, vectors_sip128)",
        arguments: [
            (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
            (2, "8177228da4a45dc7fca38bdef60affe4"), (3, "9c70b60c5267a94e5f33b6b02985ed51"),
            (7, "a1f1ebbed8dbc153c0b84aa61ff08239"), (8, "3b62a9ba6258f5610f83e264f31497b4"),
            (15, "5493e99933b0a8117e08ec0f97cfc3d9"), (16, "6ee2a4ca67b054bbfd3315bf85230577"),
            (63, "5150d1772f50834a503e069a973fbd7c"),
        ])
    func reference(count: Int, expected: String) {
        #expect(code(ofFirst: count) == expected)
    }

    @Test("The hash does not depend on the pieces of the message")
    func pieces() {
        var whole = SipHash(key: Self.key)
        whole.combine(Array(0..<40))
        for cut in 0...40 as ClosedRange<UInt8> {
            var pieces = SipHash(key: Self.key)
            pieces.combine(Array(0..<cut))
            pieces.combine(Array(cut..<40))
            #expect(pieces.finalized() == whole.finalized(), "cut at \(cut)")
        }
    }

    @Test("The hash distinguishes sequences of texts with equal characters")
    func texts() {
        var one = SipHash(key: Self.key)
        one.combine(text: "ab")
        one.combine(text: "c")
        var other = SipHash(key: Self.key)
        other.combine(text: "a")
        other.combine(text: "bc")
        #expect(one.finalized() != other.finalized())
    }

    @Test("A code is created again from its bytes, and equals only itself")
    func codes() {
        var hash = SipHash(key: Self.key)
        hash.combine(1)
        let code = hash.finalized()
        #expect(SipHash.Code(code.bytes) == code)
        #expect(code.isEqualInConstantTime(to: code))
        for bit in 0..<128 {
            var bytes = code.bytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            #expect(!code.isEqualInConstantTime(to: SipHash.Code(bytes)))
        }
    }
}
