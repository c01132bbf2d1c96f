import Foundation
import Synchronization

/// What clients know of their writes: which were acknowledged, which were refused, and of which
/// nobody said what became of them.
///
/// A page has one writer, which repeats a write until it is acknowledged. So what is stored is the
/// last acknowledged write of it, or else one that was begun since and not refused.
final class WriteLedger: Sendable {
    /// One page of one screen.
    struct Place: Hashable {
        let screen: String
        let page: Int

        var path: String { "/v1/screens/\(screen)/pages/\(page)" }
    }

    /// What a client was told of a write.
    enum Fate: Equatable {
        /// It is stored, as that revision of the screen.
        case acknowledged(Int)
        /// Nothing was changed.
        case refused
        /// It is stored, or it is not.
        case doubtful
    }

    /// How many writes met which fate.
    struct Tally {
        var acknowledged = 0
        var refused = 0
        var doubtful = 0

        /// How many were answered 503, or met the end of their connection.
        var failed: Int { refused + doubtful }
    }

    private struct Books {
        var acknowledged: [Place: [UInt8]] = [:]
        var underWay: [Place: [UInt8]] = [:]
        var doubtful: [Place: Set<[UInt8]>] = [:]
        var revisions: [String: Int] = [:]
        var tally = Tally()
        var faults: [String] = []
    }

    private let books = Mutex(Books())
    private let changed = NSCondition()

    /// Every place that a write was begun for.
    var places: [Place] {
        books.withLock {
            Set($0.acknowledged.keys).union($0.underWay.keys).union($0.doubtful.keys)
                .sorted { ($0.screen, $0.page) < ($1.screen, $1.page) }
        }
    }

    /// The highest revision that was acknowledged of each screen.
    var revisions: [String: Int] { books.withLock { $0.revisions } }

    /// How many writes met which fate since the beginning.
    var tally: Tally { books.withLock { $0.tally } }

    /// What no daemon may ever answer, in words.
    var faults: [String] { books.withLock { $0.faults } }

    /// What was acknowledged last, of some place that any write of was.
    func anyAcknowledged() -> (place: Place, bytes: [UInt8])? {
        books.withLock { $0.acknowledged.randomElement().map { ($0.key, $0.value) } }
    }

    /// Whether the place may hold `stored`, nil being nothing.
    func allows(_ stored: [UInt8]?, at place: Place) -> Bool {
        books.withLock { books in
            if stored == books.acknowledged[place] { return true }
            guard let stored else { return false }
            return stored == books.underWay[place]
                || books.doubtful[place]?.contains(stored) == true
        }
    }

    /// A write is about to be sent.
    func begin(_ bytes: [UInt8], at place: Place) {
        books.withLock { $0.underWay[place] = bytes }
    }

    /// The client was told of the write under way.
    func note(_ fate: Fate, at place: Place) {
        change { books in
            guard let bytes = books.underWay.removeValue(forKey: place) else { return }
            switch fate {
            case .acknowledged(let revision):
                books.acknowledged[place] = bytes
                books.doubtful[place] = nil
                books.revisions[place.screen] = max(books.revisions[place.screen] ?? 0, revision)
                books.tally.acknowledged += 1
            case .refused: books.tally.refused += 1
            case .doubtful:
                books.doubtful[place, default: []].insert(bytes)
                books.tally.doubtful += 1
            }
        }
    }

    /// A daemon answered what it may not.
    func fault(_ words: String) {
        change { $0.faults.append(words) }
    }

    /// After a restart: what is stored at the place is `bytes`, whichever of all it was.
    func settle(_ place: Place, as bytes: [UInt8]?) {
        change { books in
            books.acknowledged[place] = bytes
            books.underWay[place] = nil
            books.doubtful[place] = nil
        }
    }

    /// Waits until so much has happened, or a fault has.
    func wait(until deadline: Deadline = .within(), for isEnough: (Tally) -> Bool) throws {
        changed.lock()
        defer { changed.unlock() }
        while !isEnough(tally), faults.isEmpty {
            guard changed.wait(until: Date(timeIntervalSinceNow: deadline.seconds)) else {
                throw HarnessError("waited in vain for writes; there are \(tally)")
            }
        }
    }

    private func change(_ body: (inout Books) -> Void) {
        changed.lock()
        books.withLock { body(&$0) }
        changed.broadcast()
        changed.unlock()
    }
}

extension WriteLedger.Tally {
    /// What has come since.
    static func - (later: Self, earlier: Self) -> Self {
        Self(
            acknowledged: later.acknowledged - earlier.acknowledged,
            refused: later.refused - earlier.refused,
            doubtful: later.doubtful - earlier.doubtful)
    }
}
