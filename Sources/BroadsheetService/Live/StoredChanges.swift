import Broadsheet
import BroadsheetHTTP
import BroadsheetIO
import BroadsheetStores

/// The changes that a client asks for: from the tree that it has to the tree that it wants.
struct ChangesRequest: Sendable {
    let since: TreeVersion
    let has: PageExtent
    let wants: PageExtent
    let parameters: LayoutParameters
    /// The revision of the screen with the tree that the client wants; `nil` for the current one.
    var revision: UInt64?

    /// The last page that the request needs: no page above it is read.
    var end: ScreenPart.End { has.end.extended(to: wants.end) }

    /// The last page that is needed if it is not stored: the next one of a token, or the lowest.
    ///
    /// All stored pages up to a number do for the others.
    var need: ScreenPart.End {
        if case .after = wants { wants.end } else { .lowest }
    }
}

extension ScreenPart.End {
    fileprivate func extended(to other: Self) -> Self {
        switch (self, other) {
        case (.highest, _), (_, .highest): .highest
        case (.after(let one), .after(let two)): .after(max(one, two))
        case (.after, _), (_, .none): self
        case (_, .after), (.none, _), (.lowest, .lowest): other
        }
    }
}

/// The two trees of a stored screen between which changes are computed.
struct StoredChanges: Sendable {
    let since: TreeVersion
    /// The page that the request names for the tree that the client has.
    let namedPage: Int?
    /// The tree that the client has; `nil` if the daemon does not know it.
    private(set) var old: StoredLayout?
    let new: StoredLayout
    /// A Boolean value that indicates whether the trees are the same but for their revisions.
    let isSame: Bool
    /// A Boolean value that indicates whether the client has the tree that it wants.
    ///
    /// Of trees with the same bound that is so if they have the same highest page and revision.
    var isNothingNew: Bool {
        isSame && new.revision <= since.revision && new.isCacheable
    }

    /// Finds the trees of a request.
    ///
    /// - Parameters:
    ///   - snapshot: The screen with the tree that the client wants.
    ///   - known: The screen with the tree that the client has (``Screens/known(_:wanting:_:)``).
    /// - Throws: `PAGE_NOT_LOADED` if the next page is wanted and not stored yet.
    init(
        _ request: ChangesRequest, of snapshot: ScreenSnapshot, from known: ScreenSnapshot?,
        seal: TokenSeal
    ) throws(Problem) {
        since = request.since
        var wanted = try StoredLayout(of: request.wants, in: snapshot, request.parameters)
        wanted.pinnedRevision = request.revision
        new = wanted
        if case .upTo(let page) = request.has { namedPage = page } else { namedPage = nil }
        let old = try known.map { (known) throws(Problem) in
            try StoredLayout(of: request.has, in: known, request.parameters)
        }
        self.old = old.flatMap { old in
            // A later tree is not the one of that revision.
            guard old.revision <= request.since.revision else { return nil }
            return request.since.tag.map { old.hasTag($0, seal) } ?? true ? old : nil
        }
        isSame =
            self.old?.page == new.page && self.old?.contentRevision == new.contentRevision
    }

    /// Creates the changes of a write: from all pages before it to all pages after it.
    ///
    /// After a validation the new screen has the revision of the stored one.
    ///
    /// - Returns: `nil` if the pages are not in memory.
    init?(of written: CommittedWrite, _ parameters: LayoutParameters) {
        guard let before = written.before.snapshot, let after = written.snapshot else { return nil }
        since = TreeVersion(revision: before.revision)
        namedPage = nil
        old = StoredLayout(
            snapshot: before, page: before.model.highestPage, isOpen: true,
            parameters: parameters)
        new = StoredLayout(
            snapshot: after, page: after.model.highestPage, isOpen: true, parameters: parameters)
        isSame = written.pages.isEmpty && before.revision == after.revision
    }

    /// The changes from a tree that the daemon does not know: the whole new tree.
    var asReset: StoredChanges {
        var reset = self
        reset.old = nil
        return reset
    }

    /// Returns the key of the document in the layout cache; `nil` for a reset, and for the
    /// compressed form of a document with a token of its own (``TokenReplacements``).
    func key(isCompressed: Bool) -> LayoutKey? {
        guard let old, new.isCacheable else { return nil }
        guard !isCompressed || !new.hasOwnToken else { return nil }
        var key = new.key(
            for: .changes(since: since.revision, page: old.page), lint: new.parameters.lint)
        key.isCompressed = isCompressed
        return key
    }
}

extension StoredLayout {
    /// Returns whether a tag is that of the tree, or of the tree of the same pages with a bound of
    /// the other kind, which differs in its revision only.
    fileprivate func hasTag(_ tag: String, _ seal: TokenSeal) -> Bool {
        [false, true].contains { isOpen in
            var tree = StoredLayout(
                snapshot: snapshot, page: page, isOpen: isOpen, parameters: parameters)
            return [nil, snapshot.revision].contains { pinned in
                tree.pinnedRevision = pinned
                let plain = tree.tag(as: .tree, seal: seal)
                return [plain.opaque, plain.compressed.opaque].contains(tag)
            }
        }
    }
}

/// Changes of stored screens.
extension LayoutRenderer {
    /// `memory` is the reservation for both layouts, which take their own from it.
    func changes(
        _ changes: StoredChanges, _ history: ScreenHistory, _ memory: MemoryReservation
    ) throws(Problem) -> LayoutContent {
        guard let old = changes.old else { return try reset(changes, memory) }
        guard let key = changes.key(isCompressed: false) else {
            return try earlierDocument(changes, from: old, memory)
        }
        var written: LayoutContent?
        let cached = try cache.content(for: key, memory) { () throws(Problem) in
            let made = try document(changes, from: old, history, memory, isShared: true)
            written = made
            return made
        }
        let own = changes.new.tokenReplacementsOfChanges(seal)
        if let written, own == nil { return written }
        if case .bytes(let cached) = cached {
            guard let own else { return .bytes(cached.bytes) }
            if let content = own.content(from: cached.bytes) { return .bytes(content) }
        }
        return try document(changes, from: old, history, memory)
    }

    func cachedChanges(for changes: StoredChanges) -> [UInt8]? {
        guard let key = changes.key(isCompressed: false),
            case .bytes(let cached) = cache.cachedContent(for: key)
        else { return nil }
        guard let own = changes.new.tokenReplacementsOfChanges(seal) else { return cached.bytes }
        return own.content(from: cached.bytes)
    }

    /// Returns the changes document of an update.
    ///
    /// The layout cache then has the layout of a screen that was updated, from which that after the
    /// next update is made. It has no document, which no other request is for.
    ///
    /// - Parameters:
    ///   - isStored: A Boolean value that indicates whether the update was stored; after a
    ///     validation the new tree is not the one that is stored at its revision.
    ///   - memory: The reservation for both layouts, which take their own from it.
    func changes(
        ofUpdate changes: StoredChanges, isStored: Bool, _ history: ScreenHistory,
        _ memory: MemoryReservation
    ) throws(Problem) -> LayoutContent {
        try measured { () throws(Problem) in
            let known = changes.old.flatMap { cachedLayout(for: $0, in: history) }
            let lint = changes.new.parameters.lint
            let new =
                isStored
                ? try laidOut(
                    changes.new, lint: lint, memory, reusing: known, checksSections: false)
                : try changes.new.makeLayout(lint: lint, memory, reusing: known)
            guard !changes.isSame, let old = changes.old else {
                return try document(changes, from: new, to: new)
            }
            try Work.checkConnection()
            if let known { return try document(changes, from: known, to: new) }
            let before = try old.makeLayout(lint: lint, memory, reusing: new)
            return try document(changes, from: before, to: new)
        }
    }

    /// Returns the changes from an earlier tree.
    ///
    /// - Parameter isShared: A Boolean value that indicates whether they have the parts that the
    ///   cache keeps, instead of the client's own (``TokenReplacements``).
    private func document(
        _ changes: StoredChanges, from old: StoredLayout, _ history: ScreenHistory,
        _ memory: MemoryReservation, isShared: Bool = false
    ) throws(Problem) -> LayoutContent {
        try measured { () throws(Problem) in
            let lint = changes.new.parameters.lint
            guard !changes.isSame else {
                let new = try laidOut(changes.new, lint: lint, memory)
                return try document(changes, from: new, to: new, isShared: isShared)
            }
            // The layout cache has layouts of the current revision only. The earlier tree comes
            // first: the layout of the new one takes over what they have in common.
            let isCurrent = old.snapshot.revision == changes.new.snapshot.revision
            let known =
                isCurrent
                ? try laidOut(old, lint: lint, memory) : cachedLayout(for: old, in: history)
            try Work.checkConnection()
            let new = try laidOut(changes.new, lint: lint, memory, reusing: known)
            if let known {
                return try document(changes, from: known, to: new, isShared: isShared)
            }
            try Work.checkConnection()
            let before = try old.makeLayout(lint: lint, memory, reusing: new)
            history.keep(before, for: old)
            return try document(changes, from: before, to: new, isShared: isShared)
        }
    }

    /// Compares two laid-out trees; `old` may be of a revision that is not stored.
    private func document(
        _ changes: StoredChanges, from old: ReservedLayout, to new: ReservedLayout,
        isShared: Bool = false
    ) throws(Problem) -> LayoutContent {
        try Work.checkConnection()
        let document = ChangesDocument(
            from: writer(old, of: changes.old ?? changes.new, isShared: isShared),
            to: writer(new, of: changes.new, isShared: isShared),
            envelope: envelope(changes, isShared: isShared), isSame: changes.isSame)
        let content = try LayoutContent(document, limit: maxResponseBytes)
        content.keep(old)
        content.keep(new)
        return content
    }

    /// Returns the changes to a tree of an earlier revision, without using the cache.
    private func earlierDocument(
        _ changes: StoredChanges, from old: StoredLayout, _ memory: MemoryReservation
    ) throws(Problem) -> LayoutContent {
        try measured { () throws(Problem) in
            let lint = changes.new.parameters.lint
            let new = try laidOut(changes.new, lint: lint, memory)
            guard !changes.isSame else { return try document(changes, from: new, to: new) }
            try Work.checkConnection()
            let before = try old.makeLayout(lint: lint, memory, reusing: new)
            return try document(changes, from: before, to: new)
        }
    }

    private func reset(
        _ changes: StoredChanges, _ memory: MemoryReservation
    ) throws(Problem) -> LayoutContent {
        try measured { () throws(Problem) in
            let new = try laidOut(changes.new, lint: changes.new.parameters.lint, memory)
            try Work.checkConnection()
            var envelope = envelope(changes)
            envelope.page = changes.namedPage
            let content = try LayoutContent(
                ChangesDocument(to: writer(new, of: changes.new), envelope: envelope),
                limit: maxResponseBytes)
            content.keep(new)
            return content
        }
    }

    private func envelope(
        _ changes: StoredChanges, isShared: Bool = false
    ) -> ChangesEnvelope {
        ChangesEnvelope(
            revision: changes.since.revision,
            tag: changes.new.tag(as: .tree, seal: seal, isShared: isShared).opaque)
    }

    /// Returns the pages that a client does not have yet, if all others are those of a layout that
    /// is in memory, and they are few.
    ///
    /// - Complexity: O(pages / 64), and O(1) for each of the few pages.
    func addedPages(_ changes: StoredChanges, _ history: ScreenHistory) -> [ResolvedPage]? {
        let model = changes.new.snapshot.model
        guard let old = changes.old, let last = changes.new.page, !changes.new.parameters.lint
        else { return nil }
        let key = old.key(for: .frames, lint: false)
        guard
            let known = cache.cachedLayout(for: key, counted: false)
                ?? history.cachedLayout(for: key, of: old.snapshot),
            known.merged.page <= last, known.merged.isBeginning(of: model)
        else { return nil }
        var pages: [ResolvedPage] = []
        var next =
            known.merged.pageCount == 0 ? model.lowestPage : model.page(after: known.merged.page)
        while let number = next, number <= last, let page = model.storedPage(number) {
            guard pages.count < Self.maxAddedPages else { return nil }
            pages.append(page)
            next = model.page(after: number)
        }
        return pages
    }

    /// The largest number of added pages whose cost is the sum of their own.
    private static var maxAddedPages: Int { 64 }

    func cachedLayout(
        for layout: StoredLayout, in history: ScreenHistory
    ) -> ReservedLayout? {
        let key = layout.key(for: .frames, lint: layout.parameters.lint)
        return cache.cachedLayout(for: key)
            ?? history.cachedLayout(for: key, of: layout.snapshot)
    }
}

/// Changes between composed pages, which are never cached.
extension LayoutRenderer {
    func changes(
        from old: PaginatedViewModel, to new: PaginatedViewModel, by registry: CellRegistry,
        _ parameters: LayoutParameters
    ) throws(Problem) -> LayoutContent {
        try measured { () throws(Problem) in
            let writers = try [old, new].map { (model) throws(Problem) in
                try Self.makeLayout(of: model, by: registry, parameters).writer(for: parameters)
            }
            try Work.checkConnection()
            return try LayoutContent(
                ChangesDocument(from: writers[0], to: writers[1]), limit: maxResponseBytes)
        }
    }
}
