import TestSupport
import Testing

import BroadsheetTesting
@testable import BroadsheetStores

@Suite("Writes that are too large for a store on a server", .timeLimit(.minutes(hangMinutes)))
struct TooLargeWriteTests {
    @Test("PostgreSQL refuses a commit of more than 256 MiB, and removes no earlier revision")
    func postgres() async throws {
        try await withHistoryStore { store, _, _ async throws in
            try await Self.check(store, limit: 256 << 20)
        }
    }

    @Test("Redis refuses a screen of more bytes than its limit, and removes no earlier revision")
    func redis() async throws {
        let server = try RedisServer()
        defer { withExtendedLifetime(server) {} }
        let store = try ScreenStore(
            server.endpoint(),
            options: RedisStoreOptions(maxScreenBytes: 1000, history: HistoryBounds()))
        try await Self.check(store, limit: 1000)
        await store.close()
    }

    private static func check(_ store: some ScreenStore, limit: Int) async throws {
        let home = try name("home")
        for text in ["a", "b"] { try await store.put(0, text, to: home) }
        let before = try await store.historyByteCount()
        #expect(before > 0)
        let half = [UInt8](repeating: 0, count: limit / 2 + 1)
        let pages = [1, 2].map { PutPage(number: $0, bytes: half) }
        await #expect {
            try await store.commit(
                .putPages(pages, totals: nil), to: home, expecting: 2, lifetime: .unchanged,
                as: RevisionNote())
        } throws: { error in
            guard case StoreError.tooLarge(let byteCount, let found) = error else { return false }
            return byteCount > limit && found == limit
        }
        #expect(try await store.revision(home) == 2)
        #expect(try await store.historyByteCount() == before)
    }
}
