import Broadsheet
import BroadsheetStores

/// Turns pages into a laid-out tree's bytes: merge, lay out, write.
///
/// Other pictures of the same layout are made beside this, of the same merged screen and frames.
struct TreeRendering: Sendable {
    /// What page tokens are sealed with.
    let seal: TokenSeal
    /// Where durations are counted.
    let metrics: ServiceMetrics
    /// Where they are taken from.
    let clock: ServiceClock

    /// The tree of a stored screen's pages up to `page`; of all when nil.
    func tree(
        of snapshot: ScreenSnapshot, upTo page: Int?, _ parameters: LayoutParameters
    ) -> [UInt8] {
        measured {
            let merged = snapshot.model.merged(
                upTo: page, collapsed: parameters.collapsed.texts,
                registry: snapshot.catalog.registry)
            let token = merged.hasNext ? PageToken(after: merged.page, parameters) : nil
            let envelope = TreeEnvelope(
                screen: snapshot.name.text, revision: snapshot.revision,
                nextPageToken: token?.sealed(by: seal, for: snapshot.name.text),
                hasNext: merged.hasNext)
            return Self.write(merged, envelope, parameters)
        }
    }

    /// The tree of pages that are not stored.
    func tree(
        of model: PaginatedViewModel, by registry: CellRegistry, _ parameters: LayoutParameters
    ) -> [UInt8] {
        measured {
            let merged = model.merged(
                collapsed: parameters.collapsed.texts, registry: registry)
            return Self.write(merged, TreeEnvelope(hasNext: merged.hasNext), parameters)
        }
    }

    private static func write(
        _ merged: MergedScreen, _ envelope: TreeEnvelope, _ parameters: LayoutParameters
    ) -> [UInt8] {
        let environment = LayoutEnvironment(
            viewport: parameters.viewport, screen: merged.layout, rounding: parameters.rounding)
        let frames = ScreenFrames.layOut(sections: merged.sections, in: environment)
        return TreeWriter.write(
            merged, frames, viewport: parameters.viewport, envelope: envelope,
            options: parameters.treeOptions)
    }

    private func measured(_ body: () -> [UInt8]) -> [UInt8] {
        let start = clock.monotonicNanoseconds()
        let bytes = body()
        metrics.layoutDuration.observe(nanoseconds: clock.monotonicNanoseconds() &- start)
        return bytes
    }
}
