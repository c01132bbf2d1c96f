extension MergedScreen {
    /// Returns the estimated size in memory that the screen and its frames need beside those of
    /// another version, in bytes.
    ///
    /// - Complexity: O(sections + chunks of items).
    package func byteCount(
        with frames: ScreenFrames,
        beside other: (merged: MergedScreen, frames: ScreenFrames)? = nil
    ) -> Int {
        var count = sections.byteCount(beside: other?.merged.sections)
        count += frames.sections.byteCount(beside: other?.frames.sections)
        for index in sections.indices {
            let hasOther = other.map { index < $0.merged.sections.count } ?? false
            count += sections[index].byteCount(
                beside: hasOther ? other?.merged.sections[index] : nil)
            count += frames.sections[index].byteCount(
                beside: hasOther ? other?.frames.sections[index] : nil)
        }
        return count
    }
}

extension SectionFrames {
    /// Returns the size in memory that the frames need beside those of another version of the
    /// section, in bytes.
    fileprivate func byteCount(beside other: SectionFrames?) -> Int {
        var count = items.byteCount(beside: other?.items)
        count += separators.byteCount(beside: other?.separators)
        count += lines.byteCount(beside: other?.lines)
        count += exactSizes.items.byteCount(beside: other?.exactSizes.items)
        // The index has two numbers for every 32 items.
        count += items.count / 32 * 2 * MemoryLayout<Double>.stride
        for decoration in decorations {
            count += MemoryLayout<DecorationFrame>.stride + (decoration.data?.count ?? 0)
        }
        return count
    }
}
