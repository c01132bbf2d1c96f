import Testing

import BroadsheetTesting
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

    @Test("A row's checksum matches in either form, and in no other", arguments: [0, 31, 32, 107])
    func forms(count: Int) {
        let intact = message(count)
        for form in RowChecksum.Form.allCases {
            let stored = RowChecksum.value(as: form) { $0.combine(intact) }
            #expect(RowChecksum.matches(stored) { $0.combine(intact) })
            #expect(!RowChecksum.matches(stored ^ 1) { $0.combine(intact) })
            #expect(!RowChecksum.matches(stored) { $0.combine(intact + [0]) })
        }
    }

    @Test("The checksum of a number is unique")
    func numbers() {
        let numbers: [Int64] = [0, 1, -1, 2, .min, .max]
        #expect(Set(numbers.map { RowChecksum.value(of: $0) }).count == numbers.count)
    }
}

@Suite("The key of a page's row")
struct PageKeyTests {
    static let numbers = [0, 1, 2, 85, 0x7FFF_FFFE, 0x7FFF_FFFF]
    static let folders: [Int64] = [1, 2, 77, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF]

    @Test("A page's key contains folder and number, within the keys of its folder only")
    func roundTrip() throws {
        for folder in Self.folders {
            let keys = PageKey.keys(in: folder)
            #expect(keys.lowerBound > 0)
            for number in Self.numbers {
                let key = try #require(PageKey.key(number, in: folder))
                #expect(PageKey.number(of: key) == number)
                #expect(keys.contains(key))
                for other in Self.folders where other != folder {
                    #expect(!PageKey.keys(in: other).contains(key))
                }
            }
        }
    }

    @Test("An invalid page number has no key", arguments: [-1, 0x8000_0000, .max, .min])
    func range(number: Int) {
        #expect(PageKey.key(number, in: 1) == nil)
    }

    @Test("A page with an invalid number is refused, and nothing is written")
    func refused() async throws {
        try await DatabaseFile().withStore { store in
            let home = try name("home")
            try await store.put(0, to: home)
            for number in [-1, 0x8000_0000] {
                await #expect(throws: StoreError.self) {
                    try await store.commit(
                        .put(page: number, bytes: []), to: home, expecting: 1)
                }
                _ = try await store.commit(
                    .removePage(number), to: home, expecting: store.revision(home))
            }
            #expect(try await store.stored(home).pages.map(\.number) == [0])
        }
    }
}
