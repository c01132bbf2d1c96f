import BroadsheetIO

/// The earlier revisions of the screens of a store in memory, as a value.
struct MemoryHistory: Sendable {
    /// The history of a screen.
    private struct Screen: Sendable {
        /// The number of the screen among all that there were.
        let creation: Int64
        /// The oldest revision that is kept.
        var first: UInt64
        /// The record of the oldest revision; `nil` for one that was written before.
        var firstRecord: RevisionRecord?
        /// The records of the revisions after that, each with the state before it.
        var records = FIFO<RevisionRecord>()
        /// The number of bytes of earlier pages.
        var byteCount = 0
    }

    /// The bounds of each screen.
    let bounds: HistoryBounds
    /// The maximum number of bytes of all screens together.
    let limit: Int
    private var screens: [ScreenName: Screen] = [:]
    /// The revisions in the order of their writes, with some that were dropped.
    private var order = FIFO<(screen: ScreenName, creation: Int64, revision: UInt64)>()
    private var lastCreation: Int64 = 0
    /// The number of earlier revisions of all screens.
    private var count = 0
    /// The number of dropped revisions that the order may have besides as many as it has others.
    private static let maxDropped = 64
    /// The number of bytes of all earlier pages, and the estimated size of all records.
    private(set) var byteCount = 0

    /// The estimated sizes of a record, and of what it has of each page without the bytes.
    private static let (recordByteCount, pageByteCount) = (64, 32)

    /// Creates a history without revisions.
    init(bounds: HistoryBounds, limit: Int) {
        self.bounds = bounds
        self.limit = limit
    }

    /// Records a revision.
    ///
    /// - Parameters:
    ///   - after: The screen after the commit.
    ///   - former: The state before it; `nil` for a new screen.
    ///   - commit: The commit.
    ///   - note: The facts about it.
    ///   - name: The name of the screen.
    ///   - now: The time, in milliseconds since 1970.
    mutating func record(
        _ after: StoredScreen, before former: FormerState?, _ change: (ScreenCommit, RevisionNote),
        of name: ScreenName, at now: Int64
    ) {
        guard !bounds.isNone else { return }
        let before = former?.head.revision ?? after.revision
        // Taken out, so that its records are changed in place.
        var screen = screens.removeValue(forKey: name) ?? makeScreen(at: before)
        var record = RevisionRecord(
            creation: screen.creation, revision: after.revision, before: before,
            note: change.1, pageCount: after.pages.count)
        record.note.at = record.note.at ?? now
        record.note.forwarded = []
        record.setPages(after.changes(by: change.0, since: former))
        if former == nil || record.revision == before {
            screen.firstRecord = record
        } else {
            record.former = former
            screen.records.append(record)
            screen.byteCount += record.byteCount
            byteCount += Self.size(of: record)
            order.append((name, screen.creation, record.revision))
            count += 1
        }
        screens[name] = screen
        prune(name, beside: after.head.size.byteCount, at: now)
        shrink(to: limit)
        if order.count > 2 * count + Self.maxDropped { compact() }
    }

    /// Removes the dropped revisions from the order of all.
    private mutating func compact() {
        var rest = FIFO<(screen: ScreenName, creation: Int64, revision: UInt64)>()
        while let next = order.popFirst() {
            guard let screen = screens[next.screen], screen.creation == next.creation,
                screen.first < next.revision
            else { continue }
            rest.append(next)
        }
        order = rest
    }

    private mutating func makeScreen(at revision: UInt64) -> Screen {
        lastCreation += 1
        return Screen(creation: lastCreation, first: revision)
    }

    /// Drops the revisions of a screen that are beyond its bounds.
    mutating func prune(_ name: ScreenName, beside currentBytes: Int, at now: Int64) {
        guard var screen = screens.removeValue(forKey: name) else { return }
        let (cutoff, most) = (bounds.cutoff(at: now), bounds.maxBytes(beside: currentBytes))
        while let oldest = screen.records.first,
            screen.records.count > bounds.maxRevisions || screen.byteCount > most
                || oldest.note.at ?? now <= cutoff
        {
            drop(oldest, of: &screen)
        }
        screens[name] = screen
    }

    /// Drops the revisions of any screen that are too old.
    ///
    /// - Complexity: O(1), besides the revisions that are dropped or were dropped before.
    mutating func pruneAll(at now: Int64) {
        let cutoff = bounds.cutoff(at: now)
        while let next = order.first {
            if screens[next.screen]?.creation == next.creation,
                let oldest = screens[next.screen]?.records.first, oldest.revision <= next.revision
            {
                guard oldest.note.at ?? now <= cutoff,
                    var screen = screens.removeValue(forKey: next.screen)
                else { return }
                drop(oldest, of: &screen)
                screens[next.screen] = screen
            } else {
                _ = order.popFirst()
            }
        }
    }

    /// Drops the oldest revisions of any screen until the others are within a limit.
    mutating func shrink(to limit: Int) {
        while byteCount > limit, let next = order.popFirst() {
            guard screens[next.screen]?.creation == next.creation,
                var screen = screens.removeValue(forKey: next.screen)
            else { continue }
            while let oldest = screen.records.first, oldest.revision <= next.revision {
                drop(oldest, of: &screen)
            }
            screens[next.screen] = screen
        }
    }

    /// Returns the size of a record with its pages, in bytes.
    private static func size(of record: RevisionRecord) -> Int {
        let count = record.former?.pages.count ?? 0
        return record.byteCount + recordByteCount + count * pageByteCount
    }

    private mutating func drop(_ oldest: RevisionRecord, of screen: inout Screen) {
        _ = screen.records.popFirst()
        screen.byteCount -= oldest.byteCount
        byteCount -= Self.size(of: oldest)
        count -= 1
        screen.first = oldest.revision
        screen.firstRecord = oldest.withoutFormer
    }

    /// Drops all earlier revisions of a screen.
    mutating func removeRevisions(of name: ScreenName) {
        guard var screen = screens.removeValue(forKey: name) else { return }
        while let oldest = screen.records.first { drop(oldest, of: &screen) }
        screens[name] = screen
    }

    /// Forgets a screen that was removed.
    mutating func removeScreen(_ name: ScreenName) {
        removeRevisions(of: name)
        screens[name] = nil
    }

    /// Returns a screen as it was at a revision, or `nil` if that is not kept.
    ///
    /// - Complexity: O(pages), and O(1) for each page that was changed since.
    func screen(_ current: StoredScreen, _ name: ScreenName, at revision: UInt64) -> StoredScreen? {
        guard revision != current.revision else { return current }
        guard let screen = screens[name], revision >= screen.first, revision < current.revision
        else { return nil }
        var state = Rewind(head: current.head, treeFloor: current.history.floor)
        for position in (0..<screen.records.count).reversed() {
            guard state.head.revision > revision else { break }
            guard let record = screen.records[position], state.undo(record) else { return nil }
        }
        return state.head.revision == revision ? current.rewound(to: state) : nil
    }

    /// Returns the list of the revisions of a screen.
    func list(
        of current: StoredScreen, _ name: ScreenName, before revision: UInt64?, limit: Int
    ) -> RevisionList {
        guard let screen = screens[name] else {
            let isListed = revision.map { $0 > current.revision } ?? true
            let only = RevisionEntry(revision: current.revision, pageCount: current.pages.count)
            return RevisionList(
                revision: current.revision, first: current.revision,
                entries: isListed && limit > 0 ? [only] : [])
        }
        var entries: [RevisionEntry] = []
        for position in (0..<screen.records.count).reversed() where entries.count < limit {
            guard let record = screen.records[position], record.revision < revision ?? .max else {
                continue
            }
            entries.append(record.entry)
        }
        if entries.count < limit, screen.first < revision ?? .max {
            let pages = screen.records.first?.former?.head.size.pageCount ?? current.pages.count
            entries.append(
                screen.firstRecord?.entry
                    ?? RevisionEntry(revision: screen.first, pageCount: pages))
        }
        return RevisionList(revision: current.revision, first: screen.first, entries: entries)
    }
}

extension StoredScreen {
    /// Returns the pages that a commit has stored or removed; this is the screen after it.
    fileprivate func changes(
        by commit: ScreenCommit, since former: FormerState?
    ) -> [RevisionEntry.PageChange] {
        let stored = commit.storedPages.map {
            RevisionEntry.PageChange(number: $0.number, byteCount: $0.bytes.count)
        }
        let removed = (former?.pages ?? []).filter {
            $0.replaced != nil && page($0.number) == nil
        }
        return stored + removed.map { RevisionEntry.PageChange(number: $0.number, byteCount: nil) }
    }
}
