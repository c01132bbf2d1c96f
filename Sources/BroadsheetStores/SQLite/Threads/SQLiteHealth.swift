internal import Synchronization

/// What is known of the file's soundness, shared by the threads that use it.
///
/// A row whose checksum does not fit is that row's matter. A broken structure is everybody's: a
/// screen that is not found may be there, and a write may tear down more. From then on only what is
/// found and intact is answered.
final class SQLiteHealth: Sendable {
    private struct State {
        /// What broke the structure, or seems to.
        var breakage: SQLiteFailure?
        /// What the operator has been told.
        var told: Set<String> = []
    }

    /// How many findings are told; a file with more of them needs no longer list.
    static let maxTold = 100

    private let state = Mutex(State())
    private let tell: StoreEvent.Handler

    /// Knows of nothing wrong, and reports damage to `tell`, each finding once.
    init(tell: @escaping StoreEvent.Handler) { self.tell = tell }

    /// Takes note of a failure, if it is one of the file's.
    func note(_ failure: SQLiteFailure) {
        guard case .corrupt = failure.storeError else { return }
        let isNews = state.withLock { state in
            if state.breakage == nil, failure.isStructural { state.breakage = failure }
            guard state.told.count < Self.maxTold else { return false }
            return state.told.insert(failure.message).inserted
        }
        if isNews { tell(.damaged(failure.message)) }
    }

    /// Throws once the structure is known to be broken.
    func check() throws(SQLiteFailure) {
        if let breakage = state.withLock({ $0.breakage }) { throw breakage }
    }
}
