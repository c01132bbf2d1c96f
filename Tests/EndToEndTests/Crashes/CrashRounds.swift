import TestSupport
import Testing

/// The rounds of a crash test, with their seed and their total.
struct CrashRounds {
    private let kind: String
    private let seed: UInt64
    private let start = ContinuousClock.now

    /// Creates the rounds of a test, whose name occurs in their output.
    init(of kind: String) {
        self.kind = kind
        seed = SeededGenerator.seed(of: kind)
    }

    /// The number of rounds of every crash test, which take less time than those of other tests.
    private var count: Int { 5 * FailureRounds.count }

    /// Runs the rounds in order, and prints the number of writes with each outcome.
    func run(
        _ round: (Int, Comment, inout SeededGenerator) throws -> WriteLedger.Tally
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var total = WriteLedger.Tally()
        for number in 0..<count {
            let tally = try round(number, "\(kind), round \(number), seed \(seed)", &generator)
            total.acknowledged += tally.acknowledged
            total.refused += tally.refused
            total.unknown += tally.unknown
        }
        print(
            """
            \(kind): \(count) rounds, \(total.acknowledged) writes acknowledged, \(total.refused) \
            refused, \(total.unknown) unknown, \((ContinuousClock.now - start).components.seconds) s
            """)
    }
}

/// A page token from before a crash, to be used after it.
struct TokenProbe {
    private let token: String

    /// Stores a screen and requests the token of its second page.
    init(storingAt daemon: TestDaemon) throws {
        try Storefront.store(0..<2, as: "token", in: daemon)
        let tree = try daemon.request("GET", "/v1/screens/token/layout").tree()
        guard let token = tree.nextPageToken else { throw HarnessError("the tree has no token") }
        self.token = token
    }

    /// Expects the token to return the second page, and the pages to be unchanged.
    func check(_ daemon: TestDaemon, _ comment: Comment) throws {
        let layout = try daemon.request("GET", "/v1/screens/token/layout?pageToken=\(token)")
        #expect(layout.status == 200, comment)
        #expect(try layout.tree().page == 1, comment)
        for page in 0..<2 {
            let stored = try daemon.request("GET", "/v1/screens/token/pages/\(page)")
            #expect(try stored.body == Storefront.page(page), comment)
        }
    }
}
