import Dispatch
import Glibc

/// A background inspection that reads all screens once after the start, so that damage is reported
/// before a client requests the damaged screen.
///
/// It reads screen by screen in short transactions, because a long one would prevent checkpoints,
/// and pauses most of the time.
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
                if pauseAndCheckStop(since: start) { return }
            }
            context.report(.inspected(screens: total, damaged: damaged))
        } catch {
            context.health.record(error)
        }
    }

    private func isIntact(_ screen: ScreenName) -> Bool {
        do throws(SQLiteFailure) {
            try reader.verify(screen)
            return true
        } catch {
            context.health.record(error)
            // A lock is not damage.
            if case .corrupt = error.storeError { return false }
            return true
        }
    }

    /// Pauses in proportion to the work since `start`.
    ///
    /// - Returns: `true` if the inspection has been stopped.
    private func pauseAndCheckStop(since start: DispatchTime) -> Bool {
        let worked = DispatchTime.now().uptimeNanoseconds &- start.uptimeNanoseconds
        let pause = Int(clamping: worked).multipliedReportingOverflow(
            by: context.options.inspectionPauseFactor)
        let nanoseconds = pause.overflow ? Int.max : pause.partialValue
        return stop.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success
    }
}
