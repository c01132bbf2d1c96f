import BroadsheetStores
import Testing

extension StoreConformance {
    static let pages = [
        Requirement("pages ascend whatever order they came in") { store in
            let home = try name("home")
            for page in [5, 0, 9, 3, 2_147_483_647, 4] { try await store.put(page, to: home) }
            let numbers = try await store.stored(home).pages.map(\.number)
            #expect(numbers == [0, 3, 4, 5, 9, 2_147_483_647])
        },
        Requirement("bytes come back as they were posted, whatever they are") { store in
            let home = try name("home")
            let samples: [[UInt8]] = [
                [], [0], [0xEF, 0xBB, 0xBF, 0x7B, 0x7D], Array(0...255),
                [UInt8](repeating: 0xFF, count: 1 << 20),
            ]
            for (page, bytes) in samples.enumerated() {
                try await store.write(.put(page: page, bytes: bytes), to: home)
            }
            #expect(try await store.stored(home).pages.map(\.bytes) == samples)
        },
        Requirement("a page that is put again is replaced, and others stay") { store in
            let home = try name("home")
            for (page, text) in [(0, "a"), (1, "b"), (2, "c"), (1, "B")] {
                try await store.put(page, text, to: home)
            }
            let texts = try await store.stored(home).pages.map {
                String(decoding: $0.bytes, as: UTF8.self)
            }
            #expect(texts == ["a", "B", "c"])
        },
        Requirement("a page says the revision that wrote it") { store in
            let home = try name("home")
            for page in [0, 1, 2, 1] { try await store.put(page, to: home) }
            #expect(try await store.stored(home).pages.map(\.revision) == [1, 4, 3])
        },
        Requirement("the latest page is the one that was written last") { store in
            let home = try name("home")
            for page in [7, 3, 9, 3] {
                try await store.put(page, to: home)
                #expect(try await store.stored(home).latestPage == page)
            }
        },
    ]
}
