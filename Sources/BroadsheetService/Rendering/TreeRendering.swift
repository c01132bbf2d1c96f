import Broadsheet
import BroadsheetIO
import BroadsheetStores

/// Turns pages into answers: merge, lay out, write.
///
/// Trees, parts of trees and pictures are all written from the same merged screen and frames.
struct TreeRendering: Sendable {
    /// What page tokens are sealed with.
    let seal: TokenSeal
    /// Where durations are counted.
    let metrics: ServiceMetrics
    /// Where they are taken from.
    let clock: TimeSource
    /// Where layouts and answers of stored screens are kept.
    let cache: LayoutCache

    /// The tree of a stored screen's layout, which is neither looked up nor kept: after a write
    /// nobody has it yet, and nobody may ask again.
    func freshTree(of layout: StoredLayout) -> [UInt8] {
        measured { write(layout.laidOut(lint: layout.parameters.lint), of: layout) }
    }

    /// The tree of a stored screen's layout; made once and kept.
    func tree(of layout: StoredLayout) -> [UInt8] {
        let key = layout.key(lint: layout.parameters.lint)
        return cache.answer(.tree(key, layout.parameters.treeOptions)) {
            measured { write(laidOut(layout, key), of: layout) }
        }
    }

    /// The part of the tree that lies in `rectangle`; once the layout is kept, it costs as much as
    /// there is to answer.
    func tree(of layout: StoredLayout, in rectangle: Frame) -> [UInt8] {
        measured {
            // A part has no diagnostics, so linting would be for nothing.
            let screen = laidOut(layout, layout.key(lint: false))
            return TreeWriter.write(
                screen.elements(in: rectangle), of: screen.merged, screen.frames,
                viewport: layout.parameters.viewport,
                envelope: layout.envelope(of: screen.merged, seal: seal),
                options: layout.parameters.treeOptions)
        }
    }

    /// A picture of a stored screen's layout; made once and kept.
    func picture(of layout: StoredLayout) -> [UInt8] {
        let key = layout.key(lint: false)
        return cache.answer(.picture(key)) {
            measured {
                let screen = laidOut(layout, key)
                return PictureWriter.write(
                    screen.merged, screen.frames, viewport: layout.parameters.viewport,
                    title: layout.title)
            }
        }
    }

    private func laidOut(_ layout: StoredLayout, _ key: LayoutKey) -> LaidOutScreen {
        cache.layout(key) { layout.laidOut(lint: key.lint) }
    }

    private func write(_ screen: LaidOutScreen, of layout: StoredLayout) -> [UInt8] {
        TreeWriter.write(
            screen.merged, screen.frames, viewport: layout.parameters.viewport,
            envelope: layout.envelope(of: screen.merged, seal: seal),
            options: layout.parameters.treeOptions)
    }

    /// Counts how long `body` takes.
    func measured(_ body: () -> [UInt8]) -> [UInt8] {
        let start = clock.now
        let bytes = body()
        metrics.layoutDuration.observe(nanoseconds: clock.now.nanoseconds(since: start))
        return bytes
    }
}
