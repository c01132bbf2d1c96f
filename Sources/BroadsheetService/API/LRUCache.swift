/// A cache that stays within a limit by evicting the least recently used entries.
///
/// Every entry has a cost in bytes, and the sum of the costs never exceeds the limit.
///
/// - Complexity: All operations are O(1) for each entry that they touch.
struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// An entry and its neighbours in the order of use; `none` at the ends.
    private struct Entry: Sendable {
        let key: Key
        let value: Value
        var cost: Int
        var newer: Int
        var older: Int
    }

    /// The maximum number of entries that one insertion keeps because they are in use.
    static var maxSparedEntries: Int { 64 }

    private static var none: Int { -1 }

    /// The maximum cost of all entries together, in bytes.
    let limit: Int
    private(set) var cost = 0

    private var entries: [Entry?] = []
    private var indices: [Key: Int] = [:]
    private var vacant: [Int] = []
    private var newest = Self.none
    private var oldest = Self.none

    init(limit: Int) { self.limit = limit }

    var count: Int { indices.count }

    /// Returns the values of so many entries, in no particular order and without using them.
    ///
    /// - Complexity: O(these entries).
    func values(atMost count: Int = .max) -> [Value] {
        Array(entries.lazy.compactMap { $0?.value }.prefix(count))
    }

    /// Returns whether the cache has an entry for a key, without using the entry.
    func contains(_ key: Key) -> Bool { indices[key] != nil }

    /// Returns the value of a key, which becomes the most recently used one; `nil` without an
    /// entry.
    mutating func value(for key: Key) -> Value? {
        guard let index = indices[key], let entry = entries[index] else { return nil }
        if newest != index {
            unlink(entry)
            link(index)
        }
        return entry.value
    }

    /// Inserts a value as the most recently used one, and returns the entries evicted for it.
    ///
    /// A value that costs more than half of the limit is not inserted, since it would evict most
    /// other entries; an existing entry of the key is removed in any case.
    ///
    /// - Parameter isInUse: Returns whether a value that would be evicted was used without
    ///   ``value(for:)``; it then becomes the most recently used one instead.
    mutating func insert(
        _ value: Value, for key: Key, cost: Int, isInUse: (Value) -> Bool = { _ in false }
    ) -> [(key: Key, value: Value)] {
        _ = remove(key)
        guard cost <= limit / 2 else { return [] }
        var evicted: [(key: Key, value: Value)] = []
        var spared = 0
        while self.cost + cost > limit, oldest != Self.none, let last = entries[oldest] {
            if spared < Self.maxSparedEntries, isInUse(last.value) {
                spared += 1
                let index = oldest
                unlink(last)
                link(index)
                continue
            }
            if let value = remove(last.key) { evicted.append((last.key, value)) }
        }
        let index = vacant.popLast() ?? entries.count
        if index == entries.count { entries.append(nil) }
        entries[index] = Entry(
            key: key, value: value, cost: cost, newer: Self.none, older: Self.none)
        indices[key] = index
        self.cost += cost
        link(index)
        return evicted
    }

    mutating func remove(_ key: Key) -> Value? {
        guard let index = indices.removeValue(forKey: key), let entry = entries[index] else {
            return nil
        }
        unlink(entry)
        entries[index] = nil
        vacant.append(index)
        cost -= entry.cost
        return entry.value
    }

    mutating func removeOldest() -> (key: Key, value: Value)? {
        guard oldest != Self.none, let last = entries[oldest], let value = remove(last.key) else {
            return nil
        }
        return (last.key, value)
    }

    /// Calls `body` with all entries, the least recently used one first, without using them.
    ///
    /// - Complexity: O(entries).
    func forEachFromOldest(_ body: (Key, Value) -> Void) {
        var index = oldest
        while index != Self.none, let entry = entries[index] {
            body(entry.key, entry.value)
            index = entry.newer
        }
    }

    /// Changes the cost of an entry, which may bring the cache above its limit.
    mutating func setCost(_ cost: Int, for key: Key) {
        guard let index = indices[key], let entry = entries[index] else { return }
        self.cost += cost - entry.cost
        entries[index]?.cost = cost
    }

    /// Removes the least recently used entries until the others are within the limit.
    mutating func shrink() -> [(key: Key, value: Value)] {
        var removed: [(key: Key, value: Value)] = []
        while cost > limit, oldest != Self.none, let last = entries[oldest] {
            if let value = remove(last.key) { removed.append((last.key, value)) }
        }
        return removed
    }

    private mutating func unlink(_ entry: Entry) {
        if entry.newer == Self.none {
            newest = entry.older
        } else {
            entries[entry.newer]?.older = entry.older
        }
        if entry.older == Self.none {
            oldest = entry.newer
        } else {
            entries[entry.older]?.newer = entry.newer
        }
    }

    /// Makes an unlinked entry the most recently used one.
    private mutating func link(_ index: Int) {
        entries[index]?.newer = Self.none
        entries[index]?.older = newest
        if newest == Self.none { oldest = index } else { entries[newest]?.newer = index }
        newest = index
    }
}
