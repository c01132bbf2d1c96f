import Synchronization

/// The damage of earlier revisions that reads have found.
///
/// A revision with damage, and those before it, are not read any more while the process lives.
final class DamagedHistories: Sendable {
    /// The maximum number of histories; with more, all are read again.
    static let maxHistories = 10_000

    private let last = Mutex<[Int64: UInt64]>([:])

    /// Creates a record without damage.
    init() {}

    /// Records the last damaged revision of a history; returns `false` if it was known.
    @discardableResult
    func record(_ revision: UInt64, of creation: Int64) -> Bool {
        last.withLock { last in
            if let known = last[creation], known >= revision { return false }
            if last.count >= Self.maxHistories { last = [:] }
            last[creation] = revision
            return true
        }
    }

    /// Returns the last revision of a history that is known to be damaged; 0 for none.
    func last(of creation: Int64) -> UInt64 { last.withLock { $0[creation] ?? 0 } }
}
