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
        var reported: Set<String> = []
    }

    static let maxReported = 100

    private let state = Mutex(State())
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

    /// Throws if the structure is known to be damaged.
    func check() throws(SQLiteFailure) {
        if let structuralFailure = state.withLock({ $0.structuralFailure }) {
            throw structuralFailure
        }
    }
}
