import Testing

@testable import BroadsheetStores

@Suite("The checksum of a row")
struct RowChecksumTests {
    private func sum(_ bytes: [UInt8]) -> Int64 { RowChecksum.value { $0.combine(bytes) } }

    /// Returns bytes without two equal words.
    private func message(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 8) }
    }

    @Test(
        "A row's checksum changes with every flipped bit",
        arguments: [1, 8, 31, 32, 33, 63, 64, 107])
    func flippedBits(count: Int) {
        let intact = message(count)
        for index in 0..<count {
            for bit in 0..<8 {
                var damaged = intact
                damaged[index] ^= 1 << bit
                #expect(sum(damaged) != sum(intact), "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test("A row's checksum changes with every exchange of two words")
    func swappedWords() {
        let intact = message(128)
        for first in 0..<16 {
            for second in 0..<first {
                var damaged = intact
                for byte in 0..<8 { damaged.swapAt(first * 8 + byte, second * 8 + byte) }
                #expect(sum(damaged) != sum(intact), "words \(second) and \(first)")
            }
        }
    }

    @Test("A row's checksum changes with the length, even by bytes of 0")
    func lengths() {
        let sums = (0..<200).map { sum(Array(repeating: 0, count: $0)) }
        #expect(Set(sums).count == sums.count)
    }

    @Test("The checksum of a number is unique")
    func numbers() {
        let numbers: [Int64] = [0, 1, -1, 2, .min, .max]
        #expect(Set(numbers.map { RowChecksum.value(of: $0) }).count == numbers.count)
    }
}
