import Testing

@testable import BroadsheetStores

@Suite("The runs of servers that a Redis store is connected to")
struct RedisRunIDsTests {
    @Test("the first is no news; the same is none either; another is, and one that is not said")
    func news() {
        let runs = RedisRunIDs()
        let told = ["a", "a", "b", nil, nil, "b", "b"].map { runs.requestsConnected(to: $0) }
        #expect(told == [false, false, true, true, true, true, false])
    }

    @Test("agree while both connections are to one, or one of them is not said")
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
