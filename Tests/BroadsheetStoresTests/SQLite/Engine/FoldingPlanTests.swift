import Testing

@testable import BroadsheetStores

@Suite("The plan of folding the write-ahead log")
struct CheckpointPlanTests {
    private typealias Step = CheckpointPlan.Step
    private let rest = Step.checkpointRest(waitingForReaders: false)
    private let restAgain = Step.checkpointRest(waitingForReaders: true)

    /// The steps after transactions that left the log with so many pages, the other thread being idle
    /// or not.
    private func steps(_ transactions: [(pages: Int, isIdle: Bool)]) -> [Step] {
        var plan = CheckpointPlan(limit: 100)
        return transactions.map { plan.step(pages: $0.pages, isCheckpointerIdle: $0.isIdle) }
    }

    @Test("leaves a short log alone")
    func short() {
        #expect(steps([(1, true), (50, true), (99, true)]) == [.none, .none, .none])
    }

    @Test("asks once, waits, folds the rest once, and begins anew when the log does")
    func wholeRound() {
        let transactions = [
            (100, true), (110, false), (120, false), (130, true), (10, true), (100, true),
        ]
        #expect(
            steps(transactions) == [
                .requestCheckpoint, .none, .none, rest, .none, .requestCheckpoint,
            ])
    }

    @Test("waits for the other thread when that does not keep up")
    func slowThread() {
        let transactions = [(105, true), (199, false), (200, false), (210, false), (5, false)]
        #expect(
            steps(transactions) == [.requestCheckpoint, .none, .waitAndCheckpoint, .none, .none])
    }

    @Test("asks again after a half more when a reader keeps the log long, and outwaits it then")
    func longReading() {
        let transactions = [
            (100, true), (101, true), (102, true), (150, true), (151, true), (152, true),
            (153, true), (201, true), (202, true), (203, true),
        ]
        #expect(
            steps(transactions)
                == [
                    .requestCheckpoint, rest, .none, .none, .requestCheckpoint, restAgain, .none,
                    .none, .requestCheckpoint, restAgain,
                ])
    }

    @Test("holds for a log whose first transaction is longer than the limit")
    func hugeTransaction() {
        #expect(
            steps([(5000, true), (5001, true), (5002, true)]) == [.requestCheckpoint, rest, .none])
    }

    @Test("never lets more than the limit pass without a step while the log is long")
    func bounded() {
        var plan = CheckpointPlan(limit: 100)
        var last = 0
        for pages in stride(from: 1, to: 5000, by: 7) {
            if plan.step(pages: pages, isCheckpointerIdle: false) != .none { last = pages }
            #expect(pages - last < 100 + 7)
        }
    }
}
