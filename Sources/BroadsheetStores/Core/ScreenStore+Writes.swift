import BroadsheetIO

extension ScreenStore {
    /// Applies a commit if the screen is at the expected revision, and keeps the revision that it
    /// replaces.
    ///
    /// - Parameters:
    ///   - commit: The commit to apply.
    ///   - screen: The screen to write to.
    ///   - expected: The revision that the screen must have; `nil` if it must not exist.
    ///   - lifetime: The lifetime of the screen from now on.
    ///   - note: The facts that the record of the new revision has.
    /// - Returns: The new revision of the screen, or its last revision if it was removed.
    /// - Throws: ``StoreError/conflict(current:)`` if the screen has another revision, or if a
    ///   commit finds no screen and does not create one (``ScreenCommit/createsScreen``).
    public func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime = .unchanged, as note: RevisionNote = RevisionNote()
    ) async throws(StoreError) -> UInt64 {
        let write = CommitWrite(
            commit: commit, screen: screen, expected: expected, lifetime: lifetime, note: note)
        let revision = try await queues.perform(on: screen) { () throws(StoreError) in
            try await self.attempting { (attempts: inout Attempts) throws(StoreError) in
                try await self.perform(write, &attempts)
            }
        }
        // The write is applied, whatever becomes of the shares.
        if memory != nil { _ = try? await shrinkToShares() }
        return revision
    }

    /// A commit, while it is applied.
    private struct CommitWrite: Sendable {
        let commit: ScreenCommit
        let screen: ScreenName
        let expected: UInt64?
        let lifetime: ScreenLifetime
        let note: RevisionNote
        let number = WriteNumber.random()

        /// The revision at which the commit removes the screen; `nil` for another commit.
        var removed: UInt64? { commit == .removeScreen ? expected : nil }
    }

    private func perform(
        _ write: CommitWrite, _ attempts: inout Attempts
    ) async throws(StoreError) -> UInt64 {
        let screen = write.screen
        var found = Found(screen: cache.screen(screen))
        if write.expected == nil, write.commit.createsScreen, cache.server != nil {
            // A screen that is there is found by the batch.
            found.screen = nil
        } else if found.screen?.record.version.revision != write.expected || cache.server == nil {
            found = try await find(screen)
        }
        var space = SpaceSearch()
        while true {
            if let outcome = outcome(of: write, found, mayBeDone: attempts.mayBeDone) {
                if attempts.mayBeDone { commitsSentAgain.count(outcome) }
                if case .done = outcome, attempts.mayBeDone {
                    try await touch(screen, &attempts)
                }
                return try outcome.revision(of: screen)
            }
            guard let server = cache.server else { throw .unavailable("the store has not replied") }
            let restarts = cache.restarts
            guard found.screen?.restarts ?? restarts == restarts else {
                found = try await find(screen)
                continue
            }
            var context = context(found, server)
            guard let plan = try await plan(write, found, &context) else {
                found = try await findNewer(screen, than: found.screen, since: restarts)
                continue
            }
            try checkSize(of: plan)
            do throws(StoreError) {
                switch try await apply(plan.batch, &attempts) {
                case .applied:
                    if attempts.mayBeDone { commitsSentAgain.count(.done(plan.revision)) }
                    keep(plan, of: screen, write.lifetime, after: found.screen, since: restarts)
                    return plan.revision
                case .conflict(let reply):
                    found = try await accept(
                        reply, afterConflict: screen, beside: found.screen)
                }
            } catch .full(let reason) {
                attempts.fullReason = reason
                guard try await makeSpace(for: screen, &space) else { throw .full(reason) }
                found = try await find(screen)
            }
        }
    }

    /// Returns the outcome of a write that needs no batch; `nil` if it has to be planned.
    private func outcome(
        of write: CommitWrite, _ found: Found, mayBeDone: Bool
    ) -> CommitOutcome? {
        let record = found.screen?.record
        if mayBeDone,
            let done = record?.writes.first(where: { $0.number == write.number })
        {
            return .done(done.revision)
        }
        let current = record?.version.revision
        if current == write.expected, record != nil || write.commit.createsScreen { return nil }
        // All numbers since the expected revision are there, and this one is not among them.
        if mayBeDone, let record, let expected = write.expected,
            let oldest = record.writes.last, oldest.revision <= expected
        {
            return .conflict(current: current)
        }
        return CommitOutcome(
            unclear: current, removing: write.removed, mayBeDone: mayBeDone)
    }

    /// Plans a commit, and reads what it lacks; returns `nil` if the record is not current any
    /// more.
    private func plan(
        _ write: CommitWrite, _ found: Found, _ context: inout PlanContext
    ) async throws(StoreError) -> CommitPlan? {
        while true {
            do throws(MissingObjects) {
                return try CommitPlanner.plan(
                    write.commit, as: write.note, number: write.number, lifetime: write.lifetime,
                    of: write.screen, from: found.screen?.record, in: context)
            } catch {
                guard try await supply(error, of: write.screen, to: &context.known) else {
                    return nil
                }
            }
        }
    }

    private func checkSize(of plan: CommitPlan) throws(StoreError) {
        let limits = backend.limits
        if let size = plan.record?.state.head.size.byteCount, size > limits.screenBytes {
            throw .tooLarge(byteCount: size, limit: limits.screenBytes)
        }
        guard limits.batchBytes < .max, plan.batch.byteCount > limits.batchBytes else { return }
        throw .tooLarge(byteCount: plan.batch.byteCount, limit: limits.batchBytes)
    }

    private func keep(
        _ plan: CommitPlan, of screen: ScreenName, _ lifetime: ScreenLifetime,
        after former: KnownScreen?, since restarts: UInt64
    ) {
        dropped.add(plan.droppedEvents)
        guard let record = plan.record else { return cache.remove(screen) }
        // The feed and its version are those of the plan: events that came meanwhile are found by
        // the conflict of the next append.
        var known = KnownScreen(
            record: record, feed: plan.feed,
            feedVersion: plan.batch.feed?.version ?? former?.feedVersion
                ?? record.version.revision,
            expires: former?.expires ?? false, restarts: restarts)
        switch lifetime {
        case .unchanged: break
        case .indefinite: known.expires = false
        case .seconds: known.expires = true
        }
        known.objects = plan.known
        known.objects.retain(for: record, known.feed)
        cache.keep(known, of: screen)
    }

    /// Writes what is there once more, so that this transaction waits for replicas, too.
    ///
    /// - Throws: ``StoreError/unavailable(_:)`` also if there is no space for it: the write that it
    ///   confirms was applied.
    func touch(_ screen: ScreenName, _ attempts: inout Attempts) async throws(StoreError) {
        while true {
            guard let server = cache.server else { return }
            let batch = StoreBatch(screen: screen, line: server.line, expecting: .unchecked)
            do throws(StoreError) {
                guard case .conflict(let reply) = try await apply(batch, &attempts) else { return }
                _ = try accept(reply, about: screen, beside: nil)
            } catch .full(let reason) {
                throw .unavailable(reason)
            }
        }
    }
}

extension ScreenStore {
    /// The attempts of one write.
    struct Attempts: Sendable {
        /// The end of the last one that may begin.
        let end: MonotonicInstant
        var hasBegun = false
        /// A Boolean value that indicates whether a batch was sent to which no reply came.
        var mayBeDone = false
        /// The reason why the backend had no space for the last batch; `nil` if it had.
        var fullReason: String?
    }

    /// Returns the attempts of a write that begins now: without an end if the backend has no server
    /// that they could wait for.
    func newAttempts() -> Attempts {
        Attempts(
            end: isShared ? StoreDeadline.end(of: timeout, from: clock.now) : .distantFuture)
    }

    /// Performs a write within the timeout of the store.
    func attempting<Value: Sendable>(
        _ write: (inout Attempts) async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        var attempts = newAttempts()
        guard isShared else { return try await write(&attempts) }
        let begun = attempts
        return try await StoreDeadline.binding(begun.end) { () async throws(StoreError) in
            var attempts = begun
            return try await write(&attempts)
        }
    }

    /// Applies a batch; while no reply comes it is sent again.
    func apply(
        _ batch: StoreBatch, _ attempts: inout Attempts
    ) async throws(StoreError) -> BatchOutcome {
        while true {
            guard !attempts.hasBegun || clock.now < attempts.end else {
                if attempts.mayBeDone { commitsSentAgain.count(.unknown) }
                if let reason = attempts.fullReason, !attempts.mayBeDone { throw .full(reason) }
                throw .unavailable(
                    attempts.mayBeDone
                        ? "it is not known whether a write to screen \(batch.screen) was applied"
                        : "other writes kept one to screen \(batch.screen) from being applied")
            }
            attempts.hasBegun = true
            do throws(StoreError) {
                return try await backend.apply(batch)
            } catch .unknown {
                attempts.mayBeDone = true
            }
        }
    }
}
