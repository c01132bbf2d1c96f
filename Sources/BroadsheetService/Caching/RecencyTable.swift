/// A table that stays below a limit by forgetting what was asked for least recently.
///
/// Every entry has a cost in bytes, and their sum never exceeds the limit. All operations are O(1)
/// an entry that is touched.
struct RecencyTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// An entry, and its neighbours in the order in which entries were asked for; `none` at the ends.
    private struct Entry: Sendable {
        let key: Key
        let value: Value
        let cost: Int
        var newer: Int
        var older: Int
    }

    /// Stands for no entry.
    private static var none: Int { -1 }

    /// The most that all entries may cost together, in bytes.
    let limit: Int
    /// What all entries cost together, in bytes.
    private(set) var cost = 0

    private var entries: [Entry?] = []
    private var places: [Key: Int] = [:]
    private var vacant: [Int] = []
    private var newest = Self.none
    private var oldest = Self.none

    /// An empty table.
    init(limit: Int) { self.limit = limit }

    /// How many entries there are.
    var count: Int { places.count }

    /// Whether there is an entry for `key`, whose place stays as it is.
    func contains(_ key: Key) -> Bool { places[key] != nil }

    /// The value of `key`, which becomes the most recent; nil when there is none.
    mutating func value(for key: Key) -> Value? {
        guard let place = places[key], let entry = entries[place] else { return nil }
        if newest != place {
            unlink(entry)
            link(place)
        }
        return entry.value
    }

    /// Keeps `value` as the most recent and answers what had to go for it.
    ///
    /// What costs more than half of the limit is not kept, since it would take everybody else's
    /// place; an entry that `key` had is then gone all the same.
    mutating func keep(_ value: Value, for key: Key, cost: Int) -> [(key: Key, value: Value)] {
        _ = remove(key)
        guard cost <= limit / 2 else { return [] }
        var evicted: [(key: Key, value: Value)] = []
        while self.cost + cost > limit, oldest != Self.none, let last = entries[oldest] {
            if let value = remove(last.key) { evicted.append((last.key, value)) }
        }
        let place = vacant.popLast() ?? entries.count
        if place == entries.count { entries.append(nil) }
        entries[place] = Entry(
            key: key, value: value, cost: cost, newer: Self.none, older: Self.none)
        places[key] = place
        self.cost += cost
        link(place)
        return evicted
    }

    /// Forgets `key` and answers the value that it had.
    mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key), let entry = entries[place] else {
            return nil
        }
        unlink(entry)
        entries[place] = nil
        vacant.append(place)
        cost -= entry.cost
        return entry.value
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

    /// Puts an entry that is in no order yet before all others.
    private mutating func link(_ place: Int) {
        entries[place]?.newer = Self.none
        entries[place]?.older = newest
        if newest == Self.none { oldest = place } else { entries[newest]?.newer = place }
        newest = place
    }
}
