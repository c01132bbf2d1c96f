import BroadsheetHTTP
import Testing

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

    @Test("An escape cut short at the end is malformed")
    func cutShort() {
        for text in ["%", "a%", "%a", "%%", "% 1", "%-1", "%+f"] {
            #expect(throws: InvalidParameter.malformedEscape) {
                try PercentDecoding.decode(text.utf8)
            }
        }
    }
}
