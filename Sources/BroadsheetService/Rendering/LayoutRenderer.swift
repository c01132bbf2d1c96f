import Broadsheet
import BroadsheetIO
import BroadsheetStores

/// Renders pages as trees, parts of trees and pictures: merges them, lays them out, writes bytes.
///
/// Between these phases it ends with an error if the connection of the request is lost.
struct LayoutRenderer: Sendable {
    /// The seal of page tokens.
    let seal: TokenSeal
    /// The metrics that durations are recorded in.
    let metrics: ServiceMetrics
    /// The clock that durations are measured by.
    let clock: TimeSource
    /// The cache of layouts, trees and pictures of stored screens.
    let cache: LayoutCache
    /// The layouts of large screens that are being made.
    let inProgress = SharedWork<LayoutKey, LayoutContent>()
    /// The layouts of large screens that are being made for windows.
    let layoutsInProgress = SharedWork<LayoutKey, ReservedLayout>()
    /// The layouts whose indexes are being made.
    let indexesInProgress = SharedWork<ObjectIdentifier, Void>()
    /// The memory that layouts are reserved in.
    let memory: MemoryBudget
    /// The maximum number of bytes of a tree or a picture.
    let maxResponseBytes: Int

    /// Calls `body` and records its duration.
    ///
    /// - Throws: The error of `body`; that of a lost connection, after which the content may be
    ///   incomplete.
    func measured<Content>(
        _ body: () throws(Problem) -> Content
    ) throws(Problem) -> Content {
        let start = clock.now
        let content = try body()
        try Work.checkConnection()
        metrics.layoutDuration.observe(nanoseconds: clock.now.nanoseconds(since: start))
        return content
    }
}

/// Layouts of stored screens.
extension LayoutRenderer {
    /// Returns the tree of a layout without using the cache.
    ///
    /// After a write the cache has no entry yet, and there may be no further request for the
    /// layout.
    ///
    /// - Parameter memory: The reservation for the layout, which takes its own from it.
    func makeTree(
        of layout: StoredLayout, _ memory: MemoryReservation
    ) throws(Problem) -> LayoutContent {
        try measured { () throws(Problem) in
            let screen = try layout.makeLayout(lint: layout.parameters.lint)
            screen.takeMemory(from: memory)
            try Work.checkConnection()
            let content = try LayoutContent(trees(screen, of: layout), limit: maxResponseBytes)
            content.keep(screen)
            return content
        }
    }

    /// Returns the tree of a layout.
    ///
    /// Of a large tree the cache keeps the layout and the length, since several clients can read
    /// the tree at different speeds.
    func tree(
        of layout: StoredLayout, _ memory: MemoryReservation
    ) throws(Problem) -> LayoutContent {
        let lint = layout.parameters.lint
        var written: LayoutContent?
        let key = layout.key(for: .tree, lint: lint)
        let cached = try cache.content(for: key, memory) { () throws(Problem) in
            let content = try measured { () throws(Problem) in
                let screen = try laidOut(layout, lint: lint, memory)
                try Work.checkConnection()
                let content = try LayoutContent(
                    trees(screen, of: layout, isShared: true), limit: maxResponseBytes)
                content.keep(screen)
                return content
            }
            written = content
            return content
        }
        let own = layout.ownParts(seal)
        if let written, own == nil { return written }
        switch cached {
        case .bytes(let cached):
            guard let own else { return .bytes(cached.bytes) }
            if let content = own.content(from: cached.bytes) { return .bytes(content) }
            return try makeTree(of: layout, memory)
        case .length(let length):
            return .source(source(try laidOut(layout, lint: lint, memory), of: layout, length))
        }
    }

    /// Returns the part of a tree in a rectangle.
    ///
    /// - Complexity: Proportional to the result if the layout is in the cache.
    func tree(
        of layout: StoredLayout, in rectangle: Frame, _ memory: MemoryReservation
    ) throws(Problem) -> LayoutContent {
        try measured { () throws(Problem) in
            // A part has no diagnostics, so it needs no lint.
            let screen = try laidOut(layout, lint: false, memory)
            let content = try content(of: screen, layout, as: .part(in: rectangle))
            content.keep(screen)
            return content
        }
    }

    /// Returns a laid-out screen in a form.
    func content(
        of screen: ReservedLayout, _ layout: StoredLayout, as form: LayoutForm
    ) throws(Problem) -> LayoutContent {
        switch form {
        case .tree: return try LayoutContent(trees(screen, of: layout), limit: maxResponseBytes)
        case .part(let rectangle):
            let writer = TreeWriter(
                screen.elements(in: rectangle), of: screen.merged, screen.frames,
                viewport: layout.parameters.viewport,
                envelope: layout.envelope(of: screen.merged, seal: seal, isShared: false),
                options: layout.parameters.options
            ).explained(by: origins(of: screen, layout.parameters, layout.registry))
            return try LayoutContent(TreeParts(writer), limit: maxResponseBytes)
        case .picture:
            let picture = PictureWriter.write(
                screen.merged, screen.frames, viewport: layout.parameters.viewport,
                title: layout.title)
            return .bytes(try checked(picture))
        }
    }

    /// Returns a picture of a layout.
    func picture(
        of layout: StoredLayout, _ memory: MemoryReservation
    ) throws(Problem) -> [UInt8] {
        let key = layout.key(for: .picture, lint: false)
        let cached = try cache.content(for: key, memory) { () throws(Problem) in
            try measured { () throws(Problem) in
                let screen = try laidOut(layout, lint: false, memory)
                try Work.checkConnection()
                return try content(of: screen, layout, as: .picture(as: .svg))
            }
        }
        // The entry of a picture always has its bytes.
        guard case .bytes(let picture) = cached else { return [] }
        return picture.bytes
    }

    private func checked(_ picture: [UInt8]) throws(Problem) -> [UInt8] {
        guard picture.count <= maxResponseBytes else {
            throw .responseTooLarge(limit: maxResponseBytes)
        }
        return picture
    }

    /// Returns the frames of a layout in a form if they are in memory, where they remain as long as
    /// the caller keeps them.
    func cachedFrames(for layout: StoredLayout, as form: LayoutForm) -> ReservedLayout? {
        cache.cachedLayout(
            for: layout.key(for: .frames, lint: form == .tree && layout.parameters.lint),
            counted: false)
    }

    /// Returns the key under which requests share the work of a layout in a form.
    func sharedKey(of layout: StoredLayout, as form: LayoutForm) -> LayoutKey {
        layout.key(for: form, isCompressed: false) ?? layout.key(for: .frames, lint: false)
    }

    /// Returns a layout in a form if that is in the cache.
    func cachedContent(for layout: StoredLayout, as form: LayoutForm) -> LayoutContent? {
        guard let key = layout.key(for: form, isCompressed: false) else { return nil }
        switch cache.cachedContent(for: key) {
        case .bytes(let cached):
            guard form == .tree, let own = layout.ownParts(seal) else {
                return .bytes(cached.bytes)
            }
            return own.content(from: cached.bytes).map(LayoutContent.bytes)
        case .length(let length):
            let frames = layout.key(for: .frames, lint: key.parameters.lint)
            // Origins are found on a worker thread.
            guard let screen = cache.cachedLayout(for: frames),
                !key.parameters.options.explain || screen.hasOrigins
            else { return nil }
            return .source(source(screen, of: layout, length))
        case nil: return nil
        }
    }

    /// Returns a laid-out screen, which the cache then has.
    ///
    /// - Parameter similar: A layout to reuse if the cache has none.
    /// - Throws: The problem of an essential section that is missing; the error of a lost
    ///   connection.
    func laidOut(
        _ layout: StoredLayout, lint: Bool, _ memory: MemoryReservation,
        reusing similar: ReservedLayout? = nil
    ) throws(Problem) -> ReservedLayout {
        let screen = try reservedLayout(of: layout, lint: lint, memory, reusing: similar)
        // The layout remains in the cache, so that the next request of such a client costs little.
        try screen.merged.checkEssentialSections()
        return screen
    }

    /// Returns a laid-out screen as ``laidOut(_:lint:_:reusing:)`` does, also if an essential
    /// section is missing.
    func reservedLayout(
        of layout: StoredLayout, lint: Bool, _ memory: MemoryReservation,
        reusing similar: ReservedLayout?
    ) throws(Problem) -> ReservedLayout {
        try cache.layout(
            for: layout.key(for: .frames, lint: lint), after: layout.lowerPage, or: similar,
            outcome: layout.outcome
        ) { (earlier) throws(Problem) in
            let screen = try layout.makeLayout(lint: lint, reusing: earlier)
            screen.takeMemory(from: memory)
            return screen
        }
    }

    /// Returns the source of a tree of which `byteCount` is the length of the shared one.
    private func source(
        _ screen: ReservedLayout, of layout: StoredLayout, _ byteCount: Int
    ) -> PartsSource {
        let growth = layout.ownParts(seal)?.growth ?? 0
        let source = PartsSource(trees(screen, of: layout), byteCount: byteCount + growth)
        source.keep(screen)
        return source
    }

    private func trees(
        _ screen: ReservedLayout, of layout: StoredLayout, isShared: Bool = false
    ) -> TreeParts {
        TreeParts(writer(screen, of: layout, isShared: isShared))
    }

    /// Returns the writer of the whole tree of a layout.
    ///
    /// - Parameter isShared: A Boolean value that indicates whether the tree has the parts that
    ///   the cache keeps, instead of the client's own (``OwnParts``).
    func writer(
        _ screen: ReservedLayout, of layout: StoredLayout, isShared: Bool = false
    ) -> TreeWriter {
        TreeWriter(
            screen.merged, screen.frames, viewport: layout.parameters.viewport,
            envelope: layout.envelope(of: screen.merged, seal: seal, isShared: isShared),
            options: layout.parameters.options
        ).explained(by: origins(of: screen, layout.parameters, layout.registry))
    }

    /// Returns the origins of a layout's elements, which it keeps from the first request for them
    /// on; `nil` unless the parameters request them.
    func origins(
        of screen: ReservedLayout, _ parameters: LayoutParameters, _ registry: CellRegistry
    ) -> ScreenOrigins? {
        guard parameters.options.explain else { return nil }
        return screen.origins(for: Audience(parameters), by: registry, in: memory)
    }
}

/// The tree of composed pages, or several trees, and their diagnostics.
struct ComposedLayout: Sendable {
    /// The trees.
    let content: LayoutContent
    /// The numbers of the diagnostics in all trees.
    let diagnostics: DiagnosticCounts
    /// The estimated size of the layouts, which a content needs that is written while it is sent.
    let keptBytes: Int
}

/// Layouts of composed pages, which are never cached.
extension LayoutRenderer {
    /// Returns the tree of all pages.
    func tree(
        of model: PaginatedViewModel, by registry: CellRegistry, _ parameters: LayoutParameters
    ) throws(Problem) -> ComposedLayout {
        try measured { () throws(Problem) in
            let screen = try Self.makeLayout(of: model, by: registry, parameters)
            try Work.checkConnection()
            let writer = screen.writer(for: parameters)
                .explained(by: origins(of: screen, parameters, registry))
            return ComposedLayout(
                content: try LayoutContent(TreeParts(writer), limit: maxResponseBytes),
                diagnostics: screen.diagnosticCounts,
                keptBytes: screen.byteCount)
        }
    }

    /// Returns the trees of all pages for several viewports; the pages are merged once for each
    /// outcome of their conditions.
    ///
    /// - Parameter parameters: The parameters of each tree, which differ in the viewport only.
    func trees(
        of model: PaginatedViewModel, by registry: CellRegistry, _ parameters: [LayoutParameters]
    ) throws(Problem) -> ComposedLayout {
        try measured { () throws(Problem) in
            var merged: [Outcome: MergedScreen] = [:]
            var known: [Outcome: ScreenOrigins] = [:]
            var diagnostics = DiagnosticCounts()
            var keptBytes = 0
            let writers = try parameters.map { (parameters) throws(Problem) in
                try Work.checkConnection()
                let outcome = model.outcome(upTo: model.highestPage, for: parameters)
                let screenOfAll = merged.value(for: outcome) {
                    model.merged(for: parameters, registry: registry)
                }
                try screenOfAll.checkEssentialSections()
                let screen = ReservedLayout(screenOfAll, parameters)
                keptBytes += screen.byteCount
                diagnostics.add(screen.diagnosticCounts)
                let origins = known[outcome] ?? origins(of: screen, parameters, registry)
                known[outcome] = origins
                return screen.writer(for: parameters).explained(by: origins)
            }
            return ComposedLayout(
                content: try LayoutContent(TreeParts(list: writers), limit: maxResponseBytes),
                diagnostics: diagnostics, keptBytes: keptBytes)
        }
    }

    /// Returns a picture of all pages.
    func picture(
        of model: PaginatedViewModel, by registry: CellRegistry, _ parameters: LayoutParameters
    ) throws(Problem) -> (picture: [UInt8], diagnostics: DiagnosticCounts) {
        try measured { () throws(Problem) in
            var parameters = parameters
            parameters.lint = false
            let screen = try Self.makeLayout(of: model, by: registry, parameters)
            try Work.checkConnection()
            let picture = PictureWriter.write(
                screen.merged, screen.frames, viewport: parameters.viewport,
                title: "composed, up to page \(screen.merged.page)")
            return (try checked(picture), screen.diagnosticCounts)
        }
    }

    /// Merges all pages and lays them out.
    ///
    /// - Throws: The problem of an essential section that is missing; the error of a lost
    ///   connection.
    static func makeLayout(
        of model: PaginatedViewModel, by registry: CellRegistry, _ parameters: LayoutParameters
    ) throws(Problem) -> ReservedLayout {
        let merged = model.merged(for: parameters, registry: registry)
        try merged.checkEssentialSections()
        try Work.checkConnection()
        return ReservedLayout(merged, parameters)
    }
}

extension ReservedLayout {
    /// Returns the writer of the tree of composed pages.
    func writer(for parameters: LayoutParameters) -> TreeWriter {
        TreeWriter(
            merged, frames, viewport: parameters.viewport,
            envelope: TreeEnvelope(hasNext: merged.hasNext), options: parameters.options)
    }
}

extension [Outcome: MergedScreen] {
    /// Returns the screen of an outcome, which `make` makes the first time.
    fileprivate mutating func value(
        for outcome: Outcome, _ make: () -> MergedScreen
    ) -> MergedScreen {
        let screen = self[outcome] ?? make()
        self[outcome] = screen
        return screen
    }
}

extension MergedScreen {
    /// Throws a problem if an essential section cannot be made.
    func checkEssentialSections() throws(Problem) {
        let missing = missingSections
        guard missing.isEmpty else { throw .missing(missing) }
    }
}
