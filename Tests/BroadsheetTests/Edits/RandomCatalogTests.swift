import Broadsheet
import TestSupport
import Testing

/// Random updates of pages of random catalogs: what an operation leaves is compared with plain
/// lists of the items before it, and the operations of one update with updates of their own.
@Suite("Updates of pages of random catalogs (docs/edits.md)") struct RandomCatalogTests {
    /// The pages after an update, or the pointer of its failure.
    private enum Outcome: Equatable {
        case pages([String])
        case failure(String)
        case invalid

        /// Returns the outcome of an update whose only operation has another index.
        func asOperation(_ index: Int) -> Self {
            guard case .failure(let pointer) = self else { return self }
            return .failure("/operations/\(index)" + pointer.dropFirst("/operations/0".count))
        }
    }

    private let seed = SeededGenerator.seed(of: "RandomCatalogTests")

    @Test("An update keeps what docs/edits.md promises, whatever units make of their data")
    func histories() throws {
        var counts = (done: 0, failed: 0)
        for history in 0..<72 {
            let seed = seed &+ UInt64(history)
            var catalog = RandomCatalog(seed: seed)
            let registry = try catalog.registry()
            let count = catalog.chance(8) ? 10 : 1 + catalog.below(3)
            var run = History(pages: (0..<count).map { _ in catalog.page() }, registry: registry)
            for _ in 0..<12 {
                try run.apply(&catalog, &counts, Comment("seed \(seed): \(catalog.text)"))
            }
        }
        #expect(counts.done > 120, "seed \(seed): \(counts)")
        #expect(counts.failed > 50, "seed \(seed): \(counts)")
    }

    /// The updates of one screen.
    private struct History {
        let first: [String]
        let registry: CellRegistry
        /// The pages after the operations that succeeded.
        var pages: [String]
        var applied: [String] = []

        init(pages: [String], registry: CellRegistry) {
            (first, self.registry, self.pages) = (pages, registry, pages)
        }

        /// Applies a random operation in an update of its own, and in one with those before it.
        mutating func apply(
            _ catalog: inout RandomCatalog, _ counts: inout (done: Int, failed: Int),
            _ comment: Comment
        ) throws {
            let before = try MadeScreen(updated(pages, []).model, registry)
            var targets = RandomTargets(catalog: catalog, screen: before)
            let (operation, effect) = targets.operation()
            catalog = targets.catalog
            let comment: Comment = "\(comment) \(pages) \(operation)"
            let (outcome, model) = try updated(pages, [operation])
            if case .split(let operations) = effect, !catalog.facts.isDependent {
                try expectSame(outcome, updated(pages, operations).outcome, comment)
            }
            if outcome == .invalid { return }
            // The items of a unit stay between two operations although it violates its schema.
            if !catalog.facts.hasSchemas {
                let together = try updated(first, applied + [operation]).outcome
                let expected = outcome.asOperation(applied.count)
                try #require(together == expected, "\(first) \(applied) \(comment)")
            }
            guard case .pages(let next) = outcome else { return counts.failed += 1 }
            let after = try MadeScreen(model, registry)
            let difference = effect.difference(from: before, to: after, catalog.facts)
            try #require(difference == nil, "\(comment): \(next)")
            counts.done += 1
            (pages, applied) = (next, applied + [operation])
        }

        /// Compares the outcome of an operation with that of several ones that are the same.
        private func expectSame(_ one: Outcome, _ several: Outcome, _ comment: Comment) throws {
            if case .failure = one, case .failure = several { return }
            try #require(one == several, comment)
        }

        private func updated(
            _ pages: [String], _ operations: [String]
        ) throws -> (outcome: Outcome, model: PaginatedViewModel) {
            var model = PaginatedViewModel()
            for (number, page) in pages.enumerated() {
                try model.load(resolved(page, number: number, by: registry))
            }
            guard !operations.isEmpty else { return (.pages(pages), model) }
            let text = #"{"operations":[\#(operations.joined(separator: ","))]}"#
            let document = try JSONDocument(Array(text.utf8))
            guard let update = try? ScreenUpdate(document, names: registry.names) else {
                return (.invalid, model)
            }
            do throws(EditError) {
                try model.updatePages(registry: registry) { updater throws(EditError) in
                    for operation in update.operations { try updater.apply(operation) }
                }
                return (.pages(texts(model)), model)
            } catch {
                #expect(texts(model) == pages, "a failed update changed something")
                guard case .impossible(let pointer, _) = error else { return (.invalid, model) }
                return (.failure(pointer), model)
            }
        }
    }
}

extension RandomEffect {
    /// Returns a difference between what an operation left and what it promises; `nil` if there is
    /// none, or nothing is promised.
    func difference(
        from before: MadeScreen, to after: MadeScreen, _ facts: RandomCatalog.Facts
    ) -> String? {
        guard !facts.hasCode, !facts.hasIndexes, !facts.hasSchemas, !facts.hasConditions else {
            return nil
        }
        // An item whose schema judges the data of others comes and goes with them.
        guard !facts.hasItemSchemas || !facts.isNested else { return nil }
        let (old, new) = (before.numbers, after.numbers)
        let isPlain = !facts.isNested && !facts.hasChoices
        if isPlain, let number = changedBytes(from: before, to: after) { return "bytes: \(number)" }
        var expected = old
        switch self {
        case .unknown, .split: return nil
        case .none: break
        case .deleted(let section, let items):
            expected[section] = old[section].indices.filter { !items.contains($0) }
                .map { old[section][$0] }
        case .moved(let move): expected = move.applied(to: old)
        case .inserted(let section, let index):
            guard isPlain, new.count == old.count else { return isPlain ? "sections" : nil }
            let count = new[section].count - old[section].count
            guard count >= 0 else { return "\(new)" }
            expected[section].insert(contentsOf: new[section][index..<index + count], at: index)
        case .changed(let section, let item):
            guard isPlain, new.count == old.count else { return isPlain ? "sections" : nil }
            guard new[section].count == old[section].count else { return "\(new)" }
            expected[section][item] = new[section][item]
        }
        return new == expected ? nil : "\(new) instead of \(expected)"
    }

    /// Returns the number of an item whose bytes are others although no operation concerns it.
    private func changedBytes(from before: MadeScreen, to after: MadeScreen) -> Int? {
        var changed: Int?
        if case .changed(let section, let item) = self {
            changed = before.items[section][item].number
        }
        var bytes: [Int: Set<[UInt8]>] = [:]
        for item in before.items.joined() {
            if let number = item.number { bytes[number, default: []].insert(item.bytes) }
        }
        for item in after.items.joined() {
            guard let number = item.number, number != changed, let old = bytes[number] else {
                continue
            }
            if !old.contains(item.bytes) { return number }
        }
        return nil
    }
}
