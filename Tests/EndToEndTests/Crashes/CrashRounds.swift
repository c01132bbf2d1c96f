import Foundation
import TestSupport
import Testing

/// The rounds of one kind of crash: how many, by which chance, and what came of them.
struct CrashRounds {
    /// How many there are by default, so that all kinds together take seconds.
    static let fewest = 10

    private let kind: String
    private let seed: UInt64
    private let start = ContinuousClock.now

    /// Rounds of what is called `kind` in what they print.
    init(of kind: String) {
        self.kind = kind
        seed = SeededGenerator.seed(of: kind)
    }

    /// How many there are; `BROADSHEET_CRASH_ROUNDS` says otherwise.
    var count: Int {
        ProcessInfo.processInfo.environment["BROADSHEET_CRASH_ROUNDS"].flatMap { Int($0) }
            ?? Self.fewest
    }

    /// Runs them one after the other; prints what the clients of all of them were told.
    func run(
        _ round: (Int, Comment, inout SeededGenerator) throws -> WriteLedger.Tally
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var total = WriteLedger.Tally()
        for number in 0..<count {
            let tally = try round(number, "\(kind), round \(number), seed \(seed)", &generator)
            total.acknowledged += tally.acknowledged
            total.refused += tally.refused
            total.doubtful += tally.doubtful
        }
        print(
            """
            \(kind): \(count) rounds, \(total.acknowledged) writes acknowledged, \(total.refused) \
            refused, \(total.doubtful) in doubt, \((ContinuousClock.now - start).components.seconds) s
            """)
    }
}
