package import BroadsheetStores
import Synchronization

/// A backend that passes its calls to another backend and lets a test fail, hold, or precede them.
package final class InterceptingBackend: StoreBackend {
    /// A call that is about to be passed on.
    package enum Call: Sendable {
        case records([ScreenName])
        case objects([ObjectKey], of: ScreenName)
        case apply(StoreBatch)
        case names(after: ScreenName?)
        case due
        case checkReadiness
        case checkWrites(ofBytes: Int)
        case reclaim
    }

    /// A function that is called before each call is passed to the backend of the store that is its
    /// second argument; the error it throws is thrown to the caller instead.
    package typealias Interceptor =
        @Sendable (Call, ScreenStore) async throws(StoreError) -> Void

    private struct State {
        var base: any StoreBackend
        var interceptor: Interceptor?
        var failure: StoreError?
        var observer: StoreInvalidation.Handler?
        var damaged: Set<ObjectKey> = []
        var calls: [Call] = []
        var bytesRead = 0
        /// The number of times that the base was replaced, which is added to its line.
        var restarts: UInt64 = 0
        var isClosed = false
        var paused: Pausable?
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// Creates a backend in front of `base`.
    package init(
        _ base: any StoreBackend = MemoryBackend(), interceptor: Interceptor? = nil
    ) {
        state = Mutex(State(base: base, interceptor: interceptor))
    }

    /// Creates a backend in memory to which another daemon writes just before each of the first
    /// `count` commits.
    package static func contested(
        times count: Int, _ base: any StoreBackend = MemoryBackend()
    ) -> InterceptingBackend {
        let remaining = Mutex(count)
        return InterceptingBackend(base) { call, other throws(StoreError) in
            guard case .apply(let batch) = call else { return }
            let number = remaining.withLock { remaining in
                remaining -= 1
                return remaining
            }
            guard number >= 0 else { return }
            let bytes = Array(#"{"sections":[]}"#.utf8)
            var expected: UInt64?
            if case .current(let version) = batch.expectation { expected = version.revision }
            _ = try await other.commit(
                .put(page: 1000 + number, bytes: bytes), to: batch.screen, expecting: expected)
        }
    }

    private var base: any StoreBackend { state.withLock { $0.base } }

    /// A store over the backend, which keeps no history and no feeds: another daemon each time.
    package var store: ScreenStore { ScreenStore(self, history: .none, feeds: .none) }

    /// A store whose calls are not intercepted: another daemon each time.
    package var other: ScreenStore { ScreenStore(base, history: .none, feeds: .none) }

    /// The calls so far, except of `identity` and `close`.
    package var calls: [Call] { state.withLock { $0.calls } }

    /// The number of batches that were to be applied so far.
    package var batchCount: Int {
        calls.count { if case .apply = $0 { true } else { false } }
    }

    /// A Boolean value that indicates whether writes were checked.
    package var hasCheckedWrites: Bool {
        calls.contains { if case .checkWrites = $0 { true } else { false } }
    }

    /// The number of bytes of pages that were read so far.
    package var bytesRead: Int { state.withLock { $0.bytesRead } }

    /// A Boolean value that indicates whether the backend was closed.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Makes every call except `identity` and `close` throw an error, or none if it is `nil`.
    package func fail(with error: StoreError?) { state.withLock { $0.failure = error } }

    /// Makes an object have another last byte for readers.
    package func damage(_ key: ObjectKey) { state.withLock { _ = $0.damaged.insert(key) } }

    /// Delivers an invalidation to the observer.
    package func notify(_ invalidation: StoreInvalidation) {
        state.withLock { $0.observer }?(invalidation)
    }

    /// Replaces the backend that calls are passed to by one of another line, and delivers
    /// ``StoreInvalidation/restarted``.
    package func restart(with base: any StoreBackend) {
        state.withLock { state in
            state.base = base
            state.restarts += 1
        }
        notify(.restarted)
    }

    /// The calls that can be held.
    package enum Pausable {
        /// The reads of records.
        case reads
        case reclaims
    }

    /// Holds each of some calls until ``resume()``.
    package func pause(_ calls: Pausable = .reads) { state.withLock { $0.paused = calls } }

    /// A Boolean value that indicates whether a call is held.
    package var isHolding: Bool { state.withLock { !$0.held.isEmpty } }

    /// Passes on the calls that are held, and those that follow.
    package func resume() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.paused = nil
            return state.held
        }
        for call in held { call.resume() }
    }

    private func intercept(_ call: Call) async throws(StoreError) {
        let (failure, interceptor) = state.withLock { state in
            state.calls.append(call)
            return (state.failure, state.interceptor)
        }
        if let failure { throw failure }
        if isClosed { throw .unavailable("the backend is closed") }
        try await interceptor?(call, other)
    }

    private func hold(_ calls: Pausable) async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.paused == calls { state.held.append(continuation) }
                return state.paused == calls
            }
            if !isHeld { continuation.resume() }
        }
    }

    /// Returns a reply with the line of this backend.
    private func ownLine(_ reply: RecordReply) -> RecordReply {
        var reply = reply
        reply.line += state.withLock { $0.restarts }
        return reply
    }
}

extension InterceptingBackend {
    package var limits: BackendLimits { base.limits }

    package var transactionCount: UInt64? { base.transactionCount }

    package func identity() async throws(StoreError) -> StoreIdentity {
        try await base.identity()
    }

    package func observe(_ handler: @escaping StoreInvalidation.Handler) {
        state.withLock { $0.observer = handler }
        base.observe(handler)
    }

    package func records(_ wanted: [RecordQuery]) async throws(StoreError) -> RecordReply {
        try await intercept(.records(wanted.map(\.screen)))
        await hold(.reads)
        return ownLine(try await base.records(wanted))
    }

    package func objects(
        _ keys: [ObjectKey], of screen: ScreenName, within byteCount: Int
    ) async throws(StoreError) -> [ObjectReply] {
        try await intercept(.objects(keys, of: screen))
        var replies = try await base.objects(keys, of: screen, within: byteCount)
        for (index, key) in keys.enumerated() {
            guard case .bytes(var bytes) = replies[index] else { continue }
            state.withLock { state in
                if key.isPage { state.bytesRead += bytes.count }
                if state.damaged.contains(key), let last = bytes.popLast() { bytes += [~last] }
            }
            replies[index] = .bytes(bytes)
        }
        return replies
    }

    package func apply(_ batch: StoreBatch) async throws(StoreError) -> BatchOutcome {
        try await intercept(.apply(batch))
        var passed = batch
        passed.line -= state.withLock { $0.restarts }
        switch try await base.apply(passed) {
        case .applied: return .applied
        case .conflict(let reply): return .conflict(ownLine(reply))
        }
    }

    package func names(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        try await intercept(.names(after: name))
        return try await base.names(after: name, prefix: prefix, limit: limit)
    }

    package func due(before time: Int64, limit: Int) async throws(StoreError) -> [ScreenName] {
        try await intercept(.due)
        return try await base.due(before: time, limit: limit)
    }

    package func weight() async throws(StoreError) -> Int { try await base.weight() }

    package func checkReadiness() async throws(StoreError) {
        try await intercept(.checkReadiness)
        try await base.checkReadiness()
    }

    package func checkWrites(ofBytes byteCount: Int) async throws(StoreError) {
        try await intercept(.checkWrites(ofBytes: byteCount))
        try await base.checkWrites(ofBytes: byteCount)
    }

    package func reclaim() async throws(StoreError) {
        try await intercept(.reclaim)
        await hold(.reclaims)
        try await base.reclaim()
    }

    package func close() async {
        state.withLock { $0.isClosed = true }
        await base.close()
    }
}

extension InterceptingBackend: CopyableBackend {
    private func copyable() throws(StoreError) -> any CopyableBackend {
        guard let copyable = base as? any CopyableBackend else {
            throw .unavailable("the base is not copied")
        }
        return copyable
    }

    package func isIncomplete() async throws(StoreError) -> Bool {
        try await copyable().isIncomplete()
    }

    package func setIdentity(_ identity: StoreIdentity?) async throws(StoreError) {
        try await copyable().setIdentity(identity)
    }
}

extension StoreBatch {
    /// The number of bytes of the pages that the batch stores.
    package var pageBytes: Int {
        puts.reduce(0) { $0 + ($1.key.isPage ? $1.bytes.count : 0) }
    }
}
