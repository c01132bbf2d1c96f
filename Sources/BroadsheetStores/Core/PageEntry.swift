/// A page in the directory of a screen.
struct PageEntry: Hashable, Sendable {
    /// The number and the revisions of the page.
    var tree: TreeHistory.Page
    var size: PageSize
    /// The checksum of the posted bytes at their key.
    var checksum: UInt64

    var number: Int { tree.number }
    var key: ObjectKey { .page(tree.number, storedAt: tree.stored) }
    /// The last revision that stored the page, or removed one directly below it.
    var change: UInt64 { max(tree.stored, tree.removalBelow) }

    init(_ page: PutPage, of screen: ScreenName, storedAt revision: UInt64) {
        tree = TreeHistory.Page(number: page.number, stored: revision)
        size = PageSize(byteCount: page.bytes.count, counts: page.counts)
        checksum = 0
        checksum = BinaryForm.checksum(
            of: page.bytes[...], at: BinaryPlace(screen: screen, key: key))
    }

    private init(tree: TreeHistory.Page, size: PageSize, checksum: UInt64) {
        self.tree = tree
        self.size = size
        self.checksum = checksum
    }

    func matches(_ bytes: [UInt8], of screen: ScreenName) -> Bool {
        bytes.count == size.byteCount
            && BinaryForm.checksum(of: bytes[...], at: BinaryPlace(screen: screen, key: key))
                == checksum
    }
}

extension [PageEntry] {
    var lastChange: UInt64 { reduce(0) { Swift.max($0, $1.change) } }

    /// Writes the entries, with their revisions as differences to a later one.
    func write(to writer: inout BinaryWriter, below base: UInt64) {
        writer.add(count)
        var previous = -1
        for entry in self {
            writer.add(entry.number - previous - 1)
            previous = entry.number
            writer.add(base - entry.tree.stored)
            for revision in [entry.tree.removalBelow, entry.tree.nextChange] {
                writer.add(optional: revision == 0 ? nil : base - revision)
            }
            writer.add(entry.size.byteCount)
            writer.add(entry.size.counts)
            writer.add(fixed: entry.checksum)
        }
    }

    init(_ reader: inout BinaryReader, below base: UInt64) throws(BinaryDamage) {
        self = []
        let count = try reader.elementCount()
        reserveCapacity(count)
        var previous = -1
        for _ in 0..<count {
            let (number, isTooLarge) = try reader.count().addingReportingOverflow(previous + 1)
            guard !isTooLarge, number < .max else { throw reader.damage }
            previous = number
            append(try PageEntry(number, &reader, below: base))
        }
    }
}

extension PageEntry {
    fileprivate init(
        _ number: Int, _ reader: inout BinaryReader, below base: UInt64
    ) throws(BinaryDamage) {
        let stored = try reader.difference(below: base)
        var others: [UInt64] = []
        for _ in 0..<2 {
            let difference = try reader.optionalNumber()
            guard difference ?? 0 <= base else { throw reader.damage }
            others.append(difference.map { base - $0 } ?? 0)
        }
        self.init(
            tree: TreeHistory.Page(
                number: number, stored: stored, removalBelow: others[0], nextChange: others[1]),
            size: PageSize(byteCount: try reader.count(), counts: try reader.contentCounts()),
            checksum: try reader.fixed())
    }
}

extension BinaryWriter {
    mutating func add(_ counts: ContentCounts?) {
        add(optional: counts?.sections)
        if let counts { add(counts.items) }
    }
}

extension BinaryReader {
    mutating func contentCounts() throws(BinaryDamage) -> ContentCounts? {
        guard let sections = try optionalCount() else { return nil }
        return ContentCounts(sections: sections, items: try count())
    }
}
