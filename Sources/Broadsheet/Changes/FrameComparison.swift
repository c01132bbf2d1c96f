#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Consecutive items whose frames or separators differ.
struct FrameRun: Sendable, Hashable {
    var section: Int
    var items: Range<Int>
    var hasSeparators: Bool
}

/// A comparison of the frames of the items that two trees have in common, as they are written.
///
/// Items that are inserted or reloaded have their frames already.
struct FrameComparison {
    /// The items whose frames differ.
    private(set) var runs: [FrameRun] = []
    private let old: TreeWriter
    private let new: TreeWriter

    init(from old: TreeWriter, to new: TreeWriter) {
        self.old = old
        self.new = new
    }

    /// Adds the items of a section, which is behind those that were added before.
    mutating func add(_ pair: SectionPair) {
        let section = new.frames.sections[pair.new]
        for run in pair.runs where !run.isReloaded {
            let before = old.frames.sections[Int(run.oldSection)]
            if !section.separators.isEmpty || !before.separators.isEmpty {
                addSeparated(run, before: before, after: section, in: pair.new)
            } else {
                add(run, before: before, after: section, in: pair.new)
            }
        }
    }

    private mutating func add(
        _ run: ItemRun, before: SectionFrames, after: SectionFrames, in index: Int
    ) {
        let (origin, newOrigin) = (new.options.origin(of: before), new.options.origin(of: after))
        let (start, newStart, count) = (Int(run.old), Int(run.new), Int(run.count))
        guard start + count <= before.items.count, newStart + count <= after.items.count else {
            return
        }
        let isInPlace = origin == newOrigin
        before.items.forEachPair(
            from: start, with: after.items, from: newStart, count: count, skipsShared: isInPlace
        ) { one, two, first in
            if isInPlace, Self.haveSameBytes(one, two) { return }
            for offset in one.indices {
                let (frame, newFrame) = (one[offset], two[offset])
                if isInPlace, frame == newFrame { continue }
                if frame.moved(by: origin).isWritten(like: newFrame.moved(by: newOrigin)) {
                    continue
                }
                append(newStart + first + offset, of: index, hasSeparator: false)
            }
        }
    }

    private static func haveSameBytes(
        _ one: UnsafeBufferPointer<Frame>, _ other: UnsafeBufferPointer<Frame>
    ) -> Bool {
        guard let first = one.baseAddress, let second = other.baseAddress else { return true }
        return first == second || memcmp(first, second, one.count * MemoryLayout<Frame>.stride) == 0
    }

    private mutating func addSeparated(
        _ run: ItemRun, before: SectionFrames, after: SectionFrames, in index: Int
    ) {
        let (origin, newOrigin) = (new.options.origin(of: before), new.options.origin(of: after))
        let end = Int(run.count)
        var offset = 0
        while offset < end {
            let (item, newItem) = (Int(run.old) + offset, Int(run.new) + offset)
            if origin == newOrigin,
                newItem.isMultiple(of: ChunkedList<Frame>.chunkCapacity)
                    || offset == 0
            {
                let shared = before.sharedCount(from: item, with: after, from: newItem)
                if shared > 0 {
                    offset += shared
                    continue
                }
            }
            offset += 1
            let separator = before.separator(of: item)?.moved(by: origin)
            let newSeparator = after.separator(of: newItem)?.moved(by: newOrigin)
            let isSame = before.items[item].moved(by: origin).isWritten(
                like: after.items[newItem].moved(by: newOrigin))
            if isSame, Self.areSame(separator, newSeparator) { continue }
            append(newItem, of: index, hasSeparator: separator != nil || newSeparator != nil)
        }
    }

    private static func areSame(_ one: Frame?, _ other: Frame?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.isWritten(like: other)
    }

    @inline(__always)
    private mutating func append(_ item: Int, of section: Int, hasSeparator: Bool) {
        if let last = runs.last, last.section == section, last.items.upperBound == item {
            runs[runs.count - 1].items = last.items.lowerBound..<item + 1
            if hasSeparator { runs[runs.count - 1].hasSeparators = true }
        } else {
            runs.append(
                FrameRun(section: section, items: item..<item + 1, hasSeparators: hasSeparator))
        }
    }
}

extension SectionFrames {
    /// Returns the number of items from an index on that are known to have the frames and the
    /// separators of those of another section from an index on; 0 if nothing is known.
    fileprivate func sharedCount(
        from item: Int, with other: SectionFrames, from otherItem: Int
    ) -> Int {
        let shared = items.sharedCount(from: item, with: other.items, from: otherItem)
        if separators.isEmpty, other.separators.isEmpty { return shared }
        return min(
            shared, separators.sharedCount(from: item, with: other.separators, from: otherItem))
    }

    /// Returns whether everything in the section is known to be the same as in another one.
    ///
    /// - Complexity: O(chunks of items).
    func isKnownToBeSame(as other: SectionFrames) -> Bool {
        frame == other.frame && items.isShared(with: other.items)
            && separators.isShared(with: other.separators)
            && lines.isShared(with: other.lines)
            && exactSizes.isKnownToBeSame(as: other.exactSizes) && header == other.header
            && footer == other.footer && isHeaderPinned == other.isHeaderPinned
            && isFooterPinned == other.isFooterPinned && itemZIndex == other.itemZIndex
            && headerZIndex == other.headerZIndex && footerZIndex == other.footerZIndex
            && decorations == other.decorations && scroll == other.scroll
            && paging == other.paging
    }

    func separator(of item: Int) -> Frame? {
        separators.indices ~= item ? separators[item] : nil
    }
}

extension Frame {
    @inline(__always)
    func isWritten(like other: Frame) -> Bool {
        JSONCursor.writesAlike(x, other.x) && JSONCursor.writesAlike(y, other.y)
            && JSONCursor.writesAlike(width, other.width)
            && JSONCursor.writesAlike(height, other.height)
    }
}
