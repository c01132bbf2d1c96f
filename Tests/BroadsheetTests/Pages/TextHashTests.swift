import Testing

@testable import Broadsheet

@Suite("The hash of ids")
struct TextHashTests {
    private let hash = TextHash(point: 0x9E37_79B9_7F4A_7C15, factor: 0xD1B5_4A32_D192_ED03)

    private func value(of text: [UInt8]) -> UInt32 { text.withUnsafeBytes { hash($0) } }

    @Test("Equal texts have equal hashes, wherever they are in memory", arguments: 0...40)
    func equal(length: Int) {
        let text = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        for offset in 0..<8 {
            let shifted = [UInt8](repeating: 0xFF, count: offset) + text + [0xFF]
            let other = shifted.withUnsafeBytes { bytes in
                hash(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]))
            }
            #expect(other == value(of: text))
        }
    }

    @Test("A change of any bit, and zeros at the end, change the hash", arguments: 0...40)
    func different(length: Int) {
        let text = [UInt8](repeating: 0x61, count: length)
        for bit in 0..<8 * length {
            var changed = text
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(value(of: changed) != value(of: text))
        }
        #expect(value(of: text + [0]) != value(of: text))
    }

    @Test("The hash depends on both secrets, and those of the process are not constants")
    func secrets() {
        let text = Array("P0000000".utf8)
        let others = [
            TextHash(point: 1 << 40, factor: 0xD1B5_4A32_D192_ED03),
            TextHash(point: 0x9E37_79B9_7F4A_7C15, factor: 0x9E37_79B9_7F4A_7C15),
            TextHash.ofProcess,
        ]
        for other in others {
            #expect(text.withUnsafeBytes { other($0) } != value(of: text))
        }
    }

    @Test("Consecutive ids fill a table as evenly as random numbers do")
    func distribution() {
        let slots = 1 << 15
        var used = [Bool](repeating: false, count: slots)
        for number in 0..<slots {
            used[Int(value(of: Array("item-\(number)".utf8))) & (slots - 1)] = true
        }
        // Random numbers use 1 - 1/e of the slots, 63 %.
        let share = Double(used.count { $0 }) / Double(slots)
        #expect(share > 0.6)
    }
}
