import Testing

@testable import BroadsheetStores

/// The failures of statements, and what callers of the store receive.
@Suite("Failures of PostgreSQL")
struct PostgresFailureTests {
    /// The kind of an error of a store.
    enum Kind: Sendable {
        case unavailable
        case full
        case corrupt
        case unknown

        /// The kind of an error, or `nil` for one that no failure becomes.
        init?(_ error: StoreError) {
            switch error {
            case .unavailable: self = .unavailable
            case .full: self = .full
            case .corrupt: self = .corrupt
            case .unknown: self = .unknown
            default: return nil
            }
        }
    }

    /// The SQLSTATEs of failures after which nothing was done, and a statement is sent again.
    private static let harmlessStates = ["40001", "40P01", "55P03", "57014"]
    /// Those after which a statement may have been performed, and is sent again.
    private static let unknownStates = [
        "08000", "08001", "08003", "08004", "08006", "08007", "08P01", "57P01", "57P02", "57P03",
        "57P04", "57P05",
    ]
    /// Those that are final.
    private static let finalStates = [
        "0A000", "22021", "23505", "25000", "25P02", "40000", "40002", "42501", "42883", "42P01",
        "53000", "53300", "54000", "55000", "57000", "58030", "P0001", "XX000", "XX001", "",
    ]

    /// The failures with their effects and the kinds of their errors.
    static let failures: [(PostgresFailure, PostgresFailure.Effect, Kind)] = {
        func states(
            _ states: [String], _ effect: PostgresFailure.Effect, _ kind: Kind = .unavailable
        ) -> [(PostgresFailure, PostgresFailure.Effect, Kind)] {
            states.map { (PostgresFailure.server(state: $0, message: "text"), effect, kind) }
        }
        var failures = states(harmlessStates, .nothing)
        failures += states(["25006"], .nothingHere)
        failures += states(["53100", "53200"], .final, .full)
        failures += states(unknownStates, .unknown)
        failures += states(finalStates, .final)
        failures.append((.lost("the reason"), .unknown, .unavailable))
        failures.append((.unanswered("the reason"), .unknown, .unknown))
        failures.append((.warned, .final, .unavailable))
        failures.append((.malformed("the reason"), .final, .corrupt))
        return failures
    }()

    @Test(
        "A failure permits a repetition, and becomes an error, by its SQLSTATE (appendix A)",
        arguments: failures)
    func effects(failure: PostgresFailure, effect: PostgresFailure.Effect, kind: Kind) {
        #expect(failure.effect == effect)
        #expect(Kind(failure.storeError) == kind)
    }

    @Test("The error has the message of the server, and for others than a full disk its SQLSTATE")
    func reasons() {
        let lost = PostgresFailure.server(state: "57P01", message: "terminating connection")
        #expect(lost.storeError == .unavailable("terminating connection (SQLSTATE 57P01)"))
        let full = PostgresFailure.server(state: "53100", message: "could not extend file")
        #expect(full.storeError == .full("could not extend file"))
        #expect(PostgresFailure.lost("closed").storeError == .unavailable("closed"))
        #expect(PostgresFailure.malformed("no row").storeError == .corrupt("no row"))
    }
}
