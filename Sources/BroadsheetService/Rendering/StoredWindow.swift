import Broadsheet
import BroadsheetIO
import BroadsheetStores

/// The tree of all pages of a stored screen, laid out.
struct LaidOutTree: Sendable {
    let layout: StoredLayout
    let screen: ReservedLayout

    private var axis: ScreenAxis { screen.frames.axis }

    /// Returns the search for items, by the index that the layout has
    /// (``WindowReader``).
    func finder() -> ItemFinder {
        ItemFinder(
            screen.merged, frames: screen.frames,
            index: screen.itemIndex ?? PlacedItemIndex(screen.merged))
    }

    /// The memory to make the index of the items, unless the layout has it.
    var indexBytes: Int {
        guard screen.itemIndex == nil else { return 0 }
        return PlacedItemIndex.maxByteCount(
            sections: screen.merged.sections.count, items: screen.merged.itemCount)
    }

    /// Returns the lengths of a window, with the default for those that are not given.
    func lengths(before: Double?, after: Double?) -> ScreenWindow.Lengths {
        let size = layout.parameters.viewport.size
        let standard =
            WindowRequest.defaultViewports * (axis == .horizontal ? size.width : size.height)
        return ScreenWindow.Lengths(before: before ?? standard, after: after ?? standard)
    }

    /// Returns the window around an item, or around the null anchor.
    ///
    /// - Complexity: O(items of the window), after one pass over all items for the first one.
    func window(around place: PlacedItem?, _ lengths: ScreenWindow.Lengths) -> StoredWindow {
        StoredWindow(
            layout: layout, screen: screen,
            window: ScreenWindow(
                around: place, in: screen.merged, screen.visibility, lengths: lengths,
                coordinates: layout.parameters.options.coordinates))
    }
}

/// A window of the tree of all pages of a stored screen.
struct StoredWindow: Sendable {
    let layout: StoredLayout
    /// The layout of all pages, which the window's tree is written from.
    let screen: ReservedLayout
    let window: ScreenWindow

    var tree: LaidOutTree { LaidOutTree(layout: layout, screen: screen) }

    func version(_ seal: TokenSeal) -> TreeVersion {
        let tag = WindowTag(around: window.anchor, window.lengths, code: code(seal))
        return TreeVersion(
            revision: layout.revision, tag: tag.sealed(by: seal, for: layout.snapshot.name.text))
    }

    /// Returns the code of everything but the anchor and the lengths that the tree depends on.
    func code(_ seal: TokenSeal) -> [UInt8] { code(naming: layout.pinnedRevision, seal) }

    /// Returns whether a code is that of the window, or of the window of a request that named its
    /// revision, which differs in its tokens only.
    func hasCode(_ code: [UInt8], _ seal: TokenSeal) -> Bool {
        [nil, layout.revision, layout.snapshot.revision].contains {
            self.code(naming: $0, seal) == code
        }
    }

    private func code(naming revision: UInt64?, _ seal: TokenSeal) -> [UInt8] {
        layout.windowCode(tokenRevision: hasNext || hasPrevious ? revision : nil, seal)
    }

    private var hasNext: Bool { window.hasLater || screen.merged.hasNext }
    private var hasPrevious: Bool { window.hasEarlier || screen.merged.hasPrevious }

    func writer(_ seal: TokenSeal) -> TreeWriter {
        TreeWriter(
            window, viewport: layout.parameters.viewport, envelope: envelope(seal),
            options: layout.parameters.options)
    }

    private func envelope(_ seal: TokenSeal) -> TreeEnvelope {
        let merged = screen.merged
        var envelope = TreeEnvelope(
            screen: layout.snapshot.name.text, revision: layout.revision, hasNext: hasNext)
        envelope.hasPrevious = hasPrevious
        if envelope.hasNext {
            envelope.nextPageToken = token(
                around: window.last, needing: window.hasLater ? .none : .above(merged.page), seal)
        }
        if hasPrevious {
            let lowest = layout.snapshot.model.lowestPage ?? 0
            envelope.previousPageToken = token(
                around: window.first, needing: window.hasEarlier ? .none : .below(lowest), seal)
        }
        return envelope
    }

    private func token(
        around anchor: ItemIdentity?, needing need: WindowToken.Need, _ seal: TokenSeal
    ) -> String {
        WindowToken(
            around: anchor, at: layout.revision, window.lengths, needing: need,
            PageToken(
                after: 0, layout.parameters, catalog: layout.snapshot.catalog.name,
                revision: layout.pinnedRevision)
        ).sealed(by: seal, for: layout.snapshot.name.text)
    }
}

/// Layouts that windows are made of.
extension LayoutRenderer {
    /// Returns a laid-out screen from the cache; otherwise one of the requests that need it at this
    /// time makes it for all, on a worker thread if it is large.
    ///
    /// That of an earlier revision is made for each request.
    func laidOut(
        _ layout: StoredLayout, reusing similar: ReservedLayout?, _ work: Work
    ) async throws(Problem) -> LaidOutTree {
        let key = layout.key(for: .frames, lint: false)
        if layout.isCacheable, let known = cache.cachedLayout(for: key) {
            try known.merged.checkEssentialSections()
            return LaidOutTree(layout: layout, screen: known)
        }
        func made(_ work: Work) async throws(Problem) -> ReservedLayout {
            try await work.memory.adjust(
                to: MemoryCost.layout(of: layout.snapshot.model, upTo: layout.page),
                beside: layout.snapshot.model.reservedByteCount, for: .storedScreen)
            return try await work.perform(cost: layout.workCost) { () throws(Problem) in
                try laidOut(layout, lint: false, work.memory, reusing: similar)
            }
        }
        guard layout.isCacheable, layout.workCost > Work.maxInlineCost else {
            return LaidOutTree(layout: layout, screen: try await made(work))
        }
        return try await work.performAll { (work) throws(Problem) in
            let shared = try await layoutsInProgress.perform(key, releasing: work.memory) {
                () async throws(Problem) in try await made(work)
            }
            return LaidOutTree(layout: layout, screen: shared.value)
        }
    }
}
