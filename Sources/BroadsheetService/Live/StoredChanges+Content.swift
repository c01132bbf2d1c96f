import Broadsheet
import BroadsheetIO

extension ScreenSource {
    /// Returns the changes document; that of a large screen from the cache, or from a worker
    /// thread.
    ///
    /// If two layouts can never be in memory, it is a reset.
    func content(
        of changes: StoredChanges, _ work: Work
    ) async throws(Problem) -> LayoutContent {
        let history = screens.history
        var cost = 0
        var added: [ResolvedPage]?
        if changes.new.snapshot.mayBeExpensive {
            if let known = renderer.cachedChanges(for: changes) { return .bytes(known) }
            added = renderer.addedPages(changes, history)
            cost =
                added.map { WorkCost.layout(of: $0) }
                ?? changes.new.workCost
        }
        let needed = added.map(MemoryCost.comparing) ?? MemoryCost.comparing(changes)
        let pages = changes.new.snapshot.model.reservedByteCount
        if !work.memory.canHave(needed, beside: pages), changes.old != nil, !changes.isSame {
            return try await content(of: changes.asReset, work)
        }
        try await work.memory.adjust(to: needed, beside: pages, for: .storedScreen)
        return try await work.perform(cost: cost) { () throws(Problem) in
            try renderer.changes(changes, history, work.memory)
        }
    }
}

extension MemoryCost {
    /// Returns the memory to compare two trees of a stored screen: both layouts, and the tables of
    /// their items.
    static func comparing(_ changes: StoredChanges) -> Int {
        let (model, page) = (changes.new.snapshot.model, changes.new.page)
        let (new, newTexts) = (counts(of: model, upTo: page), filling(model, upTo: page))
        guard let old = changes.old, !changes.isSame else { return layout(new) + newTexts }
        let texts = max(newTexts, filling(old.snapshot.model, upTo: old.page))
        return comparing(counts(of: old.snapshot.model, upTo: old.page), new) + texts
    }
}
