/// The oldest revisions of a record, while they are forgotten.
struct Forgetting {
    private(set) var record: ScreenRecord
    /// The objects that are known to end with earlier revisions.
    private(set) var known: [UInt64: EarlierGarbage]
    /// The revision that replaced the last kept one, if that is not the one of the record.
    var last: UInt64?
    private let begin: ScreenRecord
    private let context: PlanContext
    private var added: UInt64?

    init(_ record: ScreenRecord, _ known: [UInt64: EarlierGarbage], _ context: PlanContext) {
        self.record = record
        begin = record
        self.known = known
        self.context = context
    }

    /// Adds the revision that the present plan keeps.
    mutating func add(_ revision: UInt64, _ garbage: EarlierGarbage) {
        added = revision
        known[revision] = garbage
        if let run = record.runs.last, run.upperBound + 1 == revision {
            record.runs[record.runs.count - 1] = run.lowerBound...revision
        } else {
            record.runs.append(revision...revision)
        }
        record.keptBytes += garbage.byteCount
        if record.oldest == nil { record.oldest = garbage.replacedAt }
    }

    /// Forgets the oldest revisions beyond the bounds, or all of them, and returns the objects to
    /// delete.
    mutating func run(
        beside byteCount: Int, everything: Bool = false
    ) throws(MissingObjects) -> [ObjectKey] {
        var deletes: [ObjectKey] = []
        let bounds = context.bounds.history
        let (cutoff, mostBytes) = (
            bounds.cutoff(at: context.now), bounds.maxBytes(beside: byteCount)
        )
        var count = record.keptCount
        while count > 0,
            everything || bounds.isNone || record.runs.count > StoreBounds.maxRuns
                || count > UInt64(clamping: bounds.maxRevisions) || record.keptBytes > mostBytes
                || record.oldest ?? .max <= cutoff
        {
            try forgetOldest(&deletes)
            count -= 1
        }
        return deletes
    }

    private mutating func forgetOldest(_ deletes: inout [ObjectKey]) throws(MissingObjects) {
        guard let run = record.runs.first else { return }
        let oldest = run.lowerBound
        let garbage = try garbage(of: oldest)
        deletes += garbage.keys
        if oldest != added, let key = earlierKey(oldest) { deletes.append(key) }
        known[oldest] = nil
        record.keptBytes -= garbage.byteCount
        if oldest == run.upperBound {
            record.runs.removeFirst()
        } else {
            record.runs[0] = oldest + 1...run.upperBound
        }
        if record.runs.isEmpty { record.keptBytes = 0 }
        record.oldest = nil
        if let next = record.runs.first {
            record.oldest = try self.garbage(of: next.lowerBound).replacedAt
        }
    }

    private func earlierKey(_ revision: UInt64) -> ObjectKey? {
        // Of the runs before the present plan: of the added one, the next revision is not known.
        guard let key = begin.earlierKey(revision, last: last ?? added) else { return nil }
        return key
    }

    private func garbage(of revision: UInt64) throws(MissingObjects) -> EarlierGarbage {
        if let garbage = known[revision] { return garbage }
        var keys: [ObjectKey] = []
        for run in record.runs {
            for revision in run where known[revision] == nil {
                if let key = earlierKey(revision) { keys.append(key) }
                guard keys.count < Self.recordsRead else { throw MissingObjects(keys: keys) }
            }
        }
        throw MissingObjects(keys: keys)
    }

    /// The number of records of earlier revisions that are read at once.
    private static let recordsRead = 16
}

/// The plan that forgets earlier revisions, which makes no revision.
enum ForgettingPlanner {
    /// Returns the plan that forgets the earlier revisions of a screen that are beyond the bounds,
    /// or all; `nil` if nothing changes.
    static func forget(
        everything: Bool, of screen: ScreenName, from record: ScreenRecord, in context: PlanContext
    ) throws(MissingObjects) -> CommitPlan? {
        var forgetting = Forgetting(record, context.known.garbage, context)
        let deletes = try forgetting.run(
            beside: record.state.head.size.byteCount, everything: everything)
        guard forgetting.record.runs != record.runs else { return nil }
        var next = forgetting.record
        next.edit += 1
        var batch = StoreBatch(
            screen: screen, line: context.server.line, expecting: .current(record.version))
        batch.change = .write(StoreBatch.RecordWrite(next, of: screen, within: context.limits))
        batch.deletes = deletes
        batch.frees = true
        if everything { batch.message = .revisionsRemoved(screen) }
        var plan = CommitPlan(
            batch: batch, revision: next.version.revision, record: next, feed: context.feed,
            known: context.known)
        plan.known.garbage = forgetting.known
        return plan
    }
}
