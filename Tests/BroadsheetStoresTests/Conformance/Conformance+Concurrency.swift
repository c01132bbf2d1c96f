import BroadsheetStores
import Testing

extension StoreConformance {
    static let concurrency = [
        Requirement("of writers racing for one revision exactly one wins") { store in
            let home = try name("home")
            let winners = await withTaskGroup(of: Bool.self) { group in
                for writer in 0..<16 {
                    group.addTask {
                        let change = ScreenChange.put(page: writer, bytes: [UInt8(writer)])
                        let revision = try? await store.commit(change, to: home, expecting: nil)
                        return revision != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
            #expect(try await store.stored(home).pages.count == 1)
        },
        Requirement("writers that try again until they win lose no write") { store in
            let home = try name("home")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    group.addTask { try await insist(on: writer, in: home, of: store) }
                }
                try await group.waitForAll()
            }
            let stored = try await store.stored(home)
            #expect(stored.revision == 8 * 16)
            #expect(stored.pages.map(\.number) == Array(0..<(8 * 16)))
            #expect(Set(stored.pages.map(\.revision)) == Set(1...(8 * 16)))
        },
        Requirement("writers of different screens are not in each other's way") { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        let screen = try name("screen-\(writer)")
                        for page in 0..<16 { try await store.put(page, to: screen) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(
                try await store.screens(after: nil, limit: 99).map(\.revision)
                    == Array(repeating: 16, count: 8))
        },
    ]

    /// Writes 16 pages of its own, each by compare-and-set until it wins.
    private static func insist(
        on writer: Int, in screen: ScreenName, of store: any ScreenStore
    ) async throws {
        var revision = try await store.revision(screen)
        for page in 0..<16 {
            while true {
                do throws(StoreError) {
                    let change = ScreenChange.put(page: writer * 16 + page, bytes: [1])
                    revision = try await store.commit(change, to: screen, expecting: revision)
                    break
                } catch {
                    guard case .conflict(let current) = error else { throw error }
                    revision = current
                }
            }
        }
    }
}
