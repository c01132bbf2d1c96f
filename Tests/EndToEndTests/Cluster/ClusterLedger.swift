import Synchronization

/// What the clients of a cluster know of their writes.
final class ClusterLedger: Sendable {
    private struct Sight {
        let moment: ContinuousClock.Instant
        let revision: Int
    }

    private struct Books {
        var acknowledged: [String: Set<String>] = [:]
        var doubtful: [String: Set<String>] = [:]
        var sights: [String: [Sight]] = [:]
        var count = 0
        var stale: [String] = []
    }

    private let books = Mutex(Books())

    /// How many writes were acknowledged.
    var count: Int { books.withLock { $0.count } }
    /// How many writes nobody knows the fate of.
    var doubts: Int { books.withLock { $0.doubtful.values.reduce(0) { $0 + $1.count } } }
    /// Reads that were older than is promised, in words.
    var stale: [String] { books.withLock { $0.stale } }

    /// The notes that must be stored in a screen, and those that may be.
    func notes(of screen: String) -> (sure: Set<String>, doubtful: Set<String>) {
        books.withLock { ($0.acknowledged[screen] ?? [], $0.doubtful[screen] ?? []) }
    }

    /// A write was acknowledged.
    func acknowledge(_ note: String, in screen: String, revision: Int) {
        books.withLock { books in
            books.acknowledged[screen, default: []].insert(note)
            books.sights[screen, default: []].append(Sight(moment: .now, revision: revision))
            books.count += 1
        }
    }

    /// A write was sent, and no daemon said what became of it.
    func doubt(_ note: String, in screen: String) {
        books.withLock { _ = $0.doubtful[screen, default: []].insert(note) }
    }

    /// A read that began at `moment` was answered with `revision`: never older than what any client
    /// saw a second before it.
    func read(_ screen: String, at moment: ContinuousClock.Instant, revision: Int) {
        books.withLock { books in
            let seen =
                books.sights[screen, default: []]
                .filter { $0.moment + .seconds(1) <= moment }.map(\.revision).max() ?? 0
            if revision < seen { books.stale.append("\(screen) at \(revision), after \(seen)") }
        }
    }
}
