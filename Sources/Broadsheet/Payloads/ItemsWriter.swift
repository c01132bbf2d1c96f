/// Writes the items of one section.
///
/// A tree is mostly items. So what surrounds their numbers is put together beforehand, room is made
/// once an item, and nothing is allocated for one.
struct ItemsWriter {
    private let section: MergedSection
    private let frames: SectionFrames
    private let origin: Frame
    private let pieces: ItemPieces
    private let writesData: Bool

    /// What changes from item to item; apart from the rest, which the loop so need not retain.
    private struct Progress {
        /// The index in its section of the item that is next.
        var index = 0
        /// Whether no item has been written so far.
        var isFirst = true
        /// Those of the items from `index` on.
        var suffixes: ArraySlice<ItemSuffix> = []
        var tail: ItemTail

        /// The number that tells the next item apart from an earlier one; 1 when none needs to.
        @inline(__always)
        mutating func nextNumber() -> Int {
            guard let suffix = suffixes.first, suffix.item == index else { return 1 }
            suffixes.removeFirst()
            return suffix.number
        }
    }

    /// Prepares to write the items of `writer`'s section.
    init(_ writer: SectionWriter) {
        section = writer.section
        frames = writer.frames
        origin = writer.origin
        pieces = writer.pieces
        writesData = writer.options.fields == .all
    }

    /// Writes the items at `runs`, which ascend, into the array that is open: those that the layout
    /// has placed.
    ///
    /// O(runs * log parts + items in them + bytes of data).
    func write(_ runs: [Range<Int>], to output: inout StructuredJSONWriter) {
        var progress = Progress(
            tail: ItemTail(
                pieces, zIndex: frames.itemZIndex, reachesData: frames.separators.isEmpty))
        for run in runs {
            let placed = run.clamped(to: 0..<frames.items.count)
            progress.index = placed.lowerBound
            progress.suffixes = section.suffixes(fromItem: placed.lowerBound)
            section.forEachPage(of: placed) { page, cells in
                page.bytes.withUnsafeBufferPointer { bytes in
                    write(cells, of: page, bytes, &progress, to: &output.writer)
                }
            }
        }
        guard !progress.isFirst else { return }
        output.noteElements()
        output.writer.raw(pieces.last)
    }

    /// Writes items of `page`, whose bytes are `bytes`.
    private func write(
        _ cells: ArraySlice<CellInfo>, of page: ResolvedPage, _ bytes: UnsafeBufferPointer<UInt8>,
        _ progress: inout Progress, to writer: inout JSONWriter
    ) {
        var kind = -1
        var type: [UInt8] = []
        for cell in cells {
            if cell.kind != kind {
                kind = cell.kind
                type = page.kinds[kind].nameJSON
            }
            write(cell, type, of: page, bytes, &progress, to: &writer)
            progress.index &+= 1
        }
    }

    @inline(__always)
    private func write(
        _ cell: CellInfo, _ type: [UInt8], of page: ResolvedPage,
        _ bytes: UnsafeBufferPointer<UInt8>, _ progress: inout Progress, to writer: inout JSONWriter
    ) {
        let index = progress.index
        let isFirst = progress.isFirst
        progress.isFirst = false
        let frame = frames.items[index].measured(from: origin)
        let tail = progress.tail.bytes(for: frame)
        let id = ItemId(identity: cell.id, number: progress.nextNumber(), page: page.number)
        let data = writesData ? cell.dataRange : 0..<0
        let room =
            pieces.byteCount + id.maxByteCount + type.count + tail.count + data.count
            + 6 * JSONCursor.longestNumber
        writer.withCapacity(room) { cursor in
            cursor.copy(isFirst ? pieces.first : pieces.between)
            id.write(to: &cursor, bytes)
            cursor.copy(pieces.type)
            cursor.copy(type)
            cursor.copy(pieces.frame)
            cursor.number(frame.x)
            cursor.copy(pieces.y)
            cursor.number(frame.y)
            cursor.copy(tail)
            if !frames.separators.isEmpty { writeSeparator(ofItem: index, to: &cursor) }
            cursor.copy(UnsafeBufferPointer(rebasing: bytes[data]))
        }
    }

    /// Writes the hairline of the item at `index`, if it has one, and the way to the data.
    @inline(never)
    private func writeSeparator(ofItem index: Int, to cursor: inout JSONCursor) {
        if frames.separators.indices ~= index,
            let frame = frames.separators[index]?.measured(from: origin)
        {
            cursor.copy(pieces.separator)
            cursor.number(frame.x)
            cursor.copy(pieces.y)
            cursor.number(frame.y)
            cursor.copy(pieces.width)
            cursor.number(frame.width)
            cursor.copy(pieces.height)
            cursor.number(frame.height)
            cursor.byte(UInt8(ascii: "}"))
        }
        cursor.copy(pieces.data)
    }
}
