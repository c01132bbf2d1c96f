/// The items of a section that two trees have in common.
///
/// Pages that both trees share are compared as a whole. The items of other pages are compared in
/// their order, with a short look ahead after each difference; those that are left over are found
/// by the hashes of their ids. Ids are unique in a section, so every equal pair is the right one,
/// whichever way it is found.
struct ItemMatching {
    /// The runs of items that both trees have, in the order of the new one.
    private(set) var runs: [ItemRun] = []
    /// The items of the earlier tree that the new section does not have, ascending.
    private(set) var deleted: [SectionItems.Loose] = []
    /// The items of the new tree that the earlier section did not have, ascending.
    private(set) var inserted: [SectionItems.Loose] = []

    /// The number of items that are looked ahead for an equal one.
    private static let lookAhead = 6
    /// The number of differences for which a page is worth looking ahead, in advance.
    private static let initialCredit = 32

    private let old: SectionItems
    private let new: SectionItems
    private let oldSection: Int32
    private var equality: ItemEquality

    /// Finds the common items of a section.
    ///
    /// - Complexity: O(items of the pages that differ, and parts from the first one on that
    ///   differs), expected.
    init(
        from old: SectionItems, to new: SectionItems, oldSection: Int, by equality: ItemEquality
    ) {
        self.old = old
        self.new = new
        self.oldSection = Int32(truncatingIfNeeded: oldSection)
        self.equality = equality
        matchParts()
        matchLeftovers()
    }

    /// Matches the parts of pages with the same number, in order.
    private mutating func matchParts() {
        let common = old.commonPrefix(with: new)
        if common.items > 0 {
            // The suffixes of the items depend on the items before them only, and are the same.
            add(old: 0, new: 0, count: common.items, isReloaded: equality.isAlwaysReloaded)
        }
        var (index, other) = (common.parts, common.parts)
        while index < old.partCount, other < new.partCount {
            let (part, otherPart) = (old.part(at: index), new.part(at: other))
            if part.page.number < otherPart.page.number {
                release(old: index, part.items)
                index += 1
            } else if part.page.number > otherPart.page.number {
                release(new: other, otherPart.items)
                other += 1
            } else {
                match(part: index, of: part, with: other, of: otherPart)
                index += 1
                other += 1
            }
        }
        for index in index..<old.partCount { release(old: index, old.part(at: index).items) }
        for other in other..<new.partCount { release(new: other, new.part(at: other).items) }
    }

    private mutating func release(old part: Int, _ items: Range<Int>) {
        for item in items { deleted.append(Self.loose(part, item)) }
    }

    private mutating func release(new part: Int, _ items: Range<Int>) {
        for item in items { inserted.append(Self.loose(part, item)) }
    }

    private static func loose(_ part: Int, _ item: Int) -> SectionItems.Loose {
        SectionItems.Loose(
            part: Int32(truncatingIfNeeded: part), item: Int32(truncatingIfNeeded: item))
    }

    private mutating func match(
        part index: Int, of part: SectionItems.Part, with other: Int,
        of otherPart: SectionItems.Part
    ) {
        if part.isSame(as: otherPart) {
            return add(
                old: part.start, new: otherPart.start, count: part.cells.count,
                isReloaded: equality.isAlwaysReloaded)
        }
        if part.hasSuffixes || otherPart.hasSuffixes {
            release(old: index, part.items)
            return release(new: other, otherPart.items)
        }
        part.page.bytes.withUnsafeBufferPointer { bytes in
            otherPart.page.bytes.withUnsafeBufferPointer { otherBytes in
                part.cells.withUnsafeBufferPointer { cells in
                    otherPart.cells.withUnsafeBufferPointer { otherCells in
                        equality.begin(part.page, otherPart.page)
                        match(
                            PartContent(
                                part: index, start: part.start, cells: cells, bytes: bytes),
                            PartContent(
                                part: other, start: otherPart.start, cells: otherCells,
                                bytes: otherBytes))
                    }
                }
            }
        }
    }

    /// The items and the bytes of a part, which are valid only during one call.
    private struct PartContent {
        let part: Int
        /// The index in the section of the first item.
        let start: Int
        let cells: UnsafeBufferPointer<CellInfo>
        let bytes: UnsafeBufferPointer<UInt8>

        @inline(__always)
        func hasSameID(at index: Int, as other: PartContent, at otherIndex: Int) -> Bool {
            cells[index].id.isSame(as: other.cells[otherIndex].id, bytes, other.bytes)
        }
    }

    private mutating func match(_ part: PartContent, _ other: PartContent) {
        let (start, otherStart) = (part.start, other.start)
        var (index, otherIndex) = (0, 0)
        var credit = Self.initialCredit
        while index < part.cells.count, otherIndex < other.cells.count {
            if part.hasSameID(at: index, as: other, at: otherIndex) {
                let isReloaded = equality.differ(
                    part.cells[index], in: part.bytes, other.cells[otherIndex], in: other.bytes)
                add(
                    old: start + index, new: otherStart + otherIndex, count: 1,
                    isReloaded: isReloaded)
                credit += 1
                index += 1
                otherIndex += 1
                continue
            }
            let (skip, otherSkip) =
                credit > 0 ? Self.distances(part, at: index, other, at: otherIndex) : (1, 1)
            credit -= Self.lookAhead
            release(old: part.part, start + index..<start + index + skip)
            release(
                new: other.part, otherStart + otherIndex..<otherStart + otherIndex + otherSkip)
            index += skip
            otherIndex += otherSkip
        }
        release(old: part.part, start + index..<start + part.cells.count)
        release(new: other.part, otherStart + otherIndex..<otherStart + other.cells.count)
    }

    /// Returns the numbers of items to leave out so that the next two are equal; one of each if
    /// there are none near.
    private static func distances(
        _ part: PartContent, at index: Int, _ other: PartContent, at otherIndex: Int
    ) -> (Int, Int) {
        for skip in 1...lookAhead {
            let (near, otherNear) = (index + skip, otherIndex + skip)
            if otherNear < other.cells.count, part.hasSameID(at: index, as: other, at: otherNear) {
                return (0, skip)
            }
            if near < part.cells.count, part.hasSameID(at: near, as: other, at: otherIndex) {
                return (skip, 0)
            }
            if near < part.cells.count, otherNear < other.cells.count,
                part.hasSameID(at: near, as: other, at: otherNear)
            {
                return (skip, skip)
            }
        }
        return (1, 1)
    }

    @inline(__always)
    private mutating func add(old: Int, new: Int, count: Int, isReloaded: Bool) {
        runs.add(
            ItemRun(
                oldSection: oldSection, old: Int32(truncatingIfNeeded: old),
                new: Int32(truncatingIfNeeded: new), count: Int32(truncatingIfNeeded: count),
                isReloaded: isReloaded))
    }

    /// Matches the items that were not found in order by their ids.
    private mutating func matchLeftovers() {
        guard !deleted.isEmpty, !inserted.isEmpty else { return }
        var table = LooseItemTable(capacity: deleted.count)
        for (position, item) in deleted.enumerated() {
            table.insert(item, position, of: old) { _ in old }
        }
        var isFound = [Bool](repeating: false, count: deleted.count)
        var matched: [ItemRun] = []
        var unmatched: [SectionItems.Loose] = []
        for item in inserted {
            guard let position = table.remove(item, of: new, equalIn: { _ in old }) else {
                unmatched.append(item)
                continue
            }
            isFound[position] = true
            matched.add(run(of: deleted[position], item))
        }
        guard !matched.isEmpty else { return }
        inserted = unmatched
        deleted = zip(deleted, isFound).compactMap { $1 ? nil : $0 }
        runs = Self.merged(runs, matched)
    }

    private func run(of item: SectionItems.Loose, _ other: SectionItems.Loose) -> ItemRun {
        ItemRun(
            oldSection: oldSection, old: item.item, new: other.item, count: 1,
            isReloaded: equality.differ(item, of: old, other, of: new))
    }

    mutating func markMoves() { runs.markMoves() }

    static func merged(_ one: [ItemRun], _ other: [ItemRun]) -> [ItemRun] {
        var merged: [ItemRun] = []
        merged.reserveCapacity(one.count + other.count)
        var (rest, otherRest) = (one[...], other[...])
        while let run = rest.first, let otherRun = otherRest.first {
            if run.new < otherRun.new {
                merged.add(rest.removeFirst())
            } else {
                merged.add(otherRest.removeFirst())
            }
        }
        for run in rest { merged.add(run) }
        for run in otherRest { merged.add(run) }
        return merged
    }
}

/// A comparison of the members of items besides their frames and separators.
struct ItemEquality {
    /// A Boolean value that indicates whether the z-index of all items differs.
    var isAlwaysReloaded: Bool
    let comparesData: Bool

    private var kinds: [CellKind] = []
    private var otherKinds: [CellKind] = []
    /// The kinds that were compared last, and the result.
    private var lastKinds = (kind: -1, other: -1, isSame: false)

    init(isAlwaysReloaded: Bool = false, comparesData: Bool) {
        self.isAlwaysReloaded = isAlwaysReloaded
        self.comparesData = comparesData
    }

    mutating func begin(_ page: ResolvedPage, _ other: ResolvedPage) {
        kinds = page.kinds
        otherKinds = other.kinds
        lastKinds = (-1, -1, false)
    }

    @inline(__always)
    mutating func differ(
        _ cell: CellInfo, in bytes: UnsafeBufferPointer<UInt8>, _ other: CellInfo,
        in otherBytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        if isAlwaysReloaded { return true }
        if lastKinds.kind != cell.kind || lastKinds.other != other.kind {
            let (kind, otherKind) = (kinds[cell.kind], otherKinds[other.kind])
            lastKinds = (
                cell.kind, other.kind,
                kind.nameJSON == otherKind.nameJSON && kind.behavior.can == otherKind.behavior.can
            )
        }
        guard lastKinds.isSame else { return true }
        guard comparesData else { return false }
        return !DataEquality.areEqual(
            UnsafeBufferPointer(rebasing: bytes[cell.dataRange]),
            UnsafeBufferPointer(rebasing: otherBytes[other.dataRange]))
    }

    func differ(
        _ item: SectionItems.Loose, of items: SectionItems, _ other: SectionItems.Loose,
        of others: SectionItems
    ) -> Bool {
        let (page, otherPage) = (items.page(item), others.page(other))
        return page.bytes.withUnsafeBufferPointer { bytes in
            otherPage.bytes.withUnsafeBufferPointer { otherBytes in
                var equality = self
                equality.begin(page, otherPage)
                return equality.differ(
                    items.cell(item), in: bytes, others.cell(other), in: otherBytes)
            }
        }
    }
}
