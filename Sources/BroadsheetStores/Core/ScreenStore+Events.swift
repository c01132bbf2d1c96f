extension ScreenStore {
    /// Stores events of a screen.
    public func append(
        _ events: [[UInt8]], to screen: ScreenName
    ) async throws(StoreError) -> Bool {
        let isThere = try await queues.append(events, to: screen) {
            (all: [[UInt8]]) async throws(StoreError) -> Bool in
            try await self.attempting { (attempts: inout Attempts) throws(StoreError) in
                try await self.performAppend(all, to: screen, &attempts)
            }
        }
        // The events are stored, whatever becomes of the shares.
        if memory != nil { _ = try? await shrinkToShares() }
        return isThere
    }

    private func performAppend(
        _ events: [[UInt8]], to screen: ScreenName, _ attempts: inout Attempts
    ) async throws(StoreError) -> Bool {
        let number = WriteNumber.random()
        var found = Found(screen: cache.screen(screen))
        if found.screen == nil { found = try await find(screen) }
        var space = SpaceSearch()
        var expected: FeedRecord?
        var expectedVersion = found.screen?.feedVersion
        while let known = found.screen {
            if attempts.mayBeDone {
                if known.feed?.writes.contains(number) ?? false {
                    try await touch(screen, &attempts)
                    return true
                }
                guard Self.isComplete(known, since: expectedVersion, expected) else {
                    throw Self.unknownAppend(to: screen)
                }
            }
            (expected, expectedVersion) = (known.feed, known.feedVersion)
            guard let server = cache.server else { throw .unavailable("the store has not replied") }
            let restarts = cache.restarts
            guard known.restarts == restarts else {
                found = try await find(screen)
                continue
            }
            var context = context(found, server)
            guard
                let plan = try await planFeed(
                    of: screen, &context,
                    { (context) throws(MissingObjects) in
                        try FeedPlanner.append(
                            events, number, to: screen, at: known.record.version.revision,
                            in: context)
                    })
            else {
                found = try await findNewer(screen, than: known, since: restarts)
                continue
            }
            do throws(StoreError) {
                switch try await apply(plan.batch, &attempts) {
                case .applied:
                    keepFeed(plan, of: screen, since: restarts)
                    return true
                case .conflict(let reply):
                    found = try await accept(reply, afterConflict: screen, beside: known)
                }
            } catch .full(let reason) {
                attempts.fullReason = reason
                guard try await makeSpace(for: screen, &space) else { throw .full(reason) }
                found = try await find(screen)
            }
        }
        guard attempts.mayBeDone else { return false }
        throw Self.unknownAppend(to: screen)
    }

    /// Returns whether the writes of a feed have all that followed an expected version.
    private static func isComplete(
        _ known: KnownScreen, since version: UInt64?, _ expected: FeedRecord?
    ) -> Bool {
        if known.feedVersion == version { return true }
        guard let feed = known.feed else { return false }
        if let expected {
            return feed.writes.contains { UInt64(bitPattern: $0.value) == expected.version }
        }
        return feed.base == version && feed.writes.count < ScreenRecord.maxWrites
    }

    private static func unknownAppend(to screen: ScreenName) -> StoreError {
        .unavailable("it is not known whether events of screen \(screen) were stored")
    }

    func planFeed(
        of screen: ScreenName, _ context: inout PlanContext,
        _ plan: (PlanContext) throws(MissingObjects) -> CommitPlan?
    ) async throws(StoreError) -> CommitPlan? {
        while true {
            do throws(MissingObjects) {
                return try plan(context)
            } catch {
                guard try await supply(error, of: screen, to: &context.known) else { return nil }
            }
        }
    }

    func keepFeed(_ plan: CommitPlan, of screen: ScreenName, since restarts: UInt64) {
        dropped.add(plan.droppedEvents)
        guard let write = plan.batch.feed, var known = cache.screen(screen),
            known.feedVersion == write.expected, known.restarts == restarts
        else { return }
        (known.feed, known.feedVersion) = (plan.feed, write.version)
        known.objects.eventLengths = plan.known.eventLengths
        cache.keep(known, of: screen)
    }
}
