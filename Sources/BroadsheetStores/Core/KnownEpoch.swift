import Synchronization

/// The epoch of a backend, which is read once in each line of the server.
///
/// It is a part of the instances of feeds, so that a reader notices that events after those that it
/// knows were replaced by others.
final class KnownEpoch: Sendable {
    private struct State {
        var restarts: UInt64
        var epoch: UInt64
    }

    private let state = Mutex<State?>(nil)

    /// `restarts` is the number of times that another line of the server had been found.
    func value(
        since restarts: UInt64, of backend: any StoreBackend
    ) async throws(StoreError) -> UInt64 {
        if let known = state.withLock({ $0 }), known.restarts == restarts { return known.epoch }
        let epoch = try await backend.epoch()
        state.withLock { $0 = State(restarts: restarts, epoch: epoch) }
        return epoch
    }
}
