import Synchronization

/// What writers know of their writes: which were acknowledged, and which are under way.
///
/// A page has one writer, so the last acknowledged write of it is what must be stored, or else one
/// that was under way when the daemon died.
final class WriteLedger: Sendable {
    /// One page of one screen.
    struct Place: Hashable {
        let screen: String
        let page: Int

        var path: String { "/v1/screens/\(screen)/pages/\(page)" }
    }

    private struct Books {
        var acknowledged: [Place: [UInt8]] = [:]
        var underWay: [Place: [UInt8]] = [:]
        var revisions: [String: Int] = [:]
        var count = 0
    }

    private let books = Mutex(Books())

    /// Every place that a write was begun for.
    var places: [Place] {
        books.withLock { Set($0.acknowledged.keys).union($0.underWay.keys) }
            .sorted { $0.path < $1.path }
    }

    /// The highest revision that was acknowledged of each screen.
    var revisions: [String: Int] { books.withLock { $0.revisions } }

    /// What the place must hold; nil when no write of it was acknowledged.
    func acknowledged(_ place: Place) -> [UInt8]? { books.withLock { $0.acknowledged[place] } }

    /// What the place may hold instead.
    func underWay(_ place: Place) -> [UInt8]? { books.withLock { $0.underWay[place] } }

    /// A write is about to be sent.
    func begin(_ bytes: [UInt8], at place: Place) {
        books.withLock { $0.underWay[place] = bytes }
    }

    /// The write under way was acknowledged as `revision`; how many were since the last settlement.
    func acknowledge(_ place: Place, revision: Int) -> Int {
        books.withLock { books in
            books.acknowledged[place] = books.underWay.removeValue(forKey: place)
            books.revisions[place.screen] = max(books.revisions[place.screen] ?? 0, revision)
            books.count += 1
            return books.count
        }
    }

    /// After a restart: what is stored at the place is `bytes`, whichever of the two it was.
    func settle(_ place: Place, as bytes: [UInt8]?) {
        books.withLock { books in
            books.acknowledged[place] = bytes
            books.underWay[place] = nil
            books.count = 0
        }
    }
}
