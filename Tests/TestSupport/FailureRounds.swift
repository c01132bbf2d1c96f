import Foundation

/// The rounds of the tests in which servers fail or daemons restart.
package enum FailureRounds {
    /// The number of rounds: the value of `BROADSHEET_ROUNDS`, or 2, with which they take seconds.
    package static let count =
        ProcessInfo.processInfo.environment["BROADSHEET_ROUNDS"].flatMap { Int($0) } ?? 2

    /// The numbers of the rounds.
    package static var all: Range<Int> { 0..<max(1, count) }
}
