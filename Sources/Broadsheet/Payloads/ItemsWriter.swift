/// Writes the items of one section.
///
/// Most of a tree is items. Therefore the JSON around their values is prepared once for a tree, the
/// capacity for each item is reserved at once, and no item allocates memory.
struct ItemsWriter {
    private let writer: SectionWriter
    private let origin: Frame
    private let pieces: ItemPieces
    private let writesData: Bool
    // Facts of the frames that the loop needs for each item.
    private let hasLines: Bool
    private let hasSeparators: Bool
    private let hasParts: Bool

    private var section: MergedSection { writer.section }
    private var frames: SectionFrames { _read { yield writer.frames } }

    /// The state that changes with every item, separate from the properties that the loop need not
    /// retain.
    fileprivate struct Progress {
        var index = 0
        var isFirst: Bool
        /// The suffixes of the items from `index` on.
        var suffixes: Slice<ChunkedList<ItemSuffix>> = ChunkedList()[...]
        var head: ItemHead
        var tail: ItemTail
        /// The writer of parts; `nil` in a section without contents.
        var parts: PartsWriter?

        /// Returns the number that distinguishes the next item from earlier ones, or 1.
        @inline(__always)
        mutating func nextNumber() -> Int {
            guard let suffix = suffixes.first, suffix.item == index else { return 1 }
            suffixes.removeFirst()
            return suffix.number
        }
    }

    init(_ writer: SectionWriter) {
        self.writer = writer
        origin = writer.origin
        pieces = writer.pieces
        writesData = writer.options.writesData
        hasLines = !writer.frames.lines.isEmpty
        hasSeparators = !writer.frames.separators.isEmpty
        hasParts = writer.section.hasContents
    }

    private var hasMembersBeforeData: Bool { hasSeparators || hasParts }

    private func begin(isFirst: Bool) -> Progress {
        Progress(
            isFirst: isFirst, head: ItemHead(pieces),
            tail: ItemTail(
                pieces, zIndex: frames.itemZIndex, reachesData: !hasMembersBeforeData),
            parts: hasParts
                ? PartsWriter(
                    writer.conditions, style: writer.options.style, depth: pieces.depth) : nil)
    }

    /// Writes items that the layout has placed into the open array, without the end of the last
    /// one (``writeEnd(to:)``).
    ///
    /// - Parameters:
    ///   - runs: The indices of the items to write, ascending.
    ///   - isFirst: A Boolean value that indicates whether the array is empty so far.
    /// - Returns: A Boolean value that indicates whether the array is empty still.
    /// - Complexity: O(runs * log parts + items in them + bytes of data).
    func write(
        _ runs: ArraySlice<Range<Int>>, isFirst: Bool, to output: inout StructuredJSONWriter
    ) -> Bool {
        var progress = begin(isFirst: isFirst)
        // The loop uses pointers to the bytes of these objects: it would retain arrays.
        defer { withExtendedLifetime((progress.head, progress.tail, pieces)) {} }
        for run in runs {
            let placed = run.clamped(to: 0..<frames.items.count)
            progress.index = placed.lowerBound
            progress.suffixes = section.suffixes(fromItem: placed.lowerBound)
            section.forEachPage(of: placed) { page, cells in
                page.bytes.withUnsafeBufferPointer { bytes in
                    var rest = cells
                    frames.items.forEachChunk(
                        in: progress.index..<progress.index + cells.count
                    ) { frames, _ in
                        write(
                            rest.prefix(frames.count), at: frames, of: page, in: bytes, &progress,
                            to: &output.writer, origins: writer.origins)
                        rest = rest.dropFirst(frames.count)
                    }
                }
            }
        }
        return progress.isFirst
    }

    /// Begins to write items one by one, each as a value of its own.
    func beginValues() -> Values { Values(begin(isFirst: true)) }

    /// The state that is kept from one value to the next.
    struct Values {
        fileprivate var progress: Progress
        /// The kind of the item that was written last.
        fileprivate var kind: CellKind?

        fileprivate init(_ progress: Progress) { self.progress = progress }
    }

    /// Writes the item at `index`, which the layout has placed, as a value of its own.
    ///
    /// - Complexity: O(log parts + bytes of data).
    func writeValue(
        ofItem index: Int, _ values: inout Values, to output: inout StructuredJSONWriter
    ) {
        guard frames.items.indices ~= index, let (page, cell) = section.item(at: index) else {
            return output.null()
        }
        values.progress.index = index
        values.progress.isFirst = true
        if !section.suffixes.isEmpty {
            values.progress.suffixes = section.suffixes(fromItem: index)
        }
        let kind = page.kinds[cell.kind]
        if values.kind !== kind {
            values.progress.head.rewrite(for: kind)
            values.kind = kind
        }
        // The pointers to the bytes of these objects are used while the item is written.
        defer { withExtendedLifetime((values.progress.head, values.progress.tail, pieces)) {} }
        page.bytes.withUnsafeBufferPointer { bytes in
            if let contents = kind.contents {
                write(
                    cell, contents, at: frames.items[index], of: page, in: bytes, &values.progress,
                    to: &output.writer)
            } else {
                write(
                    cell, at: frames.items[index], page: page.number, in: bytes, &values.progress,
                    to: &output.writer)
            }
        }
        output.writer.raw(pieces.last)
    }

    func writeEnd(to output: inout StructuredJSONWriter) {
        output.noteElements()
        output.writer.raw(pieces.last)
    }

    /// Returns the items at the beginning of `run` that take about `byteCount` bytes, at least one,
    /// and their number of bytes.
    ///
    /// - Complexity: O(items in the result + pages of the section).
    func beginning(of run: Range<Int>, byteCount: Int) -> (items: Range<Int>, byteCount: Int) {
        let run = run.clamped(to: 0..<frames.items.count)
        var (total, count) = (0, 0)
        section.forEachPage(of: run) { page, cells in
            for cell in cells {
                guard count == 0 || total < byteCount else { return }
                total += pieces.byteCount + (writesData ? cell.dataRange.count : 0)
                if writer.origins != nil { total += OriginWriter.expectedByteCount }
                if hasParts, let contents = page.kinds[cell.kind].contents {
                    total += contents.partsCost(dataByteCount: cell.dataRange.count)
                }
                count += 1
            }
        }
        return (run.lowerBound..<run.lowerBound + count, total)
    }

    /// Writes items of one page, with their origins if `origins` has them.
    private func write(
        _ cells: ArraySlice<CellInfo>, at frames: UnsafeBufferPointer<Frame>,
        of page: ResolvedPage, in bytes: UnsafeBufferPointer<UInt8>, _ progress: inout Progress,
        to writer: inout JSONWriter, origins: OriginWriter?
    ) {
        guard let origins else {
            return write(cells, at: frames, of: page, in: bytes, &progress, to: &writer)
        }
        for (offset, index) in cells.indices.enumerated() {
            write(
                cells[index...index], at: UnsafeBufferPointer(rebasing: frames[offset...offset]),
                of: page, in: bytes, &progress, to: &writer)
            origins.writeItem(
                at: progress.index &- 1, of: section, depth: pieces.depth, to: &writer)
        }
    }

    private func write(
        _ cells: ArraySlice<CellInfo>, at frames: UnsafeBufferPointer<Frame>,
        of page: ResolvedPage, in bytes: UnsafeBufferPointer<UInt8>, _ progress: inout Progress,
        to writer: inout JSONWriter
    ) {
        var kind = -1
        var contents: ContentTree?
        for (cell, frame) in zip(cells, frames) {
            if cell.kind != kind {
                kind = cell.kind
                progress.head.rewrite(for: page.kinds[kind])
                contents = page.kinds[kind].contents
            }
            if let contents {
                write(cell, contents, at: frame, of: page, in: bytes, &progress, to: &writer)
            } else {
                write(cell, at: frame, page: page.number, in: bytes, &progress, to: &writer)
            }
            progress.index &+= 1
        }
    }

    @inline(never)
    private func write(
        _ cell: CellInfo, _ contents: ContentTree, at frame: Frame, of page: ResolvedPage,
        in bytes: UnsafeBufferPointer<UInt8>, _ progress: inout Progress,
        to writer: inout JSONWriter
    ) {
        let id = ItemId(identity: cell.id, number: progress.nextNumber(), page: page.number)
        writeStart(of: id, at: frame.moved(by: origin), bytes, &progress, to: &writer)
        let data = writesData ? cell.dataRange : 0..<0
        progress.parts?.write(
            contents, at: cell.inputs, in: page, self.frames.exactSize(ofItem: progress.index),
            data: writesData ? UnsafeBufferPointer(rebasing: bytes[data]) : nil, to: &writer)
        let capacity = pieces.byteCount + data.count + 4 * JSONCursor.longestNumber
        writer.withCapacity(capacity) { cursor in
            writeSeparator(ofItem: progress.index, to: &cursor)
            cursor.copy(UnsafeBufferPointer(rebasing: bytes[data]))
        }
    }

    /// Writes the members of an item up to its frame and its z-index.
    private func writeStart(
        of id: ItemId, at frame: Frame, _ bytes: UnsafeBufferPointer<UInt8>,
        _ progress: inout Progress, to writer: inout JSONWriter
    ) {
        let isFirst = progress.isFirst
        progress.isFirst = false
        let tail = progress.tail.bytes(for: frame, .none)
        let head = progress.head.bytes
        let capacity =
            pieces.byteCount + id.maxByteCount + head.count + tail.count
            + 2 * JSONCursor.longestNumber
        writer.withCapacity(capacity) { cursor in
            cursor.copyShort(isFirst ? pieces.first : pieces.between)
            id.write(to: &cursor, bytes)
            cursor.copyShort(head)
            cursor.number(frame.x)
            cursor.copyShort(pieces.y)
            cursor.number(frame.y)
            cursor.copyShort(tail)
        }
    }

    @inline(__always)
    private func write(
        _ cell: CellInfo, at frame: Frame, page: Int, in bytes: UnsafeBufferPointer<UInt8>,
        _ progress: inout Progress, to writer: inout JSONWriter
    ) {
        let index = progress.index
        let isFirst = progress.isFirst
        progress.isFirst = false
        let frame = frame.moved(by: origin)
        let tail =
            hasLines
            ? progress.tail.bytes(for: frame, frames.lines(ofItem: index))
            : progress.tail.bytes(for: frame)
        let head = progress.head.bytes
        let id = ItemId(identity: cell.id, number: progress.nextNumber(), page: page)
        let data = writesData ? cell.dataRange : 0..<0
        let capacity =
            pieces.byteCount + id.maxByteCount + head.count + tail.count + data.count
            + 6 * JSONCursor.longestNumber
        writer.withCapacity(capacity) { cursor in
            cursor.copyShort(isFirst ? pieces.first : pieces.between)
            id.write(to: &cursor, bytes)
            cursor.copyShort(head)
            cursor.number(frame.x)
            cursor.copyShort(pieces.y)
            cursor.number(frame.y)
            cursor.copyShort(tail)
            if hasMembersBeforeData { writeSeparator(ofItem: index, to: &cursor) }
            cursor.copy(UnsafeBufferPointer(rebasing: bytes[data]))
        }
    }

    /// Writes the separator of the item at `index`, if it has one, and the key of the data.
    @inline(never)
    private func writeSeparator(ofItem index: Int, to cursor: inout JSONCursor) {
        if frames.separators.indices ~= index,
            let frame = frames.separators[index]?.moved(by: origin)
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

/// An item's id in a tree: its text or its position, and `#2` when an earlier item has the same.
private struct ItemId {
    let identity: CellInfo.Identity
    /// The number after `#`; 1 for the first item of an identity, which has none.
    let number: Int
    let page: Int

    /// The maximum number of bytes of the id; an escaped text is never longer than the posted one.
    @inline(__always)
    var maxByteCount: Int {
        switch identity {
        case .text(let range, _): range.count + JSONCursor.longestNumber
        case .position: 4 * JSONCursor.longestNumber
        }
    }

    /// Writes the id without quotes.
    ///
    /// - Parameter bytes: The bytes of its page.
    @inline(__always)
    func write(to cursor: inout JSONCursor, _ bytes: UnsafeBufferPointer<UInt8>) {
        switch identity {
        case .text(let range, let hasEscapes):
            let text = UnsafeBufferPointer(
                rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
            if hasEscapes { cursor.reescaped(text) } else { cursor.copyShort(text) }
        case .position(let unit, let element):
            cursor.raw("p")
            cursor.digits(of: UInt64(page.magnitude))
            cursor.raw(".u")
            cursor.digits(of: UInt64(unit.magnitude))
            cursor.raw(".e")
            cursor.digits(of: UInt64(element.magnitude))
        }
        guard number > 1 else { return }
        cursor.byte(UInt8(ascii: "#"))
        cursor.digits(of: UInt64(number.magnitude))
    }
}
