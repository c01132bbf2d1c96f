import BroadsheetClient

/// The JSON between the ids, the numbers and the data of a tree's items, prepared once.
///
/// All trees with the same options share it.
final class ItemPieces: @unchecked Sendable {
    // Unchecked: only the initialiser writes the memory of the pointers.

    /// The number of containers around an item.
    let depth: Int
    /// From the array's bracket to the first item's id, with its opening quote.
    let first: UnsafeBufferPointer<UInt8>
    /// From the end of an item to the id of the next one.
    let between: UnsafeBufferPointer<UInt8>
    /// After a section's last item.
    let last: [UInt8]
    /// From an id to the type.
    let type: [UInt8]
    /// From the type to the array of the gestures.
    private let can: [UInt8]
    /// Between two gestures.
    private let canComma: [UInt8]
    /// From the preceding member to the frame's x.
    let frame: [UInt8]
    /// From x to y.
    let y: UnsafeBufferPointer<UInt8>
    /// From y to the width.
    let width: [UInt8]
    /// From the width to the height.
    let height: [UInt8]
    /// From a frame to the z-index.
    let zIndex: [UInt8]
    /// From the preceding member to the number of lines.
    let lines: [UInt8]
    let truncated: [UInt8]
    /// From the preceding member to a separator's x.
    let separator: [UInt8]
    /// From the preceding member to the data; empty when no data is written.
    let data: [UInt8]
    /// The maximum number of bytes of the pieces of one item; a separator repeats some of its
    /// frame's.
    let byteCount: Int

    /// The properties of trees that the pieces depend on.
    private struct Key: Hashable {
        let style: StructuredJSONWriter.Style
        let writesData: Bool
        let depth: Int
        let isMember: Bool
    }

    /// The pieces in use so far, of which there are few: writers have fixed depths.
    private static let cache = LockedValue<[Key: ItemPieces]>([:])

    /// Returns the pieces for items inside `depth` containers.
    ///
    /// - Parameter isMember: A Boolean value that indicates whether each item is the value of a
    ///   member, and not an element of an array.
    static func shared(
        _ options: TreeOptions, depth: Int, isMember: Bool = false
    ) -> ItemPieces {
        let key = Key(
            style: options.style, writesData: options.writesData, depth: depth, isMember: isMember)
        return cache.withLock { cache in
            if let pieces = cache[key] { return pieces }
            let pieces = ItemPieces(key)
            cache[key] = pieces
            return pieces
        }
    }

    private init(_ key: Key) {
        let style = key.style
        depth = key.depth
        func inner(_ name: StaticString) -> [UInt8] {
            style.lineBreak(key.depth + 1) + style.key(name)
        }
        func inline(_ name: StaticString) -> [UInt8] {
            style.inlineComma + style.key(name)
        }
        let quote = [UInt8(ascii: "\"")]
        let comma = [UInt8(ascii: ",")]
        let brace = [UInt8(ascii: "{")]
        let first = (key.isMember ? [] : style.lineBreak(key.depth)) + brace + inner("id") + quote
        last = style.lineBreak(key.depth) + [UInt8(ascii: "}")]
        self.first = UnsafeBufferPointer(copying: first)
        between = UnsafeBufferPointer(copying: last + comma + first)
        type = quote + comma + inner("type")
        can = comma + inner("can") + [UInt8(ascii: "[")]
        canComma = style.inlineComma
        frame = comma + inner("frame") + brace + style.key("x")
        y = UnsafeBufferPointer(copying: inline("y"))
        width = inline("width")
        height = inline("height")
        zIndex = comma + inner("zIndex")
        lines = comma + inner("lines")
        truncated = comma + inner("truncated") + Array("true".utf8)
        separator = comma + inner("separator") + brace + style.key("x")
        data = key.writesData ? comma + inner("data") : []
        byteCount =
            between.count + 2 * y.count
            + [type, frame, width, height, zIndex, separator, width, height, data]
            .reduce(0) { $0 + $1.count }
    }

    deinit {
        for bytes in [first, between, y] { bytes.deallocate() }
    }

    fileprivate func write(_ gestures: [CellCapability], to writer: inout JSONWriter) {
        writer.raw(can)
        for (index, gesture) in gestures.enumerated() {
            if index > 0 { writer.raw(canComma) }
            writer.string(gesture.rawValue)
        }
        writer.raw("]")
    }
}

/// The JSON between an item's id and its x, with its type.
///
/// Consecutive items often have the same type, so the bytes are kept until the type changes.
final class ItemHead {
    /// The bytes; valid until they are rewritten.
    var bytes: UnsafeBufferPointer<UInt8> { memory.bytes }

    // Unchecked: read for each item; no access overlaps a change, which only methods make.
    @exclusivity(unchecked) private var memory = PieceMemory()
    private let pieces: ItemPieces

    init(_ pieces: ItemPieces) {
        self.pieces = pieces
    }

    @inline(never)
    func rewrite(for kind: CellKind) {
        memory.rewrite { writer in
            writer.raw(pieces.type)
            writer.raw(kind.nameJSON)
            if let can = kind.behavior.can { pieces.write(can, to: &writer) }
            writer.raw(pieces.frame)
        }
    }
}

/// Memory for a piece of JSON that is rewritten from time to time.
private struct PieceMemory: ~Copyable {
    private(set) var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    private var writer = JSONWriter(reservingCapacity: 128)
    private var memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 128)

    deinit {
        memory.deallocate()
    }

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

/// The JSON between an item's y and its data: its size, its z-index and the lines of its texts.
///
/// Consecutive items often have the same size, so the bytes are kept until the size changes.
final class ItemTail {
    // Unchecked: read for each item; no access overlaps a change, which only methods make.
    @exclusivity(unchecked) private var memory = PieceMemory()
    private var size = Size(width: -1, height: -1)
    private var lines = ItemLines.none
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

    /// Returns the bytes for an item of the size of `frame` and with texts of `lines`, in a section
    /// with measured items.
    func bytes(for frame: Frame, _ lines: ItemLines) -> UnsafeBufferPointer<UInt8> {
        if lines != self.lines {
            self.lines = lines
            rewrite(for: frame)
        }
        return bytes(for: frame)
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
            if lines.isMeasured {
                writer.raw(pieces.lines)
                writer.integer(lines.count)
                if lines.isTruncated { writer.raw(pieces.truncated) }
            }
            if reachesData { writer.raw(pieces.data) }
        }
    }
}
