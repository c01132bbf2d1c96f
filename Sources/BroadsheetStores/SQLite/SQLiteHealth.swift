import Synchronization

/// The known damage of a file, shared by the threads that use it.
///
/// A wrong checksum concerns one row. A damaged structure concerns all rows: a screen that is not
/// found may exist, and a write may cause more damage. After that only screens that are found and
/// intact are returned.
final class SQLiteHealth: Sendable {
    private struct State {
        /// The first failure that indicates a damaged structure.
        var structuralFailure: SQLiteFailure?
        /// The messages that were reported.
        var reported: Set<String> = []
        /// The screens of which a row was damaged when it was read.
        var damaged: Set<ScreenName> = []
        /// The revisions at which screens were checked because a page was not found.
        var verified: [ScreenName: UInt64] = [:]
        /// The revisions at which the keys of all pages of screens are known to be intact.
        var verifiedKeys: [ScreenName: UInt64] = [:]
    }

    /// The maximum number of reported messages.
    static let maxReported = 100
    /// The maximum number of damaged screens that are remembered; with more, all are checked.
    static let maxDamaged = 10_000
    /// The maximum number of checked screens that are remembered.
    static let maxVerified = 10_000

    private let state = Mutex(State())
    /// The damage of earlier revisions.
    let histories = DamagedHistories()
    private let onEvent: StoreEvent.Handler

    /// Creates the state of an intact file; damage is reported to `onEvent`, each message once.
    init(onEvent: @escaping StoreEvent.Handler) { self.onEvent = onEvent }

    /// Records a failure if it indicates damage.
    func record(_ failure: SQLiteFailure) {
        guard case .corrupt = failure.storeError else { return }
        let isNew = state.withLock { state in
            if state.structuralFailure == nil, failure.isStructural {
                state.structuralFailure = failure
            }
            guard state.reported.count < Self.maxReported else { return false }
            return state.reported.insert(failure.message).inserted
        }
        if isNew { onEvent(.damaged(failure.message)) }
    }

    /// Records that a screen is damaged, so that it is checked completely before a part is read.
    func recordDamage(of screen: ScreenName) {
        state.withLock { state in
            if state.damaged.count < Self.maxDamaged { state.damaged.insert(screen) }
        }
    }

    /// Records that a screen is intact.
    func recordRepair(of screen: ScreenName) {
        state.withLock { _ = $0.damaged.remove(screen) }
    }

    /// Returns a Boolean value that indicates whether a screen may be damaged.
    func mayBeDamaged(_ screen: ScreenName) -> Bool {
        state.withLock { $0.damaged.count >= Self.maxDamaged || $0.damaged.contains(screen) }
    }

    /// Records that all pages of a screen were intact at a revision.
    func recordVerification(of screen: ScreenName, at revision: UInt64) {
        state.withLock { $0.verified.record(revision, of: screen) }
    }

    /// Returns whether all pages of a screen were intact at a revision when they were checked.
    func isVerified(_ screen: ScreenName, at revision: UInt64) -> Bool {
        state.withLock { $0.verified[screen] == revision }
    }

    /// Records that the keys of all pages of a screen were intact at a revision.
    func recordKeys(of screen: ScreenName, at revision: UInt64) {
        state.withLock { $0.verifiedKeys.record(revision, of: screen) }
    }

    /// Returns whether the keys of all pages of a screen are known to be intact at a revision.
    func hasVerifiedKeys(of screen: ScreenName, at revision: UInt64) -> Bool {
        state.withLock { $0.verifiedKeys[screen] == revision }
    }

    /// Records that writes to screens with intact keys were committed, which keep them intact.
    func recordCommit(_ writes: some Sequence<(SQLiteRowWriter.Write, SQLiteRowWriter.Outcome)>) {
        state.withLock { state in
            guard !state.verifiedKeys.isEmpty else { return }
            for (write, outcome) in writes {
                guard let known = state.verifiedKeys[write.screen] else { continue }
                switch outcome {
                case .written(let revision, _) where known == write.expected:
                    state.verifiedKeys[write.screen] = revision
                case .written, .removed: state.verifiedKeys[write.screen] = nil
                case .conflict: break
                }
            }
        }
    }

    /// Throws if the structure is known to be damaged.
    func check() throws(SQLiteFailure) {
        if let structuralFailure = state.withLock({ $0.structuralFailure }) {
            throw structuralFailure
        }
    }
}

extension [ScreenName: UInt64] {
    /// Records the revision at which a screen was checked; at the limit, all others are forgotten.
    fileprivate mutating func record(_ revision: UInt64, of screen: ScreenName) {
        if count >= SQLiteHealth.maxVerified { self = [:] }
        self[screen] = revision
    }
}
