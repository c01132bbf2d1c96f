import Synchronization

/// The reclaims of a backend: writes that meet a full store at once share one.
///
/// A reclaim of a table waits for one that is in progress, so that each of many would take longer
/// than a write may.
final class SharedReclaim: Sendable {
    private typealias Reclaim = Task<Result<Void, StoreError>, Never>

    private struct State {
        var last: Reclaim?
        /// The number of calls that wait for it, while it has not begun.
        var waiting = 0
    }

    private let backend: any StoreBackend
    private let state = Mutex(State())

    init(_ backend: any StoreBackend) { self.backend = backend }

    var waitingCount: Int { state.withLock { $0.waiting } }

    /// Waits for a reclaim that begins after this call.
    func perform() async throws(StoreError) {
        let reclaim = state.withLock { state in
            state.waiting += 1
            if state.waiting > 1, let last = state.last { return last }
            let reclaim = Reclaim { [self, previous = state.last] in
                _ = await previous?.value
                self.state.withLock { $0.waiting = 0 }
                do throws(StoreError) {
                    return .success(try await backend.reclaim())
                } catch {
                    return .failure(error)
                }
            }
            state.last = reclaim
            return reclaim
        }
        try await reclaim.value.get()
    }
}
