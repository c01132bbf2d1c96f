import Broadsheet
import BroadsheetIO
import BroadsheetStores
import Synchronization

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
    /// The maximum number of bytes of a tree or a picture.
    let maxResponseBytes: Int

    /// Calls `body` and records its duration.
    func measured<Content>(
        _ body: () throws(Problem) -> Content
    ) throws(Problem) -> Content {
        let start = clock.now
        let content = try body()
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
    func uncachedTree(of layout: StoredLayout) throws(Problem) -> LayoutContent {
        try measured { () throws(Problem) in
            let screen = try layout.laidOut(lint: layout.parameters.lint)
            try Work.checkConnection()
            return try LayoutContent(trees(screen, of: layout), limit: maxResponseBytes)
        }
    }

    /// Returns the tree of a layout.
    ///
    /// Of a large tree the cache keeps the layout and the length, since several clients can read
    /// the tree at different speeds.
    func tree(of layout: StoredLayout) throws(Problem) -> LayoutContent {
        let lint = layout.parameters.lint
        var written: LayoutContent?
        let cached = try cache.content(layout.key(for: .tree, lint: lint)) { () throws(Problem) in
            let content = try measured { () throws(Problem) in
                let trees = trees(try laidOut(layout, lint: lint), of: layout)
                try Work.checkConnection()
                return try LayoutContent(trees, limit: maxResponseBytes)
            }
            written = content
            return content.cached
        }
        if let written { return written }
        switch cached {
        case .bytes(let bytes): return .bytes(bytes)
        case .length(let length):
            let trees = trees(try laidOut(layout, lint: lint), of: layout)
            return .source(PartsSource(trees, byteCount: length))
        }
    }

    /// Returns the part of a tree in a rectangle.
    ///
    /// - Complexity: Proportional to the result if the layout is in the cache.
    func tree(of layout: StoredLayout, in rectangle: Frame) throws(Problem) -> LayoutContent {
        try measured { () throws(Problem) in
            // A part has no diagnostics, so it needs no lint.
            let screen = try laidOut(layout, lint: false)
            let writer = TreeWriter(
                screen.elements(in: rectangle), of: screen.merged, screen.frames,
                viewport: layout.parameters.viewport,
                envelope: layout.envelope(of: screen.merged, seal: seal),
                options: layout.parameters.options)
            return try LayoutContent(TreeParts(writer), limit: maxResponseBytes)
        }
    }

    /// Returns a picture of a layout.
    func picture(of layout: StoredLayout) throws(Problem) -> [UInt8] {
        let key = layout.key(for: .picture, lint: false)
        let cached = try cache.content(key) { () throws(Problem) in
            try measured { () throws(Problem) in
                let screen = try laidOut(layout, lint: false)
                try Work.checkConnection()
                let picture = PictureWriter.write(
                    screen.merged, screen.frames, viewport: layout.parameters.viewport,
                    title: layout.title)
                return .bytes(try checked(picture))
            }
        }
        // The entry of a picture always has its bytes.
        guard case .bytes(let picture) = cached else { return [] }
        return picture
    }

    /// Returns the bytes of a layout in a form and a coding that are in the cache.
    func cachedBytes(
        of layout: StoredLayout, as form: LayoutForm, isCompressed: Bool
    ) -> CachedBytes? {
        layout.key(for: form, isCompressed: isCompressed).flatMap(cache.cachedBytes)
    }

    /// Returns the compressed content of a layout if that is in the cache, or that it remains plain
    /// permanently.
    func compressed(_ layout: StoredLayout, as form: LayoutForm) -> CompressedContent? {
        layout.key(for: form, isCompressed: true).flatMap(cache.compressedContent)
    }

    /// Keeps the compressed content of a layout beside the plain one.
    func keep(_ content: CompressedContent, of layout: StoredLayout, as form: LayoutForm) {
        guard let key = layout.key(for: form, isCompressed: true) else { return }
        cache.keep(content, for: key)
    }

    private func checked(_ picture: [UInt8]) throws(Problem) -> [UInt8] {
        guard picture.count <= maxResponseBytes else {
            throw .responseTooLarge(limit: maxResponseBytes)
        }
        return picture
    }

    /// Returns a layout in a form if that is in the cache.
    func cached(_ layout: StoredLayout, as form: LayoutForm) -> LayoutContent? {
        let lint = form == .tree && layout.parameters.lint
        switch form {
        case .part: return nil
        case .tree, .picture:
            let content: LayoutKey.Content = form == .tree ? .tree : .picture
            switch cache.knownContent(layout.key(for: content, lint: lint)) {
            case .bytes(let bytes): return .bytes(bytes)
            case .length(let length):
                guard let screen = cache.knownLayout(layout.key(for: .frames, lint: lint)) else {
                    return nil
                }
                return .source(PartsSource(trees(screen, of: layout), byteCount: length))
            case nil: return nil
            }
        }
    }

    /// Returns a laid-out screen, which the cache then has.
    func laidOut(
        _ layout: StoredLayout, lint: Bool
    ) throws(Problem) -> LaidOutScreen {
        try cache.layout(layout.key(for: .frames, lint: lint)) { () throws(Problem) in
            try layout.laidOut(lint: lint)
        }
    }

    private func trees(_ screen: LaidOutScreen, of layout: StoredLayout) -> TreeParts {
        TreeParts(
            TreeWriter(
                screen.merged, screen.frames, viewport: layout.parameters.viewport,
                envelope: layout.envelope(of: screen.merged, seal: seal),
                options: layout.parameters.options))
    }
}

/// The tree of composed pages, or several trees, and their diagnostics.
struct ComposedLayout: Sendable {
    /// The trees.
    let content: LayoutContent
    /// The numbers of the diagnostics in all trees.
    let diagnostics: DiagnosticCounts
}

/// Layouts of composed pages, which are never cached.
extension LayoutRenderer {
    /// Returns the tree of all pages.
    func tree(
        of model: PaginatedViewModel, by registry: CellRegistry, _ parameters: LayoutParameters
    ) throws(Problem) -> ComposedLayout {
        try measured { () throws(Problem) in
            let screen = try Self.laidOut(model, by: registry, parameters)
            try Work.checkConnection()
            let writer = TreeWriter(
                screen.merged, screen.frames, viewport: parameters.viewport,
                envelope: TreeEnvelope(hasNext: screen.merged.hasNext),
                options: parameters.options)
            return ComposedLayout(
                content: try LayoutContent(TreeParts(writer), limit: maxResponseBytes),
                diagnostics: screen.diagnosticCounts)
        }
    }

    /// Returns the trees of all pages for several viewports; the pages are merged once.
    ///
    /// - Parameter parameters: The parameters of each tree, which differ in the viewport only.
    func trees(
        of model: PaginatedViewModel, by registry: CellRegistry, _ parameters: [LayoutParameters]
    ) throws(Problem) -> ComposedLayout {
        try measured { () throws(Problem) in
            let first = parameters.first ?? LayoutParameters()
            let merged = model.merged(for: first, registry: registry)
            var diagnostics = DiagnosticCounts()
            let writers = try parameters.map { (parameters) throws(Problem) in
                try Work.checkConnection()
                let frames = LaidOutScreen(merged, parameters).frames
                diagnostics.add(merged.diagnosticCounts(with: frames))
                return TreeWriter(
                    merged, frames, viewport: parameters.viewport,
                    envelope: TreeEnvelope(hasNext: merged.hasNext), options: first.options)
            }
            return ComposedLayout(
                content: try LayoutContent(TreeParts(list: writers), limit: maxResponseBytes),
                diagnostics: diagnostics)
        }
    }

    /// Returns a picture of all pages.
    func picture(
        of model: PaginatedViewModel, by registry: CellRegistry, _ parameters: LayoutParameters
    ) throws(Problem) -> (picture: [UInt8], diagnostics: DiagnosticCounts) {
        try measured { () throws(Problem) in
            var parameters = parameters
            parameters.lint = false
            let screen = try Self.laidOut(model, by: registry, parameters)
            try Work.checkConnection()
            let picture = PictureWriter.write(
                screen.merged, screen.frames, viewport: parameters.viewport,
                title: "composed, up to page \(screen.merged.page)")
            return (try checked(picture), screen.diagnosticCounts)
        }
    }

    private static func laidOut(
        _ model: PaginatedViewModel, by registry: CellRegistry, _ parameters: LayoutParameters
    ) throws(Problem) -> LaidOutScreen {
        let merged = model.merged(for: parameters, registry: registry)
        try Work.checkConnection()
        return LaidOutScreen(merged, parameters)
    }
}

/// A layout of a stored screen.
struct StoredLayout: Sendable {
    /// The screen at its current revision.
    let snapshot: ScreenSnapshot
    /// The highest page in the layout; `nil` if the screen has no pages.
    let page: Int?
    /// The parameters of the layout.
    let parameters: LayoutParameters
    /// The last revision that changed the tree of the layout.
    let revision: UInt64

    /// Creates a layout of the pages up to `page`.
    init(snapshot: ScreenSnapshot, page: Int?, parameters: LayoutParameters) {
        self.snapshot = snapshot
        self.page = page
        self.parameters = parameters
        revision = snapshot.treeRevision(upTo: page)
    }

    /// Returns the key of an entry of the layout cache.
    ///
    /// - Parameters:
    ///   - content: The content of the entry.
    ///   - lint: A Boolean value that indicates whether the content includes lint.
    func key(for content: LayoutKey.Content, lint: Bool) -> LayoutKey {
        var parameters = parameters
        parameters.lint = lint
        if !content.hasTreeOptions { parameters.options = TreeOptions() }
        return LayoutKey(
            screen: snapshot.name,
            version: snapshot.layoutVersion(at: revision),
            page: page, parameters: parameters, content: content)
    }

    /// Returns the key of the bytes in a form; `nil` for a part of the tree, which is not cached.
    func key(for form: LayoutForm, isCompressed: Bool) -> LayoutKey? {
        let content: LayoutKey.Content
        switch form {
        case .part: return nil
        case .tree: content = .tree
        case .picture: content = .picture
        }
        var key = key(for: content, lint: content == .tree && parameters.lint)
        key.isCompressed = isCompressed
        return key
    }

    /// Merges the screen's pages and lays them out.
    ///
    /// - Throws: The error of a lost connection.
    /// - Complexity: O(sections + items).
    func laidOut(lint: Bool) throws(Problem) -> LaidOutScreen {
        var parameters = parameters
        parameters.lint = lint
        let merged = snapshot.model.merged(
            upTo: page, below: snapshot.head.highestPage, for: parameters,
            registry: snapshot.catalog.registry)
        try Work.checkConnection()
        return LaidOutScreen(merged, parameters)
    }

    /// Returns the members of the tree that concern the screen and the page token.
    func envelope(of merged: MergedScreen, seal: TokenSeal) -> TreeEnvelope {
        let token = merged.hasNext ? PageToken(after: merged.page, parameters) : nil
        return TreeEnvelope(
            screen: snapshot.name.text, revision: revision,
            nextPageToken: token?.sealed(by: seal, for: snapshot.name.text),
            hasNext: merged.hasNext)
    }

    /// The title of a picture of the layout.
    var title: String {
        "\(snapshot.name.text), \(page.map { "up to page \($0)" } ?? "no pages")"
    }
}

/// A merged screen with its frames, from which trees, parts of trees and pictures are written.
final class LaidOutScreen: Sendable {
    /// The sections and their items.
    let merged: MergedScreen
    /// The frames of the sections and their items.
    let frames: ScreenFrames

    private let index = Mutex<VisibilityIndex?>(nil)

    /// Lays out a screen.
    ///
    /// - Complexity: O(sections + items).
    init(_ merged: MergedScreen, _ parameters: LayoutParameters) {
        self.merged = merged
        frames = ScreenFrames.layOut(
            sections: merged.sections,
            in: LayoutEnvironment(
                viewport: parameters.viewport, screen: merged.layout,
                rounding: parameters.rounding, lints: parameters.lint))
    }

    /// Returns every element in a rectangle (rules V1-V3); pinned and scrolled ones at their
    /// initial positions.
    ///
    /// - Complexity: O(sections + items) for the first call, which builds an index; proportional to
    ///   the result for all others.
    func elements(in rectangle: Frame) -> [LaidOutElement] {
        let index = index.withLock { known in
            let made = known ?? VisibilityIndex(frames)
            known = made
            return made
        }
        return index.elements(in: rectangle)
    }

    /// The numbers of the diagnostics of the pages and of the layout.
    var diagnosticCounts: DiagnosticCounts { merged.diagnosticCounts(with: frames) }

    /// The estimated size in memory, in bytes: frames, separators, index, sections.
    ///
    /// The pages are not included, since they belong to the snapshot of the screen.
    ///
    /// - Complexity: O(sections).
    var byteCount: Int {
        var count = 0
        for section in frames.sections {
            count += MemoryLayout<SectionFrames>.stride + MemoryLayout<MergedSection>.stride
            // The index has two numbers for every 32 items.
            count += section.items.count * MemoryLayout<Frame>.stride * 33 / 32
            count += section.separators.count * MemoryLayout<Frame?>.stride
            count += (section.scroll?.snapOffsets.count ?? 0) * MemoryLayout<Double>.stride
            for decoration in section.decorations {
                count += MemoryLayout<DecorationFrame>.stride + (decoration.data?.count ?? 0)
            }
        }
        for section in merged.sections {
            count += section.suffixes.count * MemoryLayout<ItemSuffix>.stride
            count += section.parts.count * (MemoryLayout<MergedSection.Part>.stride + 8)
        }
        return count
    }
}
