/// A copy of a store over a backend, which is a ``CopyableBackend``.
extension ScreenStore {
    private func copyable() throws(StoreError) -> any CopyableBackend {
        guard let copyable = backend as? any CopyableBackend else {
            throw .unavailable("a store of this kind is not copied")
        }
        return copyable
    }

    private func state(
        of screens: [ScreenName] = []
    ) async throws(StoreError) -> (server: PlanContext.ServerState, records: [RecordState]) {
        let queries = (screens.isEmpty ? [ScreenName.any] : screens).map { RecordQuery(screen: $0) }
        let reply = try await backend.records(queries)
        return (PlanContext.ServerState(line: reply.line, floor: reply.floor), reply.records)
    }

    /// Returns a revision above which new screens begin.
    package func floor() async throws(StoreError) -> UInt64 {
        try await state().server.creationFloor
    }

    /// Returns the times that are left until screens expire, in milliseconds.
    package func millisecondsLeft(
        of screens: [ScreenName]
    ) async throws(StoreError) -> [ScreenName: Int64] {
        guard !screens.isEmpty else { return [:] }
        var left: [ScreenName: Int64] = [:]
        for (screen, state) in zip(screens, try await state(of: screens).records) {
            if case .present(let record) = state { left[screen] = record.timeLeft }
        }
        return left
    }

    package func isIncomplete() async throws(StoreError) -> Bool {
        try await copyable().isIncomplete()
    }

    /// Replaces the identity by the mark.
    package func markIncomplete() async throws(StoreError) {
        try await copyable().setIdentity(nil)
    }

    /// Makes new screens begin above a revision.
    package func raiseFloor(to revision: UInt64) async throws(StoreError) {
        while true {
            let server = try await state().server
            var batch = StoreBatch(
                screen: ScreenName.any, line: server.line, expecting: .unchecked)
            batch.floor = RevisionFloor(
                revision: max(revision, server.creationFloor), line: server.line)
            batch.frees = true
            if case .applied = try await backend.apply(batch) { return }
        }
    }

    /// Replaces the mark by an identity.
    package func markComplete(as identity: StoreIdentity) async throws(StoreError) {
        try await copyable().setIdentity(identity)
    }
}
