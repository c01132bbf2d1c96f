import BroadsheetIO
import Synchronization
import TestSupport

/// A counter for many threads.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func increment() {
        count.wrappingAdd(1, ordering: .relaxed)
    }
}

/// A handler that records every readiness.
final class ReadinessRecorder: ReadinessHandler, Sendable {
    let received = Recorder<Readiness>()
    private let whenReady: @Sendable () -> Void

    init(_ whenReady: @escaping @Sendable () -> Void = {}) { self.whenReady = whenReady }

    func becameReady(_ readiness: Readiness) {
        received.record(readiness)
        whenReady()
    }
}
