import Broadsheet
import BroadsheetIO
import BroadsheetStores

/// Finds the windows of stored screens that requests and streams want, and what is different in
/// them.
///
/// The search for an item, and the items of a window, depend on what is stored, so all of this runs
/// on worker threads if the screen is large.
struct WindowReader: Sendable {
    let source: ScreenSource
    private(set) var work: Work

    private var history: ScreenHistory { source.screens.history }
    private var renderer: LayoutRenderer { source.renderer }
    private var seal: TokenSeal { renderer.seal }
    private var memory: MemoryReservation { work.memory }

    init(source: ScreenSource, work: Work) {
        (self.source, self.work) = (source, work)
    }

    /// Calls `body` with a reader whose work runs on worker threads if the screen is large.
    private func reading<Value: Sendable>(
        _ snapshot: ScreenSnapshot, _ body: (WindowReader) async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        try await work.performAll(if: snapshot.mayBeExpensive) { (work) async throws(Problem) in
            var reader = self
            reader.work = work
            return try await body(reader)
        }
    }

    /// `revision` is the one that the request names; `nil` for the current one.
    private static func layout(
        of snapshot: ScreenSnapshot, _ parameters: LayoutParameters, at revision: UInt64? = nil
    ) -> StoredLayout {
        var layout = StoredLayout(
            snapshot: snapshot, page: snapshot.model.highestPage, isOpen: true,
            parameters: parameters)
        layout.pinnedRevision = revision
        return layout
    }

    // MARK: Windows

    /// Throws `ITEM_NOT_FOUND` if the tree does not have the anchor, and nothing replaces it.
    func window(
        _ request: WindowRequest, in snapshot: ScreenSnapshot, _ parameters: LayoutParameters,
        at revision: UInt64? = nil
    ) async throws(Problem) -> StoredWindow {
        try await reading(snapshot) { (reader) async throws(Problem) in
            let tree = try await renderer.laidOut(
                Self.layout(of: snapshot, parameters, at: revision), reusing: nil, reader.work)
            try await reader.begin(on: tree)
            let place = try await reader.place(of: request.target, in: tree)
            return tree.window(
                around: place, tree.lengths(before: request.before, after: request.after))
        }
    }

    func content(of window: StoredWindow) async throws(Problem) -> LayoutContent {
        let shown = window.window.screen
        let cost = WorkCost.layout(items: shown.itemCount, bytes: shown.postedByteCount)
        return try await work.perform(cost: cost) { () throws(Problem) in
            try renderer.measured { () throws(Problem) in
                let content = try LayoutContent(
                    TreeParts(window.writer(seal).explained(by: origins(of: window.tree))),
                    limit: renderer.maxResponseBytes)
                content.keep(window.screen)
                return content
            }
        }
    }

    private func origins(of tree: LaidOutTree) -> ScreenOrigins? {
        renderer.origins(of: tree.screen, tree.layout.parameters, tree.layout.registry)
    }

    /// Makes the indexes of a tree's layout, which one of the requests that need them at this time
    /// does for all, and reserves the memory of windows and of origins.
    private func begin(on tree: LaidOutTree) async throws(Problem) {
        let model = tree.layout.snapshot.model
        let items = tree.screen.merged.itemCount
        if tree.screen.itemIndex == nil {
            let key = ObjectIdentifier(tree.screen)
            _ = try await renderer.indexesInProgress.perform(key, releasing: memory) {
                () async throws(Problem) in
                try await memory.adjust(
                    to: tree.indexBytes, beside: model.reservedByteCount, for: .storedScreen)
                try await makeIndexes(of: tree)
            }
        }
        let explains = tree.layout.parameters.options.explain && !tree.screen.hasOrigins
        let found = explains ? MemoryCost.explaining(model.pages) : 0
        try await memory.adjust(
            to: MemoryCost.output + 2 * items * MemoryCost.foundItem + found,
            beside: model.reservedByteCount, for: .storedScreen)
        guard explains else { return }
        try await work.perform(cost: tree.layout.workCost) { () throws(Problem) in
            _ = origins(of: tree)
        }
    }

    /// Makes the indexes of a tree's layout, whose memory is reserved.
    private func makeIndexes(of tree: LaidOutTree) async throws(Problem) {
        let cost = tree.screen.merged.itemCount * MemoryCost.foundItem
        try await work.perform(cost: cost) { () throws(Problem) in
            try tree.screen.makeIndexes(memory)
        }
    }

    // MARK: Earlier trees

    /// Returns the tree of all pages at a revision, laid out and indexed; `nil` if it is not known,
    /// or if both layouts can never be in memory.
    private func earlier(
        at revision: UInt64, than tree: LaidOutTree
    ) async throws(Problem) -> LaidOutTree? {
        guard let earlier = try await laidOut(at: revision, than: tree) else { return nil }
        let (needed, pages) = (
            earlier.indexBytes, earlier.layout.snapshot.model.reservedByteCount
        )
        guard needed > 0 else { return earlier }
        guard memory.canHave(memory.count + needed, beside: pages) else { return nil }
        try await memory.need(memory.count + needed, beside: pages, for: .storedScreen)
        try await makeIndexes(of: earlier)
        return earlier
    }

    private func laidOut(
        at revision: UInt64, than tree: LaidOutTree
    ) async throws(Problem) -> LaidOutTree? {
        guard let layout = await earlierLayout(at: revision, than: tree.layout) else { return nil }
        if Self.isSame(layout, tree.layout) {
            return LaidOutTree(layout: layout, screen: tree.screen)
        }
        if let known = renderer.cachedLayout(for: layout, in: history) {
            return LaidOutTree(layout: layout, screen: known)
        }
        let model = layout.snapshot.model
        let needed = MemoryCost.layout(of: model, upTo: layout.page)
        guard memory.canHave(needed, beside: model.reservedByteCount) else { return nil }
        try await memory.need(
            memory.count + needed, beside: model.reservedByteCount, for: .storedScreen)
        return try await work.perform(cost: layout.workCost) { () throws(Problem) in
            let made = try layout.makeLayout(
                lint: layout.parameters.lint, memory, reusing: tree.screen)
            history.keep(made, for: layout)
            return LaidOutTree(layout: layout, screen: made)
        }
    }

    /// Returns the layout of all pages at a revision, if it is known: in memory, or else in the
    /// history of the store.
    private func earlierLayout(
        at revision: UInt64, than current: StoredLayout
    ) async -> StoredLayout? {
        var request = ChangesRequest(
            since: TreeVersion(revision: revision), has: .all, wants: .all,
            parameters: current.parameters)
        request.revision = current.pinnedRevision
        let known = await source.screens.known(request, wanting: current.snapshot, work)
        let layout = known.map { Self.layout(of: $0, current.parameters) }
        // A later tree is not the one of that revision.
        return layout.flatMap { $0.revision <= revision ? $0 : nil }
    }

    private static func isSame(_ one: StoredLayout, _ other: StoredLayout) -> Bool {
        one.page == other.page && one.contentRevision == other.contentRevision
    }

    // MARK: Anchors

    /// Returns the place of an anchor; `nil` for the null anchor.
    private func place(
        of target: WindowRequest.Target, in tree: LaidOutTree
    ) async throws(Problem) -> PlacedItem? {
        switch target {
        case .named(let anchor): return try place(of: anchor, in: tree)
        case .known(let identity, let revision):
            guard let identity else { return nil }
            let finder = tree.finder()
            if let place = finder.place(of: identity) { return place }
            guard let earlier = try await earlier(at: revision, than: tree),
                let place = earlier.finder().place(of: identity)
            else { throw .itemNotFound(Self.detail(of: identity)) }
            let cost = earlier.screen.merged.itemCount * MemoryCost.foundItem
            return try await work.perform(cost: cost) {
                Self.replacement(of: place, in: earlier, finder)
            }
        }
    }

    /// The number of items that no longer exist after which a search for one that does gives way.
    private static let itemsOfCheckpoint = 1024

    /// Returns the item that replaces an anchor: the nearest one after it in the earlier tree that
    /// still exists, or else before it.
    ///
    /// - Complexity: O(items that no longer exist).
    private static func replacement(
        of place: PlacedItem, in earlier: LaidOutTree, _ current: ItemFinder
    ) -> PlacedItem? {
        let finder = earlier.finder()
        var passed = 0
        for isBackwards in [false, true] {
            for (_, identity) in finder.identities(from: place, backwards: isBackwards) {
                if let found = current.place(of: identity) { return found }
                passed += 1
                if passed % Self.itemsOfCheckpoint == 0, LongWork.isAbandoned() { return nil }
            }
        }
        return nil
    }

    /// Returns the place of the item of a query; `nil` for the null anchor.
    private func place(
        of anchor: WindowQuery.Anchor, in tree: LaidOutTree
    ) throws(Problem) -> PlacedItem? {
        let finder = tree.finder()
        let found: PlacedItem?
        switch anchor {
        case .edge(let edge):
            guard let place = finder.edge(isLast: edge == .end) else { return nil }
            return finder.identities(from: place, backwards: edge == .end).first { _ in true }?
                .place
        case .item(let item, let section):
            found = finder.place(ofItem: Array(item.utf8), inSectionFirst: section)
        case .section(let section): found = finder.firstPlace(inSection: section)
        }
        guard let found else {
            throw .itemNotFound(Self.detail(of: anchor) + Self.question(about: anchor, tree))
        }
        guard tree.screen.merged.identity(of: found) != nil else {
            throw .invalidParameter(
                WindowQuery.anchorNames[0],
                "must be an item whose id, and that of its section, have at most "
                    + "\(ItemIdentity.maxByteCount) bytes each")
        }
        return found
    }

    private static func detail(of anchor: WindowQuery.Anchor) -> String {
        switch anchor {
        case .item(let item, nil): "The tree has no item \"\(item)\"."
        case .item(let item, let section?):
            "The tree has no section \"\(section)\", or no item \"\(item)\"."
        case .section(let section): "The tree has no section \"\(section)\" with items."
        case .edge: "The tree has no items."
        }
    }

    /// Returns a question about the section or the item that was probably meant, or an empty text.
    private static func question(
        about anchor: WindowQuery.Anchor, _ tree: LaidOutTree
    ) -> String {
        let sections = tree.screen.merged.sections.prefix(NearestName.maxCandidates)
            .compactMap(\.id)
        let question: String
        switch anchor {
        case .item(_, let section?) where !sections.contains(section):
            question = NearestName.question(about: section, among: sections)
        case .item(let item, _):
            let finder = tree.finder()
            let items = finder.edge(isLast: false).map { first in
                finder.identities(from: first, backwards: false).lazy
                    .prefix(NearestName.maxCandidates)
                    .map { String(decoding: $0.identity.item, as: UTF8.self) }
            }
            question = items.map { NearestName.question(about: item, among: $0) } ?? ""
        case .section(let section):
            question = NearestName.question(about: section, among: sections)
        case .edge: question = ""
        }
        return question.isEmpty ? "" : " D" + question.dropFirst("; d".count)
    }

    private static func detail(of identity: ItemIdentity) -> String {
        "The item \"\(String(decoding: identity.item, as: UTF8.self))\" is gone, and the tree that "
            + "it was in is not known any more: open the window at another item."
    }
}

/// Changes.
extension WindowReader {
    /// Throws `ITEM_NOT_FOUND` if the tree does not have the anchor, and nothing replaces it.
    func changes(
        _ request: WindowChangesRequest, in snapshot: ScreenSnapshot
    ) async throws(Problem) -> WindowChanges {
        try await reading(snapshot) { (reader) async throws(Problem) in
            try await reader.found(request, in: snapshot)
        }
    }

    private func found(
        _ request: WindowChangesRequest, in snapshot: ScreenSnapshot
    ) async throws(Problem) -> WindowChanges {
        let layout = Self.layout(of: snapshot, request.parameters, at: request.revision)
        let known = await earlierLayout(at: request.base, than: layout).flatMap {
            Self.isSame($0, layout) ? nil : renderer.cachedLayout(for: $0, in: history)
        }
        // The layout of the new tree takes over what both have in common.
        let tree = try await renderer.laidOut(layout, reusing: known, work)
        try await begin(on: tree)
        let before = try await oldWindow(request, than: tree)
        let target = before.map { wanted(request, after: $0) } ?? request.wants
        let place = try await place(of: target.target, in: tree)
        let new = tree.window(
            around: place, tree.lengths(before: target.before, after: target.after))
        guard let before else { return try reset(to: new, request) }
        return try changes(from: before, to: new, request)
    }

    private func oldWindow(
        _ request: WindowChangesRequest, than tree: LaidOutTree
    ) async throws(Problem) -> StoredWindow? {
        guard let has = request.has,
            let earlier = try await earlier(at: request.base, than: tree)
        else { return nil }
        let place: PlacedItem?
        switch has.target {
        case .known(let identity?, _):
            guard let found = earlier.finder().place(of: identity) else { return nil }
            place = found
        case .known(nil, _): place = nil
        case .named(let anchor):
            do throws(Problem) {
                place = try self.place(of: anchor, in: earlier)
            } catch {
                return nil
            }
        }
        let window = earlier.window(
            around: place, earlier.lengths(before: has.before, after: has.after))
        if let code = request.code, !window.hasCode(code, seal) { return nil }
        return window
    }

    /// Returns what the client wants, which has a window: without a tag, the anchor of that.
    private func wanted(
        _ request: WindowChangesRequest, after window: StoredWindow
    ) -> WindowRequest {
        guard request.followsQuery else { return request.wants }
        var wanted = request.wants
        wanted.target = .known(window.window.anchor, at: request.base)
        return wanted
    }

    private func reset(
        to new: StoredWindow, _ request: WindowChangesRequest
    ) throws(Problem) -> WindowChanges {
        let version = new.version(seal)
        let envelope = ChangesEnvelope(revision: request.since.revision, tag: version.tag)
        let document = ChangesDocument(to: new.writer(seal), envelope: envelope)
        return WindowChanges(
            new: new, version: version, isReset: true, isNothingNew: false,
            content: try content(document, new, new))
    }

    private func changes(
        from old: StoredWindow, to new: StoredWindow, _ request: WindowChangesRequest
    ) throws(Problem) -> WindowChanges {
        let version = new.version(seal)
        let writers = (old.writer(seal), new.writer(seal))
        let comparison = ScreenComparison(from: writers.0, to: writers.1)
        let document = ChangesDocument(
            from: writers.0, to: writers.1,
            envelope: ChangesEnvelope(revision: request.since.revision, tag: version.tag),
            isSame: comparison.isEmpty, comparison: comparison)
        return WindowChanges(
            new: new, version: version, isReset: false,
            isNothingNew: comparison.isEmpty && !request.moves,
            content: try content(document, old, new))
    }

    private func content(
        _ document: ChangesDocument, _ old: StoredWindow, _ new: StoredWindow
    ) throws(Problem) -> LayoutContent {
        try renderer.measured { () throws(Problem) in
            let content = try LayoutContent(document, limit: renderer.maxResponseBytes)
            content.keep(old.screen)
            content.keep(new.screen)
            return content
        }
    }
}
