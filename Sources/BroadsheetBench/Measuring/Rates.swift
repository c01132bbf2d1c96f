/// Two rates that were measured in turns, so that both meet the same weather.
struct Rates {
    /// The median rate of what is measured, a second.
    let subject: Double
    /// The median rate of the yardstick.
    let yardstick: Double
    /// The median of each round's ratio of the two.
    let ratio: Double

    /// Puts together what rounds came to.
    init(_ rounds: [(subject: Double, yardstick: Double)]) {
        subject = rounds.map(\.subject).median
        yardstick = rounds.map(\.yardstick).median
        ratio = rounds.map { $0.subject / $0.yardstick }.median
    }

    /// Lets both take turns for `rounds` rounds.
    static func measure(
        rounds: Int = 5, subject: () throws -> Double, yardstick: () throws -> Double
    ) rethrows -> Rates {
        Rates(try (0..<rounds).map { _ in (try subject(), try yardstick()) })
    }
}
