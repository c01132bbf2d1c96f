import Broadsheet
import BroadsheetIO
import BroadsheetStores

/// Renders pages as trees, parts of trees and pictures: merges them, lays them out, writes bytes.
///
/// Between these phases it ends with an error if the connection of the request is lost.
struct LayoutRenderer: Sendable {
    let seal: TokenSeal
    let metrics: ServiceMetrics
    let clock: TimeSource
    let cache: LayoutCache
    /// The layouts of large screens that are being made.
    let inProgress = SharedWork<LayoutKey, LayoutContent>()
    /// The layouts of large screens that are being made for windows.
    let layoutsInProgress = SharedWork<LayoutKey, ReservedLayout>()
    /// The layouts whose indexes are being made.
    let indexesInProgress = SharedWork<ObjectIdentifier, Void>()
    let memory: MemoryBudget
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
    /// Returns a tree, a part of it, or a picture; that of a large screen from the cache, or from a
    /// worker thread, where one of the requests that need it at this time makes it for all.
    ///
    /// That of an earlier revision is made for each request.
    func content(
        of layout: StoredLayout, as form: LayoutForm, _ work: Work
    ) async throws(Problem) -> LayoutContent {
        if let known = try await cachedContent(for: layout, as: form, work.memory) { return known }
        guard layout.isCacheable, layout.workCost > Work.maxInlineCost else {
            return try await made(layout, as: form, work)
        }
        return try await work.performAll { (work) throws(Problem) in
            let key =
                layout.key(for: form, isCompressed: false) ?? layout.key(for: .frames, lint: false)
            let first = try await inProgress.perform(key, releasing: work.memory) {
                () async throws(Problem) in
                try await made(layout, as: form, work)
            }
            guard first.isShared else { return first.value }
            // A response is sent once, so each request has one of its own, of the same layout,
            // which the first keeps in memory meanwhile.
            defer { withExtendedLifetime(first) {} }
            if let known = try await cachedContent(for: layout, as: form, work.memory) {
                return known
            }
            return try await made(layout, as: form, work)
        }
    }

    private func cachedContent(
        for layout: StoredLayout, as form: LayoutForm, _ memory: MemoryReservation
    ) async throws(Problem) -> LayoutContent? {
        let known = cachedContent(for: layout, as: form)
        if case .source? = known { try await memory.adjust(to: MemoryCost.output) }
        return known
    }

    private func cachedContent(for layout: StoredLayout, as form: LayoutForm) -> LayoutContent? {
        guard let key = layout.key(for: form, isCompressed: false) else { return nil }
        switch cache.cachedContent(for: key) {
        case .bytes(let cached):
            guard form == .tree, let own = layout.tokenReplacements(seal) else {
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

    private func made(
        _ layout: StoredLayout, as form: LayoutForm, _ work: Work
    ) async throws(Problem) -> LayoutContent {
        // Kept meanwhile, so that they need not be made again without memory for them.
        let frames =
            layout.isCacheable
            ? cache.cachedLayout(
                for: layout.key(for: .frames, lint: layout.hasLint(as: form)), counted: false) : nil
        defer { withExtendedLifetime(frames) {} }
        try await work.memory.adjust(
            to: MemoryCost.rendering(layout, as: form, isLaidOut: frames != nil),
            beside: layout.snapshot.model.reservedByteCount, for: .storedScreen)
        return try await work.perform(cost: layout.workCost) { () throws(Problem) in
            try cachedOrMade(layout, as: form, work.memory)
        }
    }

    /// Returns a content, which the cache then has, unless it is a part of a tree or of an earlier
    /// revision.
    ///
    /// Of a large tree the cache keeps the layout and the length, since several clients can read
    /// the tree at different speeds.
    private func cachedOrMade(
        _ layout: StoredLayout, as form: LayoutForm, _ memory: MemoryReservation
    ) throws(Problem) -> LayoutContent {
        guard layout.isCacheable else {
            return try uncachedContent(of: layout, as: form, memory, checksSections: true)
        }
        func made(isShared: Bool) throws(Problem) -> LayoutContent {
            try measured { () throws(Problem) in
                let screen = try laidOut(layout, lint: layout.hasLint(as: form), memory)
                try Work.checkConnection()
                return try content(of: screen, layout, as: form, isShared: isShared)
            }
        }
        guard let key = layout.key(for: form, isCompressed: false) else {
            return try made(isShared: false)
        }
        var written: LayoutContent?
        let cached = try cache.content(for: key, memory) { () throws(Problem) in
            let content = try made(isShared: true)
            written = content
            return content
        }
        let own = form == .tree ? layout.tokenReplacements(seal) : nil
        if let written, own == nil { return written }
        switch cached {
        case .bytes(let cached):
            guard let own else { return .bytes(cached.bytes) }
            if let content = own.content(from: cached.bytes) { return .bytes(content) }
            return try uncachedContent(of: layout, as: form, memory, checksSections: false)
        case .length(let length):
            let screen = try laidOut(layout, lint: layout.parameters.lint, memory)
            return .source(source(screen, of: layout, length))
        }
    }

    /// Returns the content of a layout without using the cache.
    ///
    /// After a write the cache has no entry yet, and there may be no further request for the
    /// layout.
    ///
    /// - Parameters:
    ///   - memory: The reservation for the layout, which takes its own from it.
    ///   - checksSections: A Boolean value that indicates whether a missing essential section is a
    ///     problem.
    func uncachedContent(
        of layout: StoredLayout, as form: LayoutForm, _ memory: MemoryReservation,
        checksSections: Bool
    ) throws(Problem) -> LayoutContent {
        try measured { () throws(Problem) in
            let screen = try layout.makeLayout(lint: layout.hasLint(as: form), memory)
            if checksSections { try screen.merged.checkEssentialSections() }
            try Work.checkConnection()
            return try content(of: screen, layout, as: form)
        }
    }

    private func content(
        of screen: ReservedLayout, _ layout: StoredLayout, as form: LayoutForm,
        isShared: Bool = false
    ) throws(Problem) -> LayoutContent {
        let writer: TreeWriter
        switch form {
        case .tree: writer = self.writer(screen, of: layout, isShared: isShared)
        case .part(let rectangle):
            writer = TreeWriter(
                screen.elements(in: rectangle), of: screen.merged, screen.frames,
                viewport: layout.parameters.viewport,
                envelope: layout.envelope(of: screen.merged, seal: seal, isShared: false),
                options: layout.parameters.options
            ).explained(by: origins(of: screen, layout.parameters, layout.registry))
        case .picture:
            let picture = PictureWriter.write(
                screen.merged, screen.frames, viewport: layout.parameters.viewport,
                title: layout.title)
            return .bytes(try checked(picture))
        }
        let content = try LayoutContent(TreeParts(writer), limit: maxResponseBytes)
        content.keep(screen)
        return content
    }

    private func checked(_ picture: [UInt8]) throws(Problem) -> [UInt8] {
        guard picture.count <= maxResponseBytes else {
            throw .responseTooLarge(limit: maxResponseBytes)
        }
        return picture
    }

    /// Returns a laid-out screen, which the cache then has unless it is of an earlier revision.
    ///
    /// - Parameters:
    ///   - memory: The reservation for the layout, which takes its own from it.
    ///   - checksSections: A Boolean value that indicates whether a missing essential section is a
    ///     problem.
    /// - Throws: The problem of an essential section that is missing; the error of a lost
    ///   connection.
    func laidOut(
        _ layout: StoredLayout, lint: Bool, _ memory: MemoryReservation,
        reusing similar: ReservedLayout? = nil, checksSections: Bool = true
    ) throws(Problem) -> ReservedLayout {
        let screen =
            layout.isCacheable
            ? try cache.layout(
                for: layout.key(for: .frames, lint: lint), after: layout.lowerPage, or: similar,
                outcome: layout.outcome
            ) { (earlier) throws(Problem) in
                try layout.makeLayout(lint: lint, memory, reusing: earlier)
            }
            : try layout.makeLayout(lint: lint, memory, reusing: similar)
        // The layout remains in the cache, so that the next request of such a client costs little.
        if checksSections { try screen.merged.checkEssentialSections() }
        return screen
    }

    /// Returns the source of a tree of which `byteCount` is the length of the shared one.
    private func source(
        _ screen: ReservedLayout, of layout: StoredLayout, _ byteCount: Int
    ) -> PartsSource {
        let growth = layout.tokenReplacements(seal)?.growth ?? 0
        let source = PartsSource(
            TreeParts(writer(screen, of: layout)), byteCount: byteCount + growth)
        source.keep(screen)
        return source
    }

    /// If `isShared`, the tree has the parts that the cache keeps (``TokenReplacements``).
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
    let content: LayoutContent
    let diagnostics: DiagnosticCounts
    /// The estimated size of the layouts, which a content needs that is written while it is sent.
    let keptBytes: Int
}

/// Layouts of composed pages, which are never cached.
extension LayoutRenderer {
    /// Returns the trees of all pages for several viewports; the pages are merged once for each
    /// outcome of their conditions.
    ///
    /// - Parameters:
    ///   - parameters: The parameters of each tree, which differ in the viewport only.
    ///   - isList: A Boolean value that indicates whether the content is an array; otherwise it is
    ///     the only tree.
    func trees(
        of model: PaginatedViewModel, by registry: CellRegistry,
        _ parameters: [LayoutParameters], isList: Bool
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
                try Work.checkConnection()
                let screen = ReservedLayout(screenOfAll, parameters)
                keptBytes += screen.byteCount
                diagnostics.add(screen.diagnosticCounts)
                let origins = known[outcome] ?? origins(of: screen, parameters, registry)
                known[outcome] = origins
                return screen.writer(for: parameters).explained(by: origins)
            }
            try Work.checkConnection()
            let parts = isList ? TreeParts(list: writers) : TreeParts(writers[0])
            return ComposedLayout(
                content: try LayoutContent(parts, limit: maxResponseBytes),
                diagnostics: diagnostics, keptBytes: keptBytes)
        }
    }

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

    /// Throws the problem of a missing essential section, or the error of a lost connection.
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
    func writer(for parameters: LayoutParameters) -> TreeWriter {
        TreeWriter(
            merged, frames, viewport: parameters.viewport,
            envelope: TreeEnvelope(hasNext: merged.hasNext), options: parameters.options)
    }
}

extension [Outcome: MergedScreen] {
    fileprivate mutating func value(
        for outcome: Outcome, _ make: () -> MergedScreen
    ) -> MergedScreen {
        let screen = self[outcome] ?? make()
        self[outcome] = screen
        return screen
    }
}

extension MergedScreen {
    func checkEssentialSections() throws(Problem) {
        let missing = missingSections
        guard missing.isEmpty else { throw .missing(missing) }
    }
}
