import Synchronization

/// What the clients of a cluster know, all of them together, of what they wrote and read.
final class ClusterLedger: Sendable {
    /// What some client knows of a screen, and so nobody may be told less of from then on.
    struct Knowledge: Sendable {
        /// The highest revision that a write was acknowledged with or a read was answered with.
        var revision = 0
        /// A page that is stored, and the note in it.
        var page: (number: Int, note: String)?
    }

    private struct Books {
        var acknowledged: [String: Set<String>] = [:]
        var doubtful: [String: Set<String>] = [:]
        var known: [String: Knowledge] = [:]
        var count = 0
        var reads = 0
        var stale: [String] = []
    }

    private let books = Mutex(Books())

    /// How many writes were acknowledged.
    var count: Int { books.withLock { $0.count } }
    /// How many reads were answered.
    var reads: Int { books.withLock { $0.reads } }
    /// How many writes nobody knows the fate of.
    var doubts: Int { books.withLock { $0.doubtful.values.reduce(0) { $0 + $1.count } } }
    /// Reads that were older than what was known when they began, in words.
    var stale: [String] { books.withLock { $0.stale } }

    /// The notes that must be stored in a screen, and those that may be.
    func notes(of screen: String) -> (sure: Set<String>, doubtful: Set<String>) {
        books.withLock { ($0.acknowledged[screen] ?? [], $0.doubtful[screen] ?? []) }
    }

    /// What is known of a screen at this moment.
    func known(of screen: String) -> Knowledge {
        books.withLock { $0.known[screen] ?? Knowledge() }
    }

    /// A write was acknowledged: the note is in that page.
    func acknowledge(_ note: String, in screen: String, page: Int, revision: Int) {
        books.withLock { books in
            books.acknowledged[screen, default: []].insert(note)
            books.known[screen, default: Knowledge()].raise(to: revision)
            books.known[screen]?.page = (page, note)
            books.count += 1
        }
    }

    /// A write was sent, and no daemon said what became of it.
    func doubt(_ note: String, in screen: String) {
        books.withLock { _ = $0.doubtful[screen, default: []].insert(note) }
    }

    /// A read that began when `known` was known was answered with `revision`, 0 for no screen.
    func read(_ screen: String, as way: ClusterRead, revision: Int, knowing known: Knowledge) {
        books.withLock { books in
            books.reads += 1
            books.known[screen, default: Knowledge()].raise(to: revision)
            guard revision < known.revision else { return }
            books.stale.append("\(way) of \(screen) at \(revision), after \(known.revision)")
        }
    }

    /// A read of a page that was known was answered with `note`, nil for no page.
    func read(_ screen: String, note: String?, knowing known: (number: Int, note: String)) {
        books.withLock { books in
            books.reads += 1
            guard note != known.note else { return }
            books.stale.append("page \(known.number) of \(screen) is \(note ?? "not there")")
        }
    }
}

extension ClusterLedger.Knowledge {
    fileprivate mutating func raise(to revision: Int) {
        self.revision = max(self.revision, revision)
    }
}
