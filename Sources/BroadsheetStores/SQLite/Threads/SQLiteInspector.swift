internal import Dispatch
internal import Glibc

/// The thread that reads everything once after the start, so that damage is known before anybody
/// asks for what is damaged.
///
/// It reads as the reading thread does, screen by screen, each in a short transaction (a long one
/// would keep the write-ahead log from being folded), and leaves most of the time to others.
struct SQLiteInspector {
    /// How many names are fetched at once.
    static let namesPerPiece = 32

    private let reader: SQLiteReader
    private let shared: SQLiteShared
    private let isOver: DispatchSemaphore

    /// Opens a connection of its own; a signal to `isOver` ends the inspection early.
    init(_ shared: SQLiteShared, until isOver: DispatchSemaphore) throws(SQLiteFailure) {
        reader = try SQLiteReader(shared)
        self.shared = shared
        self.isOver = isOver
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
                if rest(since: start) { return }
            }
            shared.tell(.inspected(screens: total, damaged: damaged))
        } catch {
            shared.health.note(error)
        }
    }

    private func isIntact(_ screen: ScreenName) -> Bool {
        do throws(SQLiteFailure) {
            _ = try reader.screen(screen)
            return true
        } catch {
            shared.health.note(error)
            // A lock is no damage.
            if case .corrupt = error.storeError { return false }
            return true
        }
    }

    /// Rests in proportion to the work since `start`; answers whether it is over.
    private func rest(since start: DispatchTime) -> Bool {
        let worked = DispatchTime.now().uptimeNanoseconds &- start.uptimeNanoseconds
        let pause = Int(clamping: worked).multipliedReportingOverflow(
            by: shared.options.inspectionRest)
        let nanoseconds = pause.overflow ? Int.max : pause.partialValue
        return isOver.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success
    }
}
