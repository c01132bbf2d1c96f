/// A comparison of the parts of items that two trees have in common, as they are written.
struct PartsComparison {
    private let old: PartsArranger
    private let new: PartsArranger
    private let writesURLs: Bool

    init(from old: TreeWriter, to new: TreeWriter) {
        writesURLs = new.options.writesData
        self.old = PartsArranger(old.frames.conditions)
        self.new = PartsArranger(new.frames.conditions)
    }

    struct Item {
        let page: ResolvedPage
        let cell: CellInfo
        /// The size before rounding.
        let size: Size

        init?(_ section: MergedSection, _ frames: SectionFrames, at index: Int) {
            guard let (page, cell) = section.item(at: index), frames.items.indices ~= index else {
                return nil
            }
            (self.page, self.cell) = (page, cell)
            size = frames.exactSize(ofItem: index)
        }

        var contents: ContentTree? { page.kinds[cell.kind].contents }

        /// Returns whether both items have the same data, byte for byte.
        func hasSameData(as other: Item) -> Bool {
            if page === other.page, cell.dataRange == other.cell.dataRange { return true }
            return page.bytes.withUnsafeBufferPointer { bytes in
                other.page.bytes.withUnsafeBufferPointer { otherBytes in
                    DataEquality.hasSameBytes(
                        UnsafeBufferPointer(rebasing: bytes[cell.dataRange]),
                        UnsafeBufferPointer(rebasing: otherBytes[other.cell.dataRange]))
                }
            }
        }
    }

    /// Returns whether the parts of two items differ; they are laid out only if their sizes, or the
    /// bytes of their data, do.
    ///
    /// - Complexity: O(bytes of the data), and O(boxes) if the items differ.
    func differ(_ one: Item, _ other: Item) -> Bool {
        guard let contents = one.contents, let otherContents = other.contents else {
            return (one.contents == nil) != (other.contents == nil)
        }
        if contents === otherContents, old.conditions == new.conditions, one.size == other.size,
            one.hasSameData(as: other)
        {
            return false
        }
        let parts = old.parts(of: contents, at: one.cell.inputs, in: one.page, one.size)
        let otherParts = new.parts(
            of: otherContents, at: other.cell.inputs, in: other.page, other.size)
        guard parts.count == otherParts.count else { return true }
        let areAlike = zip(parts, otherParts).allSatisfy { part, otherPart in
            contents.names[part.name] == otherContents.names[otherPart.name]
                && part.part.lines == otherPart.part.lines
                && part.part.isTruncated == otherPart.part.isTruncated
                && part.part.frame.isWritten(like: otherPart.part.frame)
        }
        let hasURLs = (parts + otherParts).contains { $0.part.url >= 0 }
        guard areAlike, writesURLs, hasURLs else { return !areAlike }
        return urls(of: parts, one, contents, old)
            != urls(of: otherParts, other, otherContents, new)
    }

    private func urls(
        of parts: [(name: Int, part: PartFrame)], _ item: Item, _ contents: ContentTree,
        _ arranger: PartsArranger
    ) -> [[UInt8]?] {
        item.page.bytes.withUnsafeBufferPointer { bytes in
            let data = UnsafeBufferPointer(rebasing: bytes[item.cell.dataRange])
            return parts.map {
                PartURL(
                    of: $0.part, contents, at: item.cell.inputs, in: item.page,
                    scale: arranger.conditions.imageScale, data: data
                )?.bytes
            }
        }
    }
}

/// Items whose contents have other parts.
extension SectionMatching {
    /// Marks the items as reloaded whose `parts` differ: they are a member other than the frame.
    ///
    /// - Complexity: O(items of sections with contents).
    mutating func reloadItemsWithOtherParts() {
        let comparison = PartsComparison(from: old, to: new)
        for index in pairs.indices {
            let (section, frames) = (
                new.screen.sections[pairs[index].new], new.frames.sections[pairs[index].new]
            )
            guard section.hasContents else { continue }
            var runs: [ItemRun] = []
            for run in pairs[index].runs {
                guard !run.isReloaded else {
                    runs.append(run)
                    continue
                }
                let before = Int(run.oldSection)
                for offset in 0..<run.count {
                    var part = run
                    (part.old, part.new, part.count) = (run.old + offset, run.new + offset, 1)
                    let item = PartsComparison.Item(
                        old.screen.sections[before], old.frames.sections[before],
                        at: Int(part.old))
                    let other = PartsComparison.Item(section, frames, at: Int(part.new))
                    if let item, let other { part.isReloaded = comparison.differ(item, other) }
                    runs.add(part)
                }
            }
            pairs[index].runs = runs
        }
    }
}
