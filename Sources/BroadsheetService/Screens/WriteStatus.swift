import BroadsheetStores
import Synchronization

/// A record of whether writes to the store succeed.
///
/// It is taken from the writes of clients, and from writes of its own that change no screen
/// (``ScreenStore/checkWrites(ofBytes:)``). Writes may fail while reads work: on a full disk, on a
/// server without memory, or without the rights. Each change of the record is logged once.
///
/// On a disk that is almost full small writes succeed and large ones do not. Writes therefore count
/// as failing until one succeeds that is as large as the smallest one that failed.
final class WriteStatus: Sendable {
    private struct State {
        /// The size of the smallest write that failed, in bytes; `nil` while writes succeed.
        var failing: Int?
        var isChecking = false
        /// The callers that wait for the check in progress.
        var waiting: [CheckedContinuation<StoreError?, Never>] = []
    }

    /// The size of a check while writes succeed, in bytes: that of a small page.
    static let usualCheckBytes = 4096
    /// The maximum size of a check, in bytes.
    static let maxCheckBytes = 1024 * 1024

    /// The store.
    let store: any ScreenStore
    private let gauge: Gauge
    private let log: Log
    private let state = Mutex(State())

    /// Creates the record of a store to which nothing was written yet.
    init(of store: any ScreenStore, gauge: Gauge, log: Log) {
        self.store = store
        self.gauge = gauge
        self.log = log
        gauge.set(1)
    }

    /// Records that a write of `byteCount` bytes succeeded.
    func recordSuccess(ofBytes byteCount: Int) {
        let isEnd = state.withLock { state in
            guard let failing = state.failing, byteCount >= min(failing, Self.maxCheckBytes) else {
                return false
            }
            state.failing = nil
            gauge.set(1)
            return true
        }
        guard isEnd else { return }
        log.write(LogRecord(.info, "writes to the store succeed again"))
    }

    /// Records that a write of `byteCount` bytes failed, other than by a conflict.
    ///
    /// A failure may concern a single screen, such as one that is too large for the store; writes
    /// then count as failing only if a check fails too.
    func recordFailure(_ error: StoreError, ofBytes byteCount: Int) async {
        let isKnown = state.withLock { state in
            state.failing = state.failing.map { min($0, byteCount) }
            return state.failing != nil
        }
        guard !isKnown else { return }
        switch error {
        case .conflict: break
        case .unavailable: setFailing(error, byteCount)
        case .full, .corrupt: _ = await check(ofBytes: byteCount)
        }
    }

    /// Checks whether writes succeed, and returns the error of one if they do not.
    ///
    /// Callers during a check share it.
    func check() async -> StoreError? {
        await check(ofBytes: state.withLock { $0.failing } ?? Self.usualCheckBytes)
    }

    /// Begins a check if writes count as failing and none is in progress.
    func beginCheckIfFailing() {
        let size: Int? = state.withLock { state in
            guard let failing = state.failing, !state.isChecking else { return nil }
            state.isChecking = true
            return failing
        }
        guard let size else { return }
        Task { await performCheck(ofBytes: min(size, Self.maxCheckBytes)) }
    }

    private func check(ofBytes byteCount: Int) async -> StoreError? {
        await withCheckedContinuation { continuation in
            let isFirst = state.withLock { state in
                state.waiting.append(continuation)
                defer { state.isChecking = true }
                return !state.isChecking
            }
            guard isFirst else { return }
            Task { await performCheck(ofBytes: min(byteCount, Self.maxCheckBytes)) }
        }
    }

    private func performCheck(ofBytes byteCount: Int) async {
        var failure: StoreError?
        do throws(StoreError) {
            try await store.checkWrites(ofBytes: byteCount)
            recordSuccess(ofBytes: byteCount)
        } catch {
            failure = error
            setFailing(error, byteCount)
        }
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isChecking = false
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: failure) }
    }

    private func setFailing(_ error: StoreError, _ byteCount: Int) {
        let isStart = state.withLock { state in
            defer { state.failing = min(state.failing ?? byteCount, byteCount) }
            gauge.set(0)
            return state.failing == nil
        }
        guard isStart else { return }
        log.write(LogRecord(.error, "writes to the store fail", detail: error.reason))
    }
}
