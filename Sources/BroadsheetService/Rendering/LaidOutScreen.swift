import Broadsheet
import BroadsheetIO
import Synchronization

/// A merged screen with its frames, from which trees, parts of trees and pictures are written.
final class LaidOutScreen: Sendable {
    /// The sections and their items.
    let merged: MergedScreen
    /// The frames of the sections and their items.
    let frames: ScreenFrames

    private let index = Mutex<VisibilityIndex?>(nil)
    private let memory = Mutex<MemoryReservation?>(nil)

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

    /// Moves the memory of the layout from a reservation to the layout.
    func takeMemory(from reservation: MemoryReservation) {
        let own = reservation.split(byteCount, for: .layouts)
        memory.withLock { $0 = own }
    }

    /// Moves the memory of the layout to the history, because it is of an earlier revision.
    func moveMemoryToHistory() { memory.withLock { $0?.move(to: .history) } }

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
            count += section.lines.count * MemoryLayout<ItemLines>.stride
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
