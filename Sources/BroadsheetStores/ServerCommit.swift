import Synchronization

/// A random number by which a server recognizes a commit that is sent again.
struct WriteNumber: Hashable, Sendable {
    /// The number, which has 63 bits and is not 0.
    let value: Int64

    static func random() -> WriteNumber { WriteNumber(value: .random(in: 1 ... .max)) }
}

/// The outcome of a commit to a server, which may have been sent more than once.
///
/// The server keeps the numbers of the last 16 commits to each screen, and the revisions that they
/// got.
enum CommitOutcome: Hashable, Sendable {
    /// The screen has the revision, or had it when it was removed.
    case done(UInt64)
    /// The commit was not applied, and never will be.
    case conflict(current: UInt64?)
    /// An earlier attempt may have been applied.
    case unknown

    /// Creates the outcome of a commit whose number the server does not know, and which met another
    /// revision than the expected one; numbers that the server has forgotten may include its own.
    ///
    /// - Parameters:
    ///   - current: The revision of the screen; `nil` if it does not exist.
    ///   - removed: The revision at which the commit removes the screen; `nil` for another commit.
    ///   - mayBeDone: A Boolean value that indicates whether it was sent before.
    init(unclear current: UInt64?, removing removed: UInt64?, mayBeDone: Bool) {
        if !mayBeDone {
            self = .conflict(current: current)
        } else if current == nil, let removed {
            self = .done(removed)
        } else {
            self = .unknown
        }
    }

    /// Returns the revision.
    ///
    /// - Throws: ``StoreError/conflict(current:)``, or ``StoreError/unavailable(_:)`` if the
    ///   outcome is unknown.
    func revision(of screen: ScreenName) throws(StoreError) -> UInt64 {
        switch self {
        case .done(let revision): return revision
        case .conflict(let current): throw .conflict(current: current)
        case .unknown:
            throw .unavailable("it is not known whether a write to screen \(screen) was applied")
        }
    }
}

/// The numbers of commits that were sent again, by their outcome.
package final class CommitStatistics: Sendable {
    private let doneCount = Atomic<UInt64>(0)
    private let conflictCount = Atomic<UInt64>(0)
    private let unknownCount = Atomic<UInt64>(0)

    init() {}

    /// Counts a commit that was sent again.
    func count(_ outcome: CommitOutcome) {
        switch outcome {
        case .done: doneCount.wrappingAdd(1, ordering: .relaxed)
        case .conflict: conflictCount.wrappingAdd(1, ordering: .relaxed)
        case .unknown: unknownCount.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// The commits that were sent again and are applied.
    package var done: UInt64 { doneCount.load(ordering: .relaxed) }
    /// The commits that were sent again and met another writer's commit.
    package var conflicts: UInt64 { conflictCount.load(ordering: .relaxed) }
    /// The commits of which it is not known whether they were applied.
    package var unknown: UInt64 { unknownCount.load(ordering: .relaxed) }
}
