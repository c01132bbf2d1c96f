/// The differences of two laid-out screens: the least that makes the tree of one that of the other
/// (docs/changes.md).
///
/// Items are numbers here; ``ChangesParts`` writes their values from the new tree.
package struct ScreenComparison: Sendable {
    /// The stages, at most three; each has at least one change.
    private(set) var stages: [ChangeStage] = []
    /// The sections of which members differ after the stages, ascending.
    private(set) var sections: [SectionDifference] = []
    /// The items whose frames or separators differ after the stages, ascending.
    private(set) var frames: [FrameRun] = []
    let hasOtherDiagnostics: Bool
    /// A Boolean value that indicates whether both trees are windows with the same members before
    /// their sections, but for revisions and tokens.
    private let hasSameMembers: Bool

    /// A Boolean value that indicates whether both trees are windows that are the same but for
    /// their revisions and tokens.
    package var isEmpty: Bool {
        stages.isEmpty && sections.isEmpty && frames.isEmpty && !hasOtherDiagnostics
            && hasSameMembers
    }

    /// Compares two laid-out screens, whose trees are written with the options of the new one.
    ///
    /// - Complexity: O(sections + items), expected; O(items * log items) for items that do not keep
    ///   their order. Sections and pages at the beginning that both screens share are not visited,
    ///   nor are frames that they share.
    package init(from old: TreeWriter, to new: TreeWriter) {
        var matching = SectionMatching(from: old, to: new)
        matching.matchMovesBetweenSections()
        matching.reloadItemsWithOtherLines()
        matching.reloadItemsWithOtherParts()
        hasOtherDiagnostics =
            !new.isKnownToHaveDiagnostics(of: old) && old.diagnostics != new.diagnostics
        hasSameMembers =
            old.window != nil && new.window != nil && new.hasSameMembers(as: old)
        stages = matching.stages()
        for pair in matching.pairs {
            let difference = SectionDifference(pair, from: old, to: new)
            if !difference.members.isEmpty { sections.append(difference) }
        }
        var runs = FrameComparison(from: old, to: new)
        for pair in matching.pairs { runs.add(pair) }
        frames = runs.runs
    }
}

/// A section that two trees have in common.
struct SectionPair {
    let old: Int
    let new: Int
    /// A Boolean value that indicates whether the section does not keep its order.
    var isMoved = false
    /// The items that both trees have, in the order of the new section.
    var runs: [ItemRun]
    var deleted: [SectionItems.Loose]
    var inserted: [SectionItems.Loose]

    /// A Boolean value that indicates whether items move to other sections.
    var losesItems = false

    /// A Boolean value that indicates whether items are inserted, deleted or moved.
    var changesItems: Bool {
        losesItems || !deleted.isEmpty || !inserted.isEmpty || runs.contains { $0.isMoved }
    }
}

/// The sections that two trees have in common, and the others.
struct SectionMatching {
    /// The sections in common, in the order of the new tree.
    var pairs: [SectionPair] = []
    private var deleted: [Int] = []
    private var inserted: [Int] = []
    let old: TreeWriter
    let new: TreeWriter

    init(from old: TreeWriter, to new: TreeWriter) {
        self.old = old
        self.new = new
        // Sections that are the same and keep their places need no pair.
        let common = old.commonSectionCount(with: new)
        let origins = Self.origins(from: old, to: new, after: common)
        var isKept = [Bool](repeating: false, count: old.sectionCount)
        for index in 0..<common { isKept[index] = true }
        for (offset, origin) in origins.enumerated() {
            let index = common + offset
            guard let origin else {
                inserted.append(index)
                continue
            }
            isKept[origin] = true
            pairs.append(pair(origin, index))
        }
        deleted = isKept.indices.filter { !isKept[$0] }
        markMoves()
    }

    /// Returns the index in the earlier tree of each section of the new one.
    ///
    /// - Parameter common: The number of sections at the beginning that both trees have, which are
    ///   left out.
    private static func origins(
        from old: TreeWriter, to new: TreeWriter, after common: Int
    ) -> [Int?] {
        let keys = old.sectionIdentities(from: common)
        let newKeys = new.sectionIdentities(from: common)
        let start = zip(keys, newKeys).prefix { $0 == $1 }.count
        var indices: [SectionIdentity: Int] = [:]
        for index in start..<keys.count { indices[keys[index]] = common + index }
        return newKeys.indices.map { $0 < start ? common + $0 : indices[newKeys[$0]] }
    }

    private func pair(_ index: Int, _ other: Int) -> SectionPair {
        var matching = ItemMatching(
            from: SectionItems(of: old, at: index), to: SectionItems(of: new, at: other),
            oldSection: index, by: equality(index, other))
        matching.markMoves()
        return SectionPair(
            old: index, new: other, runs: matching.runs, deleted: matching.deleted,
            inserted: matching.inserted)
    }

    private func equality(_ index: Int, _ other: Int) -> ItemEquality {
        ItemEquality(
            isAlwaysReloaded: old.frames.sections[index].itemZIndex
                != new.frames.sections[other].itemZIndex,
            comparesData: new.options.writesData)
    }

    private mutating func markMoves() {
        guard !zip(pairs, pairs.dropFirst()).allSatisfy({ $0.old < $1.old }) else { return }
        let kept = Set(
            LongestIncreasingSubsequence.indices(
                of: pairs.map { (value: Int32(truncatingIfNeeded: $0.old), weight: 1) }))
        for index in pairs.indices { pairs[index].isMoved = !kept.contains(index) }
    }
}

/// Items that leave a section and come into another one.
extension SectionMatching {
    /// Finds the items that are deleted in one section and inserted into another under an id of
    /// their own, where both sections stay.
    mutating func matchMovesBetweenSections() {
        let leaving = pairs.indices.filter { !pairs[$0].deleted.isEmpty }
        let coming = pairs.indices.filter { !pairs[$0].inserted.isEmpty }
        guard let first = leaving.first,
            leaving != [first] || coming.contains(where: { $0 != first })
        else { return }
        let items = Dictionary(uniqueKeysWithValues: leaving.map { ($0, oldItems($0)) })
        var sources: [(pair: Int, item: Int)] = []
        var table = LooseItemTable(
            capacity: leaving.reduce(0) { $0 + pairs[$1].deleted.count })
        let empty = SectionItems.empty
        for pair in leaving {
            guard let own = items[pair] else { continue }
            for (index, item) in pairs[pair].deleted.enumerated() where own.hasOwnID(item) {
                sources.append((pair, index))
                table.insert(item, sources.count - 1, of: own) { position in
                    items[sources[position].pair] ?? empty
                }
            }
        }
        guard !sources.isEmpty else { return }
        var taken: [Int: Set<Int>] = [:]
        for pair in coming {
            add(comingInto: pair, &taken) { item, new in
                table.remove(item, of: new) { items[sources[$0].pair] ?? empty }
                    .map { sources[$0] }
            }
        }
        for (pair, indices) in taken {
            let deleted = pairs[pair].deleted
            pairs[pair].losesItems = true
            pairs[pair].deleted = deleted.indices.filter { !indices.contains($0) }.map {
                deleted[$0]
            }
        }
    }

    private func oldItems(_ pair: Int) -> SectionItems {
        SectionItems(of: old, at: pairs[pair].old)
    }

    private mutating func add(
        comingInto pair: Int, _ taken: inout [Int: Set<Int>],
        _ take: (SectionItems.Loose, SectionItems) -> (pair: Int, item: Int)?
    ) {
        let index = pairs[pair].new
        let items = SectionItems(of: new, at: index)
        var moved: [ItemRun] = []
        var unmatched: [SectionItems.Loose] = []
        for item in pairs[pair].inserted {
            guard items.hasOwnID(item), let source = take(item, items) else {
                unmatched.append(item)
                continue
            }
            taken[source.pair, default: []].insert(source.item)
            moved.add(run(from: source, item, of: items, to: index))
        }
        guard !moved.isEmpty else { return }
        pairs[pair].inserted = unmatched
        pairs[pair].runs = ItemMatching.merged(pairs[pair].runs, moved)
    }

    private func run(
        from source: (pair: Int, item: Int), _ item: SectionItems.Loose, of items: SectionItems,
        to section: Int
    ) -> ItemRun {
        let origin = pairs[source.pair].old
        let moved = pairs[source.pair].deleted[source.item]
        return ItemRun(
            oldSection: Int32(truncatingIfNeeded: origin), old: moved.item, new: item.item,
            count: 1,
            isReloaded: equality(origin, section).differ(
                moved, of: oldItems(source.pair), item, of: items),
            isMoved: true)
    }
}

/// Items whose texts have other lines, also where their pages are the same.
extension SectionMatching {
    /// Marks the items as reloaded whose `lines` or `truncated` differ: they are members other than
    /// the frame.
    ///
    /// - Complexity: O(items of sections with measured items whose lines are not shared).
    mutating func reloadItemsWithOtherLines() {
        for index in pairs.indices {
            let frames = new.frames.sections[pairs[index].new]
            var runs: [ItemRun] = []
            var isChanged = false
            for run in pairs[index].runs {
                let before = old.frames.sections[Int(run.oldSection)]
                guard !run.isReloaded, !frames.lines.isEmpty || !before.lines.isEmpty else {
                    runs.append(run)
                    continue
                }
                isChanged = true
                var offset: Int32 = 0
                while offset < run.count {
                    var part = run
                    let (item, newItem) = (Int(run.old + offset), Int(run.new + offset))
                    let shared = before.lines.sharedCount(
                        from: item, with: frames.lines, from: newItem)
                    let count = max(1, min(Int32(truncatingIfNeeded: shared), run.count - offset))
                    (part.old, part.new, part.count) = (run.old + offset, run.new + offset, count)
                    part.isReloaded =
                        shared == 0 && before.lines(ofItem: item) != frames.lines(ofItem: newItem)
                    runs.add(part)
                    offset += count
                }
            }
            if isChanged { pairs[index].runs = runs }
        }
    }
}

extension TreeWriter {
    /// Returns the number of sections at the beginning that are known to be the same as in another
    /// tree, with their frames.
    ///
    /// - Complexity: O(chunks of sections), and O(sections) in the chunks that differ.
    fileprivate func commonSectionCount(with other: TreeWriter) -> Int {
        guard frames.direction == other.frames.direction else { return 0 }
        let sections = screen.sections.commonPrefixCount(with: other.screen.sections, by: ===)
        let frames = frames.sections.commonPrefixCount(with: other.frames.sections) {
            $0.isKnownToBeSame(as: $1)
        }
        return min(sections, frames)
    }

    fileprivate func isKnownToHaveDiagnostics(of other: TreeWriter) -> Bool {
        screen.isKnownToHaveDiagnostics(of: other.screen)
            && frames.diagnostics.isEmpty && other.frames.diagnostics.isEmpty
    }
}

extension SectionMatching {
    /// Returns the stages: reloads; sections and items; the items apart if they change in a section
    /// that moves.
    func stages() -> [ChangeStage] {
        var (reloads, displacements, apart) = (ChangeStage(), ChangeStage(), ChangeStage())
        let isApart = pairs.contains { $0.isMoved && $0.changesItems }
        displacements.deleteSections = deleted
        displacements.insertSections = inserted
        for pair in pairs where pair.isMoved {
            displacements.moveSections.append((from: pair.old, to: pair.new))
        }
        // After the sections have moved, the sections of the earlier tree are those of the new one.
        var places = Array(0..<old.sectionCount)
        if isApart { for pair in pairs { places[pair.old] = pair.new } }
        for pair in pairs {
            reloads.addReloads(of: pair)
            if isApart {
                apart.addDisplacements(of: pair, places)
            } else {
                displacements.addDisplacements(of: pair, places)
            }
        }
        return [reloads, displacements, apart].filter { !$0.isEmpty }.map { $0.sorted() }
    }
}
