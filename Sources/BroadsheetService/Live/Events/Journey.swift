import Broadsheet

/// The pages and the items of a screen that clients have seen, those reported last at the end.
struct Journey: Sendable {
    /// The reports of a page or of an item.
    struct Visits: Sendable, Hashable {
        var count = 0
        /// The earliest time, in seconds since 1970.
        var first: Double
        /// The latest time, in seconds since 1970.
        var last: Double

        fileprivate mutating func add(at time: Double) {
            count += 1
            first = min(first, time)
            last = max(last, time)
        }
    }

    /// The name of an item, as clients report it.
    struct Item: Sendable, Hashable {
        let section: Name
        let item: Name
    }

    /// The name of a section or an item.
    enum Name: Sendable, Hashable {
        case id(Identifier)
        case index(Int)

        init(_ target: UpdateTarget) {
            switch target {
            case .id(let id): self = .id(Identifier(id))
            case .index(let index): self = .index(index)
            }
        }

        /// The estimated size beside that of an entry, in bytes.
        fileprivate var byteCount: Int {
            if case .id(let id) = self { id.text.utf8.count } else { 0 }
        }
    }

    private var pages = LRUCache<Int, Visits>(limit: .max)
    private var items = LRUCache<Item, Visits>(limit: .max)
    private let maxItems: Int
    /// The estimated size of an entry without its names, in bytes.
    private static let entryByteCount = 256

    var byteCount: Int { pages.cost + items.cost }

    /// Creates a journey of at most so many pages and so many items.
    init(maxItems: Int) { self.maxItems = maxItems }

    /// Adds an event if it is one that a page or an item has come into view.
    ///
    /// - Parameter now: The time of an event that has none, in seconds since 1970.
    mutating func add(_ event: PostedEvent, now: Double) {
        let time = event.at ?? now
        if event.type == .pageDidAppear, let page = event.page {
            pages.add(page, at: time, cost: Self.entryByteCount, maxCount: maxItems)
        }
        if event.type == .willDisplay, let section = event.section, let item = event.item {
            let key = Item(section: Name(section), item: Name(item))
            let cost = Self.entryByteCount + key.section.byteCount + key.item.byteCount
            items.add(key, at: time, cost: cost, maxCount: maxItems)
        }
    }

    /// Removes the item that was reported longest ago, or without items such a page; returns
    /// `false` if there is neither.
    mutating func removeOldest() -> Bool {
        items.removeOldest() != nil || pages.removeOldest() != nil
    }

    /// Writes the journey as JSON, in the order of the last reports.
    func json() -> [UInt8] {
        var output = StructuredJSONWriter(reservingCapacity: 64 + byteCount)
        output.object { output in
            output.array("pages") { output in
                pages.forEachFromOldest { page, visits in
                    output.element()
                    output.object { output in
                        output.member("page", page)
                        Self.write(visits, to: &output)
                    }
                }
            }
            output.array("items") { output in
                items.forEachFromOldest { item, visits in
                    output.element()
                    output.object { output in
                        output.member(named: "section")
                        Self.write(item.section, to: &output)
                        output.member(named: "item")
                        Self.write(item.item, to: &output)
                        Self.write(visits, to: &output)
                    }
                }
            }
        }
        return output.bytes
    }

    private static func write(_ name: Name, to output: inout StructuredJSONWriter) {
        switch name {
        case .id(let id): output.string(id.text)
        case .index(let index): output.integer(index)
        }
    }

    private static func write(_ visits: Visits, to output: inout StructuredJSONWriter) {
        output.member("count", visits.count)
        output.member("first", visits.first)
        output.member("last", visits.last)
    }
}

extension LRUCache where Value == Journey.Visits {
    /// Adds a report of a page or of an item, and removes the oldest one if there are too many.
    fileprivate mutating func add(_ key: Key, at time: Double, cost: Int, maxCount: Int) {
        var visits = value(for: key) ?? Journey.Visits(first: time, last: time)
        visits.add(at: time)
        _ = insert(visits, for: key, cost: cost)
        if count > maxCount { _ = removeOldest() }
    }
}
