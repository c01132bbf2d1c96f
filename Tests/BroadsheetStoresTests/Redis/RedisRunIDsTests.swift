import Testing

@testable import BroadsheetStores

@Suite("The run IDs of a Redis store's connections")
struct RedisRunIDsTests {
    @Test("Run IDs change with another run or an undisclosed one, not with the first or the same")
    func changes() {
        let runs = RedisRunIDs()
        let changes = ["a", "a", "b", nil, nil, "b", "b"].map { runs.requestsConnected(to: $0) }
        #expect(changes == [false, false, true, true, true, true, false])
    }

    @Test("Run IDs match while both connections have the same one, or one is undisclosed")
    func agreement() {
        let runs = RedisRunIDs()
        #expect(runs.match)
        _ = runs.requestsConnected(to: "a")
        #expect(runs.match)
        runs.subscriptionConnected(to: "b")
        #expect(!runs.match)
        _ = runs.requestsConnected(to: "b")
        #expect(runs.match)
        runs.subscriptionConnected(to: nil)
        #expect(runs.match)
    }
}
