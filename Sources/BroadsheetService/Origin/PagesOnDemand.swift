import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores
import Synchronization

/// The pages that requests need and the store does not have, which come from an origin.
///
/// A page is fetched once, however many requests need it, by a task that none of them owns; it is
/// stored as a PUT would store it, unless it is there already. Waiting requests hold no thread.
final class PagesOnDemand: Sendable {
    /// A page of a screen.
    struct Key: Sendable, Hashable {
        let screen: ScreenName
        let page: Int
    }

    /// A page that requests wait for together: those of one catalog, since it may be a page by
    /// their catalog and not by another one.
    struct SharedFetch: Sendable, Hashable {
        let key: Key
        let catalog: CatalogName?
        let isRefresh: Bool

        init(_ fetch: PageFetch) {
            key = fetch.key
            catalog = fetch.catalog.name
            isRefresh = fetch.isRefresh
        }
    }

    static let maxTries = 2
    /// The time for which a page that was fetched again is not fetched another time.
    static let refreshInterval = Duration.milliseconds(500)

    private struct State: Sendable {
        var running = 0
        var isClosed = false
        var onEnd: Waiter<Void>?
    }

    let configuration: ServiceConfiguration
    let screens: Screens
    let reader: PageReader
    let log: Log
    private let origin: any PageOrigin
    private let clock: TimeSource
    private let metrics: OriginMetrics
    private let slots: FetchSlots
    private let circuit: OriginCircuit
    private let absent: AbsentPages
    private let refreshed: AbsentPages
    private let fetches = SharedWork<SharedFetch, FetchResult>()
    private let state = Mutex(State())

    init(
        from origin: any PageOrigin, into screens: Screens, _ reader: PageReader,
        _ metrics: OriginMetrics, log: Log
    ) {
        self.origin = origin
        self.screens = screens
        self.reader = reader
        self.log = log
        configuration = screens.configuration
        clock = screens.clock
        self.metrics = metrics
        metrics.limit.set(Int64(configuration.origin.maxFetches))
        slots = FetchSlots(count: configuration.origin.maxFetches, sleep: screens.observers.sleep)
        circuit = OriginCircuit(rest: configuration.origin.rest, clock: clock)
        absent = AbsentPages(clock: clock)
        refreshed = AbsentPages(clock: clock, for: Self.refreshInterval)
    }

    /// Returns a stored screen with its pages up to `end`.
    ///
    /// - Parameters:
    ///   - end: The last page to read.
    ///   - need: The last page that is fetched if it is not stored.
    /// - Throws: The problem of the store or the origin; `SCREEN_NOT_FOUND` if neither has the
    ///   screen.
    func screen(
        _ screen: ScreenName, upTo end: ScreenPart.End, needing need: ScreenPart.End,
        for call: Call
    ) async throws(Problem) -> ScreenSnapshot {
        let deadline = clock.now.advanced(by: configuration.origin.timeout)
        if call.isRefresh { try await refresh(screen, upTo: end, until: deadline, call) }
        while true {
            let found = try await screens.current(
                screen, upTo: end, by: call.catalog, call.work)
            guard let page = need.page(missingIn: found) else {
                guard let found else { throw .screenNotFound(screen) }
                if configuration.origin.prefetches { prefetch(after: found, need, for: call) }
                return found
            }
            let key = Key(screen: screen, page: page)
            // A token may stand for many pages, all of which have expired.
            guard clock.now < deadline else {
                throw Problem(.timeout, of: key, configuration.origin.timeout)
            }
            guard
                try await fetch(PageFetch(key, for: call), releasing: call.work.memory) != .notFound
            else {
                throw need.problem(ofAbsent: page, in: screen, found)
            }
        }
    }

    /// Ends all fetches, also later ones, and returns when none is in progress.
    func close() async {
        state.withLock { $0.isClosed = true }
        await origin.close()
        await Waiter.wait { waiter in
            let isIdle = state.withLock { state in
                if state.running > 0 { state.onEnd = waiter }
                return state.running == 0
            }
            if isIdle { waiter.resume(()) }
        }
    }
}

// MARK: - Fetches

extension PagesOnDemand {
    /// The number of fetches in progress, those that wait included.
    var count: Int { state.withLock { $0.running } }

    var waitingCount: Int { slots.waitingCount }

    /// Returns once a page was fetched, by this request or by another one.
    private func fetch(
        _ fetch: PageFetch, releasing memory: MemoryReservation
    ) async throws(Problem) -> FetchResult {
        if absent.contains(fetch.key) { return .notFound }
        metrics.waiting.add(1)
        defer { metrics.waiting.add(-1) }
        return try await fetches.perform(SharedFetch(fetch), releasing: memory) {
            () async throws(Problem) in
            // Not a child of the request's task, with which it would be cancelled.
            let task = Task.detached { await self.run(fetch) }
            return try await task.value.get()
        }.value
    }

    /// Fetches the stored pages that a request is about again, as many as the time permits.
    ///
    /// What an origin does not have stays as it is.
    private func refresh(
        _ screen: ScreenName, upTo end: ScreenPart.End, until deadline: MonotonicInstant,
        _ call: Call
    ) async throws(Problem) {
        guard
            let model = try await screens.current(
                screen, upTo: end, by: call.catalog, call.work)?.model
        else { return }
        let highest = (try? PageExtent(end).highestPage(in: model)) ?? model.highestPage ?? 0
        let numbers = model.pages.map(\.number).prefix { $0 <= highest }
        for page in numbers where clock.now < deadline {
            let key = Key(screen: screen, page: page)
            guard !refreshed.contains(key) else { continue }
            refreshed.insert(key)
            _ = try await fetch(
                PageFetch(key, for: call, isRefresh: true), releasing: call.work.memory)
        }
    }

    /// Fetches the page after the one that a request has asked for, in the background, if that is
    /// the highest.
    private func prefetch(
        after found: ScreenSnapshot, _ need: ScreenPart.End, for call: Call
    ) {
        guard let highest = found.head.highestPage,
            let page = ScreenPart.End.after(highest).page(missingIn: found),
            (try? PageExtent(need).highestPage(in: found.model)) == highest
        else { return }
        let key = Key(screen: found.name, page: page)
        let fetch = PageFetch(key, for: call)
        guard !absent.contains(key), circuit.rest(of: SharedFetch(fetch)) == nil,
            fetches.waiterCount(for: SharedFetch(fetch)) == nil
        else { return }
        Task.detached { _ = try? await self.fetch(fetch, releasing: fetch.work.memory) }
    }

    /// Fetches a page; counts and logs the result.
    private func run(_ fetch: PageFetch) async -> Result<FetchResult, Problem> {
        guard begin() else { return .failure(Problem(.closed, of: fetch.key, .zero)) }
        defer { end() }
        let start = clock.now
        let result: Result<FetchResult, Problem>
        do throws(Problem) {
            result = .success(try await self.result(of: fetch, since: start))
        } catch {
            result = .failure(error)
        }
        let nanoseconds = clock.now.nanoseconds(since: start)
        metrics.count(result, nanoseconds: nanoseconds)
        if let record = LogRecord(result, of: fetch, nanoseconds: nanoseconds) { log.write(record) }
        return result
    }

    private func result(
        of fetch: PageFetch, since start: MonotonicInstant
    ) async throws(Problem) -> FetchResult {
        let key = fetch.key
        // Another fetch may have ended after the request had read the screen.
        let known = try await screens.page(key.page, of: key.screen)?.page
        if (known != nil) != fetch.isRefresh { return .unneeded }
        var fetch = fetch
        fetch.replaced = known?.revision
        try checkCircuit(of: fetch)
        guard await slots.acquire(atMost: configuration.origin.timeout) else {
            throw .tooManyFetches
        }
        let memory = MemoryReservation(in: screens.memory, for: .requests)
        let fetched: Result<OriginPage, OriginError>
        do {
            defer { slots.release() }
            // It may have begun to rest while this fetch waited.
            try checkCircuit(of: fetch)
            fetched = try await response(to: fetch, since: start, memory)
        }
        let result: Result<FetchResult, Problem>
        var isOriginIll = false
        switch fetched {
        case .success(let page): result = await stored(page, of: fetch)
        case .failure(.notFound):
            absent.insert(key)
            result = .success(.notFound)
        case .failure(let error):
            isOriginIll = error.isOfOrigin
            result = .failure(Problem(error, of: key, configuration.origin.timeout))
        }
        withExtendedLifetime(memory) { record(result, of: fetch, isOriginIll: isOriginIll) }
        return try result.get()
    }

    /// Requests a page, and once more after a failure that may be over.
    ///
    /// - Throws: `OVERLOADED` if the time is over because most of it was spent on waiting.
    private func response(
        to fetch: PageFetch, since start: MonotonicInstant, _ memory: MemoryReservation
    ) async throws(Problem) -> Result<OriginPage, OriginError> {
        let hasWaited = start.duration(to: clock.now) > configuration.origin.timeout / 2
        let deadline = start.advanced(by: configuration.origin.timeout)
        var result = Result<OriginPage, OriginError>.failure(.timeout)
        for number in 1...Self.maxTries {
            let rest = clock.now.duration(to: deadline)
            guard rest > .zero else { break }
            if number > 1 { metrics.retries.add() }
            memory.shrink(to: 0)
            let request = OriginRequest(
                fetch.key.page, of: fetch.key.screen, requestID: fetch.requestID.text,
                timeout: rest, (configuration.maxPageBytes, memory))
            do throws(OriginError) {
                let page = try await origin.page(request)
                metrics.bytes.add(bytes: page.bytes.count)
                return .success(page)
            } catch {
                result = .failure(error)
            }
            guard case .failure(.failed(let failure)) = result, failure.isTransient else { break }
        }
        if hasWaited, result.isTimeout { throw .tooManyFetches }
        return result
    }

    private func begin() -> Bool {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.running += 1 }
            return !state.isClosed
        }
        if isOpen { metrics.running.add(1) }
        return isOpen
    }

    private func end() {
        metrics.running.add(-1)
        let onEnd = state.withLock { state in
            state.running -= 1
            return state.running == 0 ? state.onEnd : nil
        }
        onEnd?.resume(())
    }
}

// MARK: - Rests

extension PagesOnDemand {
    private func checkCircuit(of fetch: PageFetch) throws(Problem) {
        guard let rest = circuit.rest(of: SharedFetch(fetch)) else { return }
        throw rest.isOfOrigin ? .originRests(rest.seconds) : .pageRests(fetch.key, rest.seconds)
    }

    private func record(
        _ result: Result<FetchResult, Problem>, of fetch: PageFetch, isOriginIll: Bool
    ) {
        var hadRested = false
        switch result {
        case .success: hadRested = circuit.recordSuccess(of: SharedFetch(fetch))
        case .failure where isOriginIll:
            guard circuit.recordFailure() else { return }
            metrics.resting.set(1)
            logRest("the origin rests", of: "requests")
        case .failure(let problem) where problem.code == .originFailed:
            let row = circuit.recordFailure(of: SharedFetch(fetch))
            hadRested = row.hadRested
            guard row.isResting else { break }
            let key = fetch.key
            logRest("a page rests", of: "requests for page \(key.page) of screen \(key.screen)")
        case .failure: break
        }
        guard hadRested else { return }
        metrics.resting.set(0)
        log.write(LogRecord(.info, "the origin responds again"))
    }

    private func logRest(_ message: String, of requests: String) {
        log.write(
            LogRecord(
                .warning, message,
                detail: "\(OriginCircuit.maxFailures) \(requests) or more in a row have failed; "
                    + "the next one is sent in \(configuration.origin.rest)"))
    }
}

/// A fetch, with the parts of the request that begins it that it needs.
struct PageFetch: Sendable {
    let key: PagesOnDemand.Key
    let requestID: RequestID
    let catalog: ActiveCatalog
    /// The access to the worker threads, in the turns of the request's client, with memory of its
    /// own: the request may end before the fetch.
    let work: Work
    /// A Boolean value that indicates whether the page is stored, and is replaced.
    let isRefresh: Bool
    /// The revision of the page that is replaced: not one that is written during the fetch.
    var replaced: UInt64?

    /// Creates a fetch for a request, of whose body nothing is kept.
    init(_ key: PagesOnDemand.Key, for call: Call, isRefresh: Bool = false) {
        self.key = key
        self.isRefresh = isRefresh
        requestID = call.requestID
        catalog = call.catalog
        work = call.work.withOwnMemory()
    }
}

/// The result of a fetch that has not failed.
enum FetchResult: String, Sendable, Hashable, CaseIterable {
    case stored
    /// Something else had stored the page, or removed the screen.
    case unneeded
    case notFound = "not_found"
}

extension ScreenPart.End {
    /// Returns the page to fetch so that a screen has its pages up to this end: the first one of a
    /// screen without pages, or the one after the highest, if that declares one; `nil` for none.
    ///
    /// - Parameter found: The screen with its stored pages up to the end.
    fileprivate func page(missingIn found: ScreenSnapshot?) -> Int? {
        guard let found, let highest = found.head.highestPage else { return 0 }
        guard case .after(let page) = self, highest <= page, highest < ServerStatePage.maxNumber,
            found.model.storedPage(highest)?.hasNext == true
        else { return nil }
        return highest + 1
    }

    /// Returns the problem of a request for this end of a screen whose next page does not exist.
    fileprivate func problem(
        ofAbsent page: Int, in screen: ScreenName, _ found: ScreenSnapshot?
    ) -> Problem {
        guard found != nil else { return .screenNotFound(screen) }
        if page > 0, case .after(let last) = self { return .pageNotLoaded(after: last) }
        return .pageNotFound(page, screen)
    }
}

extension Result<OriginPage, OriginError> {
    fileprivate var isTimeout: Bool {
        if case .failure(.timeout) = self { true } else { false }
    }
}
