import BroadsheetCollections

/// An error of a plan that lacks objects.
struct MissingObjects: Error {
    var keys: [ObjectKey]
}

/// A part of the directory of a screen: pages that follow each other.
struct DirectoryNode: Hashable, Sendable {
    /// The number of the first page.
    var first: Int
    var count: Int
    /// The revision that wrote the node; `nil` for pages in the record itself, and while a plan
    /// changes them.
    var revision: UInt64?
    /// The last change of any of the pages.
    var change: UInt64
    /// The pages; `nil` if the node was not read.
    var entries: [PageEntry]?

    /// Creates a node that is not written yet; `nil` without pages.
    init?(_ entries: [PageEntry]) {
        guard let first = entries.first else { return nil }
        self.first = first.number
        count = entries.count
        change = entries.lastChange
        self.entries = entries
    }

    init(first: Int, count: Int, revision: UInt64, change: UInt64) {
        self.first = first
        self.count = count
        self.revision = revision
        self.change = change
    }

    var key: ObjectKey? { revision.map { .node(from: first, writtenAt: $0) } }
}

/// The directory of a screen's pages while a commit changes it.
///
/// Up to ``capacity`` pages are in the record. Beyond, they are in nodes of at most as many.
struct PageDirectory {
    /// The maximum number of pages of a node, and in a record.
    static let defaultCapacity = 64

    /// The nodes: none is empty, and every number in one is below those in the next.
    private(set) var nodes: [DirectoryNode]
    private let known: [ObjectKey: [PageEntry]]
    private let capacity: Int
    private let beganInRecord: Bool

    init(_ nodes: [DirectoryNode], known: [ObjectKey: [PageEntry]], capacity: Int) {
        self.nodes = nodes
        self.known = known
        self.capacity = capacity
        beganInRecord = nodes.isEmpty || nodes.count == 1 && nodes[0].revision == nil
    }

    var isEmpty: Bool { nodes.isEmpty }

    var indexes: Range<Int> { nodes.indices }

    /// Returns the index of the node that has a page, or would have it.
    func index(of number: Int) -> Int {
        max(0, nodes.partitioningIndex { $0.first > number } - 1)
    }

    private func missing(_ indexes: some Sequence<Int>) -> [ObjectKey] {
        Set(indexes).sorted().compactMap { index in
            guard nodes.indices.contains(index), nodes[index].entries == nil,
                let key = nodes[index].key, known[key] == nil
            else { return nil }
            return key
        }
    }

    func require(_ indexes: some Sequence<Int>) throws(MissingObjects) {
        let keys = missing(indexes)
        guard keys.isEmpty else { throw MissingObjects(keys: keys) }
    }

    func entries(at index: Int) throws(MissingObjects) -> [PageEntry] {
        let node = nodes[index]
        if let entries = node.entries { return entries }
        guard let key = node.key else { return [] }
        guard let entries = known[key] else { throw MissingObjects(keys: [key]) }
        return entries
    }

    func allEntries() throws(MissingObjects) -> [PageEntry] {
        try require(nodes.indices)
        var all: [PageEntry] = []
        for index in nodes.indices { all += try entries(at: index) }
        return all
    }

    func highest() throws(MissingObjects) -> Int? {
        guard let last = nodes.indices.last else { return nil }
        return try entries(at: last).last?.number
    }

    private mutating func set(_ entries: [PageEntry], at index: Int) {
        if let node = DirectoryNode(entries) {
            nodes[index] = node
        } else {
            nodes.remove(at: index)
        }
    }

    private mutating func insert(_ entries: [PageEntry], at index: Int) {
        if let node = DirectoryNode(entries) { nodes.insert(node, at: index) }
    }

    private mutating func change(
        _ place: Int, at index: Int, _ body: (inout PageEntry) -> Void
    ) throws(MissingObjects) {
        var entries = try entries(at: index)
        guard entries.indices.contains(place) else { return }
        body(&entries[place])
        set(entries, at: index)
    }

    /// Stores a page; returns the one that it replaces.
    ///
    /// A new page above all others changes the highest of them, which now has a next one.
    mutating func put(_ entry: PageEntry) throws(MissingObjects) -> PageEntry? {
        guard !nodes.isEmpty else {
            insert([entry], at: 0)
            return nil
        }
        if let highest = try highest(), highest < entry.number {
            let last = nodes.count - 1
            try change(nodes[last].count - 1, at: last) { $0.tree.nextChange = entry.tree.stored }
        }
        let index = index(of: entry.number)
        var entries = try entries(at: index)
        let place = entries.partitioningIndex { $0.number >= entry.number }
        if place < entries.count, entries[place].number == entry.number {
            let former = entries[place]
            entries[place] = entry
            entries[place].tree.removalBelow = former.tree.removalBelow
            entries[place].tree.nextChange = former.tree.nextChange
            set(entries, at: index)
            return former
        }
        if entries.count >= capacity, place == entries.count {
            insert([entry], at: index + 1)
            return nil
        }
        entries.insert(entry, at: place)
        if entries.count > capacity {
            let half = entries.count / 2
            insert(Array(entries[half...]), at: index + 1)
            entries.removeSubrange(half...)
        }
        set(entries, at: index)
        return nil
    }

    /// Removes a page, and returns it; `nil` if there is none.
    ///
    /// The removal is recorded at the page above, or else at the highest page left, which has no
    /// next one any more.
    mutating func remove(_ number: Int, at revision: UInt64) throws(MissingObjects) -> PageEntry? {
        guard !nodes.isEmpty else { return nil }
        let index = index(of: number)
        var entries = try entries(at: index)
        let place = entries.partitioningIndex { $0.number >= number }
        guard place < entries.count, entries[place].number == number else { return nil }
        let former = entries.remove(at: place)
        let isLastOfNode = place == entries.count
        if !isLastOfNode {
            entries[place].tree.removalBelow = revision
        } else if index + 1 < nodes.count {
            try change(0, at: index + 1) { $0.tree.removalBelow = revision }
        }
        let isHighest = isLastOfNode && index + 1 == nodes.count
        set(entries, at: index)
        if isHighest, let last = nodes.indices.last {
            try change(nodes[last].count - 1, at: last) { $0.tree.nextChange = revision }
        }
        for index in [index, index - 1] { try joinNext(index) }
        return former
    }

    /// Joins a node with the next one, if both are known and small.
    private mutating func joinNext(_ index: Int) throws(MissingObjects) {
        guard index >= 0, index + 1 < nodes.count,
            nodes[index].count + nodes[index + 1].count <= capacity / 2,
            missing([index, index + 1]).isEmpty
        else { return }
        let joined = try entries(at: index) + entries(at: index + 1)
        nodes.remove(at: index + 1)
        set(joined, at: index)
    }

    mutating func removeAll() { nodes = [] }

    /// Returns few pages into the record, gives changed nodes their revision, and returns these.
    mutating func close(at revision: UInt64) throws(MissingObjects) -> [DirectoryNode] {
        let total = nodes.reduce(0) { $0 + $1.count }
        if total <= (beganInRecord ? capacity : capacity / 2) {
            guard !nodes.isEmpty else { return [] }
            let all = try allEntries()
            nodes = []
            insert(all, at: 0)
            return []
        }
        var written: [DirectoryNode] = []
        for index in nodes.indices where nodes[index].revision == nil {
            nodes[index].revision = revision
            written.append(nodes[index])
        }
        return written
    }
}
