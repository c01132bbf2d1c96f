import Dispatch
import Glibc

/// The thread that reads everything once after the start, so that damage is known before anybody
/// asks for what is damaged.
///
/// It reads as the reading thread does, screen by screen, each in a short transaction (a long one
/// would keep the write-ahead log from being folded), and leaves most of the time to others.
struct SQLiteInspector {
    /// How many names are fetched at once.
    static let namesPerPiece = 32

    private let reader: SQLiteReader
    private let context: SQLiteStoreContext
    private let stop: DispatchSemaphore

    /// Opens a connection of its own; a signal to `stop` ends the inspection early.
    init(_ context: SQLiteStoreContext, until stop: DispatchSemaphore) throws(SQLiteFailure) {
        reader = try SQLiteReader(context)
        self.context = context
        self.stop = stop
    }

    /// Inspects all screens, and tells what came of it.
    func inspect() {
        // On Linux a nice value is a thread's own.
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
            _ = try reader.screen(screen)
            return true
        } catch {
            context.health.record(error)
            // A lock is no damage.
            if case .corrupt = error.storeError { return false }
            return true
        }
    }

    /// Rests in proportion to the work since `start`; answers whether it is over.
    private func pauseAndCheckStop(since start: DispatchTime) -> Bool {
        let worked = DispatchTime.now().uptimeNanoseconds &- start.uptimeNanoseconds
        let pause = Int(clamping: worked).multipliedReportingOverflow(
            by: context.options.inspectionPauseFactor)
        let nanoseconds = pause.overflow ? Int.max : pause.partialValue
        return stop.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success
    }
}
