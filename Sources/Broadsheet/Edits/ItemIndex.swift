/// The locations of a page's items by the hashes of their identities, while the page is edited.
///
/// An entry has the location that its item had when it was added. What was inserted and removed
/// since then is a list of shifts, which lead to the current location; so an edit does not change
/// the entries behind it. The order of items does not change, because an item that is moved is
/// removed and added.
struct ItemIndex {
    /// A change of the locations of items that remain.
    fileprivate struct Shift {
        /// The kind of change.
        enum Kind {
            /// Elements of an array behind others that were inserted or removed.
            case elements
            /// Units behind others that were inserted or removed.
            case units
            /// Sections behind others that were inserted or removed.
            case sections
            /// Elements of an array that are in a new unit behind their own.
            case division
        }

        let kind: Kind
        /// The location from which on items are shifted.
        var start: Place
        var count: Int32
    }

    /// A location of an item, in a quarter of the memory of ``PageItem``.
    fileprivate struct Place {
        var section, unit, placement, element: Int32

        init(_ item: PageItem) {
            section = Int32(truncatingIfNeeded: item.section)
            unit = Int32(truncatingIfNeeded: item.unit)
            placement = Int32(truncatingIfNeeded: item.placement)
            element = Int32(truncatingIfNeeded: item.element)
        }

        var item: PageItem {
            PageItem(
                section: Int(section), unit: Int(unit), placement: Int(placement),
                element: Int(element))
        }

        /// Returns whether both are elements of one array.
        func isBeside(_ other: Self) -> Bool {
            unit == other.unit && section == other.section && placement == other.placement
        }
    }

    /// The location that an item had after so many shifts.
    fileprivate struct Entry: SingleElement {
        var place: Place
        var age: Int32
    }

    /// The items of one hash, in their order.
    fileprivate struct Group {
        var entries: WeightedList<Entry>
        /// The identity of all of them; `nil` if they differ.
        var text: JSONText?
    }

    /// The largest number of shifts, which bounds their memory.
    private static var maxShifts: Int { 1 << 16 }

    /// The items of hashes that no other item has.
    private var single: [UInt32: Entry] = [:]
    /// The items of hashes that several items have, or had.
    private var groups: [UInt32: Group] = [:]
    /// The numbers of items whose identities end in a number, by the hashes of what is before it.
    private var numbered: [UInt32: Int] = [:]
    private var shifts: [Shift] = []
    /// A Boolean value that indicates whether no entry that the last shift could still change is
    /// younger than it, so that the shift may grow.
    private var isLastShiftOpen = false
    /// The number of shifts that entries were led through.
    private var shiftedSteps = 0
    private let itemCount: Int

    init(itemCount: Int) {
        self.itemCount = max(itemCount, 16)
        single.reserveCapacity(itemCount)
    }

    /// A Boolean value that indicates whether the shifts have taken so long that another index
    /// takes less.
    var isOutdated: Bool { shifts.count > Self.maxShifts || shiftedSteps > 64 * itemCount }
}

// MARK: - Searches

extension ItemIndex {
    /// The items that the search for a name has found, in their order.
    enum Found {
        case items([PageItem])
        /// The entries in a range of the group of a hash.
        case entries(UInt32, Range<Int>)

        var count: Int {
            switch self {
            case .items(let items): items.count
            case .entries(_, let range): range.count
            }
        }
    }

    /// Returns whether the identity of an item may be an id with a number after this root.
    func hasNumbered(_ root: UInt32) -> Bool { numbered[root] != nil }

    /// Returns the items of a section that have an identity.
    ///
    /// - Parameters:
    ///   - name: The identity.
    ///   - section: The section.
    ///   - work: The work of the update.
    ///   - text: Returns the identity of an item.
    /// - Complexity: O(shifts), and O(log items) if several items have the identity; O(items of the
    ///   hash) for the hash of several identities.
    mutating func find(
        _ name: ItemName, ofSection section: Int, _ record: EditRecord,
        text: (PageItem) -> JSONText?
    ) -> Found {
        if let entry = single[name.hash] {
            let place = place(of: entry, record)
            single[name.hash] = Entry(place: place, age: Int32(truncatingIfNeeded: shifts.count))
            isLastShiftOpen = false
            let item = place.item
            guard item.section == section, text(item)?.equals(utf8: name.key.utf8) == true else {
                return .items([])
            }
            return .items([item])
        }
        guard let group = groups[name.hash] else { return .items([]) }
        if let common = group.text {
            guard common.equals(utf8: name.key.utf8) else { return .items([]) }
            let start = firstIndex(in: group.entries, record) { $0.section >= section }
            let end = firstIndex(in: group.entries, record) { $0.section > section }
            return .entries(name.hash, start..<end)
        }
        record.spend(group.entries.count * EditWork.listedSteps)
        let items = group.entries.map { place(of: $0, record).item }
        return .items(
            items.filter {
                $0.section == section && text($0)?.equals(utf8: name.key.utf8) == true
            })
    }

    mutating func item(_ index: Int, of found: Found, _ record: EditRecord) -> PageItem? {
        switch found {
        case .items(let items): return items[safe: index]
        case .entries(let hash, let range):
            guard index < range.count, let entry = groups[hash]?.entries[range.lowerBound + index]
            else { return nil }
            return place(of: entry, record).item
        }
    }

    /// Returns the index of the first entry for which a condition holds, which holds for all behind
    /// it.
    private mutating func firstIndex(
        in entries: WeightedList<Entry>, _ record: EditRecord, where condition: (PageItem) -> Bool
    ) -> Int {
        var (start, end) = (0, entries.count)
        while start < end {
            let middle = (start + end) / 2
            if condition(place(of: entries[middle], record).item) {
                end = middle
            } else {
                start = middle + 1
            }
        }
        return start
    }

    private mutating func place(of entry: Entry, _ record: EditRecord) -> Place {
        var place = entry.place
        let first = Int(entry.age)
        guard first < shifts.count else { return place }
        shiftedSteps += shifts.count - first
        record.spend(shifts.count - first)
        shifts.withUnsafeBufferPointer { shifts in
            for index in first..<shifts.count { shifts[index].apply(to: &place) }
        }
        return place
    }
}

extension ItemIndex.Shift {
    @inline(__always)
    fileprivate func apply(to place: inout ItemIndex.Place) {
        guard place.section == start.section || kind == .sections else { return }
        switch kind {
        case .sections:
            if place.section >= start.section { place.section += count }
        case .elements:
            guard place.element >= start.element, place.isBeside(start) else { return }
            place.element += count
        case .units:
            if place.unit >= start.unit { place.unit += count }
        case .division:
            if place.unit > start.unit {
                place.unit += 1
            } else if place.element >= start.element, place.isBeside(start) {
                place.unit += 1
                place.element -= start.element
            }
        }
    }
}

// MARK: - Changes

extension ItemIndex {
    mutating func add(
        _ item: EditedItem, at location: PageItem, _ record: EditRecord,
        text: (PageItem) -> JSONText?
    ) {
        guard item.isMade, let identity = item.text else { return }
        if let root = ItemName.numberedRoot(of: identity) { numbered[root, default: 0] += 1 }
        let entry = Entry(place: Place(location), age: Int32(truncatingIfNeeded: shifts.count))
        if !isInLastShift(entry.place) { isLastShiftOpen = false }
        if var group = groups[item.hash] {
            // Taken out, so that its entries are not copied.
            groups[item.hash] = nil
            if let common = group.text, common != identity { group.text = nil }
            let number = firstIndex(in: group.entries, record) { $0 > location }
            if number == group.entries.count {
                group.entries.appendWithoutDividing(entry)
            } else {
                group.entries.insert(entry, at: number)
            }
            groups[item.hash] = group
            return
        }
        guard let other = single[item.hash] else { return single[item.hash] = entry }
        single[item.hash] = nil
        let place = place(of: other, record).item
        groups[item.hash] = Group(
            entries: WeightedList(place < location ? [other, entry] : [entry, other]),
            text: text(place) == identity ? identity : nil)
    }

    mutating func remove(_ item: EditedItem, at location: PageItem, _ record: EditRecord) {
        guard item.isMade, let identity = item.text else { return }
        if let root = ItemName.numberedRoot(of: identity), let count = numbered[root] {
            numbered[root] = count > 1 ? count - 1 : nil
        }
        if single[item.hash] != nil { return single[item.hash] = nil }
        guard var group = groups[item.hash] else { return }
        // Taken out, so that its entries are not copied.
        groups[item.hash] = nil
        let number = firstIndex(in: group.entries, record) { $0 >= location }
        if number < group.entries.count { group.entries.remove(at: number) }
        if !group.entries.isEmpty { groups[item.hash] = group }
    }

    /// Shifts the elements of an array from one on, because some were inserted there; for a
    /// negative number, because so many were removed there.
    ///
    /// Elements that are inserted behind each other, or removed before each other, are one shift.
    mutating func shiftElements(from location: PageItem, by count: Int) {
        let place = Place(location)
        guard isLastShiftOpen, let last = shifts.last, last.start.isBeside(place),
            place.element == last.start.element + (count > 0 ? last.count : -1),
            (last.count > 0) == (count > 0)
        else {
            shift(.elements, from: location, by: count)
            return isLastShiftOpen = true
        }
        shifts[shifts.count - 1].count += Int32(truncatingIfNeeded: count)
        if count < 0 { shifts[shifts.count - 1].start = place }
    }

    /// Returns whether a location is that of an element that the last shift has made place for.
    private func isInLastShift(_ place: Place) -> Bool {
        guard isLastShiftOpen, let last = shifts.last, last.count > 0 else { return false }
        return last.start.isBeside(place)
            && last.start.element..<last.start.element + last.count ~= place.element
    }

    mutating func shiftUnits(from unit: Int, ofSection section: Int, by count: Int) {
        shift(
            .units, from: PageItem(section: section, unit: unit, placement: 0, element: 0),
            by: count)
    }

    mutating func shiftSections(from section: Int, by count: Int) {
        shift(
            .sections, from: PageItem(section: section, unit: 0, placement: 0, element: 0),
            by: count)
    }

    /// Shifts the elements of an array from one on into a new unit behind their own.
    mutating func divide(at location: PageItem) { shift(.division, from: location, by: 1) }

    private mutating func shift(_ kind: Shift.Kind, from location: PageItem, by count: Int) {
        isLastShiftOpen = false
        shifts.append(
            Shift(kind: kind, start: Place(location), count: Int32(truncatingIfNeeded: count)))
    }
}
