import BroadsheetIO
import BroadsheetStores
import BroadsheetTesting
import TestSupport
import Testing

@Suite("The feeds of the memory store")
struct MemoryFeedsTests {
    @Test(
        "The memory store conforms to every requirement of stores with feeds",
        arguments: StoreConformance.feedRequirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        let clock = ManualClock()
        try await requirement.check(
            ScreenStore.inMemory(clock: clock.time, feeds: (FeedBounds(), .max)),
            letPass: { clock.advance(seconds: $0) })
    }

    @Test("Beyond the limit of all feeds the largest lose their oldest events, and no others")
    func limitOfAllScreens() async throws {
        let store = ScreenStore.inMemory(feeds: (FeedBounds(), 20_000))
        let data = [UInt8](repeating: 97, count: 1000)
        let names = try ["quiet", "loud"].map { try #require(ScreenName($0)) }
        for (name, count) in zip(names, [3, 60]) {
            _ = try await store.commit(
                .put(page: 0, bytes: [1]), to: name, expecting: nil, lifetime: .unchanged)
            for _ in 0..<count { _ = try await store.append([data], to: name) }
        }
        let quiet = try #require(try await store.feed(of: names[0], after: 0, byteCount: .max))
        let loud = try #require(try await store.feed(of: names[1], after: 0, byteCount: .max))
        #expect(quiet.events.count == 3)
        #expect(loud.last == 60)
        #expect((10...14).contains(loud.events.count))
    }
}
