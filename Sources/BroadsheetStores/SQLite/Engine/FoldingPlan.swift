/// Decides when the write-ahead log is folded into the file, and by whom.
///
/// Folding copies every page that was written to its place in the file and flushes that, which takes
/// as long as many commits do. So another thread does it while the writer goes on
/// (``SQLiteCheckpointer``). What is written meanwhile stays behind, and the log starts from its
/// beginning again only when a commit finds nothing left to fold: so the writer folds that small rest
/// itself, once, when the other thread is done. Asking the other thread again would leave another
/// rest, and keep the disk busy with flushes that no write waits for but every write waits behind.
///
/// A reader keeps in the log what came after it began. Where readings follow each other without a
/// pause there is always one in the way, so the second time the writer waits a moment for them.
struct FoldingPlan: Hashable {
    /// What the writer does about the log.
    enum Step: Hashable {
        /// Nothing.
        case none
        /// Has the other thread fold what there is.
        case ask
        /// Folds the rest itself, or else all that readers are in the way of when they are waited for.
        case foldRest(outwaitingReaders: Bool)
        /// Waits until the other thread is done, and folds the rest itself: that thread does not keep
        /// up, and only writes that wait keep the log from growing on.
        case catchUp
    }

    private enum State: Hashable {
        /// The log is short.
        case short
        /// The other thread was asked, for the first time or again, and is to be done before the log
        /// has so many pages.
        case asked(until: Int, isAgain: Bool)
        /// The rest was folded when it had so many; a commit that still finds it long means that a
        /// reader was in the way.
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
            state = .asked(until: 2 * limit, isAgain: false)
            return .ask
        case .asked(_, let isAgain) where isOtherThreadIdle:
            state = .folded(at: pages)
            return .foldRest(outwaitingReaders: isAgain)
        case .asked(let end, _) where pages >= end:
            state = .folded(at: pages)
            return .catchUp
        // A reader that is in no hurry costs a moment now and then.
        case .folded(let start) where pages >= start + limit / 2:
            state = .asked(until: pages + limit, isAgain: true)
            return .ask
        case .asked, .folded: return .none
        }
    }
}
