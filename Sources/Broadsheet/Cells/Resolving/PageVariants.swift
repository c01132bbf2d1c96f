import BroadsheetClient

/// The variants of a page for audiences other than the one without a client: the tests that it
/// depends on, and the pages that were resolved for their outcomes.
///
/// It does not keep these pages, which belong to the layouts that show them.
package final class PageVariants: Sendable {
    let tests: ConditionTests
    /// The outcome of the tests for a request without a client.
    private let standard: Outcome
    private let node: UInt32
    /// The document of a page that is a part of it; `nil` for one that is the whole document.
    private let document: JSONDocument?
    private let limits: ScreenLimits
    /// The largest number of items that the page may have for an audience.
    package let maxItemCount: Int
    private let known = LockedValue<[Outcome: KnownVariant]>([:])

    /// The number of references up to which those to pages that are gone are kept.
    private static let minCleanup = 16

    /// Creates the variants of a posted page; `nil` if it is the same for all audiences.
    ///
    /// - Complexity: O(units).
    init?(of page: ServerStatePage, registry: CellRegistry, limits: ScreenLimits) {
        guard page.hasConditions || registry.hasConditions else { return nil }
        let tests = ConditionTests(of: page, registry)
        guard tests.count > 0 else { return nil }
        self.tests = tests
        self.limits = limits
        maxItemCount = min(page.document.nodeCount, limits.maxItems)
        standard = tests.outcome(for: .standard)
        node = page.node
        document = page.node == page.document.root.node ? nil : page.document
    }

    /// The estimated size in memory of the tests, in bytes.
    package var byteCount: Int { 512 + 256 * tests.count }

    /// Returns the page for an audience.
    ///
    /// A variant that exceeds a limit has no sections, and a diagnostic.
    ///
    /// - Parameter page: The page of these variants.
    /// - Complexity: O(tests) for a variant that is in use, otherwise O(bytes).
    fileprivate func page(
        _ page: ResolvedPage, for audience: Audience, _ registry: CellRegistry
    ) -> ResolvedPage {
        let outcome = tests.outcome(for: audience)
        guard outcome != standard else { return page }
        if let known = known.withLock({ $0[outcome]?.page }) { return known }
        guard let made = variant(of: page, for: audience, registry) else { return page }
        // Other requests do not use a page whose judging ended early: the client was gone, or the
        // budget of the request was exhausted.
        guard !LongWork.isDropped, registry.judgementBudget?.isExhausted != true else {
            return made
        }
        return known.withLock { known in
            // Another request may have made it meanwhile.
            if let other = known[outcome]?.page { return other }
            if known.count >= Self.minCleanup { known = known.filter { $0.value.page != nil } }
            known[outcome] = KnownVariant(page: made)
            return made
        }
    }

    /// Returns a page resolved for an audience; `nil` if its bytes are not valid JSON, which they
    /// were when it was accepted.
    private func variant(
        of page: ResolvedPage, for audience: Audience, _ registry: CellRegistry
    ) -> ResolvedPage? {
        guard let document = document ?? (try? JSONDocument(page.bytes, maxDepth: .max)) else {
            return nil
        }
        do throws(ContractError) {
            let posted = try ServerStatePage(
                document.value(at: node), names: registry.names, limits: limits)
            var resolver = PageResolver(
                posted, for: audience, registry: registry, limits: limits)
            return try ResolvedPage(&resolver, number: page.number, isVariant: true)
        } catch {
            return ResolvedPage(
                unreadable: document, number: page.number, names: registry.names, error: error,
                variantOf: page)
        }
    }
}

/// A variant that layouts keep.
private struct KnownVariant: Sendable {
    weak let page: ResolvedPage?
}

extension ResolvedPage {
    /// Returns the page for an audience: itself, or a variant.
    ///
    /// - Complexity: O(1) if it is the same for all; otherwise as ``PageVariants``.
    func variant(for audience: Audience, _ registry: CellRegistry) -> ResolvedPage {
        variants?.page(self, for: audience, registry) ?? self
    }
}

extension ConditionTests {
    fileprivate init(of page: ServerStatePage, _ registry: CellRegistry) {
        for section in page.sections {
            let place = section.condition.map { add($0, in: Self.root) } ?? Self.root
            for unit in [section.header, section.footer] {
                if let unit { add(unit, in: place, registry) }
            }
            for unit in section.units { add(unit, in: place, registry) }
        }
    }

    /// Adds the tests of a unit, and of its fallbacks, which are passed over one by one.
    private mutating func add(_ unit: ServerStateUnit, in outer: Int, _ registry: CellRegistry) {
        let place = unit.condition.map { add($0, in: outer) } ?? outer
        addPlacements(of: unit, in: place, registry)
        var next = unit.fallback
        while let fallback = next {
            let own = fallback.condition.map { add($0, in: place) } ?? place
            addPlacements(of: fallback, in: own, registry)
            next = fallback.fallback
        }
    }

    private mutating func addPlacements(
        of unit: ServerStateUnit, in outer: Int, _ registry: CellRegistry
    ) {
        guard registry.hasConditions else { return }
        for conditions in registry.conditions(of: unit.unitType) {
            let place = conditions.own.map { add($0, in: outer) } ?? outer
            for condition in conditions.cells { _ = add(condition, in: place) }
        }
    }
}
