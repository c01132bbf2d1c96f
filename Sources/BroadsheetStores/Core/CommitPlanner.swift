/// A plan of a commit: the next record of a screen, and the batch that makes it.
///
/// A pure function of the record and its context, and the only place with the rules of pages,
/// sizes, revisions of trees, history and feed.
struct CommitPlanner {
    private let screen: ScreenName
    private let former: ScreenRecord?
    private let context: PlanContext
    private let revision: UInt64
    private var directory: PageDirectory
    private var state: ScreenState
    private var batch: StoreBatch
    /// The pages that only the former revision has.
    private var replaced: [PageEntry] = []

    /// `record` is `nil` for a creation; throws the objects that the context lacks.
    static func plan(
        _ commit: ScreenCommit, as note: RevisionNote, number: WriteNumber,
        lifetime: ScreenLifetime, of screen: ScreenName, from record: ScreenRecord?,
        in context: PlanContext
    ) throws(MissingObjects) -> CommitPlan {
        if case .removeScreen = commit, let record {
            return removal(of: screen, record, in: context)
        }
        var planner = CommitPlanner(screen, record, context)
        try planner.require(for: commit)
        try planner.apply(commit)
        return try planner.finish(note, number, lifetime)
    }

    private init(_ screen: ScreenName, _ record: ScreenRecord?, _ context: PlanContext) {
        self.screen = screen
        self.context = context
        former = record
        let server = context.server
        if let record {
            batch = StoreBatch(
                screen: screen, line: server.line, expecting: .current(record.version))
            revision = server.above(record.state.head.revision, of: record.line) &+ 1
        } else {
            batch = StoreBatch(screen: screen, line: server.line, expecting: .absent)
            var floor = server.creationFloor
            if let leftover = context.leftover {
                floor = max(floor, server.above(leftover.state.head.revision, of: leftover.line))
                batch.expectation = .expired(leftover.version)
                batch.floor = RevisionFloor(revision: floor, line: server.line)
            }
            revision = floor &+ 1
        }
        state = record?.state ?? ScreenState(head: ScreenHead(revision: 0))
        state.head.revision = revision
        directory = PageDirectory(
            state.nodes, known: context.known.nodes, capacity: context.bounds.nodeCapacity)
    }

    /// Returns the plan that removes a screen, or what has expired of one.
    static func removal(
        of screen: ScreenName, _ record: ScreenRecord, in context: PlanContext,
        hasExpired: Bool = false
    ) -> CommitPlan {
        let server = context.server
        let version = record.version
        var batch = StoreBatch(
            screen: screen, line: server.line,
            expecting: hasExpired ? .expired(version) : .current(version))
        batch.change = .remove
        let last = server.above(version.revision, of: record.line)
        batch.floor = RevisionFloor(
            revision: max(last, server.creationFloor), line: server.line)
        batch.frees = true
        batch.message = .written(screen, lowest: version.revision &+ 1)
        return CommitPlan(batch: batch, revision: version.revision, known: KnownObjects())
    }

    /// Throws if nodes that the commit changes are not known, all of them at once.
    private func require(for commit: ScreenCommit) throws(MissingObjects) {
        var touched: Set<Int> = []
        let last = directory.indexes.upperBound - 1
        switch commit {
        case .putPages(let pages, _):
            touched = Set(pages.map { directory.index(of: $0.number) } + [last])
        case .removePage(let number):
            let index = directory.index(of: number)
            touched = [index - 1, index, index + 1, last - 1, last]
        case .replacePages, .removeAllPages, .removeScreen:
            touched = Set(directory.indexes)
        }
        try directory.require(touched)
    }

    private mutating func apply(_ commit: ScreenCommit) throws(MissingObjects) {
        switch commit {
        case .putPages(let pages, let totals):
            try put(pages)
            if let totals { state.head.size.counts = totals }
        case .replacePages(let pages, let kept, let totals):
            try put(pages)
            let remaining = Set(pages.map(\.number) + kept)
            for entry in try directory.allEntries() where !remaining.contains(entry.number) {
                try remove(entry.number)
            }
            state.head.latestPage = try directory.highest() ?? 0
            if let totals { state.head.size.counts = totals }
        case .removePage(let number):
            let wasRemoved = try remove(number)
            if wasRemoved, state.head.latestPage == number {
                state.head.latestPage = try directory.highest() ?? 0
            }
        case .removeAllPages, .removeScreen:
            let all = try directory.allEntries()
            if !all.isEmpty { state.treeFloor = revision }
            replaced += all
            directory.removeAll()
            state.head.size = ScreenSize()
            state.head.latestPage = 0
        }
    }

    private mutating func put(_ pages: [PutPage]) throws(MissingObjects) {
        for page in pages {
            let entry = PageEntry(page, of: screen, storedAt: revision)
            let former = try directory.put(entry)
            state.head.size.replace(former?.size, with: entry.size)
            if let former { replaced.append(former) }
            batch.puts.append(StoreBatch.Put(key: entry.key, bytes: page.bytes))
            state.head.latestPage = page.number
        }
    }

    @discardableResult
    private mutating func remove(_ number: Int) throws(MissingObjects) -> Bool {
        guard let former = try directory.remove(number, at: revision) else { return false }
        state.head.size.replace(former.size, with: nil)
        replaced.append(former)
        if directory.isEmpty { state.treeFloor = revision }
        return true
    }

    private mutating func finish(
        _ note: RevisionNote, _ number: WriteNumber, _ lifetime: ScreenLifetime
    ) throws(MissingObjects) -> CommitPlan {
        let storesPages = !batch.puts.isEmpty
        setChanges()
        var known = context.known
        let garbage = try closeDirectory(&known)
        state.nodes = directory.nodes
        // Only a directory in nodes can have a last one that the commit neither read nor changed.
        if let highest = try? directory.highest() { state.head.highestPage = highest }
        if directory.isEmpty { state.head.highestPage = nil }
        state.note = note
        state.note.at = note.at ?? context.now
        state.note.forwarded = []
        var record = ScreenRecord(state: state, line: context.server.line)
        record.writes =
            [ScreenRecord.Write(number: number, revision: revision)]
            + (former?.writes.prefix(ScreenRecord.maxWrites - 1) ?? [])
        record.otherParts = former?.otherParts ?? []
        try keepFormer(&record, garbage, &known)
        setRecord(record, lifetime)
        batch.frees = !storesPages && former != nil
        batch.message = .written(screen, lowest: revision)
        var plan = CommitPlan(
            batch: batch, revision: revision, record: record, feed: context.feed, known: known)
        if former == nil { (plan.feed, plan.known.eventLengths) = (nil, [:]) }
        let version = former == nil ? revision : context.feedVersion
        try plan.append(note.forwarded, number, version: version, in: context.bounds.feeds)
        if plan.batch.feed != nil { plan.batch.frees = false }
        return plan
    }

    private mutating func setChanges() {
        let stored = batch.puts.map {
            RevisionEntry.PageChange(
                number: Int(clamping: $0.key.number), byteCount: $0.bytes.count)
        }
        let numbers = Set(stored.map(\.number))
        let removed = replaced.filter { !numbers.contains($0.number) }.map {
            RevisionEntry.PageChange(number: $0.number, byteCount: nil)
        }
        let all = (stored + removed).sorted { $0.number < $1.number }
        state.changes = Array(all.prefix(RevisionEntry.maxPages))
        state.moreChanges = all.count - state.changes.count
    }

    /// Writes the changed nodes, and returns what only the former revision has.
    private mutating func closeDirectory(
        _ known: inout KnownObjects
    ) throws(MissingObjects) -> EarlierGarbage {
        let before = former?.state.nodes.compactMap(\.key) ?? []
        for node in try directory.close(at: revision) {
            if let put = node.put(of: screen), let entries = node.entries {
                batch.puts.append(put)
                known.nodes[put.key] = entries
            }
        }
        let remaining = Set(directory.nodes.compactMap(\.key))
        let nodes = before.filter { !remaining.contains($0) }
        for key in nodes { known.nodes[key] = nil }
        return EarlierGarbage(
            replacedAt: context.now, byteCount: replaced.reduce(0) { $0 + $1.size.byteCount },
            keys: replaced.map(\.key) + nodes)
    }

    /// Keeps the former revision, or deletes what only it has; forgets revisions beyond the bounds.
    private mutating func keepFormer(
        _ record: inout ScreenRecord, _ garbage: EarlierGarbage, _ known: inout KnownObjects
    ) throws(MissingObjects) {
        guard let former else { return }
        (record.runs, record.keptBytes) = (former.runs, former.keptBytes)
        record.oldest = former.oldest
        let own = former.state.head.revision
        var forgetting = Forgetting(record, known.garbage, context)
        if context.bounds.history.isNone {
            batch.deletes += garbage.keys
            forgetting.last = own
        } else {
            forgetting.add(own, garbage)
        }
        let deletes = try forgetting.run(beside: state.head.size.byteCount)
        batch.deletes += deletes
        (record, known.garbage) = (forgetting.record, forgetting.known)
        guard record.runs.last?.contains(own) ?? false else { return }
        let sizes = Dictionary(
            uniqueKeysWithValues: replaced.map { ($0.key, $0.size.byteCount) })
        batch.puts.append(
            former.state.earlier(of: screen, replacedBy: revision, with: garbage, sizes: sizes))
    }

    private mutating func setRecord(_ record: ScreenRecord, _ lifetime: ScreenLifetime) {
        let isNew = former == nil
        batch.change = .write(
            StoreBatch.RecordWrite(
                record, of: screen, within: context.limits,
                lifetime: isNew && lifetime == .unchanged ? .indefinite : lifetime))
        let willExpire =
            switch lifetime {
            case .seconds: true
            case .unchanged: !isNew && context.expires
            case .indefinite: false
            }
        // A record that goes by itself cannot raise the floor then.
        if context.limits.removesExpired, willExpire {
            let floor = max(revision, context.server.creationFloor)
            batch.floor = RevisionFloor(revision: floor, line: context.server.line)
        }
    }
}

extension StoreBatch.RecordWrite {
    /// The milliseconds by which the times at which records are due are apart, so that few writes
    /// change the index of a server.
    private static let dueStep: Int64 = 30_000

    init(
        _ record: ScreenRecord, of screen: ScreenName, within limits: BackendLimits,
        lifetime: ScreenLifetime = .unchanged
    ) {
        let revisions = Int(clamping: record.keptCount)
        self.init(
            version: record.version, bytes: record.bytes(of: screen),
            due: record.oldest.map { $0 - $0 % Self.dueStep },
            weight: record.keptBytes + revisions * limits.weightPerRevision,
            listedBytes: record.state.head.size.byteCount,
            lifetime: lifetime)
    }
}
