/// All of a screen at a revision but its pages and the nodes of their directory.
struct ScreenState: Hashable, Sendable {
    var head: ScreenHead
    /// The lower bound of the revisions of its trees (``TreeHistory/floor``).
    var treeFloor: UInt64 = 0
    /// The facts about the revision, with its time.
    var note = RevisionNote()
    /// The pages that the revision stored or removed, ascending; at most
    /// ``RevisionEntry/maxPages``.
    var changes: [RevisionEntry.PageChange] = []
    /// The number of further pages that it stored or removed.
    var moreChanges = 0
    /// The directory of the pages.
    var nodes: [DirectoryNode] = []

    /// The entry in the list of revisions.
    var entry: RevisionEntry {
        RevisionEntry(
            revision: head.revision, note: note, pages: changes, morePages: moreChanges,
            pageCount: head.size.pageCount)
    }
}

/// The record of a screen.
struct ScreenRecord: Hashable, Sendable {
    /// The current revision.
    var state: ScreenState
    /// The number of the writes since the revision that made none.
    var edit: UInt64 = 0
    /// The line of the server that wrote the record.
    var line: UInt64
    /// The numbers of the last writes, the newest first, with their revisions.
    var writes: [Write] = []
    /// The kept revisions, ascending, as runs of consecutive ones.
    var runs: [ClosedRange<UInt64>] = []
    /// The number of bytes of the pages that only earlier revisions have.
    var keptBytes = 0
    /// The time at which the oldest kept revision was replaced, in milliseconds since 1970.
    var oldest: Int64?
    /// Parts that a later version has added, which are kept as they are.
    var otherParts: [UInt8] = []

    /// A write, by which it is recognized when it is sent again.
    struct Write: Hashable, Sendable {
        var number: WriteNumber
        var revision: UInt64
    }

    static let maxWrites = 16

    var version: RecordVersion { RecordVersion(revision: state.head.revision, edit: edit) }

    var keptCount: UInt64 { runs.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) + 1 } }

    /// Returns the key of the record of a kept revision; `nil` if it is not kept.
    ///
    /// - Parameter last: The revision that replaced the last kept one; `nil` for that of the
    ///   record.
    func earlierKey(_ revision: UInt64, last: UInt64? = nil) -> ObjectKey? {
        guard let index = runs.firstIndex(where: { $0.contains(revision) }) else { return nil }
        let next: UInt64 =
            if revision < runs[index].upperBound {
                revision + 1
            } else if index + 1 < runs.count {
                runs[index + 1].lowerBound
            } else {
                last ?? state.head.revision
            }
        return .earlier(revision, replacedBy: next)
    }

    /// Returns up to `limit` kept revisions, the newest first, of those below a revision.
    func kept(before revision: UInt64?, limit: Int) -> [UInt64] {
        var found: [UInt64] = []
        for run in runs.reversed() {
            var next = run.upperBound
            if let revision {
                guard run.lowerBound < revision else { continue }
                next = min(next, revision - 1)
            }
            while found.count < limit {
                found.append(next)
                guard next > run.lowerBound else { break }
                next -= 1
            }
        }
        return found
    }
}

/// The objects that end with an earlier revision.
struct EarlierGarbage: Hashable, Sendable {
    /// The time at which the revision was replaced, in milliseconds since 1970.
    var replacedAt: Int64
    /// The number of bytes of the pages among the objects.
    var byteCount = 0
    /// The objects that only this revision and earlier ones have.
    var keys: [ObjectKey] = []
}

extension ScreenState {
    fileprivate func write(to writer: inout BinaryWriter) {
        writer.add(head.revision)
        writer.add(head.latestPage)
        writer.add(optional: head.highestPage)
        writer.add(head.size.pageCount)
        writer.add(head.size.byteCount)
        writer.add(head.size.counts)
        writer.add(treeFloor)
        note.write(to: &writer)
        writer.add(changes.count)
        for change in changes {
            writer.add(change.number)
            writer.add(optional: change.byteCount)
        }
        writer.add(moreChanges)
        writeDirectory(to: &writer)
    }

    private func writeDirectory(to writer: inout BinaryWriter) {
        if nodes.count <= 1, nodes.first?.revision == nil {
            writer.add(0)
            return (nodes.first?.entries ?? []).write(to: &writer, below: head.revision)
        }
        writer.add(nodes.count)
        var previous = -1
        for node in nodes {
            writer.add(node.first - previous - 1)
            previous = node.first
            writer.add(node.count)
            writer.add(head.revision - (node.revision ?? head.revision))
            writer.add(head.revision - node.change)
        }
    }

    fileprivate init(_ reader: inout BinaryReader) throws(BinaryDamage) {
        let revision = try reader.number()
        head = ScreenHead(
            revision: revision, latestPage: try reader.count(),
            highestPage: try reader.optionalCount())
        head.size = ScreenSize(
            pageCount: try reader.count(), byteCount: try reader.count(),
            counts: try reader.contentCounts())
        treeFloor = try reader.number()
        note = try RevisionNote(&reader)
        for _ in 0..<(try reader.elementCount()) {
            changes.append(
                RevisionEntry.PageChange(
                    number: try reader.count(), byteCount: try reader.optionalCount()))
        }
        moreChanges = try reader.count()
        try readDirectory(&reader)
    }

    private mutating func readDirectory(_ reader: inout BinaryReader) throws(BinaryDamage) {
        let count = try reader.elementCount()
        guard count > 0 else {
            let entries = try [PageEntry](&reader, below: head.revision)
            nodes = DirectoryNode(entries).map { [$0] } ?? []
            return
        }
        var previous = -1
        for _ in 0..<count {
            let (first, isTooLarge) = try reader.count().addingReportingOverflow(previous + 1)
            guard !isTooLarge, first < .max else { throw reader.damage }
            previous = first
            nodes.append(
                DirectoryNode(
                    first: first, count: try reader.count(),
                    revision: try reader.difference(below: head.revision),
                    change: try reader.difference(below: head.revision)))
        }
    }

    func earlier(
        of screen: ScreenName, replacedBy next: UInt64,
        with garbage: EarlierGarbage, sizes: [ObjectKey: Int]
    ) -> StoreBatch.Put {
        let key = ObjectKey.earlier(head.revision, replacedBy: next)
        var writer = BinaryWriter()
        write(to: &writer)
        writer.add(fixed: UInt64(bitPattern: garbage.replacedAt))
        writer.add(garbage.keys.count)
        for key in garbage.keys {
            writer.add(UInt64(key.kind))
            writer.add(key.number)
            writer.add(head.revision - key.revision)
            writer.add(sizes[key] ?? 0)
        }
        return StoreBatch.Put(
            key: key, bytes: writer.sealed(at: BinaryPlace(screen: screen, key: key)))
    }

    static func readEarlier(
        _ bytes: [UInt8], of screen: ScreenName, at key: ObjectKey
    ) throws(BinaryDamage) -> (state: ScreenState, garbage: EarlierGarbage) {
        var reader = try BinaryReader(bytes, at: BinaryPlace(screen: screen, key: key))
        let state = try ScreenState(&reader)
        var garbage = EarlierGarbage(replacedAt: Int64(bitPattern: try reader.fixed()))
        for _ in 0..<(try reader.elementCount()) {
            guard let kind = UInt8(exactly: try reader.number()) else { throw reader.damage }
            garbage.keys.append(
                ObjectKey(
                    kind: kind, number: try reader.number(),
                    revision: try reader.difference(below: state.head.revision)))
            let (sum, isTooLarge) = garbage.byteCount.addingReportingOverflow(try reader.count())
            guard !isTooLarge else { throw reader.damage }
            garbage.byteCount = sum
        }
        return (state, garbage)
    }
}

extension ScreenRecord {
    func bytes(of screen: ScreenName) -> [UInt8] {
        var writer = BinaryWriter()
        writer.add(edit)
        writer.add(line)
        state.write(to: &writer)
        writer.add(writes.count)
        for write in writes {
            writer.add(fixed: UInt64(bitPattern: write.number.value))
            writer.add(state.head.revision - write.revision)
        }
        writer.add(runs.count)
        for run in runs {
            writer.add(state.head.revision - run.lowerBound)
            writer.add(run.upperBound - run.lowerBound)
        }
        writer.add(keptBytes)
        writer.add(oldest == nil ? 0 : 1)
        if let oldest { writer.add(fixed: UInt64(bitPattern: oldest)) }
        writer.add(counted: otherParts)
        return writer.sealed(at: BinaryPlace(screen: screen))
    }

    init(_ bytes: [UInt8], of screen: ScreenName) throws(BinaryDamage) {
        var reader = try BinaryReader(bytes, at: BinaryPlace(screen: screen))
        edit = try reader.number()
        line = try reader.number()
        state = try ScreenState(&reader)
        let revision = state.head.revision
        guard [revision, edit, line].allSatisfy({ $0 < BinaryForm.maxRevision }) else {
            throw reader.damage
        }
        for _ in 0..<(try reader.elementCount()) {
            let number = WriteNumber(value: Int64(bitPattern: try reader.fixed()))
            writes.append(Write(number: number, revision: try reader.difference(below: revision)))
        }
        for _ in 0..<(try reader.elementCount()) {
            let first = try reader.difference(below: revision)
            let (last, isTooLarge) = first.addingReportingOverflow(try reader.number())
            guard !isTooLarge, last < revision, first > runs.last?.upperBound ?? 0 else {
                throw reader.damage
            }
            runs.append(first...last)
        }
        keptBytes = try reader.count()
        if try reader.number() != 0 { oldest = Int64(bitPattern: try reader.fixed()) }
        otherParts = try reader.counted()
        guard reader.isAtEnd else { throw reader.damage }
    }
}

extension RevisionNote {
    fileprivate func write(to writer: inout BinaryWriter) {
        writer.add(fixed: UInt64(bitPattern: at ?? 0))
        for text in [operation, key, request] { writer.add(optional: text) }
        writer.add(operations.count)
        for (name, count) in operations.sorted(by: { $0.key < $1.key }) {
            writer.add(name)
            writer.add(count)
        }
        writer.add(optional: revertedTo)
    }

    fileprivate init(_ reader: inout BinaryReader) throws(BinaryDamage) {
        self.init(
            at: Int64(bitPattern: try reader.fixed()), operation: try reader.optionalText(),
            key: try reader.optionalText(), request: try reader.optionalText())
        for _ in 0..<(try reader.elementCount()) {
            operations[try reader.text()] = try reader.count()
        }
        revertedTo = try reader.optionalNumber()
    }
}

extension DirectoryNode {
    func put(of screen: ScreenName) -> StoreBatch.Put? {
        guard let key, let revision, let entries else { return nil }
        var writer = BinaryWriter()
        entries.write(to: &writer, below: revision)
        return StoreBatch.Put(
            key: key, bytes: writer.sealed(at: BinaryPlace(screen: screen, key: key)))
    }

    static func read(
        _ bytes: [UInt8], of screen: ScreenName, at key: ObjectKey
    ) throws(BinaryDamage) -> [PageEntry] {
        var reader = try BinaryReader(bytes, at: BinaryPlace(screen: screen, key: key))
        let entries = try [PageEntry](&reader, below: key.revision)
        guard reader.isAtEnd, !entries.isEmpty else { throw reader.damage }
        return entries
    }
}
