import BroadsheetIO
import BroadsheetStores
import Synchronization

/// A record of whether a page could be stored.
///
/// It is taken from the writes of clients, and from writes of its own that change no screen
/// (``ScreenStore/checkWrites(ofBytes:)``). Writes may fail while reads work: on a full disk, on a
/// server without memory, or without the rights. Each change of the record is logged once.
///
/// On a disk that is almost full small writes succeed and large ones do not, and a removal may
/// succeed while no page can be stored. Writes therefore count as failing until one succeeds that
/// is as large as the largest one that has failed since they began to fail; a removal counts as a
/// small page. Above ``maxCheckBytes`` one of that size is enough.
final class WriteStatus: Sendable {
    private struct State {
        /// The size that a write must have to show that writes succeed again, in bytes; `nil` while
        /// they succeed.
        var failing: Int?
        var isChecking = false
        /// The callers that wait for a check, and the size that each of them needs.
        var waiting: [(byteCount: Int, waiter: Waiter<StoreError?>)] = []

        /// Takes the callers that have the result of a check.
        mutating func takeWaiting(upTo byteCount: Int) -> [Waiter<StoreError?>] {
            defer { waiting.removeAll { $0.byteCount <= byteCount } }
            return waiting.filter { $0.byteCount <= byteCount }.map(\.waiter)
        }
    }

    /// The minimum size of a check, in bytes: that of a small page.
    static let usualCheckBytes = 4096
    static let maxCheckBytes = 1024 * 1024

    /// Returns the size that a write must have to show that one of `byteCount` bytes succeeds.
    private static func size(for byteCount: Int) -> Int {
        byteCount > 0 ? min(byteCount, maxCheckBytes) : usualCheckBytes
    }

    let store: ScreenStore
    private let gauge: Gauge
    private let log: Log
    private let state = Mutex(State())

    init(of store: ScreenStore, gauge: Gauge, log: Log) {
        self.store = store
        self.gauge = gauge
        self.log = log
        gauge.set(1)
    }

    func recordSuccess(ofBytes byteCount: Int) {
        let isEnd = state.withLock { state in
            guard let failing = state.failing, byteCount >= failing else { return false }
            state.failing = nil
            gauge.set(1)
            return true
        }
        guard isEnd else { return }
        log.write(LogRecord(.info, "writes to the store succeed again"))
    }

    /// Records that a write of `byteCount` bytes failed, other than by a conflict; of a removal, 0.
    ///
    /// A failure may concern a single screen, such as one that is damaged; writes then count as
    /// failing only if a check fails too. Writes that are too large for the store do not count.
    func recordFailure(_ error: StoreError, ofBytes byteCount: Int) async {
        if case .tooLarge = error { return }
        let size = Self.size(for: byteCount)
        let isKnown = state.withLock { state in
            state.failing = state.failing.map { max($0, size) }
            return state.failing != nil
        }
        guard !isKnown else { return }
        switch error {
        case .conflict, .tooLarge: break
        case .unavailable, .unknown: setFailing(error, size)
        case .full, .corrupt: _ = await check(ofBytes: size)
        }
    }

    /// Records that the store cannot serve requests, so that writes fail as well.
    func recordUnavailability(_ error: StoreError) { setFailing(error, Self.usualCheckBytes) }

    /// Checks whether writes succeed, and returns the error of one if they do not.
    ///
    /// Callers during a check share it if it is large enough, and the next one otherwise.
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
        Task { await performChecks(ofBytes: size) }
    }

    private func check(ofBytes byteCount: Int) async -> StoreError? {
        await Waiter.wait(orElse: .unavailable("the check was dropped")) { waiter in
            let isFirst = state.withLock { state in
                state.waiting.append((byteCount, waiter))
                defer { state.isChecking = true }
                return !state.isChecking
            }
            guard isFirst else { return }
            Task { await performChecks(ofBytes: byteCount) }
        }
    }

    /// Performs a check, and larger ones until all callers have their results.
    private func performChecks(ofBytes byteCount: Int) async {
        var next: Int? = byteCount
        while let size = next {
            let failure = await performCheck(ofBytes: size)
            // A larger write fails as well.
            let last = failure == nil ? size : .max
            let done = state.withLock { state in
                let done = state.takeWaiting(upTo: last)
                next = state.waiting.lazy.map(\.byteCount).max()
                state.isChecking = next != nil
                return done
            }
            for waiter in done { waiter.resume(failure) }
        }
    }

    private func performCheck(ofBytes byteCount: Int) async -> StoreError? {
        do throws(StoreError) {
            try await store.checkWrites(ofBytes: max(byteCount, Self.usualCheckBytes))
            recordSuccess(ofBytes: byteCount)
            return nil
        } catch {
            setFailing(error, byteCount)
            return error
        }
    }

    private func setFailing(_ error: StoreError, _ byteCount: Int) {
        let isStart = state.withLock { state in
            defer { state.failing = max(state.failing ?? byteCount, byteCount) }
            gauge.set(0)
            return state.failing == nil
        }
        guard isStart else { return }
        log.write(LogRecord(.error, "writes to the store fail", detail: error.reason))
    }
}
