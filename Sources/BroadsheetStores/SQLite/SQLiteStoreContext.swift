import Synchronization

/// What the threads of one store have in common.
struct SQLiteStoreContext: Sendable {
    let path: String
    let options: SQLiteStoreOptions
    let revisions = SQLiteRevisionCache()
    let health: SQLiteHealth

    /// Nothing is known yet of the file at `path`.
    init(path: String, options: SQLiteStoreOptions) {
        self.path = path
        self.options = options
        health = SQLiteHealth(onEvent: options.onEvent)
    }

    /// Tells the operator.
    func report(_ event: StoreEvent) { options.onEvent(event) }
}

/// What is known of the file's soundness, context by the threads that use it.
///
/// A row whose checksum does not fit is that row's matter. A broken structure is everybody's: a
/// screen that is not found may be there, and a write may tear down more. From then on only what is
/// found and intact is answered.
final class SQLiteHealth: Sendable {
    private struct State {
        /// What broke the structure, or seems to.
        var structuralFailure: SQLiteFailure?
        /// What the operator has been reported.
        var reported: Set<String> = []
    }

    /// How many findings are reported; a file with more of them needs no longer list.
    static let maxReported = 100

    private let state = Mutex(State())
    private let onEvent: StoreEvent.Handler

    /// Knows of nothing wrong, and reports damage to `onEvent`, each finding once.
    init(onEvent: @escaping StoreEvent.Handler) { self.onEvent = onEvent }

    /// Takes note of a failure, if it is one of the file's.
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

    /// Throws once the structure is known to be broken.
    func check() throws(SQLiteFailure) {
        if let structuralFailure = state.withLock({ $0.structuralFailure }) {
            throw structuralFailure
        }
    }
}
