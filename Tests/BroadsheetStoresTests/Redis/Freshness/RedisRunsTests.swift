import Testing

@testable import BroadsheetStores

@Suite("The runs of servers that a Redis store is connected to")
struct RedisRunsTests {
    @Test("the first is no news; the same is none either; another is, and one that is not said")
    func news() {
        let runs = RedisRuns()
        let told = ["a", "a", "b", nil, nil, "b", "b"].map { runs.openedForQuestions(to: $0) }
        #expect(told == [false, false, true, true, true, true, false])
    }

    @Test("agree while both connections are to one, or one of them is not said")
    func agreement() {
        let runs = RedisRuns()
        #expect(runs.agree)
        _ = runs.openedForQuestions(to: "a")
        #expect(runs.agree)
        runs.openedForMessages(from: "b")
        #expect(!runs.agree)
        _ = runs.openedForQuestions(to: "b")
        #expect(runs.agree)
        runs.openedForMessages(from: nil)
        #expect(runs.agree)
    }
}
