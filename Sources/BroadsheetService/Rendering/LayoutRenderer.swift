import Broadsheet
import BroadsheetIO
import BroadsheetStores

/// Renders pages as trees, parts of trees and pictures: merges them, lays them out, writes bytes.
struct LayoutRenderer: Sendable {
    /// The seal of page tokens.
    let seal: TokenSeal
    /// The metrics that durations are recorded in.
    let metrics: ServiceMetrics
    /// The clock that durations are measured by.
    let clock: TimeSource
    /// The cache of layouts, trees and pictures of stored screens.
    let cache: LayoutCache

    /// Calls `body` and records its duration.
    private func measured<Content>(_ body: () -> Content) -> Content {
        let start = clock.now
        let content = body()
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
    func uncachedTree(of layout: StoredLayout) -> [UInt8] {
        measured { write(layout.laidOut(lint: layout.parameters.lint), of: layout) }
    }

    /// Returns the tree of a layout.
    func tree(of layout: StoredLayout) -> [UInt8] {
        let lint = layout.parameters.lint
        return cache.bytes(layout.key(for: .tree, lint: lint)) {
            measured { write(laidOut(layout, lint: lint), of: layout) }
        }
    }

    /// Returns the part of a tree in a rectangle.
    ///
    /// - Complexity: Proportional to the result if the layout is in the cache.
    func tree(of layout: StoredLayout, in rectangle: Frame) -> [UInt8] {
        measured {
            // A part has no diagnostics, so it needs no lint.
            let screen = laidOut(layout, lint: false)
            return TreeWriter.write(
                screen.elements(in: rectangle), of: screen.merged, screen.frames,
                viewport: layout.parameters.viewport,
                envelope: layout.envelope(of: screen.merged, seal: seal),
                options: layout.parameters.options)
        }
    }

    /// Returns a picture of a layout.
    func picture(of layout: StoredLayout) -> [UInt8] {
        cache.bytes(layout.key(for: .picture, lint: false)) {
            measured {
                let screen = laidOut(layout, lint: false)
                return PictureWriter.write(
                    screen.merged, screen.frames, viewport: layout.parameters.viewport,
                    title: layout.title)
            }
        }
    }

    private func laidOut(_ layout: StoredLayout, lint: Bool) -> LaidOutScreen {
        cache.layout(layout.key(for: .frames, lint: lint)) { layout.laidOut(lint: lint) }
    }

    private func write(_ screen: LaidOutScreen, of layout: StoredLayout) -> [UInt8] {
        TreeWriter.write(
            screen.merged, screen.frames, viewport: layout.parameters.viewport,
            envelope: layout.envelope(of: screen.merged, seal: seal),
            options: layout.parameters.options)
    }
}

/// The tree or the picture of composed pages, or several trees, and their diagnostics.
struct ComposedLayout: Sendable {
    /// The bytes of the trees or of the picture.
    let bytes: [UInt8]
    /// The numbers of the diagnostics in all trees, or in the tree that a picture shows.
    let diagnostics: DiagnosticCounts
}

/// Layouts of composed pages, which are never cached.
extension LayoutRenderer {
    /// Returns the tree of all pages.
    func tree(
        of model: PaginatedViewModel, by registry: CellRegistry, _ parameters: LayoutParameters
    ) -> ComposedLayout {
        measured {
            let screen = Self.laidOut(model, by: registry, parameters)
            let bytes = TreeWriter.write(
                screen.merged, screen.frames, viewport: parameters.viewport,
                envelope: TreeEnvelope(hasNext: screen.merged.hasNext),
                options: parameters.options)
            return ComposedLayout(bytes: bytes, diagnostics: screen.diagnosticCounts)
        }
    }

    /// Returns the trees of all pages for several viewports; the pages are merged once.
    ///
    /// - Parameter parameters: The parameters of each tree, which differ in the viewport only.
    func trees(
        of model: PaginatedViewModel, by registry: CellRegistry, _ parameters: [LayoutParameters]
    ) -> ComposedLayout {
        measured {
            let first = parameters.first ?? LayoutParameters()
            let merged = model.merged(for: first, registry: registry)
            let layouts = parameters.map {
                (viewport: $0.viewport, frames: LaidOutScreen(merged, $0).frames)
            }
            let bytes = TreeWriter.write(
                merged, layouts: layouts, envelope: TreeEnvelope(hasNext: merged.hasNext),
                options: first.options)
            let diagnostics = layouts.reduce(into: DiagnosticCounts()) {
                $0.add(merged.diagnosticCounts(with: $1.frames))
            }
            return ComposedLayout(bytes: bytes, diagnostics: diagnostics)
        }
    }

    /// Returns a picture of all pages.
    func picture(
        of model: PaginatedViewModel, by registry: CellRegistry, _ parameters: LayoutParameters
    ) -> ComposedLayout {
        measured {
            var parameters = parameters
            parameters.lint = false
            let screen = Self.laidOut(model, by: registry, parameters)
            let bytes = PictureWriter.write(
                screen.merged, screen.frames, viewport: parameters.viewport,
                title: "composed, up to page \(screen.merged.page)")
            return ComposedLayout(bytes: bytes, diagnostics: screen.diagnosticCounts)
        }
    }

    private static func laidOut(
        _ model: PaginatedViewModel, by registry: CellRegistry, _ parameters: LayoutParameters
    ) -> LaidOutScreen {
        LaidOutScreen(
            model.merged(for: parameters, registry: registry), parameters)
    }
}
