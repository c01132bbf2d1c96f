import BroadsheetIO

extension ScreenStore {
    /// Forgets all earlier revisions of a screen; returns `false` if there is no such screen.
    public func removeRevisions(of screen: ScreenName) async throws(StoreError) -> Bool {
        try await forget(screen, everything: true)
    }

    /// Removes a screen that has expired, or forgets the earlier revisions that are beyond the
    /// bounds, or all; returns `false` if there is no such screen.
    @discardableResult
    func forget(
        _ screen: ScreenName, everything: Bool
    ) async throws(StoreError) -> Bool {
        var found = try await find(screen)
        while let plan = try await planForgetting(&found, screen, everything) {
            var attempts = newAttempts()
            switch try await apply(plan.batch, &attempts) {
            case .applied:
                cache.remove(screen)
                return plan.record != nil
            case .conflict(let reply):
                found = try await accept(
                    reply, afterConflict: screen, beside: found.screen)
            }
        }
        return found.screen != nil
    }

    private func planForgetting(
        _ found: inout Found, _ screen: ScreenName, _ everything: Bool
    ) async throws(StoreError) -> CommitPlan? {
        guard let server = cache.server else { return nil }
        var context = context(found, server)
        if let leftover = found.leftover {
            guard !everything else { return nil }
            return CommitPlanner.removal(of: screen, leftover, in: context, hasExpired: true)
        }
        while let known = found.screen {
            guard known.restarts == cache.restarts else {
                found = try await find(screen)
                context = self.context(found, cache.server ?? server)
                continue
            }
            do throws(MissingObjects) {
                return try ForgettingPlanner.forget(
                    everything: everything, of: screen, from: known.record, in: context)
            } catch {
                let restarts = cache.restarts
                if try await !supply(error, of: screen, to: &context.known) {
                    found = try await findNewer(screen, than: known, since: restarts)
                    context = self.context(found, cache.server ?? server)
                }
            }
        }
        return nil
    }

    /// The number of screens of a kind that a sweep takes at once; fixed.
    static let screensPerSweep = 1000

    /// Removes screens that have expired, and forgets revisions that are too old; returns the
    /// number of screens.
    @discardableResult
    package func sweep() async throws(StoreError) -> Int {
        let cutoff = bounds.history.cutoff(at: clock.unixMilliseconds)
        let due = try await backend.due(
            before: cutoff.addingReportingOverflow(1).partialValue, limit: Self.screensPerSweep)
        var expired = 0
        for screen in due.shuffled() {
            // A damaged screen does not keep the others.
            do throws(StoreError) {
                if try await !forget(screen, everything: false) { expired += 1 }
            } catch .corrupt {}
        }
        if expired > 0 { onEvent(.expired(expired)) }
        return due.count
    }

    /// Sweeps as long as a sweep finds as many screens as it takes, with a pause after each.
    func sweepAll(_ pause: () async throws -> Void) async throws {
        while try await sweep() >= Self.screensPerSweep { try await pause() }
    }

    /// The steps of a search for space.
    struct SpaceSearch {
        var hasTakenOwn = false
        var hasSwept = false
        var hasReclaimed = false
    }

    /// Frees space for a write: that of the history of its screen, then what has expired, then the
    /// history of any other screen, the oldest first, and then what the backend can reclaim.
    ///
    /// - Returns: `false` if there is nothing left to free.
    func makeSpace(
        for screen: ScreenName, _ search: inout SpaceSearch
    ) async throws(StoreError) -> Bool {
        if !search.hasTakenOwn {
            search.hasTakenOwn = true
            if try await hasHistory(screen) {
                return try await forget(screen, everything: true)
            }
        }
        if !search.hasSwept {
            search.hasSwept = true
            if try await sweep() > 0 { return true }
        }
        let found = try await backend.due(before: .max, limit: 1)
        // One that has expired goes with its history.
        for other in found {
            try await forget(other, everything: try await hasHistory(other))
        }
        if !found.isEmpty { return true }
        guard !search.hasReclaimed else { return false }
        search.hasReclaimed = true
        try await reclaim.perform()
        return true
    }

    private func hasHistory(_ screen: ScreenName) async throws(StoreError) -> Bool {
        try await find(screen).screen.map { !$0.record.runs.isEmpty } ?? false
    }

    /// Forgets histories and drops events of a store in memory that are beyond their shares.
    func shrinkToShares() async throws(StoreError) {
        guard let memory else { return }
        while memory.historyExcess > 0 {
            let found = try await backend.due(before: .max, limit: 1)
            guard !found.isEmpty else { break }
            for screen in found {
                try await forget(screen, everything: try await hasHistory(screen))
            }
        }
        while memory.feedExcess > 0, let (screen, weight) = memory.heaviestFeed, weight > 0 {
            let target = max(weight / 2, weight - memory.feedExcess)
            guard try await shrinkFeed(of: screen, to: target) else { return }
        }
    }

    private func shrinkFeed(
        of screen: ScreenName, to weight: Int
    ) async throws(StoreError) -> Bool {
        try await queues.perform(on: screen) { () throws(StoreError) in
            let found = try await find(screen)
            guard found.screen != nil, let server = cache.server else { return false }
            let restarts = cache.restarts
            var context = context(found, server)
            let plan = try await planFeed(
                of: screen, &context,
                { (context) throws(MissingObjects) in
                    try FeedPlanner.shrink(to: weight, .random(), of: screen, in: context)
                })
            guard let plan else { return false }
            var attempts = newAttempts()
            guard case .applied = try await apply(plan.batch, &attempts) else { return false }
            keepFeed(plan, of: screen, since: restarts)
            return true
        }
    }
}
