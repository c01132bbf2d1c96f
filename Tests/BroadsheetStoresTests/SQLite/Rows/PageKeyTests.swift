import Testing

@testable import BroadsheetStores

@Suite("The key of a page's row")
struct PageKeyTests {
    static let numbers = [0, 1, 2, 85, 0x7FFF_FFFE, 0x7FFF_FFFF]
    static let folders: [Int64] = [1, 2, 77, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF]

    @Test("holds folder and number, and lies among its folder's keys and no other's")
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

    @Test("there is none for a number that no page has", arguments: [-1, 0x8000_0000, .max, .min])
    func range(number: Int) {
        #expect(PageKey.key(number, in: 1) == nil)
    }

    @Test("a page's number out of range is refused, and nothing is written")
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
