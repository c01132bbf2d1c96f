import Testing

@testable import BroadsheetStores

@Suite("The checksum of a row")
struct RowChecksumTests {
    private func sum(_ bytes: [UInt8]) -> Int64 { RowChecksum.value { $0.combine(bytes) } }

    /// Bytes of which no two words are the same.
    private func message(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 8) }
    }

    @Test("tells of every flipped bit, wherever it is", arguments: [1, 8, 31, 32, 33, 63, 64, 107])
    func flippedBits(count: Int) {
        let sound = message(count)
        for index in 0..<count {
            for bit in 0..<8 {
                var damaged = sound
                damaged[index] ^= 1 << bit
                #expect(sum(damaged) != sum(sound), "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test("tells of every two words that changed places")
    func swappedWords() {
        let sound = message(128)
        for first in 0..<16 {
            for second in 0..<first {
                var damaged = sound
                for byte in 0..<8 { damaged.swapAt(first * 8 + byte, second * 8 + byte) }
                #expect(sum(damaged) != sum(sound), "words \(second) and \(first)")
            }
        }
    }

    @Test("tells of a length that changed, even by bytes of 0")
    func lengths() {
        let sums = (0..<200).map { sum(Array(repeating: 0, count: $0)) }
        #expect(Set(sums).count == sums.count)
    }

    @Test("fits in either form, and no other", arguments: [0, 31, 32, 107])
    func forms(count: Int) {
        let sound = message(count)
        for form in RowChecksum.Form.allCases {
            let stored = RowChecksum.value(as: form) { $0.combine(sound) }
            #expect(RowChecksum.matches(stored) { $0.combine(sound) })
            #expect(!RowChecksum.matches(stored ^ 1) { $0.combine(sound) })
            #expect(!RowChecksum.matches(stored) { $0.combine(sound + [0]) })
        }
    }

    @Test("of a number is that of no other")
    func numbers() {
        let numbers: [Int64] = [0, 1, -1, 2, .min, .max]
        #expect(Set(numbers.map { RowChecksum.value(of: $0) }).count == numbers.count)
    }
}
