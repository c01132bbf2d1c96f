/// Writes the items of one section.
///
/// Most of a tree is items. Therefore the JSON around their values is prepared once for a tree, the
/// capacity for each item is reserved at once, and no item allocates memory.
struct ItemsWriter {
    private let section: MergedSection
    private let frames: SectionFrames
    private let origin: Frame
    private let pieces: ItemPieces
    private let writesData: Bool

    /// The state that changes with every item, separate from the properties that the loop need not
    /// retain.
    private struct Progress {
        /// The index of the next item in its section.
        var index = 0
        /// A Boolean value that indicates whether no item has been written so far.
        var isFirst: Bool
        /// The suffixes of the items from `index` on.
        var suffixes: ArraySlice<ItemSuffix> = []
        var head: ItemHead
        var tail: ItemTail

        /// Returns the number that distinguishes the next item from earlier ones, or 1.
        @inline(__always)
        mutating func nextNumber() -> Int {
            guard let suffix = suffixes.first, suffix.item == index else { return 1 }
            suffixes.removeFirst()
            return suffix.number
        }
    }

    /// Creates a writer of the items of a section.
    init(_ writer: SectionWriter) {
        section = writer.section
        frames = writer.frames
        origin = writer.origin
        pieces = writer.pieces
        writesData = writer.options.fields == .all
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
        var progress = Progress(
            isFirst: isFirst, head: ItemHead(pieces),
            tail: ItemTail(
                pieces, zIndex: frames.itemZIndex, reachesData: frames.separators.isEmpty))
        // The loop uses pointers to the bytes of these objects: it would retain arrays.
        defer { withExtendedLifetime((progress.head, progress.tail, pieces)) {} }
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
        return progress.isFirst
    }

    /// Writes the end of the last item.
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
        section.forEachPage(of: run) { _, cells in
            for cell in cells {
                guard count == 0 || total < byteCount else { return }
                total += pieces.byteCount + (writesData ? cell.dataRange.count : 0)
                count += 1
            }
        }
        return (run.lowerBound..<run.lowerBound + count, total)
    }

    /// Writes items of one page.
    ///
    /// - Parameter bytes: The bytes of `page`.
    private func write(
        _ cells: ArraySlice<CellInfo>, of page: ResolvedPage, _ bytes: UnsafeBufferPointer<UInt8>,
        _ progress: inout Progress, to writer: inout JSONWriter
    ) {
        var kind = -1
        for cell in cells {
            if cell.kind != kind {
                kind = cell.kind
                progress.head.rewrite(for: page.kinds[kind])
            }
            write(cell, page: page.number, bytes, &progress, to: &writer)
            progress.index &+= 1
        }
    }

    @inline(__always)
    private func write(
        _ cell: CellInfo, page: Int, _ bytes: UnsafeBufferPointer<UInt8>,
        _ progress: inout Progress, to writer: inout JSONWriter
    ) {
        let index = progress.index
        let isFirst = progress.isFirst
        progress.isFirst = false
        let frame = frames.items[index].moved(by: origin)
        let tail = progress.tail.bytes(for: frame)
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
            if !frames.separators.isEmpty { writeSeparator(ofItem: index, to: &cursor) }
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

/// The JSON between the ids, the numbers and the data of a tree's items, prepared once.
///
/// It is shared, because a copy of a value would retain each of the arrays.
final class ItemPieces: @unchecked Sendable {
    // Unchecked: only the initialiser writes the memory of the pointers.

    /// From the array's bracket to the first item's id, with its opening quote.
    let first: UnsafeBufferPointer<UInt8>
    /// From the end of an item to the id of the next one.
    let between: UnsafeBufferPointer<UInt8>
    /// After a section's last item.
    let last: [UInt8]
    /// From an id to the type.
    let type: [UInt8]
    /// From the type to the frame's x.
    let frame: [UInt8]
    /// From x to y.
    let y: UnsafeBufferPointer<UInt8>
    /// From y to the width.
    let width: [UInt8]
    /// From the width to the height.
    let height: [UInt8]
    /// From a frame to the z-index.
    let zIndex: [UInt8]
    /// From the preceding member to a separator's x.
    let separator: [UInt8]
    /// From the preceding member to the data; empty when no data is written.
    let data: [UInt8]
    /// The maximum number of bytes of the pieces of one item; a separator repeats some of its
    /// frame's.
    let byteCount: Int

    /// Creates the pieces for items inside `depth` containers.
    init(style: StructuredJSONWriter.Style, depth: Int, writesData: Bool) {
        func inner(_ name: StaticString) -> [UInt8] {
            style.lineBreak(depth + 1) + style.key(name)
        }
        func inline(_ name: StaticString) -> [UInt8] {
            style.inlineComma + style.key(name)
        }
        let quote = [UInt8(ascii: "\"")]
        let comma = [UInt8(ascii: ",")]
        let brace = [UInt8(ascii: "{")]
        let first = style.lineBreak(depth) + brace + inner("id") + quote
        last = style.lineBreak(depth) + [UInt8(ascii: "}")]
        self.first = UnsafeBufferPointer(copying: first)
        between = UnsafeBufferPointer(copying: last + comma + first)
        type = quote + comma + inner("type")
        frame = comma + inner("frame") + brace + style.key("x")
        y = UnsafeBufferPointer(copying: inline("y"))
        width = inline("width")
        height = inline("height")
        zIndex = comma + inner("zIndex")
        separator = comma + inner("separator") + brace + style.key("x")
        data = writesData ? comma + inner("data") : []
        byteCount =
            between.count + 2 * y.count
            + [type, frame, width, height, zIndex, separator, width, height, data]
            .reduce(0) { $0 + $1.count }
    }

    deinit {
        for bytes in [first, between, y] { bytes.deallocate() }
    }
}

/// The JSON between an item's id and its x, with its type.
///
/// Consecutive items often have the same type, so the bytes are kept until the type changes.
private final class ItemHead {
    /// The bytes; valid until they are rewritten.
    var bytes: UnsafeBufferPointer<UInt8> { memory.bytes }

    private var memory = PieceMemory()
    private let pieces: ItemPieces

    init(_ pieces: ItemPieces) {
        self.pieces = pieces
    }

    /// Replaces the bytes by those for items of a kind.
    @inline(never)
    func rewrite(for kind: CellKind) {
        memory.rewrite { writer in
            writer.raw(pieces.type)
            writer.raw(kind.nameJSON)
            writer.raw(pieces.frame)
        }
    }
}

/// Memory for a piece of JSON that is rewritten from time to time.
private struct PieceMemory: ~Copyable {
    /// The bytes written last.
    private(set) var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    private var writer = JSONWriter(reservingCapacity: 128)
    private var memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 128)

    deinit {
        memory.deallocate()
    }

    /// Replaces the bytes by those that `body` writes.
    mutating func rewrite(_ body: (inout JSONWriter) -> Void) {
        writer.removeAll()
        body(&writer)
        if memory.count < writer.bytes.count {
            memory.deallocate()
            memory = .allocate(capacity: 2 * writer.bytes.count)
        }
        let end = memory.update(fromContentsOf: writer.bytes)
        bytes = UnsafeBufferPointer(rebasing: memory[..<end])
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Creates a buffer of the same bytes, which the caller deallocates.
    fileprivate init(copying bytes: [UInt8]) {
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = memory.initialize(from: bytes)
        self.init(memory)
    }
}

/// The JSON between an item's y and its data: its size and its z-index.
///
/// Consecutive items often have the same size, so the bytes are kept until the size changes.
private final class ItemTail {
    private var memory = PieceMemory()
    private var size = Size(width: -1, height: -1)
    private let pieces: ItemPieces
    private let zIndex: Int
    /// A Boolean value that indicates whether the key of the data is included, because the section
    /// has no separators.
    private let reachesData: Bool

    init(_ pieces: ItemPieces, zIndex: Int, reachesData: Bool) {
        self.pieces = pieces
        self.zIndex = zIndex
        self.reachesData = reachesData
    }

    /// Returns the bytes for an item of the size of `frame`; they are valid until the next call.
    @inline(__always)
    func bytes(for frame: Frame) -> UnsafeBufferPointer<UInt8> {
        // Sizes are finite and not negative, so the first one always differs from the initial size.
        if frame.width != size.width || frame.height != size.height { rewrite(for: frame) }
        return memory.bytes
    }

    @inline(never)
    private func rewrite(for frame: Frame) {
        size = Size(width: frame.width, height: frame.height)
        memory.rewrite { writer in
            writer.raw(pieces.width)
            writer.number(frame.width)
            writer.raw(pieces.height)
            writer.number(frame.height)
            writer.raw("}")
            if zIndex != ZIndex.item {
                writer.raw(pieces.zIndex)
                writer.integer(zIndex)
            }
            if reachesData { writer.raw(pieces.data) }
        }
    }
}

/// An item's id in a tree: its text or its position, and `#2` when an earlier item has the same.
private struct ItemId {
    let identity: CellInfo.Identity
    /// The number after `#`; 1 for the first item of an identity, which has none.
    let number: Int
    /// The number of its page.
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
