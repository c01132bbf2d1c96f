import BroadsheetCollections

/// The items of a section as a tree shows them, page by page.
struct SectionItems: Sendable {
    /// The items of one posted section.
    struct Part: Sendable {
        let page: ResolvedPage
        let cells: ArraySlice<CellInfo>
        /// The index in the section of the first item.
        let start: Int
        let hasSuffixes: Bool

        var items: Range<Int> { start..<start + cells.count }

        /// Returns whether two parts are of one page, with the same items.
        func isSame(as other: Part) -> Bool {
            page === other.page && cells.startIndex == other.cells.startIndex
                && cells.count == other.cells.count && !hasSuffixes && !other.hasSuffixes
        }
    }

    /// An item without an equal one in the other tree so far.
    struct Loose: Sendable {
        let part: Int32
        /// The index of the item in its section.
        let item: Int32
    }

    private let parts: ChunkedList<MergedSection.Part>
    /// The number of parts with items that the layout has placed.
    let partCount: Int
    /// The number of items that the layout has placed.
    let count: Int
    private let section: MergedSection?

    init(of tree: TreeWriter, at index: Int) {
        let section = tree.screen.sections[index]
        let count = min(section.itemCount, tree.frames.sections[index].items.count)
        self.section = section
        self.count = count
        parts = section.parts
        partCount = count > 0 ? parts.partitioningIndex { $0.start >= count } : 0
    }

    static let empty = SectionItems()

    private init() {
        (parts, partCount, count, section) = ([], 0, 0, nil)
    }

    /// Returns a part with those of its items that the layout has placed.
    ///
    /// - Complexity: O(log suffixes).
    func part(at index: Int) -> Part {
        let part = parts[index]
        let (start, end) = (max(part.start, 0), min(part.items.upperBound, count))
        var hasSuffixes = false
        if let section, !section.suffixes.isEmpty {
            hasSuffixes = section.suffixes(fromItem: start).first.map { $0.item < end } ?? false
        }
        return Part(
            page: part.page,
            cells: part.cells.prefix(end - part.start).dropFirst(start - part.start),
            start: start, hasSuffixes: hasSuffixes)
    }

    /// Returns the numbers of parts and of items at the beginning that another version of the
    /// section has too.
    ///
    /// - Complexity: O(chunks of parts), and O(parts) in the chunks that differ, up to the first
    ///   difference; the same of suffixes.
    func commonPrefix(with other: SectionItems) -> (parts: Int, items: Int) {
        var shared = parts.commonPrefixCount(with: other.parts) { $0.isSame(as: $1) }
        let placed = min(count, other.count, firstOtherSuffix(than: other))
        shared = min(shared, partCount, other.partCount)
        if shared > 0, parts[shared - 1].items.upperBound > placed {
            shared = parts.partitioningIndex { $0.items.upperBound > placed }
        }
        return (shared, shared > 0 ? parts[shared - 1].items.upperBound : 0)
    }

    /// Returns the index of the first item that has another suffix than in another version; in a
    /// window suffixes depend on items that it does not show.
    private func firstOtherSuffix(than other: SectionItems) -> Int {
        guard let section, let otherSection = other.section else { return .max }
        let (suffixes, others) = (section.suffixes, otherSection.suffixes)
        let common = suffixes.commonPrefixCount(with: others, by: ==)
        let rests = [suffixes, others].lazy.compactMap { $0.dropFirst(common).first?.item }
        return rests.min() ?? .max
    }

    func cell(_ loose: Loose) -> CellInfo {
        let part = parts[Int(loose.part)]
        let cells = part.cells
        return cells[cells.startIndex + Int(loose.item) - part.start]
    }

    func page(_ loose: Loose) -> ResolvedPage { parts[Int(loose.part)].page }

    /// Returns the number that distinguishes an item from earlier ones, or 1.
    ///
    /// - Complexity: O(log suffixes).
    private func number(_ loose: Loose) -> Int {
        guard let section, !section.suffixes.isEmpty,
            let suffix = section.suffixes(fromItem: Int(loose.item)).first,
            suffix.item == Int(loose.item)
        else { return 1 }
        return suffix.number
    }

    /// Calls `body` with the id that the tree has for an item; the buffer is valid only during the
    /// call.
    @inline(__always)
    func withID<Result>(
        _ loose: Loose, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let (cell, number, page) = (cell(loose), number(loose), page(loose))
        if number == 1, case .text(let range, hasEscapes: false) = cell.id {
            return page.bytes.withUnsafeBytes { bytes in
                body(
                    UnsafeRawBufferPointer(
                        rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
            }
        }
        var text = page.text(of: cell.id)
        if number > 1 { text += Array("#\(number)".utf8) }
        return text.withUnsafeBytes(body)
    }

    /// Returns whether an item is identified by its data and not by its place.
    func hasOwnID(_ loose: Loose) -> Bool {
        if case .text = cell(loose).id { true } else { false }
    }
}

extension CellInfo.Identity {
    /// Returns whether two identities, both without suffix, are written alike in one page number's
    /// trees.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of this identity's page.
    ///   - otherBytes: The bytes of the other one's page.
    @inline(__always)
    func isSame(
        as other: Self, _ bytes: UnsafeBufferPointer<UInt8>,
        _ otherBytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        switch (self, other) {
        case (.text(let range, hasEscapes: false), .text(let otherRange, hasEscapes: false)):
            DataEquality.hasSameBytes(
                UnsafeBufferPointer(
                    rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)]),
                UnsafeBufferPointer(
                    rebasing: otherBytes[Int(otherRange.lowerBound)..<Int(otherRange.upperBound)]))
        case (.position(let unit, let element), .position(let otherUnit, let otherElement)):
            unit == otherUnit && element == otherElement
        // Rare: these items are compared by the texts of their ids, like all that are left over.
        default: false
        }
    }
}
