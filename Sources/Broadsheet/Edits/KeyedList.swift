/// Entries with names, in the order in which they were added; the last one of a name counts.
///
/// A few entries are searched one by one, which takes less than hashing a name; more are indexed.
struct KeyedList<Entry> {
    /// The number of entries that are searched one by one.
    static var maxSearched: Int { 8 }

    /// An entry with its name.
    struct Named {
        let key: JSONKey
        var entry: Entry
    }

    private(set) var all: [Named] = []
    private var indexes: [JSONKey: Int] = [:]

    var isEmpty: Bool { all.isEmpty }

    var count: Int { all.count }

    /// Returns the index of the last entry of a name, or `nil`.
    ///
    /// - Complexity: O(1), expected.
    func index(of key: JSONKey) -> Int? {
        guard all.count <= Self.maxSearched else { return indexes[key] }
        // The buffer gives access to a name without a copy of its entry.
        return all.withUnsafeBufferPointer { all in all.indices.last { all[$0].key == key } }
    }

    subscript(index: Int) -> Entry {
        get { all[index].entry }
        _modify { yield &all[index].entry }
    }

    mutating func append(_ entry: Entry, _ key: JSONKey) {
        all.append(Named(key: key, entry: entry))
        if all.count > Self.maxSearched + 1 {
            indexes[key] = all.count - 1
        } else if all.count == Self.maxSearched + 1 {
            for (index, named) in all.enumerated() { indexes[named.key] = index }
        }
    }
}
