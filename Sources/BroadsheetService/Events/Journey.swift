import Broadsheet

/// The pages and the items of a screen that clients have seen, those reported last at the end.
struct Journey: Sendable {
    /// The reports of a page or of an item.
    struct Visits: Sendable, Hashable {
        /// The number of reports.
        var count = 0
        /// The earliest time, in seconds since 1970.
        var first: Double
        /// The latest time, in seconds since 1970.
        var last: Double

        /// Adds a report.
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

        /// Creates a name as it was reported.
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

    /// The visits by page.
    private var pages = LRUCache<Int, Visits>(limit: .max)
    /// The visits by item.
    private var items = LRUCache<Item, Visits>(limit: .max)
    private let maxItems: Int
    /// The estimated size in memory, in bytes.
    private(set) var byteCount = 0

    /// The estimated size of an entry without its names, in bytes.
    private static let entryByteCount = 256

    /// Creates a journey of at most so many pages and so many items.
    init(maxItems: Int) { self.maxItems = maxItems }

    /// Adds an event if it is one that a page or an item has come into view.
    ///
    /// - Parameter now: The time of an event that has none, in seconds since 1970.
    mutating func add(_ event: ClientEvent, now: Double) {
        let time = event.at ?? now
        if event.type == .pageDidAppear, let page = event.page {
            var visits = pages.value(for: page) ?? Visits(first: time, last: time)
            if visits.count == 0 { byteCount += Self.entryByteCount }
            visits.add(at: time)
            _ = pages.insert(visits, for: page, cost: 0)
            if pages.count > maxItems { _ = removeOldestPage() }
        }
        guard event.type == .willDisplay, let section = event.section, let item = event.item else {
            return
        }
        let key = Item(section: Name(section), item: Name(item))
        var visits = items.value(for: key) ?? Visits(first: time, last: time)
        if visits.count == 0 { byteCount += Self.size(of: key) }
        visits.add(at: time)
        _ = items.insert(visits, for: key, cost: 0)
        if items.count > maxItems { _ = removeOldestItem() }
    }

    private static func size(of item: Item) -> Int {
        entryByteCount + item.section.byteCount + item.item.byteCount
    }

    /// Removes what was reported longest ago among the items, or among the pages if there are no
    /// items; returns `false` if there is neither.
    mutating func removeOldest() -> Bool { removeOldestItem() || removeOldestPage() }

    private mutating func removeOldestPage() -> Bool {
        guard pages.removeOldest() != nil else { return false }
        byteCount -= Self.entryByteCount
        return true
    }

    private mutating func removeOldestItem() -> Bool {
        guard let (key, _) = items.removeOldest() else { return false }
        byteCount -= Self.size(of: key)
        return true
    }

    /// Writes the journey as JSON, in the order of the last reports.
    ///
    /// - Complexity: O(pages + items).
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
