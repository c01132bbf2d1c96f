import Broadsheet
import BroadsheetIO
import Synchronization

/// A merged screen with its frames, from which trees, parts of trees and pictures are written.
final class LaidOutScreen: Sendable {
    /// The sections and their items.
    let merged: MergedScreen
    /// The frames of the sections and their items.
    let frames: ScreenFrames

    /// The estimated size in memory, in bytes: frames, separators, index, sections.
    ///
    /// The pages are not included, since they belong to the snapshot of the screen.
    let byteCount: Int
    /// The number of these bytes that are those of a layout with fewer pages, which this one
    /// continues.
    let sharedByteCount: Int

    private let index = Mutex<VisibilityIndex?>(nil)
    /// The reservations of this layout's memory and of that of the layouts that it continues.
    private let memory: Mutex<ChunkedList<MemoryReservation>>
    /// The layout with what a later one can take over, unless it is used only once.
    private let reusable: ReusableLayout?

    /// Lays out a screen once.
    ///
    /// - Complexity: O(sections + items).
    init(_ merged: MergedScreen, _ parameters: LayoutParameters) {
        self.merged = merged
        frames = ScreenFrames.layOut(
            sections: merged.sections,
            in: LayoutEnvironment(
                viewport: parameters.viewport, screen: merged.layout,
                rounding: parameters.rounding, lints: parameters.lint))
        byteCount = merged.byteCount(with: frames)
        sharedByteCount = 0
        memory = Mutex([])
        reusable = nil
    }

    /// Lays out a version of a screen, from which those of later versions are made.
    ///
    /// - Parameter earlier: The layout of an earlier version.
    /// - Complexity: O(sections + items) without those that the earlier layout has.
    init(_ merged: MergedScreen, _ parameters: LayoutParameters, reusing earlier: LaidOutScreen?) {
        let layout = ReusableLayout(merged, parameters, reusing: earlier?.reusable)
        self.merged = merged
        frames = layout.frames
        reusable = layout
        byteCount = merged.byteCount(with: frames)
        if let earlier, earlier.reusable != nil, merged.continues(earlier.merged) {
            sharedByteCount = min(byteCount, earlier.byteCount)
            memory = Mutex(earlier.memory.withLock { $0 })
        } else {
            sharedByteCount = 0
            memory = Mutex([])
        }
    }

    /// Moves the memory of the layout from a reservation to the layout; what it shares with the
    /// layout that it continues is reserved already, as long as either of them is in use.
    func takeMemory(from reservation: MemoryReservation) {
        let needed = byteCount - sharedByteCount
        // The table of ids, which the first reuse makes, is not known before.
        if reservation.count < needed { _ = reservation.resize(to: needed) }
        let own = reservation.split(needed, for: .layouts)
        memory.withLock { $0.append(own) }
    }

    /// Moves the memory of the layout to the history, because it is of an earlier revision.
    func moveMemoryToHistory() { memory.withLock { $0.last?.move(to: .history) } }

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
}

extension MergedScreen {
    /// Returns the estimated size in memory of the screen and its frames, in bytes.
    ///
    /// - Complexity: O(sections).
    fileprivate func byteCount(with frames: ScreenFrames) -> Int {
        var count = 0
        for section in frames.sections {
            count += MemoryLayout<SectionFrames>.stride
            // The index has two numbers for every 32 items.
            count += section.items.count * MemoryLayout<Frame>.stride * 33 / 32
            count += section.separators.count * MemoryLayout<Frame?>.stride
            count += section.lines.count * MemoryLayout<ItemLines>.stride
            count += (section.scroll?.snapOffsets.count ?? 0) * MemoryLayout<Double>.stride
            for decoration in section.decorations {
                count += MemoryLayout<DecorationFrame>.stride + (decoration.data?.count ?? 0)
            }
        }
        for section in sections { count += section.byteCountInMemory }
        return count
    }
}
