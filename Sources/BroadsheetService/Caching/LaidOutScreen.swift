import Broadsheet
import Synchronization

/// A merged screen with its frames: what trees, parts of trees and pictures are written from.
final class LaidOutScreen: Sendable {
    /// The sections and their items.
    let merged: MergedScreen
    /// Where they are.
    let frames: ScreenFrames

    private let index = Mutex<VisibilityIndex?>(nil)

    /// Lays out `merged`; O(sections + items).
    init(_ merged: MergedScreen, _ parameters: LayoutParameters) {
        self.merged = merged
        frames = ScreenFrames.layOut(
            sections: merged.sections,
            in: LayoutEnvironment(
                viewport: parameters.viewport, screen: merged.layout,
                rounding: parameters.rounding, lints: parameters.lint))
    }

    /// Every element in `rectangle` (rules V1-V3), pinned and scrolled ones where they rest.
    ///
    /// The first call makes an index, in O(sections + items); all others cost in proportion to the
    /// answer.
    func elements(in rectangle: Frame) -> [LaidOutElement] {
        let index = index.withLock { known in
            let made = known ?? VisibilityIndex(frames)
            known = made
            return made
        }
        return index.elements(in: rectangle)
    }

    /// About how much memory it takes, in bytes: frames, separators, index, sections.
    ///
    /// The pages belong to the screen, which is in memory anyway. O(sections).
    var byteCount: Int {
        var count = 0
        for section in frames.sections {
            count += MemoryLayout<SectionFrames>.stride + MemoryLayout<MergedSection>.stride
            // The index has two numbers for 32 items.
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
