/// Decides when the write-ahead log is folded into the file, and by whom.
///
/// Folding copies every page that was written to its place in the file and flushes that, which takes
/// as long as many commits do. So another thread does it while the writer goes on
/// (``SQLiteCheckpointer``). What is written meanwhile stays behind, and the log starts from its
/// beginning again only when a commit finds nothing left to fold: so the writer folds that small rest
/// itself, once, when the other thread is done. Asking the other thread again would leave another
/// rest, and keep the disk busy with flushes that no write waits for but every write waits behind.
struct FoldingPlan: Hashable {
    /// What the writer does about the log.
    enum Step: Hashable {
        /// Nothing.
        case none
        /// Has the other thread fold what there is.
        case ask
        /// Folds the rest itself.
        case foldRest
    }

    private enum State: Hashable {
        /// The log is short.
        case short
        /// The other thread was asked when the log had so many pages.
        case asked(at: Int)
        /// The rest was folded when it had so many; a commit that still finds it long means that a
        /// reader is in the way.
        case folded(at: Int)
    }

    private let limit: Int
    private var state = State.short

    /// Plans for a log that should not grow beyond `limit` pages by much.
    init(limit: Int) { self.limit = limit }

    /// What is to be done after a transaction that left the log with so many pages.
    mutating func step(pages: Int, isOtherThreadIdle: Bool) -> Step {
        guard pages >= limit else {
            state = .short
            return .none
        }
        switch state {
        case .short:
            state = .asked(at: pages)
            return .ask
        // A thread that does not keep up is not waited for: folding holds the writes back.
        case .asked(let start) where isOtherThreadIdle || pages >= start + limit:
            state = .folded(at: pages)
            return .foldRest
        case .folded(let start) where pages >= start + limit:
            state = .asked(at: pages)
            return .ask
        case .asked, .folded: return .none
        }
    }
}
