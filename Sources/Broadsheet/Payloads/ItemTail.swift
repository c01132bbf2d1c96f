/// What stands between an item's y and its data: its size and its place in depth.
///
/// Neighbours are often of one size, so the bytes are kept until the size changes.
struct ItemTail {
    private var writer = JSONWriter(reservingCapacity: 128)
    private var size = Size(width: -1, height: -1)
    private let pieces: ItemPieces
    private let zIndex: Int
    /// Whether the way to the data is part of it, since no separator comes between.
    private let reachesData: Bool

    init(_ pieces: ItemPieces, zIndex: Int, reachesData: Bool) {
        self.pieces = pieces
        self.zIndex = zIndex
        self.reachesData = reachesData
    }

    /// The bytes for an item of the size of `frame`.
    @inline(__always)
    mutating func bytes(for frame: Frame) -> [UInt8] {
        // Sizes are finite and not negative, so the first one always differs from the initial size.
        if frame.width != size.width || frame.height != size.height { rewrite(for: frame) }
        return writer.bytes
    }

    @inline(never)
    private mutating func rewrite(for frame: Frame) {
        size = Size(width: frame.width, height: frame.height)
        writer.removeAll()
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
