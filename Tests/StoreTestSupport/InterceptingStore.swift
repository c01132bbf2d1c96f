package import BroadsheetStores
import Synchronization

/// A store that passes its calls to another store and lets a test fail, hold, or precede them.
package final class InterceptingStore: ScreenStore {
    /// A call that is about to be passed on.
    package enum Call: Hashable, Sendable {
        case load(ScreenName, unlessAt: UInt64?)
        case page(Int?, of: ScreenName)
        case commit(ScreenCommit, to: ScreenName, expecting: UInt64?)
        case screens(after: ScreenName?, limit: Int)
        case checkReadiness
        case checkWrites(ofBytes: Int)
    }

    /// A function that is called before each call is passed to the store that is its second
    /// argument; the error it throws is thrown to the caller instead.
    package typealias Interceptor =
        @Sendable (Call, any ScreenStore) async throws(StoreError) -> Void

    private struct State {
        var base: any ScreenStore
        var interceptor: Interceptor?
        var failure: StoreError?
        var observer: StoreInvalidation.Handler?
        var calls: [Call] = []
        var bytesRead = 0
        var isPaused = false
        var heldLoads: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>
    private let ownIdentity: StoreIdentity?

    /// Creates a store in front of `base`, whose identity it has unless it has its own.
    package init(
        _ base: any ScreenStore = MemoryStore(), identity: StoreIdentity? = nil,
        interceptor: Interceptor? = nil
    ) {
        state = Mutex(State(base: base, interceptor: interceptor))
        ownIdentity = identity
    }

    /// Creates a store in memory to which another daemon writes just before each of the first
    /// `count` commits.
    package static func contested(times count: Int) -> InterceptingStore {
        let remaining = Mutex(count)
        return InterceptingStore { call, base throws(StoreError) in
            guard case .commit(_, let screen, let expected) = call else { return }
            let number = remaining.withLock { remaining in
                remaining -= 1
                return remaining
            }
            guard number >= 0 else { return }
            let bytes = Array(#"{"sections":[]}"#.utf8)
            _ = try await base.commit(
                .put(page: 1000 + number, bytes: bytes), to: screen, expecting: expected)
        }
    }

    /// The store that calls are passed to.
    package var base: any ScreenStore { state.withLock { $0.base } }

    /// The calls so far, except of `identity` and `close`.
    package var calls: [Call] { state.withLock { $0.calls } }

    /// The number of bytes of pages that were read so far.
    package var bytesRead: Int { state.withLock { $0.bytesRead } }

    /// Makes every call except `identity` and `close` throw an error, or none if it is `nil`.
    package func fail(with error: StoreError?) { state.withLock { $0.failure = error } }

    /// Delivers an invalidation to the observer.
    package func notify(_ invalidation: StoreInvalidation) {
        state.withLock { $0.observer }?(invalidation)
    }

    /// Replaces the store that calls are passed to and delivers ``StoreInvalidation/restarted``.
    package func restart(with base: any ScreenStore) {
        state.withLock { $0.base = base }
        notify(.restarted)
    }

    /// Holds each load until ``resume()``.
    package func pause() { state.withLock { $0.isPaused = true } }

    /// A Boolean value that indicates whether a load is held.
    package var isHolding: Bool { state.withLock { !$0.heldLoads.isEmpty } }

    /// Passes on the loads that are held, and those that follow.
    package func resume() {
        let held = state.withLock { state in
            defer { state.heldLoads = [] }
            state.isPaused = false
            return state.heldLoads
        }
        for load in held { load.resume() }
    }

    package func observeInvalidations(_ handler: @escaping StoreInvalidation.Handler) {
        state.withLock { $0.observer = handler }
        base.observeInvalidations(handler)
    }

    package func identity() async throws(StoreError) -> StoreIdentity {
        if let ownIdentity { return ownIdentity }
        return try await base.identity()
    }

    package func load(
        _ screen: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart,
        within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        try await intercept(.load(screen, unlessAt: revision))
        await hold()
        let found = try await base.load(screen, unlessAt: revision, part, within: limits)
        if case .screen(let stored) = found { count(stored.pages.map(\.bytes.count)) }
        return found
    }

    package func page(
        _ number: Int?, of screen: ScreenName, atMost byteCount: Int?
    ) async throws(StoreError) -> PageLoad? {
        try await intercept(.page(number, of: screen))
        let found = try await base.page(number, of: screen, atMost: byteCount)
        count(found?.bytes.map { [$0.count] } ?? [])
        return found
    }

    private func count(_ bytes: [Int]) {
        state.withLock { $0.bytesRead += bytes.reduce(0, +) }
    }

    package func commit(
        _ change: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        try await intercept(.commit(change, to: screen, expecting: expected))
        return try await base.commit(change, to: screen, expecting: expected, lifetime: lifetime)
    }

    package func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        try await intercept(.screens(after: name, limit: limit))
        return try await base.screens(after: name, prefix: prefix, limit: limit)
    }

    package var transactionCount: UInt64? { base.transactionCount }

    package func checkReadiness() async throws(StoreError) {
        try await intercept(.checkReadiness)
        try await base.checkReadiness()
    }

    package func checkWrites(ofBytes byteCount: Int) async throws(StoreError) {
        try await intercept(.checkWrites(ofBytes: byteCount))
        try await base.checkWrites(ofBytes: byteCount)
    }

    package func close() async { await base.close() }

    private func intercept(_ call: Call) async throws(StoreError) {
        let (failure, interceptor) = state.withLock { state in
            state.calls.append(call)
            return (state.failure, state.interceptor)
        }
        if let failure { throw failure }
        try await interceptor?(call, base)
    }

    private func hold() async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.isPaused { state.heldLoads.append(continuation) }
                return state.isPaused
            }
            if !isHeld { continuation.resume() }
        }
    }
}
