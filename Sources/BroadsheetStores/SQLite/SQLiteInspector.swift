import CSQLite
import Dispatch
import Glibc

/// A background inspection that reads all screens once after the start, so that damage is reported
/// before a client requests the damaged screen.
///
/// It reads screen by screen in short transactions, because a long one would prevent checkpoints,
/// and pauses most of the time. Its thread has the lowest priority, so that a screen may take
/// minutes on a busy machine: it can be stopped before each page.
struct SQLiteInspector {
    /// The number of names that are read at once.
    static let namesPerPiece = 32

    private let reader: SQLiteReadWorker
    private let context: SQLiteStoreContext
    private let stop: DispatchSemaphore

    /// Opens a connection; a signal to `stop` ends the inspection early.
    init(_ context: SQLiteStoreContext, until stop: DispatchSemaphore) throws(SQLiteFailure) {
        reader = try SQLiteReadWorker(context)
        self.context = context
        self.stop = stop
    }

    /// Inspects all screens and reports the result.
    func inspect() {
        // On Linux a nice value belongs to a thread.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
        var after: ScreenName?
        var damaged = 0
        var total = 0
        do throws(SQLiteFailure) {
            while true {
                let start = DispatchTime.now()
                let names = try reader.screens(after: after, limit: Self.namesPerPiece)
                guard let last = names.last?.name else { break }
                damaged += names.count { !isIntact($0.name) }
                total += names.count
                after = last
                if isStopped(within: .now() + pause(since: start)) { return }
            }
            context.report(.inspected(screens: total, damaged: damaged))
        } catch {
            context.health.record(error)
        }
    }

    private func isIntact(_ screen: ScreenName) -> Bool {
        do throws(SQLiteFailure) {
            try reader.verify(screen) { () throws(SQLiteFailure) in
                if isStopped(within: .now()) { throw .stopped }
            }
            return true
        } catch {
            if error == .stopped { return true }
            context.health.record(error)
            // A lock is not damage.
            if case .corrupt = error.storeError { return false }
            return true
        }
    }

    /// Returns the length of the pause, which is in proportion to the work since `start`.
    private func pause(since start: DispatchTime) -> DispatchTimeInterval {
        let worked = DispatchTime.now().uptimeNanoseconds &- start.uptimeNanoseconds
        let pause = Int(clamping: worked).multipliedReportingOverflow(
            by: context.options.inspectionPauseFactor)
        return .nanoseconds(pause.overflow ? .max : pause.partialValue)
    }

    /// Waits for the stop of the inspection, and returns whether it has been stopped.
    private func isStopped(within limit: DispatchTime) -> Bool {
        guard stop.wait(timeout: limit) == .success else { return false }
        // The next call finds it, too.
        stop.signal()
        return true
    }
}

extension SQLiteFailure {
    /// The end of an inspection before all pages were read.
    fileprivate static let stopped = SQLiteFailure(
        code: SQLITE_INTERRUPT, message: "the inspection was stopped")
}
